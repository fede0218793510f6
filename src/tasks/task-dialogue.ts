import { assertCapable } from '../middleware/client-capabilities.ts';
import type { ClientDescription, Dialogue, Question } from '../middleware/dialogue.ts';
import type { TaskBeginning } from './new-task.ts';
import type { OpenQuestions } from './open-questions.ts';

/** How a call that runs as a task talks to its client: its questions are shown in the task, and it waits for the answers. */
export class TaskDialogue implements Dialogue {
  readonly client: ClientDescription;
  /** A task waits where it is; it is never run again. */
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

  /** It is one. */
  startTask(): void {}

  /** The protocol has no log messages of tasks. */
  sendLog(): void {}

  /** There is no stream: the client asks when it likes. */
  releaseStream(): void {}
}
