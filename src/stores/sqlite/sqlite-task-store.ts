import { createId } from '../../base/random-id.ts';
import type { Clock } from '../../base/time/clock.ts';
import { weighText } from '../../base/memory/weigh.ts';
import { CallRefusedError } from '../../errors/errors.ts';
import { JSON_RPC_INTERNAL_ERROR } from '../../errors/codes.ts';
import { hasEnded, mayReplace } from '../task-store.ts';
import type { TaskRecord, TaskStore } from '../task-store.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import { SqliteTable } from './sqlite-table.ts';

export interface SqliteTaskLimits {
  readonly maxTasks: number;
  readonly maxBytes: number;
  /** Time after which a running task is lost if its process has not shown that it lives. */
  readonly leaseMs: number;
}

interface Row {
  readonly owner: string;
  readonly record: string;
  readonly result: string | null;
  readonly ended_at: number | null;
  readonly alive_until: number | null;
}

/** Time that a task is kept whose process ended before it: that process knew the option, and this one may serve another server. */
const LOST_KEPT_MS = 3_600_000;

const LOST = {
  code: JSON_RPC_INTERNAL_ERROR,
  message: 'The server ended before the task.',
};

/**
 * Tasks in a file. A task that has ended never changes. A process that runs tasks says that it lives several times per lease; a running task
 * of a process that does not is failed when it is read.
 */
export class SqliteTaskStore implements TaskStore {
  readonly #database: SqliteDatabase;
  readonly #table: SqliteTable;
  readonly #clock: Clock;
  readonly #limits: SqliteTaskLimits;
  readonly #process = createId();
  /** Tasks that this process runs. */
  readonly #running = new Set<string>();
  #stopBeating: (() => void) | undefined;

  constructor(database: SqliteDatabase, clock: Clock, limits: SqliteTaskLimits) {
    this.#database = database;
    this.#table = new SqliteTable(database, 'toolwright_tasks', clock);
    this.#clock = clock;
    this.#limits = limits;
  }

  put(record: TaskRecord): boolean {
    const isStored = this.#database.writeDurably(() => {
      this.#table.removeExpired();
      const known = this.#find(record.taskId);
      if (known !== undefined && (known.ended_at !== null || !mayReplace(toRecord(known), record)))
        return false;
      if (known === undefined) this.#makeRoom();
      this.#write(record, !hasEnded(record));
      return true;
    });
    if (isStored && !hasEnded(record)) this.#running.add(record.taskId);
    else this.#running.delete(record.taskId);
    this.#beat();
    return isStored;
  }

  get(taskId: string): TaskRecord | undefined {
    const found = this.#find(taskId);
    if (found === undefined) return undefined;
    const isLost = found.alive_until !== null && found.alive_until <= this.#table.now();
    return isLost && !this.#running.has(taskId) ? this.#fail(taskId) : toRecord(found);
  }

  delete(taskId: string): void {
    this.#running.delete(taskId);
    this.#database.run('DELETE FROM toolwright_tasks WHERE task_id = ?', taskId);
  }

  /** Stops saying that this process lives. */
  close(): void {
    this.#stopBeating?.();
    this.#stopBeating = undefined;
    this.#running.clear();
  }

  #find(taskId: string): Row | undefined {
    return this.#database.first<Row>(
      `SELECT owner, record, result, ended_at, alive_until FROM toolwright_tasks
       WHERE task_id = ? AND (expires_at IS NULL OR expires_at > ?)`,
      taskId,
      this.#table.now(),
    );
  }

  #write({ result, ...record }: TaskRecord, isRunning: boolean): void {
    const now = this.#table.now();
    const json = result === undefined ? null : JSON.stringify(result);
    const created = Date.parse(record.createdAt);
    // As in memory: a clock that was wrong when the task was created does not keep it longer.
    const createdAt = Number.isNaN(created) ? now : Math.min(created, now);
    const aliveUntil = isRunning ? now + this.#limits.leaseMs : null;
    const endsAt = record.ttlMs === null ? null : Math.ceil(createdAt + record.ttlMs);
    this.#database.run(
      `INSERT INTO toolwright_tasks (task_id, owner, record, result, bytes, created_at, ended_at, expires_at, process, alive_until)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (task_id) DO UPDATE SET record = excluded.record, result = excluded.result,
         bytes = excluded.bytes, ended_at = excluded.ended_at, expires_at = excluded.expires_at,
         process = excluded.process, alive_until = excluded.alive_until`,
      record.taskId,
      record.owner,
      JSON.stringify(record),
      json,
      json === null ? 0 : weighText(json),
      createdAt,
      isRunning ? null : now,
      // If its process ends, the task is removed even if no client asks for it.
      aliveUntil === null ? endsAt : aliveUntil + LOST_KEPT_MS,
      isRunning ? this.#process : null,
      aliveUntil,
    );
    while (this.#table.total().bytes > this.#limits.maxBytes && this.#dropEnded('bytes', record.taskId))
      continue;
  }

  #makeRoom(): void {
    if (this.#table.total().entries < this.#limits.maxTasks) return;
    if (this.#dropEnded('entries')) return;
    throw new CallRefusedError('BUSY', 'Too many tasks are stored. Try again when one has ended.');
  }

  /** Drops the task that ended first of the owner that has most, except one; false if there is none. */
  #dropEnded(amount: 'entries' | 'bytes', kept = ''): boolean {
    const owner = this.#table.findLargest(amount);
    if (owner === undefined) return false;
    const dropped = this.#database.run(
      `DELETE FROM toolwright_tasks WHERE rowid = (
         SELECT rowid FROM toolwright_tasks WHERE owner = ? AND ended_at IS NOT NULL AND task_id <> ? ORDER BY ended_at, rowid LIMIT 1)`,
      owner,
      kept,
    );
    return dropped > 0;
  }

  /** Ends a task whose process has ended. Read again within the transaction: its process may have been slow only. */
  #fail(taskId: string): TaskRecord | undefined {
    return this.#database.writeDurably(() => {
      const found = this.#find(taskId);
      if (found === undefined || found.alive_until === null || found.alive_until > this.#table.now())
        return found === undefined ? undefined : toRecord(found);
      const { inputRequests: _asked, ...record } = toRecord(found);
      const now = this.#table.now();
      const failed: TaskRecord = {
        ...record,
        status: 'failed',
        statusMessage: LOST.message,
        error: LOST,
        lastUpdatedAt: new Date(now).toISOString(),
        ttlMs: Math.max(0, now - Date.parse(record.createdAt)) + LOST_KEPT_MS,
      };
      this.#write(failed, false);
      return failed;
    });
  }

  /** Says several times per lease that this process lives, as long as it runs tasks. */
  #beat(): void {
    if (this.#running.size === 0) {
      this.#stopBeating?.();
      this.#stopBeating = undefined;
      return;
    }
    this.#stopBeating ??= this.#clock.schedule(
      () => {
        this.#stopBeating = undefined;
        this.#extend();
        this.#beat();
      },
      this.#limits.leaseMs / 4,
      true,
    );
  }

  #extend(): void {
    const aliveUntil = this.#table.now() + this.#limits.leaseMs;
    try {
      this.#database.run(
        'UPDATE toolwright_tasks SET alive_until = ?, expires_at = ? WHERE process = ?',
        aliveUntil,
        aliveUntil + LOST_KEPT_MS,
        this.#process,
      );
    } catch {
      // The file is busy; the next time is well within the lease.
    }
  }
}

function toRecord({ record, result }: Row): TaskRecord {
  const parsed = JSON.parse(record) as TaskRecord;
  return result === null ? parsed : { ...parsed, result: JSON.parse(result) as object };
}
