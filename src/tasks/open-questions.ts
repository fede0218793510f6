import { CallRefusedError } from '../errors/errors.ts';
import { toLoggedError } from '../errors/log-thrown.ts';
import type { Logger } from '../errors/logger.ts';
import type { InputRequest, Question } from '../middleware/dialogue.ts';
import type { Clock } from '../base/time/clock.ts';

/** A valid response, parsed and as received. */
interface Answered {
  readonly value: unknown;
  readonly response: unknown;
}

interface OpenQuestion {
  readonly question: Question;
  readonly resolve: (answered: Answered) => void;
  readonly reject: (reason: unknown) => void;
  /** Clears the timeout. */
  readonly rest: () => void;
}

/** Options of the open input requests of a task. */
export interface OpenQuestionsOptions {
  /** Called when an input request was added or responded to. */
  readonly onChange: () => void;
  /** Time to wait for a response. */
  readonly answerWithinMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Input requests of one task. The protocol requires that a key is used once in the life of a task: a name that was asked before returns its
 * recorded response, as when a handler runs again. If that response is invalid, the request gets another key.
 */
export class OpenQuestions {
  readonly #open = new Map<string, OpenQuestion>();
  readonly #asked = new Map<string, Promise<Answered>>();
  readonly #usedKeys = new Set<string>();
  readonly #options: OpenQuestionsOptions;
  #refusal: { readonly reason: unknown } | undefined = undefined;

  constructor(options: OpenQuestionsOptions) {
    this.#options = options;
  }

  /** Open input requests; undefined if there are none. */
  get requests(): Readonly<Record<string, InputRequest>> | undefined {
    if (this.#open.size === 0) return undefined;
    return Object.fromEntries(Array.from(this.#open, ([key, { question }]) => [key, question.request]));
  }

  async put(name: string, question: Question): Promise<unknown> {
    const before = this.#asked.get(name);
    if (before !== undefined) {
      const answer = await this.#read(question, (await before).response);
      if (answer !== undefined) return answer.value;
    }
    return (await this.#ask(name, question)).value;
  }

  /** Accepts valid responses; a request with an invalid response stays open. */
  async answer(responses: Readonly<Record<string, unknown>>): Promise<void> {
    const met = Array.from(this.#open).filter(([key]) => Object.hasOwn(responses, key));
    const answers = await Promise.all(met.map(([key, { question }]) => this.#read(question, responses[key])));
    let isChanged = false;
    for (const [index, [key, open]] of met.entries()) {
      const answer = answers[index];
      // Another response may have been accepted while this one was validated.
      if (answer === undefined || !this.#open.delete(key)) continue;
      open.rest();
      open.resolve({ value: answer.value, response: responses[key] });
      isChanged = true;
    }
    if (isChanged) this.#options.onChange();
  }

  /** Rejects further requests. Pending ones are not settled: the result is no longer needed. */
  end(reason: unknown): void {
    this.#refusal = { reason };
    for (const { rest } of this.#open.values()) rest();
    this.#open.clear();
  }

  /** Rejects further and pending requests. */
  cancel(reason: unknown): void {
    const waiting = [...this.#open.values()];
    this.end(reason);
    for (const { reject } of waiting) reject(reason);
  }

  #ask(name: string, question: Question): Promise<Answered> {
    if (this.#refusal !== undefined) throw this.#refusal.reason;
    const { clock, answerWithinMs } = this.#options;
    const key = this.#freshKey(name);
    const answered = new Promise<Answered>((resolve, reject) => {
      const rest = clock.schedule(() => this.#giveUp(key, name), answerWithinMs);
      this.#open.set(key, { question, resolve, reject, rest });
    });
    this.#asked.set(name, answered);
    this.#options.onChange();
    return answered;
  }

  /** Times out a request: a client that never responds must not keep the task forever. */
  #giveUp(key: string, name: string): void {
    const open = this.#open.get(key);
    this.#open.delete(key);
    open?.reject(new CallRefusedError('INPUT_REFUSED', `Nobody answered "${name}" in time.`));
    this.#options.onChange();
  }

  #freshKey(name: string): string {
    let key = name;
    for (let count = 2; this.#usedKeys.has(key); count += 1) key = `${name}-${count}`;
    this.#usedKeys.add(key);
    return key;
  }

  async #read(question: Question, response: unknown): Promise<{ readonly value: unknown } | undefined> {
    try {
      return await question.read(response);
    } catch (error) {
      this.#options.logger.warning('an input response could not be validated; the input request stays open', {
        error: toLoggedError(error),
      });
      return undefined;
    }
  }
}
