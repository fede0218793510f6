import { ToolwrightError } from '../../errors/errors.ts';
import { serialize } from '../../format/serialize.ts';
import type { Dialogue } from '../../middleware/dialogue.ts';

/**
 * The results of the steps of one call. A handler that runs again gets the recorded result: from this run, or from an earlier one that the
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
    // A failed step may be retried.
    started.catch(() => this.#running.delete(name));
    return started;
  }

  async #start(name: string, work: () => unknown): Promise<unknown> {
    const value = toPlain(name, await work(), this.#maxBytes);
    this.#dialogue?.remember(name, value);
    return value;
  }
}

/** The JSON form, so that a step returns the same value whether it ran or was recorded. */
function toPlain(name: string, value: unknown, maxBytes: number): unknown {
  if (value === undefined) return undefined;
  const serialized = serialize(value, { maxBytes });
  if (serialized.ok) return JSON.parse(serialized.json) as unknown;
  throw new ToolwrightError(
    'INVALID_OUTPUT',
    `The result of step "${name}" cannot be stored: ${serialized.reason}.`,
  );
}
