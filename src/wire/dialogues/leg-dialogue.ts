import { wallTimeOf } from '../../base/time/clock.ts';
import type { Clock } from '../../base/time/clock.ts';
import { CallRefusedError, InputPendingError } from '../../errors/errors.ts';
import { toLoggedError } from '../../errors/log-thrown.ts';
import type { Logger } from '../../errors/logger.ts';
import { assertCapable } from '../../middleware/client-capabilities.ts';
import type { ClientDescription, Dialogue, InputRequest, Question } from '../../middleware/dialogue.ts';
import type { AskedInput, LegState } from './leg-work.ts';

/** Parts of a {@link LegDialogue}. */
export interface LegDialogueParts {
  readonly client: ClientDescription;
  readonly state: LegState;
  /** Input responses by the keys of their requests, of one update each. */
  readonly responses: readonly Readonly<Record<string, unknown>>[];
  readonly answerWithinMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Dialogue of one leg of a task. A request without a response ends the leg; the handler runs again in the next leg, with the recorded
 * responses and results of steps.
 */
export class LegDialogue implements Dialogue {
  readonly client: ClientDescription;
  hasAsked = false;
  readonly #parts: LegDialogueParts;
  readonly #now: number;
  readonly #answers: Map<string, unknown>;
  readonly #steps: Map<string, { readonly value?: unknown }>;
  readonly #asked: Map<string, AskedInput>;
  readonly #refused: Set<string>;
  readonly #keys: Set<string>;
  /** Open requests of this leg, by their keys. */
  readonly #pending = new Map<string, InputRequest>();
  readonly #reading = new Set<Promise<unknown>>();

  constructor(parts: LegDialogueParts) {
    const { answers, steps, asked, refused, keys } = parts.state;
    this.client = parts.client;
    this.#parts = parts;
    this.#now = wallTimeOf(parts.clock);
    this.#answers = new Map(Object.entries(answers));
    this.#steps = new Map(Object.entries(steps));
    this.#asked = new Map(Object.entries(asked));
    this.#refused = new Set(refused);
    this.#keys = new Set(keys);
  }

  get isPending(): boolean {
    return this.#pending.size > 0;
  }

  put(name: string, question: Question): Promise<unknown> {
    const answer = this.#find(name, question);
    this.#reading.add(answer);
    const done = (): void => void this.#reading.delete(answer);
    answer.then(done, done);
    return answer;
  }

  /** Waits for responses that are being validated: they must be recorded. */
  async settle(): Promise<void> {
    await Promise.allSettled(this.#reading);
  }

  recall(step: string): { readonly value: unknown } | undefined {
    const found = this.#steps.get(step);
    return found === undefined ? undefined : { value: found.value };
  }

  remember(step: string, value: unknown): void {
    this.#steps.set(step, value === undefined ? {} : { value });
  }

  /** Does nothing: the call is already a task. */
  startTask(): void {}

  /** Does nothing: the protocol has no log messages for tasks. */
  sendLog(): void {}

  /** Does nothing: there is no stream; the client polls. */
  releaseStream(): void {}

  /** Input requests for the client, by their keys. */
  get requests(): Readonly<Record<string, InputRequest>> {
    return Object.fromEntries(this.#pending);
  }

  /** Time until the first open request is given up. */
  get waitMs(): number {
    const open = Array.from(this.#asked.values()).filter(({ key }) => this.#pending.has(key));
    return Math.max(0, Math.min(...open.map(({ until }) => until)) - wallTimeOf(this.#parts.clock));
  }

  /** State to keep until the next leg. */
  get state(): LegState {
    return {
      answers: Object.fromEntries(this.#answers),
      steps: Object.fromEntries(this.#steps),
      asked: Object.fromEntries(this.#asked),
      refused: [...this.#refused],
      keys: [...this.#keys],
    };
  }

  async #find(name: string, question: Question): Promise<unknown> {
    this.hasAsked = true;
    assertCapable(this.client, question.needs);
    if (this.#answers.has(name)) {
      const before = await this.#read(question, this.#answers.get(name));
      if (before !== undefined) return before.value;
      // Asked before with another schema: a new request, with a key of its own.
      this.#answers.delete(name);
    }
    if (this.#refused.has(name)) throw refusal(name);
    const asked = this.#asked.get(name) ?? this.#ask(name);
    for (const responses of this.#parts.responses) {
      if (!Object.hasOwn(responses, asked.key)) continue;
      // In their order: the first valid one counts.
      // oxlint-disable-next-line no-await-in-loop
      const answer = await this.#read(question, responses[asked.key]);
      if (answer === undefined) continue;
      this.#asked.delete(name);
      this.#answers.set(name, responses[asked.key]);
      return answer.value;
    }
    if (asked.until <= this.#now) {
      this.#asked.delete(name);
      this.#refused.add(name);
      throw refusal(name);
    }
    this.#pending.set(asked.key, question.request);
    throw new InputPendingError(name);
  }

  #ask(name: string): AskedInput {
    let key = name;
    for (let count = 2; this.#keys.has(key); count += 1) key = `${name}-${count}`;
    this.#keys.add(key);
    const asked = { key, until: this.#now + this.#parts.answerWithinMs };
    this.#asked.set(name, asked);
    return asked;
  }

  async #read(question: Question, response: unknown): Promise<{ readonly value: unknown } | undefined> {
    try {
      return await question.read(response);
    } catch (error) {
      this.#parts.logger.warning('an input response could not be validated; the input request stays open', {
        error: toLoggedError(error),
      });
      return undefined;
    }
  }
}

function refusal(name: string): CallRefusedError {
  return new CallRefusedError('INPUT_REFUSED', `The client did not respond to "${name}" in time.`);
}
