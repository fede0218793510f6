import { toLoggedError } from '../errors/log-thrown.ts';
import type { Logger } from '../errors/logger.ts';
import type { ProgressUpdate } from '../middleware/context.ts';
import { wallTimeOf } from '../base/time/clock.ts';
import type { Clock } from '../base/time/clock.ts';
import { hasEnded } from '../stores/task-store.ts';
import type { TaskRecord } from '../stores/task-store.ts';
import type { TaskBeginning, TaskEnd } from './new-task.ts';
import { OpenQuestions } from './open-questions.ts';
import { TaskDialogue } from './task-dialogue.ts';
import { INTERNAL_FAILURE, newRecord, toState, withState, withTtl } from './task-record.ts';
import type { TaskState } from './task-record.ts';
import { TaskWriter } from './task-writer.ts';
import type { TaskWriterOptions } from './task-writer.ts';

/** What a task needs of its runner. */
export interface RunningTaskOptions extends TaskWriterOptions {
  readonly taskId: string;
  /** How long the task is kept after its end. */
  readonly ttlMs: number;
  readonly answerWithinMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Stops the work. */
  readonly abort: (reason: unknown) => void;
}

/** One task whose work goes on in this process: the latest of it is here, and the store follows. */
export class RunningTask {
  readonly dialogue: TaskDialogue;
  /** Resolves when nothing of it is kept here any more. */
  readonly ended: Promise<void>;
  tellEnded: () => void = () => {};
  readonly #options: RunningTaskOptions;
  readonly #questions: OpenQuestions;
  readonly #writer: TaskWriter;
  /** What makes wall time of the clock's: taken once, so that the moments of a task are as far apart as they were. */
  readonly #toWallTime: number;
  #record: TaskRecord;

  constructor(beginning: TaskBeginning, options: RunningTaskOptions) {
    this.#options = options;
    this.#questions = new OpenQuestions({ ...options, onChange: () => this.#showQuestions() });
    this.#writer = new TaskWriter(options);
    this.ended = new Promise((resolve) => {
      this.tellEnded = resolve;
    });
    this.dialogue = new TaskDialogue(beginning, this.#questions);
    this.#toWallTime = wallTimeOf(options.clock) - options.clock.now();
    this.#record = newRecord(options.taskId, beginning, this.#now());
  }

  get record(): TaskRecord {
    return this.#record;
  }

  /** Puts it into the store; rejects when that fails. */
  async create(): Promise<void> {
    await this.#writer.create(this.#record);
  }

  /** Shows the message of a progress update. */
  readonly onProgress = ({ message }: ProgressUpdate): void => {
    const { status, statusMessage, inputRequests } = this.#record;
    if (message === undefined || message === statusMessage) return;
    const asked = inputRequests === undefined ? {} : { inputRequests };
    this.#change({ status, statusMessage: message, ...asked });
  };

  async answer(responses: Readonly<Record<string, unknown>>): Promise<void> {
    await this.#questions.answer(responses);
  }

  /** From now on the task is cancelled, whatever its work still does. */
  cancel(message: string): void {
    if (hasEnded(this.#record)) return;
    this.#change({ status: 'cancelled', statusMessage: message });
    const reason = new DOMException(message, 'AbortError');
    try {
      this.#options.abort(reason);
    } catch (error) {
      this.#log('a task could not be told to stop', error);
    }
    this.#questions.cancel(reason);
  }

  /** Takes what comes of the work, unless the task has ended without it. Resolves when the store has been told. */
  async follow(work: Promise<TaskEnd>): Promise<void> {
    const state = await work.then(toState).catch((error: unknown) => {
      // Work that was told to stop may well end like this.
      if (!hasEnded(this.#record)) this.#log('a task failed unexpectedly', error);
      return toState(INTERNAL_FAILURE);
    });
    this.#change(state);
    this.#questions.end(new DOMException('The task has ended.', 'AbortError'));
    await this.#writer.idle;
  }

  #showQuestions(): void {
    const { statusMessage } = this.#record;
    const inputRequests = this.#questions.requests;
    const told = statusMessage === undefined ? {} : { statusMessage };
    if (inputRequests === undefined) this.#change({ status: 'working', ...told });
    else this.#change({ status: 'input_required', inputRequests, ...told });
  }

  #change(state: TaskState): void {
    if (hasEnded(this.#record)) return;
    const { ttlMs } = this.#options;
    const changed = withState(this.#record, state, this.#now());
    this.#record = hasEnded(changed) ? withTtl(changed, ttlMs) : changed;
    this.#writer.write(this.#record);
  }

  #now(): number {
    return this.#options.clock.now() + this.#toWallTime;
  }

  #log(message: string, error: unknown): void {
    this.#options.logger.error(message, { taskId: this.#record.taskId, error: toLoggedError(error) });
  }
}
