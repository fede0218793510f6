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

/** A question to the user. */
export type TestElicitation =
  | {
      /** The name that the handler gave to the question. */
      readonly name: string;
      readonly mode: 'form';
      readonly message: string;
      /** The fields of the form, as JSON Schema. */
      readonly requestedSchema: Readonly<Record<string, unknown>>;
    }
  | { readonly name: string; readonly mode: 'url'; readonly message: string; readonly url: string };

/** The answer of the user. `content` has the fields of a form. */
export type TestElicitationAnswer =
  | { readonly action: 'accept'; readonly content?: Readonly<Record<string, unknown>> }
  | { readonly action: 'decline' | 'cancel' };

/** A question to the client's model. */
export interface TestSampling extends ModelQuestion {
  /** The name that the handler gave to the question. */
  readonly name: string;
}

/** Who answers what handlers ask. The client declares the capabilities of those that are given. */
export interface TestAnswerers {
  /** Answers `context.ask`, `context.askUrl` and confirmations, in the place of the user. */
  readonly onElicitation?: (question: TestElicitation) => MaybePromise<TestElicitationAnswer>;
  /** Answers `context.askModel`, in the place of the model. A string is a message of the assistant. */
  readonly onSampling?: (question: TestSampling) => MaybePromise<ModelAnswer | string>;
  /** Answers `context.askRoots`. */
  readonly roots?: readonly Root[];
  /**
   * How questions are asked: `2026-07-28`, the default, runs the handler again from its beginning for each answer; `2025-11-25` lets it wait.
   */
  readonly protocolVersion?: '2025-11-25' | '2026-07-28';
}

/** How a call talks to a test client. Lives as long as the call, over all its rounds. */
export class TestDialogue implements Dialogue {
  readonly client: ClientDescription;
  hasAsked = false;
  /** What went wrong with an answer: a mistake of the test, not of the handler. */
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

  /** Has everything answered that the last run asked. */
  async answerPending(): Promise<void> {
    const questions = Array.from(this.#pending);
    this.#pending.clear();
    for (const [name, question] of questions) await this.#answer(name, question);
  }

  async #answer(name: string, question: Question): Promise<void> {
    try {
      const answer = asJson(await this.#ask(name, question));
      if ((await question.read(answer)) === undefined)
        throw new Error(
          `The answer to "${name}" does not fit the question: ${JSON.stringify(answer)}.${describeWanted(question)}`,
        );
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

/** As it would come over the wire. */
export function asJson(value: unknown): unknown {
  return value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as unknown);
}

/** The fields that a form asks for. */
function describeWanted({ request }: Question): string {
  const { requestedSchema } = request.params as {
    readonly requestedSchema?: { readonly properties?: object };
  };
  const { properties } = requestedSchema ?? {};
  return properties === undefined ? '' : ` It asks for ${JSON.stringify(properties)}.`;
}
