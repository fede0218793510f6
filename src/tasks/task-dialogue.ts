import { assertCapable } from '../middleware/client-capabilities.ts';
import type { ClientDescription, Dialogue, Question } from '../middleware/dialogue.ts';
import type { TaskBeginning } from './new-task.ts';
import type { OpenQuestions } from './open-questions.ts';

/** Dialogue of a call that runs as a task: its questions are added to the task as input requests, and it waits for the responses. */
export class TaskDialogue implements Dialogue {
  readonly client: ClientDescription;
  /** A task waits for responses; its handler is not run again. */
  readonly isPending = false;
  readonly #earlier: TaskBeginning['earlier'];
  readonly #questions: OpenQuestions;
  readonly #steps = new Map<string, unknown>();
  #hasAsked = false;

  constructor({ client, earlier }: TaskBeginning, questions: OpenQuestions) {
    this.client = client;
    this.#earlier = earlier;
    this.#questions = questions;
  }

  get hasAsked(): boolean {
    return this.#hasAsked;
  }

  async put(name: string, question: Question): Promise<unknown> {
    this.#hasAsked = true;
    assertCapable(this.client, question.needs);
    return await this.#questions.put(name, question);
  }

  recall(step: string): { readonly value: unknown } | undefined {
    const earlier = this.#earlier?.recall(step);
    if (earlier !== undefined) return earlier;
    return this.#steps.has(step) ? { value: this.#steps.get(step) } : undefined;
  }

  remember(step: string, value: unknown): void {
    this.#steps.set(step, value);
  }

  /** Does nothing: the call is already a task. */
  startTask(): void {}

  /** Does nothing: the protocol has no log messages for tasks. */
  sendLog(): void {}

  /** Does nothing: there is no stream; the client polls. */
  releaseStream(): void {}
}
