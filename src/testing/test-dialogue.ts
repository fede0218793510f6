import type { MaybePromise } from '../base/maybe-promise.ts';
import { InputPendingError } from '../errors/errors.ts';
import { assertCapable } from '../middleware/client-capabilities.ts';
import type {
  ClientDescription,
  Dialogue,
  ModelAnswer,
  ModelQuestion,
  Question,
  Root,
} from '../middleware/dialogue.ts';

/** An elicitation request. */
export type TestElicitation =
  | {
      /** The name of the request in the handler. */
      readonly name: string;
      readonly mode: 'form';
      readonly message: string;
      /** The fields of the form, as JSON Schema. */
      readonly requestedSchema: Readonly<Record<string, unknown>>;
    }
  | { readonly name: string; readonly mode: 'url'; readonly message: string; readonly url: string };

/** The response of the user. `content` contains the fields of a form. */
export type TestElicitationAnswer =
  | { readonly action: 'accept'; readonly content?: Readonly<Record<string, unknown>> }
  | { readonly action: 'decline' | 'cancel' };

/** A sampling request. */
export interface TestSampling extends ModelQuestion {
  /** The name of the request in the handler. */
  readonly name: string;
}

/** Answers to requests of handlers. The client declares a capability for each option that is set. */
export interface TestAnswerers {
  /** Answers `context.ask`, `context.askUrl` and confirmations instead of a user. Default: none. */
  readonly onElicitation?: (question: TestElicitation) => MaybePromise<TestElicitationAnswer>;
  /** Answers `context.askModel` instead of a model. A string is the text of the assistant. Default: none. */
  readonly onSampling?: (question: TestSampling) => MaybePromise<ModelAnswer | string>;
  /** Answers `context.askRoots`. Default: none. */
  readonly roots?: readonly Root[];
  /**
   * The protocol version. With `'2026-07-28'`, the handler is run again from the start after each answer; with `'2025-11-25'`, it waits for the
   * answer. Default: `'2026-07-28'`.
   */
  readonly protocolVersion?: '2025-11-25' | '2026-07-28';
}

/** The dialogue between a call and a test client, over all rounds of the call. */
export class TestDialogue implements Dialogue {
  readonly client: ClientDescription;
  hasAsked = false;
  /** The error of an invalid answer. It is a mistake in the test, so the call throws it. */
  failure: { readonly error: unknown } | undefined;
  readonly #answerers: TestAnswerers;
  readonly #steps = new Map<string, unknown>();
  readonly #answers = new Map<string, unknown>();
  readonly #pending = new Map<string, Question>();

  constructor(answerers: TestAnswerers) {
    const { onElicitation, onSampling, roots, protocolVersion = '2026-07-28' } = answerers;
    this.#answerers = answerers;
    this.client = {
      name: 'toolwright-test',
      version: undefined,
      capabilities: {
        ...(onElicitation === undefined ? {} : { elicitation: { form: {}, url: {} } }),
        ...(onSampling === undefined ? {} : { sampling: {} }),
        ...(roots === undefined ? {} : { roots: {} }),
      },
      protocolVersion,
    };
  }

  get isPending(): boolean {
    return this.#pending.size > 0;
  }

  async put(name: string, question: Question): Promise<unknown> {
    this.hasAsked = true;
    assertCapable(this.client, question.needs);
    if (this.client.protocolVersion === '2025-11-25') await this.#answer(name, question);
    const read = this.#answers.has(name) ? await question.read(this.#answers.get(name)) : undefined;
    if (read !== undefined) return read.value;
    this.#pending.set(name, question);
    throw new InputPendingError(name);
  }

  /** Answers all pending requests of the last run. */
  async answerPending(): Promise<void> {
    const questions = Array.from(this.#pending);
    this.#pending.clear();
    for (const [name, question] of questions) await this.#answer(name, question);
  }

  async #answer(name: string, question: Question): Promise<void> {
    try {
      const answer = asJson(await this.#ask(name, question));
      if ((await question.read(answer)) === undefined)
        throw new Error(`Invalid answer to "${name}": ${JSON.stringify(answer)}.${describeWanted(question)}`);
      this.#answers.set(name, answer);
    } catch (error) {
      this.failure ??= { error };
      throw error;
    }
  }

  async #ask(name: string, { request: { method, params } }: Question): Promise<unknown> {
    const { onElicitation, onSampling, roots } = this.#answerers;
    const question = { ...(asJson(params) as object), name };
    if (method === 'elicitation/create') return onElicitation?.(question as TestElicitation);
    if (method === 'roots/list') return { roots };
    const answer = await onSampling?.(question as TestSampling);
    if (typeof answer !== 'string') return answer;
    return { role: 'assistant', content: { type: 'text', text: answer }, model: 'test' };
  }

  recall(step: string): { readonly value: unknown } | undefined {
    return this.#steps.has(step) ? { value: this.#steps.get(step) } : undefined;
  }

  remember(step: string, value: unknown): void {
    this.#steps.set(step, value);
  }

  startTask(): void {}

  sendLog(): void {}

  releaseStream(): void {}
}

/** The value after serialization to JSON and parsing, as a client receives it. */
export function asJson(value: unknown): unknown {
  return value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as unknown);
}

/** The expected fields of a form, for a message. */
function describeWanted({ request }: Question): string {
  const { requestedSchema } = request.params as {
    readonly requestedSchema?: { readonly properties?: object };
  };
  const { properties } = requestedSchema ?? {};
  return properties === undefined ? '' : ` Expected fields: ${JSON.stringify(properties)}.`;
}
