import { InputPendingError } from '../../errors/errors.ts';
import { assertCapable } from '../../middleware/client-capabilities.ts';
import type {
  ClientDescription,
  Dialogue,
  InputRequest,
  McpLogLevel,
  Question,
} from '../../middleware/dialogue.ts';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import type { Exchange } from '../served/exchange.ts';
import { ClientLog } from './client-log.ts';
import type { CallState } from './call-state.ts';

const NOTHING: CallState = { answers: {}, steps: {}, round: 0 };

/**
 * Dialogue with a client of 2026-07-28, which cannot be asked during a request. A question ends the run; the client sends the request again
 * with its response, and the handler runs again with the recorded responses and step results.
 */
export class ModernDialogue implements Dialogue {
  readonly client: ClientDescription;
  hasAsked = false;
  #log: ClientLog | undefined;
  readonly #exchange: Exchange;
  /** State of earlier rounds. */
  readonly before: CallState;
  /** Input responses of this request. */
  readonly given: Readonly<Record<string, unknown>>;
  /** Questions, responses and steps of this run; created on first use. */
  #run: RunState | undefined;

  constructor(exchange: Exchange, state: CallState | undefined, given: Readonly<Record<string, unknown>>) {
    this.client = exchange.client;
    this.#exchange = exchange;
    this.before = state ?? NOTHING;
    this.given = given;
  }

  get isPending(): boolean {
    return this.#run !== undefined && this.#run.pending.size > 0;
  }

  put(name: string, question: Question): Promise<unknown> {
    const answer = this.#find(name, question);
    const { reading } = this.#runState();
    reading.add(answer);
    const done = (): void => void reading.delete(answer);
    answer.then(done, done);
    return answer;
  }

  /** Waits for responses that are being validated: they must be recorded. */
  async settle(): Promise<void> {
    await Promise.allSettled(this.#runState().reading);
  }

  async #find(name: string, question: Question): Promise<unknown> {
    this.hasAsked = true;
    assertCapable(this.client, question.needs);
    for (const source of [this.before.answers, this.given]) {
      if (!Object.hasOwn(source, name)) continue;
      const answer = await question.read(source[name]);
      if (answer === undefined) continue;
      this.#runState().answers.set(name, source[name]);
      return answer.value;
    }
    this.#runState().pending.set(name, question.request);
    throw new InputPendingError(name);
  }

  recall(step: string): { readonly value: unknown } | undefined {
    if (this.#run?.steps.has(step) === true) return { value: this.#run.steps.get(step) };
    const before = Object.hasOwn(this.before.steps, step) ? this.before.steps[step] : undefined;
    return before === undefined ? undefined : { value: before.value };
  }

  remember(step: string, value: unknown): void {
    this.#runState().steps.set(step, value);
  }

  startTask(): MaybePromise<void> {}

  sendLog(level: McpLogLevel, data: unknown, logger: string | undefined): MaybePromise<void> {
    this.#log ??= new ClientLog(this.#exchange);
    return this.#log.send({ level, data, logger });
  }

  releaseStream(): void {}

  /** Input requests for the client. */
  get questions(): Readonly<Record<string, InputRequest>> {
    return Object.fromEntries(this.#runState().pending);
  }

  /** State to keep until the next round. Responses of earlier rounds are kept even if this run did not use them. */
  get state(): CallState {
    const { answers, steps, round } = this.before;
    const run = this.#runState();
    const taken = Array.from(
      run.steps,
      ([step, value]) => [step, value === undefined ? {} : { value }] as const,
    );
    return {
      answers: { ...answers, ...Object.fromEntries(run.answers) },
      steps: { ...steps, ...Object.fromEntries(taken) },
      round: round + 1,
    };
  }

  #runState(): RunState {
    this.#run ??= { pending: new Map(), answers: new Map(), steps: new Map(), reading: new Set() };
    return this.#run;
  }
}

interface RunState {
  readonly pending: Map<string, InputRequest>;
  readonly answers: Map<string, unknown>;
  readonly steps: Map<string, unknown>;
  readonly reading: Set<Promise<unknown>>;
}
