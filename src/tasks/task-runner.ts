import { toLoggedError } from '../errors/log-thrown.ts';
import { ChangeFeed } from '../tools/components/change-feed.ts';
import { wallTimeOf } from '../base/time/clock.ts';
import { hasEnded } from '../stores/task-store.ts';
import type { TaskRecord } from '../stores/task-store.ts';
import { limitTaskStore } from '../stores/timed-task-store.ts';
import type { AdoptableTask, AdoptedTask, NewTask, TaskBeginning, TaskEnd } from './new-task.ts';
import { RunningTask } from './running-task.ts';
import { RunningTasks } from './running-tasks.ts';
import { compileRunnerOptions } from './runner-options.ts';
import type { TaskRunnerOptions } from './runner-options.ts';
import { CANCELLED_MESSAGE, withState, withTtl } from './task-record.ts';
import { QueuedTasks } from './queued-tasks.ts';
import type { QueueOfServer } from './queued-tasks.ts';
import { TaskLegs } from './task-legs.ts';
import type { LegRunner } from './task-legs.ts';
import { storeState } from './store-state.ts';
import { UnsavedEnds } from './unsaved-ends.ts';

export type { AdoptableTask, AdoptedTask, NewTask, TaskBeginning, TaskEnd } from './new-task.ts';
export type { TaskRunnerOptions } from './runner-options.ts';

/** Time that `close` waits for cancelled handlers. */
const CLOSE_WITHIN_MS = 5000;

/** Timeout of the store: a new task is then rejected, and a lookup fails. */
// defence: time-of-the-task-store
const STORE_WITHIN_MS = 5000;

/**
 * Runs calls as tasks. The latest state of a running task is kept here; everything else is in the store. Tasks of other owners do not exist
 * for a caller.
 */
export class TaskRunner {
  readonly #options: Required<TaskRunnerOptions>;
  readonly #running: RunningTasks;
  readonly #unsaved: UnsavedEnds;
  readonly #changes: ChangeFeed<TaskRecord>;
  /** Undefined if tasks run in this process. */
  readonly #queued: QueuedTasks | undefined;
  #closing: Promise<void> | undefined = undefined;

  constructor(options: TaskRunnerOptions) {
    const store = limitTaskStore(options.store, options.clock, STORE_WITHIN_MS);
    this.#options = compileRunnerOptions({ ...options, store });
    this.#running = new RunningTasks(this.#options);
    this.#changes = new ChangeFeed(this.#options.logger);
    const { queued } = options;
    this.#queued = queued === undefined ? undefined : new QueuedTasks(queued, this.#options);
    this.#unsaved = new UnsavedEnds(store, (record) => this.#changes.announce(record));
  }

  /** Whether worker processes run the tasks. */
  get isQueued(): boolean {
    return this.#queued !== undefined;
  }

  /** Creates a task and starts its call. The task is stored before this resolves. */
  async start(task: NewTask): Promise<TaskRecord> {
    if (this.#queued !== undefined) return this.#queued.start(task);
    const controller = new AbortController();
    const { signal } = controller;
    const running = this.#admit(task, (reason) => controller.abort(reason));
    const record = await this.#create(running);
    const { dialogue, onProgress } = running;
    const work = async (): Promise<TaskEnd> => await task.run({ dialogue, signal, onProgress });
    void this.#follow(running, work());
    return record;
  }

  /** Converts a running call to a task. */
  async adopt(task: AdoptableTask): Promise<AdoptedTask> {
    // The call may fail before the outcome is awaited.
    task.end.catch(() => {});
    const running = this.#admit(task, (reason) => task.abort(reason));
    const record = await this.#create(running);
    void this.#follow(running, task.end);
    return { record, dialogue: running.dialogue, onProgress: running.onProgress };
  }

  async get(taskId: string, owner: string): Promise<TaskRecord | undefined> {
    const record =
      this.#running.find(taskId)?.record ??
      (await this.#unsaved.find(taskId)) ??
      (await this.#options.store.get(taskId));
    // defence: owners-of-tasks
    if (record?.owner !== owner) return undefined;
    return record;
  }

  /** Resolves when the task of this owner no longer runs here. */
  async whenEnded(taskId: string, owner: string): Promise<void> {
    const running = this.#running.find(taskId);
    if (running?.record.owner === owner) await running.ended;
  }

  /** Passes input responses to a task; unknown and invalid ones are ignored. False if the task does not exist. */
  async update(
    taskId: string,
    owner: string,
    inputResponses: Readonly<Record<string, unknown>>,
  ): Promise<boolean> {
    const record = await this.get(taskId, owner);
    if (record === undefined) return false;
    if (record.leg === undefined) await this.#running.find(taskId)?.answer(inputResponses);
    else await this.#queued?.update(record, inputResponses);
    return true;
  }

  /** Cancels a task; a finished one is not changed. False if the task does not exist. */
  async cancel(taskId: string, owner: string): Promise<boolean> {
    const record = await this.get(taskId, owner);
    if (record === undefined) return false;
    const running = this.#running.find(taskId);
    if (running !== undefined) running.cancel(CANCELLED_MESSAGE);
    else if (!hasEnded(record)) await this.#cancelElsewhere(record);
    return true;
  }

  /** Runs tasks of the queue in this process. */
  work(queued: QueueOfServer, { concurrency, runLeg }: LegRunner): TaskLegs {
    const { clock, logger, store, ttlMs } = this.#options;
    const onChange = (record: TaskRecord): void => this.#changes.announce(record);
    return new TaskLegs({ ...queued, clock, logger, store, ttlMs, concurrency, runLeg, onChange });
  }

  /** Calls the listener with every change after it was stored. The returned function unsubscribes. */
  onChange(listener: (record: TaskRecord) => void): () => void {
    return this.#changes.subscribe(listener);
  }

  /** Cancels all running tasks and waits 5 s for their handlers. New tasks are rejected. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#running.close('The server was closed.', this.#options.clock, CLOSE_WITHIN_MS);
    const { size } = this.#running;
    if (size > 0) this.#options.logger.warning('some tasks did not end in time', { count: size });
  }

  /** Counts the task before anything is awaited, so that concurrent calls cannot exceed the limit. */
  #admit(task: TaskBeginning, abort: (reason: unknown) => void): RunningTask {
    this.#running.assertRoom(task);
    const { createId, logger } = this.#options;
    const running = new RunningTask(task, {
      ...this.#options,
      taskId: createId(),
      abort,
      onWritten: (record) => this.#changes.announce(record),
      onFailed: (record, error) => {
        logger.error('a task could not be stored', { taskId: record.taskId, error: toLoggedError(error) });
        this.#unsaved.add(record);
      },
    });
    this.#running.add(running);
    return running;
  }

  /** Returns the task as it was created; it may have progressed by now. */
  async #create(running: RunningTask): Promise<TaskRecord> {
    const { record } = running;
    try {
      await running.create();
    } catch (error) {
      this.#running.remove(running);
      throw error;
    }
    return record;
  }

  async #follow(running: RunningTask, work: Promise<TaskEnd>): Promise<void> {
    await running.follow(work);
    this.#running.remove(running);
    running.tellEnded();
  }

  /** Marks a task as cancelled that does not run here: it runs on another machine, which will find it ended, or its process is gone. */
  async #cancelElsewhere(task: TaskRecord): Promise<void> {
    const { clock, store, ttlMs } = this.#options;
    const state = { status: 'cancelled', statusMessage: CANCELLED_MESSAGE } as const;
    const cancelled = withState(task, state, wallTimeOf(clock));
    const record = withTtl(cancelled, ttlMs);
    const stored = await storeState(store, record);
    // The response need not wait for it: at the limit, tasks that have ended are found anyway.
    if (task.leg !== undefined) void this.#queued?.drop(task);
    if (stored === record) this.#changes.announce(record);
  }
}
