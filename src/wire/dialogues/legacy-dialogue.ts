import { CallRefusedError, MissingCapabilityError } from '../../errors/errors.ts';
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

/** Maximum number of attempts to get a valid response. */
const MAX_ATTEMPTS = 3;

/** Dialogue with a client of an earlier revision: sends a request and waits for the response. */
export class LegacyDialogue implements Dialogue {
  readonly client: ClientDescription;
  readonly isPending = false;
  hasAsked = false;
  readonly #exchange: Exchange;
  #log: ClientLog | undefined;
  #steps: Map<string, unknown> | undefined;

  constructor(exchange: Exchange) {
    this.client = exchange.client;
    this.#exchange = exchange;
  }

  async put(name: string, question: Question): Promise<unknown> {
    this.hasAsked = true;
    const { method } = question.request;
    const { ask } = this.#exchange;
    if (ask === undefined)
      throw new MissingCapabilityError(
        question.needs,
        'This connection does not support requests to the client.',
      );
    // A client may declare a capability that its revision does not have.
    if (method === 'elicitation/create' && !this.#exchange.revision.hasElicitation)
      throw new MissingCapabilityError(question.needs);
    assertCapable(this.client, question.needs);
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const answer = await question.read(await ask(method, this.#paramsOf(question.request)));
      if (answer !== undefined) return answer.value;
    }
    throw new CallRefusedError('INPUT_REFUSED', `The client sent no valid response to "${name}".`);
  }

  recall(step: string): { readonly value: unknown } | undefined {
    return this.#steps?.has(step) === true ? { value: this.#steps.get(step) } : undefined;
  }

  remember(step: string, value: unknown): void {
    this.#steps ??= new Map();
    this.#steps.set(step, value);
  }

  startTask(): MaybePromise<void> {}

  sendLog(level: McpLogLevel, data: unknown, logger: string | undefined): MaybePromise<void> {
    this.#log ??= new ClientLog(this.#exchange);
    return this.#log.send({ level, data, logger });
  }

  releaseStream(): void {
    this.#exchange.releaseStream();
  }

  /** Elicitation modes were added in 2025-11-25, which also requires an id for URLs. */
  #paramsOf({ method, params }: InputRequest): object {
    if (method !== 'elicitation/create') return params;
    const { mode, ...rest } = params;
    if (mode === 'url') return { mode, ...rest, elicitationId: globalThis.crypto.randomUUID() };
    return this.#exchange.revision.hasElicitationModes ? params : rest;
  }
}
