import { ToolwrightError } from '../../errors/errors.ts';
import { serialize } from '../../format/serialize.ts';
import type { Dialogue } from '../../middleware/dialogue.ts';

/**
 * What the steps of one call gave. A handler that is run again gets what it got before: from this run, or from one before it that the
 * dialogue remembers.
 */
export class Steps {
  readonly #dialogue: Dialogue | undefined;
  readonly #maxBytes: number;
  readonly #running = new Map<string, Promise<unknown>>();

  constructor(dialogue: Dialogue | undefined, maxBytes: number) {
    this.#dialogue = dialogue;
    this.#maxBytes = maxBytes;
  }

  run(name: string, work: () => unknown): Promise<unknown> {
    const recalled = this.#dialogue?.recall(name);
    if (recalled !== undefined) return Promise.resolve(recalled.value);
    const running = this.#running.get(name);
    if (running !== undefined) return running;
    const started = this.#start(name, work);
    this.#running.set(name, started);
    // A step that failed may be tried again.
    started.catch(() => this.#running.delete(name));
    return started;
  }

  async #start(name: string, work: () => unknown): Promise<unknown> {
    const value = toPlain(name, await work(), this.#maxBytes);
    this.#dialogue?.remember(name, value);
    return value;
  }
}

/** As it would come back: a step must give the same whether it was run or remembered. */
function toPlain(name: string, value: unknown, maxBytes: number): unknown {
  if (value === undefined) return undefined;
  const serialized = serialize(value, { maxBytes });
  if (serialized.ok) return JSON.parse(serialized.json) as unknown;
  throw new ToolwrightError(
    'INVALID_OUTPUT',
    `The result of step "${name}" cannot be stored: ${serialized.reason}.`,
  );
}
