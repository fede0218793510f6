import { CallRefusedError } from '../errors/errors.ts';
import type { InputRequest } from '../model/mcp-types.ts';
import type { MaybePromise } from '../schema/validated.ts';
import type { Clock } from './clock.ts';
import { systemClock } from './clock.ts';

/** How a task stands. The last three are for ever. */
export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';

/** A task as it is kept. */
export interface TaskRecord {
  readonly taskId: string;
  /** Whose it is: an opaque key of the caller. For everybody else the task does not exist. */
  readonly owner: string;
  readonly status: TaskStatus;
  readonly statusMessage?: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  /** How long the task is kept, counted from its creation as the protocol has it. `null` until it has ended: it is not removed before. */
  readonly ttlMs: number | null;
  readonly pollIntervalMs: number;
  /** What the client is asked, while `input_required`. */
  readonly inputRequests?: Readonly<Record<string, InputRequest>>;
  /** Of a completed task: the result of the call. */
  readonly result?: object;
  /** Of a failed task: the error of the protocol. */
  readonly error?: TaskError;
}

/** Why a task failed, as JSON-RPC says it. */
export interface TaskError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** Where tasks are kept. In memory by default; a shared store for several machines has the same three methods. */
export interface TaskStore {
  /** Keeps a task in place of what was kept of it before. Does nothing for a task that has ended: an end is for ever. */
  put(record: TaskRecord): MaybePromise<void>;
  /** Undefined when there is no such task, or no more. */
  get(taskId: string): MaybePromise<TaskRecord | undefined>;
  delete(taskId: string): MaybePromise<void>;
}

/** Whether nothing will change any more. */
export function hasEnded({ status }: Pick<TaskRecord, 'status'>): boolean {
  return status !== 'working' && status !== 'input_required';
}

/** Options of {@link MemoryTaskStore}. */
export interface MemoryTaskOptions {
  /** How many tasks are kept; the one that ended first goes first. Default: 10,000. */
  readonly maxTasks?: number;
  readonly clock?: Clock;
}

/**
 * Keeps tasks in this process. A task that has not ended is never displaced: when there are only such, a new one is refused, so that
 * no task is accepted that cannot be kept.
 */
export class MemoryTaskStore implements TaskStore {
  readonly #going = new Map<string, TaskRecord>();
  /** In the order in which they ended. */
  readonly #ended = new Map<string, TaskRecord>();
  readonly #maxTasks: number;
  readonly #clock: Clock;

  constructor(options: MemoryTaskOptions = {}) {
    this.#maxTasks = options.maxTasks ?? 10_000;
    this.#clock = options.clock ?? systemClock;
  }

  get size(): number {
    return this.#going.size + this.#ended.size;
  }

  put(record: TaskRecord): void {
    const { taskId } = record;
    this.#dropExpired();
    if (this.#ended.has(taskId)) return;
    if (!this.#going.has(taskId)) this.#makeRoom();
    if (!hasEnded(record)) {
      this.#going.set(taskId, record);
      return;
    }
    this.#going.delete(taskId);
    this.#ended.set(taskId, record);
  }

  get(taskId: string): TaskRecord | undefined {
    const record = this.#going.get(taskId) ?? this.#ended.get(taskId);
    if (record === undefined || !this.#isExpired(record)) return record;
    this.#ended.delete(taskId);
    return undefined;
  }

  delete(taskId: string): void {
    this.#going.delete(taskId);
    this.#ended.delete(taskId);
  }

  /** From the one that ended first to the first that is still good: those of one server are all kept for the same time. */
  #dropExpired(): void {
    for (const [taskId, record] of this.#ended) {
      if (!this.#isExpired(record)) break;
      this.#ended.delete(taskId);
    }
  }

  #makeRoom(): void {
    if (this.size < this.#maxTasks) return;
    const [first] = this.#ended.keys();
    if (first === undefined)
      throw new CallRefusedError('BUSY', 'No more tasks can be kept. Try again when one has ended.');
    this.#ended.delete(first);
  }

  #isExpired(record: TaskRecord): boolean {
    const { createdAt, ttlMs } = record;
    return hasEnded(record) && ttlMs !== null && Date.parse(createdAt) + ttlMs <= this.#clock.now();
  }
}
