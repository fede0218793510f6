import { isObject } from '../../base/is-object.ts';
import { wallTimeOf } from '../../base/time/clock.ts';
import { CallRefusedError } from '../../errors/errors.ts';
import { assertOptions, numberFrom } from '../../errors/options/rules.ts';
import type { Rules } from '../../errors/options/rules.ts';
import { hasEnded } from '../task-store.ts';
import type { TaskRecord, TaskStatus, TaskStore } from '../task-store.ts';
import type { RedisConnection } from './connection/redis-connection.ts';
import { defineScript } from './connection/redis-script.ts';
import { storeUnavailable } from './connection/store-unavailable.ts';
import { MAX_STORED_CHARS, parseStored } from './connection/stored-value.ts';

/** Options of {@link RedisTaskStore}. */
export interface RedisTaskOptions {
  /**
   * Time after which a task that has not ended and does not change is deleted, in milliseconds: its process is gone. Default: 604,800,000
   * (7 days).
   */
  readonly abandonedMs?: number;
}

const OPTIONS: Rules<keyof RedisTaskOptions> = { abandonedMs: numberFrom(1000, 315_360_000_000) };

const STATUSES: ReadonlySet<unknown> = new Set<TaskStatus>([
  'working',
  'input_required',
  'completed',
  'failed',
  'cancelled',
]);

/** Stores a state, unless the task has ended, belongs to another owner or has reached a later leg. A lifetime of 0 means: without one. */
const PUT = defineScript(`
local owner = redis.call('HGET', KEYS[1], 'owner')
if owner and owner ~= ARGV[1] then return 0 end
if redis.call('HGET', KEYS[1], 'ended') == '1' then return 0 end
local leg = tonumber(redis.call('HGET', KEYS[1], 'leg') or '0')
if ARGV[2] == '0' and tonumber(ARGV[5]) < leg then return 0 end
redis.call('HSET', KEYS[1], 'owner', ARGV[1], 'ended', ARGV[2], 'record', ARGV[3], 'leg', ARGV[5])
if ARGV[4] == '0' then redis.call('PERSIST', KEYS[1]) else redis.call('PEXPIRE', KEYS[1], ARGV[4]) end
return 1
`);

/**
 * Tasks that several nodes share. A task that has ended never changes, whatever the order in which nodes write, and a task never changes its
 * owner. While Redis is not available, new tasks are rejected and lookups fail.
 *
 * @example
 * const server = createServer({ name: 'reports', version: '1.0.0', taskStore: new RedisTaskStore(connection) });
 */
export class RedisTaskStore implements TaskStore {
  readonly #connection: RedisConnection;
  readonly #abandonedMs: number;

  constructor(connection: RedisConnection, options: RedisTaskOptions = {}) {
    assertOptions('RedisTaskStore', options, OPTIONS);
    this.#connection = connection;
    this.#abandonedMs = options.abandonedMs ?? 604_800_000;
  }

  async put(record: TaskRecord): Promise<boolean> {
    const json = JSON.stringify(record);
    if (json.length > MAX_STORED_CHARS)
      throw new CallRefusedError(
        'RESULT_TOO_LARGE',
        `The task is too large to be stored: ${json.length} of at most ${MAX_STORED_CHARS} characters. Lower maxResultBytes.`,
      );
    const lifetime = this.#lifetimeOf(record);
    const key = this.#keyOf(record.taskId);
    const { owner, leg = 0 } = record;
    const args = [owner, hasEnded(record) ? '1' : '0', json, String(lifetime), String(leg)];
    return Number(await this.#attempt(() => this.#connection.run(PUT, [key], args))) === 1;
  }

  async get(taskId: string): Promise<TaskRecord | undefined> {
    const key = this.#keyOf(taskId);
    const record = parseStored(
      await this.#attempt(() => this.#connection.send(key, ['HGET', key, 'record'])),
    );
    return isTaskRecord(record, taskId) ? record : undefined;
  }

  async delete(taskId: string): Promise<void> {
    const key = this.#keyOf(taskId);
    await this.#attempt(() => this.#connection.send(key, ['DEL', key]));
  }

  /** Time until the record is deleted, in milliseconds; 0 if it never is. The lifetime of a task counts from its creation. */
  #lifetimeOf(record: TaskRecord): number {
    if (!hasEnded(record)) return Math.ceil(this.#abandonedMs);
    if (record.ttlMs === null) return 0;
    const age = Math.max(0, wallTimeOf(this.#connection.clock) - Date.parse(record.createdAt));
    return Math.max(1, Math.ceil(record.ttlMs - age));
  }

  #keyOf(taskId: string): string {
    return this.#connection.key('task', taskId);
  }

  async #attempt(run: () => Promise<unknown>): Promise<unknown> {
    try {
      return await run();
    } catch (error) {
      // defence: no-task-without-redis
      throw storeUnavailable('tasks', error);
    }
  }
}

function isTaskRecord(value: unknown, taskId: string): value is TaskRecord {
  if (!isObject(value)) return false;
  const { owner, status, createdAt, lastUpdatedAt, ttlMs, pollIntervalMs } = value;
  return (
    value['taskId'] === taskId &&
    STATUSES.has(status) &&
    [owner, createdAt, lastUpdatedAt].every((text) => typeof text === 'string') &&
    (ttlMs === null || typeof ttlMs === 'number') &&
    typeof pollIntervalMs === 'number'
  );
}
