import { toLoggedError } from '../errors/log-thrown.ts';
import type { Logger } from '../errors/logger.ts';
import type { ProgressUpdate } from '../middleware/context.ts';
import type { InputRequest } from '../model/mcp-types.ts';
import { wallTimeOf } from '../base/time/clock.ts';
import type { Clock } from '../base/time/clock.ts';
import type { QueueWorker, TaskJob, TaskLease, TaskQueue } from '../stores/task-queue.ts';
import { hasEnded } from '../stores/task-store.ts';
import type { TaskRecord, TaskStore } from '../stores/task-store.ts';
import type { TaskEnd } from './new-task.ts';
import { storeState } from './store-state.ts';
import { findRejectedEnd, INTERNAL_FAILURE, toState, withState, withTtl } from './task-record.ts';
import type { TaskState } from './task-record.ts';
import { TaskWriter } from './task-writer.ts';

/** The end of a leg: the task has ended, or asks the client. */
export type LegEnd =
  | TaskEnd
  | {
      readonly kind: 'asked';
      readonly inputRequests: Readonly<Record<string, InputRequest>>;
      /** The call with its state, encrypted. */
      readonly work: string;
      /** Time until the next leg runs, even without a response. */
      readonly waitMs: number;
    };

/** A leg to run. */
export interface Leg {
  readonly record: TaskRecord;
  /** Encrypted input responses, in their order. */
  readonly posted: readonly string[];
  readonly lostWorkers: number;
  readonly signal: AbortSignal;
  readonly onProgress: (update: ProgressUpdate) => void;
}

/** Settings of the legs that run in this process. */
export interface LegRunner {
  /** Maximum number of legs that run at the same time. */
  readonly concurrency: number;
  readonly runLeg: (leg: Leg) => Promise<LegEnd>;
}

/** Options of {@link TaskLegs}. */
export interface TaskLegsOptions extends LegRunner {
  readonly queue: TaskQueue;
  /** Name of the server. */
  readonly server: string;
  readonly store: TaskStore;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Time a task is kept after its end. */
  readonly ttlMs: number;
  /** Called with every change after it was stored. */
  readonly onChange: (record: TaskRecord) => void;
}

interface EndedLeg {
  readonly record: TaskRecord;
  readonly end: LegEnd;
  /** Number of the input responses that the leg has read. */
  readonly count: number;
}

/** Time between two looks at the record of a running task: a cancellation whose event was lost still ends it. */
const LOOK_MS = 5000;

/** Time between two attempts to store the end of a leg. */
const SAVE_AGAIN_MS = 500;

/** Runs the legs of tasks in this process. */
export class TaskLegs {
  readonly #options: TaskLegsOptions;
  /** Running tasks by their ids. */
  readonly #running = new Map<string, AbortController>();
  readonly #worker: QueueWorker;
  #isStopping = false;

  constructor(options: TaskLegsOptions) {
    this.#options = options;
    const { queue, server, concurrency } = options;
    this.#worker = queue.work(server, { concurrency, run: (job, lease) => this.#run(job, lease) });
  }

  /** Resolves when this process takes tasks. */
  get ready(): Promise<void> {
    return this.#worker.ready;
  }

  /** Aborts the handler of a task that was cancelled elsewhere. */
  cancel(taskId: string): void {
    this.#running.get(taskId)?.abort(new DOMException('The task was cancelled.', 'AbortError'));
  }

  /** Takes no further tasks, and waits for the running legs; after the timeout, their handlers are aborted. */
  async close(withinMs: number): Promise<void> {
    const late = this.#options.clock.schedule(() => {
      this.#isStopping = true;
      for (const controller of this.#running.values())
        controller.abort(new DOMException('The worker was stopped.', 'AbortError'));
      this.#worker.kill();
    }, withinMs);
    await this.#worker.close();
    late();
  }

  async #run(job: TaskJob, lease: TaskLease): Promise<void> {
    const { queue, store } = this.#options;
    const [record, posted] = await Promise.all([
      Promise.resolve(store.get(job.taskId)),
      queue.findPosted(job.taskId),
    ]);
    if (record === undefined || hasEnded(record)) return;
    const { leg = 0 } = record;
    if (leg > job.leg) return;
    // Its job is stored before it: the queue runs the job again.
    if (leg < job.leg) throw new Error('The leg of the task is not stored yet.');
    const controller = new AbortController();
    const { signal } = controller;
    const abort = (): void => controller.abort(lease.signal.reason);
    lease.signal.addEventListener('abort', abort);
    this.#running.set(job.taskId, controller);
    const rest = this.#lookAfter(job, controller);
    try {
      const leg = { record, posted, signal, lostWorkers: lease.lostWorkers };
      await this.#follow(leg, lease);
    } finally {
      rest();
      this.#running.delete(job.taskId);
      lease.signal.removeEventListener('abort', abort);
    }
  }

  async #follow(leg: Omit<Leg, 'onProgress'>, lease: TaskLease): Promise<void> {
    const { runLeg, store, onChange, logger } = this.#options;
    await lease.begin();
    let record = this.#changed(leg.record, { status: 'working' });
    const onRejected = (): void => this.cancel(record.taskId);
    const writer = new TaskWriter({ store, onWritten: onChange, onRejected, onFailed: () => {} });
    if (leg.record.status !== 'working') writer.write(record);
    const onProgress = ({ message }: ProgressUpdate): void => {
      if (message === undefined || message === record.statusMessage || lease.signal.aborted) return;
      record = this.#changed(record, { status: 'working', statusMessage: message });
      writer.write(record);
    };
    const end = await runLeg({ ...leg, onProgress }).catch((error: unknown): LegEnd => {
      if (!leg.signal.aborted)
        logger.error('a task failed unexpectedly', { taskId: record.taskId, error: toLoggedError(error) });
      return INTERNAL_FAILURE;
    });
    await writer.idle;
    // Another worker takes the task when the lease has expired: the job must not end here.
    if (leg.signal.aborted && this.#isStopping) await new Promise(() => {});
    // Another worker may have taken the task, or it was cancelled.
    if (leg.signal.aborted) return;
    const count = leg.posted.length;
    try {
      await this.#save({ record, end, count }, lease);
    } catch (error) {
      const failed = findRejectedEnd(error);
      if (failed === undefined) throw error;
      logger.error('a task could not be stored', { taskId: record.taskId, error: toLoggedError(error) });
      await this.#save({ record, end: failed, count }, lease);
    }
  }

  async #save({ record, end, count }: EndedLeg, lease: TaskLease): Promise<void> {
    const { queue, server, ttlMs } = this.#options;
    const { taskId, leg = 1, statusMessage } = record;
    if (end.kind !== 'asked') {
      await this.#store(withTtl(this.#changed(record, toState(end)), ttlMs), lease);
      await Promise.allSettled([queue.forget(taskId), queue.release(record.owner, [taskId])]);
      return;
    }
    const next = { taskId, leg: leg + 1 };
    const { inputRequests, work, waitMs } = end;
    const said = statusMessage === undefined ? {} : { statusMessage };
    const state: TaskState = { status: 'input_required', inputRequests, work, leg: next.leg, ...said };
    await this.#untilDone(() => queue.add(server, next, waitMs), lease);
    const stored = await this.#store(this.#changed(record, state), lease);
    // The task was cancelled while the leg ran.
    if (stored !== undefined && hasEnded(stored)) {
      await Promise.allSettled([queue.remove(server, next), queue.forget(taskId)]);
      return;
    }
    // A response that came while the leg ran.
    const posted = await this.#untilDone(() => queue.findPosted(taskId), lease);
    if (posted.length > count) await this.#untilDone(() => queue.promote(server, next), lease);
  }

  /** Stores a record and announces it, unless the task has ended otherwise. Returns the stored record. */
  async #store(record: TaskRecord, lease: TaskLease): Promise<TaskRecord | undefined> {
    const { store, onChange } = this.#options;
    const stored = await this.#untilDone(() => storeState(store, record), lease);
    if (stored === record) onChange(record);
    return stored;
  }

  /** Repeats an attempt until it succeeds or can never do so: what a handler has done must not be lost while Redis is not available. */
  // defence: end-until-stored
  async #untilDone<TResult>(attempt: () => PromiseLike<TResult>, lease: TaskLease): Promise<TResult> {
    for (;;) {
      try {
        // oxlint-disable-next-line no-await-in-loop
        return await attempt();
      } catch (error) {
        if (lease.signal.aborted || findRejectedEnd(error) !== undefined) throw error;
        // oxlint-disable-next-line no-await-in-loop
        await new Promise<void>((resolve) => {
          this.#options.clock.schedule(resolve, SAVE_AGAIN_MS);
        });
      }
    }
  }

  /** Looks at the record regularly while a leg runs. The returned function stops it. */
  #lookAfter({ taskId, leg }: TaskJob, controller: AbortController): () => void {
    const { clock, store } = this.#options;
    let cancel: () => void = () => {};
    let isOver = false;
    const look = async (): Promise<void> => {
      try {
        const record = await store.get(taskId);
        if (record === undefined || hasEnded(record) || record.leg !== leg) this.cancel(taskId);
      } catch {
        // Without Redis, the leg goes on.
      }
      again();
    };
    const again = (): void => {
      if (!isOver && !controller.signal.aborted) cancel = clock.schedule(() => void look(), LOOK_MS, true);
    };
    again();
    return () => {
      isOver = true;
      cancel();
    };
  }

  /** The task in a new state. While it goes on, it keeps its call. */
  #changed(record: TaskRecord, state: TaskState): TaskRecord {
    const { leg, work, statusMessage } = record;
    const kept = {
      ...(leg === undefined ? {} : { leg }),
      ...(work === undefined ? {} : { work }),
      ...(statusMessage === undefined ? {} : { statusMessage }),
    };
    const whole = hasEnded(state) ? state : { ...kept, ...state };
    return withState(record, whole, wallTimeOf(this.#options.clock));
  }
}
