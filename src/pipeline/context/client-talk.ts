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

/** Where nobody called from outside. */
export const NO_CLIENT: ClientDescription = {
  name: undefined,
  version: undefined,
  capabilities: {},
  protocolVersion: undefined,
};

/** What {@link ClientTalk} needs of its call. */
export interface TalkParts {
  readonly dialogue: Dialogue | undefined;
  readonly schemas: AskedSchemas;
  /** The largest question that is sent, and the largest result of a step that is kept. */
  readonly maxBytes: number;
  /** Whether nobody waits for the call any more. */
  readonly isOver: () => boolean;
  /** Told when the call begins to wait for its client, and when it goes on. */
  readonly onWait: (isWaiting: boolean) => void;
}

/** What a call says to its client and asks it. Made for those who do. */
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
    // The types of the answers follow from the questions, which only the questions themselves know.
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
    // Whoever does not wait for the answer must not end the process with it.
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
    // Here, where it is known which question it is; whoever sends or stores it later cannot say.
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
