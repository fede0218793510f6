import { assertOptions, CLOCK, FUNCTION, wholeNumber } from '../errors/options/rules.ts';
import type { Rules } from '../errors/options/rules.ts';
import { CallRefusedError } from '../errors/errors.ts';
import type { InputRequest } from '../model/mcp-types.ts';
import type { MaybePromise } from '../base/maybe-promise.ts';
import type { Clock } from '../base/time/clock.ts';
import { systemClock, wallTimeOf } from '../base/time/clock.ts';
import { Shares } from './shares.ts';
import { weighText } from '../base/memory/weigh.ts';

/** Status of a task. The last three are final. */
export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';

/** Stored record of a task. */
export interface TaskRecord {
  readonly taskId: string;
  /** Opaque key of the caller who owns the task. For other callers the task does not exist. */
  readonly owner: string;
  readonly status: TaskStatus;
  /** Message of the latest progress. */
  readonly statusMessage?: string;
  /** Timestamp in ISO 8601. */
  readonly createdAt: string;
  /** Timestamp in ISO 8601. */
  readonly lastUpdatedAt: string;
  /** Time the task is kept, in milliseconds since its creation, as the protocol defines it. `null` until it has ended: it is not removed before. */
  readonly ttlMs: number | null;
  /** Polling interval that is recommended to the client. */
  readonly pollIntervalMs: number;
  /** Open input requests, while the status is `input_required`. */
  readonly inputRequests?: Readonly<Record<string, InputRequest>>;
  /** Result of the call, of a completed task. */
  readonly result?: object;
  /** Protocol error, of a failed task. */
  readonly error?: TaskError;
  /** Number of the leg that runs, or that runs next while the task waits for input. Only with a task queue. */
  readonly leg?: number;
  /** The call with its state, encrypted for the worker that runs the next leg. Only with a task queue, until the task has ended. */
  readonly work?: string;
}

/** JSON-RPC error of a failed task. */
export interface TaskError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** Store of tasks. Default: in memory. Implement it to share tasks between machines. */
export interface TaskStore {
  /**
   * Stores a task, replacing its previous state. Must not change a task that has ended or of another owner, nor go back to an earlier `leg`.
   * Returns whether it stored the state; a store that returns nothing is read again.
   */
  put(record: TaskRecord): MaybePromise<boolean | void>;
  /** Returns undefined if the task does not exist or has expired. */
  get(taskId: string): MaybePromise<TaskRecord | undefined>;
  delete(taskId: string): MaybePromise<void>;
}

/** Whether the status is final. */
export function hasEnded({ status }: Pick<TaskRecord, 'status'>): boolean {
  return status !== 'working' && status !== 'input_required';
}

/**
 * Whether a state may replace the stored one of a task that has not ended: a task never changes its owner, and a worker that was frozen must
 * not go back to a leg before the present one.
 */
export function mayReplace(stored: TaskRecord, record: TaskRecord): boolean {
  if (stored.owner !== record.owner) return false;
  return hasEnded(record) || (record.leg ?? 0) >= (stored.leg ?? 0);
}

/** Options of {@link MemoryTaskStore}. */
export interface MemoryTaskOptions {
  /** Maximum number of tasks; the one that ended first, of the owner that has most, is dropped first. Default: 10,000. */
  readonly maxTasks?: number;
  /** Maximum size of all results in bytes; the task that ended first, of the owner that has most, is dropped first. Default: 67,108,864. */
  readonly maxBytes?: number;
  /** Called with the change of the stored bytes; negative if they decrease. */
  readonly onBytes?: (change: number) => void;
  readonly clock?: Clock;
}

/** A task with its creation time by the monotonic clock. */
interface Kept {
  readonly record: TaskRecord;
  readonly createdAt: number;
}

/** A finished task. Its result is kept as JSON: as an object it may need many times the memory. */
interface EndedTask extends Kept {
  readonly result: string | undefined;
  readonly bytes: number;
}

const OPTIONS: Rules<keyof MemoryTaskOptions> = {
  maxTasks: wholeNumber(0),
  maxBytes: wholeNumber(0),
  onBytes: FUNCTION,
  clock: CLOCK,
};

/** In-memory task store. A running task is never dropped: if all tasks run, a new one is rejected, so that every accepted task can be kept. */
export class MemoryTaskStore implements TaskStore {
  readonly #going = new Map<string, Kept>();
  /** Ordered by end. */
  readonly #ended = new Map<string, EndedTask>();
  /** Number of finished tasks by owner. */
  readonly #counts = new Shares();
  /** Bytes of results by owner. */
  readonly #bytes = new Shares();
  readonly #maxTasks: number;
  readonly #maxBytes: number;
  readonly #onBytes: (change: number) => void;
  readonly #clock: Clock;

  constructor(options: MemoryTaskOptions = {}) {
    assertOptions('MemoryTaskStore', options, OPTIONS);
    this.#maxTasks = options.maxTasks ?? 10_000;
    this.#maxBytes = options.maxBytes ?? 67_108_864;
    this.#onBytes = options.onBytes ?? (() => {});
    this.#clock = options.clock ?? systemClock;
  }

  get size(): number {
    return this.#going.size + this.#ended.size;
  }

  put(record: TaskRecord): boolean {
    const { taskId } = record;
    this.dropExpired();
    if (this.#ended.has(taskId)) return false;
    const known = this.#going.get(taskId);
    if (known !== undefined && !mayReplace(known.record, record)) return false;
    if (known === undefined) this.#makeRoom();
    const kept = { record, createdAt: known?.createdAt ?? this.#whenCreated(record) };
    if (!hasEnded(record)) {
      this.#going.set(taskId, kept);
      return true;
    }
    this.#going.delete(taskId);
    this.#keepEnded(kept);
    return true;
  }

  get(taskId: string): TaskRecord | undefined {
    const going = this.#going.get(taskId);
    if (going !== undefined) return going.record;
    const ended = this.#ended.get(taskId);
    if (ended === undefined) return undefined;
    const { record, result } = ended;
    if (!this.#isExpired(ended)) return result === undefined ? record : withResult(record, result);
    this.#forget(taskId);
    return undefined;
  }

  delete(taskId: string): void {
    this.#going.delete(taskId);
    this.#forget(taskId);
  }

  /** Drops expired tasks, up to the first that has not expired: all tasks of one server are kept for the same time after their end. */
  dropExpired(): void {
    for (const [taskId, ended] of this.#ended) {
      if (!this.#isExpired(ended)) break;
      this.#forget(taskId);
    }
  }

  #keepEnded({ record: { result, ...record }, createdAt }: Kept): void {
    const json = result === undefined ? undefined : JSON.stringify(result);
    const bytes = json === undefined ? 0 : weighText(json);
    const { taskId, owner } = record;
    this.#ended.set(taskId, { record, createdAt, result: json, bytes });
    this.#counts.add(owner, taskId, 1);
    if (bytes === 0) return;
    this.#bytes.add(owner, taskId, bytes);
    this.#onBytes(bytes);
    while (this.#bytes.total > this.#maxBytes && this.#ended.size > 1) this.#forget(this.#bytes.next());
  }

  #forget(taskId = ''): void {
    const ended = this.#ended.get(taskId);
    if (ended === undefined) return;
    const { owner } = ended.record;
    this.#ended.delete(taskId);
    this.#counts.remove(owner, taskId);
    this.#bytes.remove(owner, taskId);
    if (ended.bytes > 0) this.#onBytes(-ended.bytes);
  }

  #makeRoom(): void {
    if (this.size < this.#maxTasks) return;
    if (this.#ended.size === 0)
      throw new CallRefusedError('BUSY', 'Too many tasks are stored. Try again when one has ended.');
    this.#forget(this.#counts.next());
  }

  #whenCreated({ createdAt }: TaskRecord): number {
    return this.#clock.now() - Math.max(0, wallTimeOf(this.#clock) - Date.parse(createdAt));
  }

  #isExpired({ record, createdAt }: Kept): boolean {
    return hasEnded(record) && record.ttlMs !== null && createdAt + record.ttlMs <= this.#clock.now();
  }
}

/** Parses the result lazily: many lookups need only the status or the owner. */
function withResult(record: TaskRecord, json: string): TaskRecord {
  let parsed: object | undefined;
  return {
    ...record,
    get result(): object {
      parsed ??= JSON.parse(json) as object;
      return parsed;
    },
  };
}
