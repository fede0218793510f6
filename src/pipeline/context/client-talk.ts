import {
  CallRefusedError,
  DefinitionError,
  MissingCapabilityError,
  ToolwrightError,
} from '../../errors/errors.ts';
import { serialize } from '../../format/serialize.ts';
import type { StandardContext } from '../../middleware/context.ts';
import type { Answer, ClientDescription, Dialogue, Question } from '../../middleware/dialogue.ts';
import type { AskedSchemas } from './asked-schemas.ts';
import { ROOTS_QUESTION, toFormQuestion, toModelQuestion, toUrlQuestion } from './questions.ts';
import { Steps } from './steps.ts';

/** The client of a call without a transport. */
export const NO_CLIENT: ClientDescription = {
  name: undefined,
  version: undefined,
  capabilities: {},
  protocolVersion: undefined,
};

/** The parts of a call that {@link ClientTalk} needs. */
export interface TalkParts {
  readonly dialogue: Dialogue | undefined;
  readonly schemas: AskedSchemas;
  /** Maximum size of a request to the client, and of the stored result of a step. */
  readonly maxBytes: number;
  /** Whether the call has ended. */
  readonly isOver: () => boolean;
  /** Notified when the call starts and stops waiting for its client. */
  readonly onWait: (isWaiting: boolean) => void;
}

/** Requests and notifications from a call to its client. Created on first use. */
export class ClientTalk {
  readonly ask: StandardContext['ask'];
  readonly askUrl: StandardContext['askUrl'];
  readonly askModel: StandardContext['askModel'];
  readonly askRoots: StandardContext['askRoots'];
  readonly step: StandardContext['step'];
  readonly #parts: TalkParts;
  #waits = 0;

  constructor(parts: TalkParts) {
    this.#parts = parts;
    const steps = new Steps(parts.dialogue, parts.maxBytes);
    // The types of responses follow from the requests and are not known here.
    const ask = (name: string, question: Parameters<StandardContext['ask']>[1]): Promise<Answer<unknown>> =>
      this.#put(name, () => toFormQuestion(question, parts.schemas)) as Promise<Answer<unknown>>;
    this.ask = ask as StandardContext['ask'];
    this.askUrl = (name, question) => this.#put(name, () => toUrlQuestion(question)) as never;
    this.askModel = (name, question) => this.#put(name, () => toModelQuestion(question)) as never;
    this.askRoots = (name) => this.#put(name, () => ROOTS_QUESTION) as never;
    this.step = (name, run) => steps.run(name, run) as never;
  }

  /** Whether the call waits for its client. */
  get isWaiting(): boolean {
    return this.#waits > 0;
  }

  #put(name: string, make: () => Question): Promise<unknown> {
    const answer = this.#ask(name, make);
    // An unhandled rejection must not end the process.
    answer.catch(() => {});
    return answer;
  }

  async #ask(name: string, make: () => Question): Promise<unknown> {
    if (typeof name !== 'string' || name === '')
      throw new DefinitionError("Missing question name. Write: context.ask('size', { message, schema }).", {
        option: 'name',
        expected: 'a non-empty string',
      });
    const question = make();
    const { dialogue, isOver, maxBytes, onWait } = this.#parts;
    if (isOver()) throw new CallRefusedError('CANCELLED', `The call has ended; "${name}" was not asked.`);
    if (dialogue === undefined)
      throw new MissingCapabilityError(question.needs, 'This client cannot be asked.');
    // Serialized here, where the name of the question is known for the message.
    const written = serialize(question.request.params, { maxBytes });
    if (!written.ok)
      throw new ToolwrightError(
        'INVALID_OUTPUT',
        `The question "${name}" cannot be sent: ${written.reason}.`,
      );
    this.#waits += 1;
    if (this.#waits === 1) onWait(true);
    try {
      return await dialogue.put(name, question);
    } finally {
      this.#waits -= 1;
      if (this.#waits === 0) onWait(false);
    }
  }
}
