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
import {
  CANCELLED_MESSAGE,
  findRejectedEnd,
  INTERNAL_FAILURE,
  newRecord,
  toState,
  withState,
  withTtl,
} from './task-record.ts';
import type { TaskState } from './task-record.ts';
import { TaskWriter } from './task-writer.ts';
import type { TaskWriterOptions } from './task-writer.ts';

/** Options of a running task. */
export interface RunningTaskOptions extends Omit<TaskWriterOptions, 'onRejected'> {
  readonly taskId: string;
  /** Time the task is kept after its end. */
  readonly ttlMs: number;
  readonly answerWithinMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Cancels the call. */
  readonly abort: (reason: unknown) => void;
}

/** One task that runs in this process: its latest state is here, and the store is updated asynchronously. */
export class RunningTask {
  readonly dialogue: TaskDialogue;
  /** Resolves when the task has ended and its last state was written. */
  readonly ended: Promise<void>;
  tellEnded: () => void = () => {};
  readonly #options: RunningTaskOptions;
  readonly #questions: OpenQuestions;
  readonly #writer: TaskWriter;
  /** Offset from the clock to wall time; taken once, so that the intervals between timestamps of a task are exact. */
  readonly #toWallTime: number;
  #record: TaskRecord;

  constructor(beginning: TaskBeginning, options: RunningTaskOptions) {
    this.#options = options;
    this.#questions = new OpenQuestions({ ...options, onChange: () => this.#showQuestions() });
    this.#writer = new TaskWriter({
      ...options,
      onRejected: (stored) => this.#onRejected(stored),
      onFailed: (record, error) => this.#onFailed(record, error),
    });
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

  /** Stores the task; rejects if the store fails. */
  async create(): Promise<void> {
    await this.#writer.create(this.#record);
  }

  /** Sets the status message to that of a progress update. */
  readonly onProgress = ({ message }: ProgressUpdate): void => {
    const { status, statusMessage, inputRequests } = this.#record;
    if (message === undefined || message === statusMessage) return;
    const asked = inputRequests === undefined ? {} : { inputRequests };
    this.#change({ status, statusMessage: message, ...asked });
  };

  async answer(responses: Readonly<Record<string, unknown>>): Promise<void> {
    await this.#questions.answer(responses);
  }

  /** Marks the task as cancelled, even if its handler still runs. */
  cancel(message: string): void {
    if (hasEnded(this.#record)) return;
    this.#change({ status: 'cancelled', statusMessage: message });
    this.#stop(message);
  }

  /** Reads the stored record: another machine has ended the task. */
  async look(): Promise<void> {
    if (hasEnded(this.#record)) return;
    try {
      this.#onRejected(await this.#options.store.get(this.#record.taskId));
    } catch {
      // The store rejects the next state.
    }
  }

  /** Records the outcome of the call, unless the task has already ended. Resolves when it was written to the store. */
  async follow(work: Promise<TaskEnd>): Promise<void> {
    const state = await work.then(toState).catch((error: unknown) => {
      // A cancelled call often ends with an error.
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
    if (!hasEnded(this.#record)) this.#write(state);
  }

  #write(state: TaskState): void {
    const { ttlMs } = this.#options;
    const changed = withState(this.#record, state, this.#now());
    this.#record = hasEnded(changed) ? withTtl(changed, ttlMs) : changed;
    this.#writer.write(this.#record);
  }

  #stop(message: string): void {
    const reason = new DOMException(message, 'AbortError');
    try {
      this.#options.abort(reason);
    } catch (error) {
      this.#log('a task could not be cancelled', error);
    }
    this.#questions.cancel(reason);
  }

  /** Another machine has ended the task. */
  #onRejected(stored: TaskRecord | undefined): void {
    if (stored === undefined || !hasEnded(stored)) return;
    const isRunning = !hasEnded(this.#record);
    this.#record = stored;
    if (isRunning) this.#stop(stored.statusMessage ?? CANCELLED_MESSAGE);
  }

  #onFailed(record: TaskRecord, error: unknown): void {
    const failed = record.status === 'completed' ? findRejectedEnd(error) : undefined;
    if (failed === undefined) return this.#options.onFailed(record, error);
    this.#log('a task could not be stored', error);
    this.#write(toState(failed));
  }

  #now(): number {
    return this.#options.clock.now() + this.#toWallTime;
  }

  #log(message: string, error: unknown): void {
    this.#options.logger.error(message, { taskId: this.#record.taskId, error: toLoggedError(error) });
  }
}
