import { assertOptions, CLOCK, FUNCTION, wholeNumber } from '../errors/options/rules.ts';
import type { Rules } from '../errors/options/rules.ts';
import { CallRefusedError } from '../errors/errors.ts';
import type { InputRequest } from '../model/mcp-types.ts';
import type { MaybePromise } from '../base/maybe-promise.ts';
import type { Clock } from '../base/time/clock.ts';
import { systemClock, wallTimeOf } from '../base/time/clock.ts';
import { Shares } from './shares.ts';
import { weighText } from '../base/memory/weigh.ts';

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
  /** How many tasks are kept; of the owner who has most, the one that ended first goes first. Default: 10,000. */
  readonly maxTasks?: number;
  /** How many bytes the results of tasks may take up; of the owner who has most, the one that ended first goes first. Default: 67,108,864. */
  readonly maxBytes?: number;
  /** Called with the number of bytes that are kept now and were not before; negative for fewer. */
  readonly onBytes?: (change: number) => void;
  readonly clock?: Clock;
}

/** A task, and when it was created by the time of the clock, which never jumps. */
interface Kept {
  readonly record: TaskRecord;
  readonly createdAt: number;
}

/** A task that has ended. Its result is kept as JSON: as an object it may take up many times as much. */
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

/**
 * Keeps tasks in this process. A task that has not ended is never displaced: when there are only such, a new one is refused, so that
 * no task is accepted that cannot be kept.
 */
export class MemoryTaskStore implements TaskStore {
  readonly #going = new Map<string, Kept>();
  /** In the order in which they ended. */
  readonly #ended = new Map<string, EndedTask>();
  /** One for each task that has ended. */
  readonly #counts = new Shares();
  /** Of those that have a result. */
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

  put(record: TaskRecord): void {
    const { taskId } = record;
    this.dropExpired();
    if (this.#ended.has(taskId)) return;
    const known = this.#going.get(taskId);
    if (known === undefined) this.#makeRoom();
    const kept = { record, createdAt: known?.createdAt ?? this.#whenCreated(record) };
    if (!hasEnded(record)) {
      this.#going.set(taskId, kept);
      return;
    }
    this.#going.delete(taskId);
    this.#keepEnded(kept);
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

  /** Forgets tasks that have expired, up to the first that has not: those of one server are all kept for the same time after their end. */
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
      throw new CallRefusedError('BUSY', 'No more tasks can be kept. Try again when one has ended.');
    this.#forget(this.#counts.next());
  }

  #whenCreated({ createdAt }: TaskRecord): number {
    return this.#clock.now() - Math.max(0, wallTimeOf(this.#clock) - Date.parse(createdAt));
  }

  #isExpired({ record, createdAt }: Kept): boolean {
    return hasEnded(record) && record.ttlMs !== null && createdAt + record.ttlMs <= this.#clock.now();
  }
}

/** Parsed when it is needed: many ask only whether there is such a task, or whose it is. */
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
