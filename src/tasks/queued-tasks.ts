import type { MaybePromise } from '../base/maybe-promise.ts';
import { wallTimeOf } from '../base/time/clock.ts';
import type { Clock } from '../base/time/clock.ts';
import { CallRefusedError } from '../errors/errors.ts';
import type { ClaimedTask, TaskQueue } from '../stores/task-queue.ts';
import { hasEnded } from '../stores/task-store.ts';
import type { TaskRecord, TaskStore } from '../stores/task-store.ts';
import type { NewTask } from './new-task.ts';
import { newRecord } from './task-record.ts';

/** A task that was counted longer ago has a record, or its process ended before it was stored. */
const STORED_WITHIN_MS = 60_000;

/** A queue, and the names and the encryption of the server that uses it. */
export interface QueueOfServer {
  readonly queue: TaskQueue;
  /** Name of the server. */
  readonly server: string;
  /** Encrypts input responses of a task. */
  readonly seal: (taskId: string, responses: Readonly<Record<string, unknown>>) => Promise<string>;
}

/** Options of {@link QueuedTasks}. */
export interface QueuedTasksOptions {
  readonly store: TaskStore;
  readonly clock: Clock;
  readonly createId: () => string;
  /** Maximum number of tasks per owner that have not ended. */
  readonly maxRunningPerOwner: number;
}

/** Tasks that worker processes run, as the servers see them: begun here or on another node. */
export class QueuedTasks {
  readonly #of: QueueOfServer;
  readonly #options: QueuedTasksOptions;

  constructor(of: QueueOfServer, options: QueuedTasksOptions) {
    this.#of = of;
    this.#options = options;
  }

  /** Stores a task and hands it to the queue. Without both, the task does not exist. */
  async start(task: NewTask): Promise<TaskRecord> {
    const { clock, createId, store } = this.#options;
    const { queue, server } = this.#of;
    const taskId = createId();
    const begun = newRecord(taskId, task, wallTimeOf(clock));
    const record: TaskRecord = { ...begun, leg: 1, work: await task.toWork(taskId) };
    // Together: one round trip.
    const prepared = [this.#assertRoom(), this.#claim(task, taskId)];
    // defence: record-before-its-id
    prepared.push(attempt(() => store.put(record)));
    try {
      await Promise.all(prepared);
      await queue.add(server, { taskId, leg: 1 });
    } catch (error) {
      await Promise.allSettled(prepared);
      // The job may have been stored: without its record, a worker drops it.
      await attempt(() => store.delete(taskId)).catch(() => {});
      await this.release(record);
      throw error;
    }
    return record;
  }

  /** Counts a task of its owner no longer. */
  async release({ owner, taskId }: TaskRecord): Promise<void> {
    // At the limit, tasks that have ended are found anyway.
    await attempt(() => this.#of.queue.release(owner, [taskId])).catch(() => {});
  }

  /** Removes what the queue keeps of a task that was cancelled. A leg that runs ends by itself. */
  async drop(record: TaskRecord): Promise<void> {
    const { queue, server } = this.#of;
    const { taskId, leg = 1 } = record;
    await Promise.allSettled([
      attempt(() => queue.remove(server, { taskId, leg })),
      attempt(() => queue.forget(taskId)),
      this.release(record),
    ]);
  }

  async #assertRoom(): Promise<void> {
    const { queue, server } = this.#of;
    if (await queue.hasRoom(server)) return;
    throw new CallRefusedError('BUSY', 'Too many tasks are waiting. Try again later.');
  }

  /** Counts a task of its owner. Throws if the owner has too many. */
  async #claim({ owner, isAnonymous = false }: NewTask, taskId: string): Promise<void> {
    if (isAnonymous) return;
    const { queue } = this.#of;
    const { maxRunningPerOwner } = this.#options;
    if (await queue.claim(owner, taskId, maxRunningPerOwner)) return;
    const claimed = await queue.findClaimed(owner);
    const ended = await Promise.all(claimed.map((each) => this.#findEnded(each)));
    const released = ended.flat();
    if (released.length > 0) {
      await queue.release(owner, released);
      if (await queue.claim(owner, taskId, maxRunningPerOwner)) return;
    }
    throw new CallRefusedError('BUSY', 'Too many tasks are running. Try again when one has ended.');
  }

  /** The id of a counted task that has ended, or whose process ended before the task was handed to the queue. */
  async #findEnded({ taskId, ageMs }: ClaimedTask): Promise<readonly string[]> {
    const { store } = this.#options;
    const record = await store.get(taskId);
    if (record !== undefined && hasEnded(record)) return [taskId];
    if (ageMs <= STORED_WITHIN_MS) return [];
    if (record === undefined) return [taskId];
    const { leg = 1 } = record;
    if (await this.#of.queue.has(this.#of.server, { taskId, leg })) return [];
    // Read again: a leg ends after the next one is stored.
    const now = await store.get(taskId);
    return now === undefined || hasEnded(now) || now.leg === leg ? [taskId] : [];
  }

  /** Keeps responses to open input requests, and starts the next leg. */
  async update(record: TaskRecord, responses: Readonly<Record<string, unknown>>): Promise<void> {
    const { queue, server, seal } = this.#of;
    const { taskId, status, leg = 1, inputRequests = {} } = record;
    // While a leg runs, the requests that the leg before has asked may still be open.
    const mayBeOpen = status === 'working' && leg > 1;
    const met = Object.entries(responses).filter(([key]) => mayBeOpen || Object.hasOwn(inputRequests, key));
    if (met.length === 0) return;
    const sealed = await seal(taskId, Object.fromEntries(met));
    // Together: one round trip. A leg that begins without the response finds it at its end.
    const [, hasBegun] = await Promise.all([
      queue.post(taskId, sealed),
      status === 'input_required' ? queue.promote(server, { taskId, leg }) : Promise.resolve(false),
    ]);
    if (hasBegun) return;
    // Read again: another response may have started the leg, which has not seen this one if it has asked again.
    const now = await this.#options.store.get(taskId);
    if (now?.status === 'input_required' && now.leg !== undefined)
      await queue.promote(server, { taskId, leg: now.leg });
  }
}

/** The promise of a store or queue, which may also return or throw synchronously. */
async function attempt(run: () => MaybePromise<unknown>): Promise<void> {
  await run();
}
