import { assertOptions, CLOCK, NON_EMPTY, wholeNumber } from '../../errors/options/rules.ts';
import { wrongValue } from '../../errors/options/wrong-value.ts';
import type { Rules } from '../../errors/options/rules.ts';
import { systemClock } from '../../base/time/clock.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { CacheStore } from '../cache-store.ts';
import type { ConfirmationStore } from '../confirmation-store.ts';
import type { RateLimitStore } from '../rate-limit-store.ts';
import { STATE_LIMITS } from '../state/state-room.ts';
import type { StateLimits } from '../state/state-room.ts';
import type { StateStore } from '../state/state-store.ts';
import type { TaskStore } from '../task-store.ts';
import { SqliteCacheStore } from './sqlite-cache-store.ts';
import { SqliteConfirmationStore } from './sqlite-confirmation-store.ts';
import { SqliteDatabase } from './sqlite-database.ts';
import { SqliteRateLimitStore } from './sqlite-rate-limit-store.ts';
import { SqliteStateStore } from './sqlite-state-store.ts';
import { SqliteTaskStore } from './sqlite-task-store.ts';

/** Options of {@link sqliteStores}. */
export interface SqliteOptions {
  /** Limits of the state of callers. Default: as in memory. */
  readonly state?: StateLimits;
  /** Maximum number of pending confirmations; the oldest of the owner that has most is dropped first. Default: 10,000. */
  readonly maxConfirmations?: number;
  /** Maximum number of callers whose calls are counted; ended windows are dropped first, blocked callers last. Default: 100,000. */
  readonly maxRateKeys?: number;
  /** Maximum number of tasks; the one that ended first, of the owner that has most, is dropped first. Default: 100,000. */
  readonly maxTasks?: number;
  /** Maximum size of all results of tasks in bytes; the task that ended first, of the owner that has most, is dropped first. Default: 1,073,741,824. */
  readonly maxTaskBytes?: number;
  /** Time after which a running task is failed if its process has ended, in milliseconds; at least 1,000. Default: 60,000. */
  readonly taskLeaseMs?: number;
  /** Maximum number of cached values; the one that was stored first is dropped first. Default: 10,000. */
  readonly maxCacheEntries?: number;
  /** Maximum size of all cached values in bytes, estimated. Default: 67,108,864. */
  readonly maxCacheBytes?: number;
  readonly clock?: Clock;
}

/** The stores of one file, for the options of a server. */
export interface SqliteStores {
  /** For `stateStore`. */
  readonly state: StateStore;
  /** For `confirmationStore`. */
  readonly confirmations: ConfirmationStore;
  /** For `rateLimitStore`. */
  readonly rateLimits: RateLimitStore;
  /** For `taskStore`. */
  readonly tasks: TaskStore;
  /** For `cache`. */
  readonly cache: CacheStore;
  /** Closes the file. Close the servers first. */
  close(): void;
}

const RULES: Rules<keyof SqliteOptions> = {
  state: [(value) => typeof value === 'object' && value !== null, 'an object'],
  maxConfirmations: wholeNumber(0),
  maxRateKeys: wholeNumber(1),
  maxTasks: wholeNumber(0),
  maxTaskBytes: wholeNumber(0),
  taskLeaseMs: wholeNumber(1000),
  maxCacheEntries: wholeNumber(0),
  maxCacheBytes: wholeNumber(0),
  clock: CLOCK,
};

/** Default limits. `docs/limits.md` shows the same numbers. */
const DEFAULTS = {
  maxConfirmations: 10_000,
  maxRateKeys: 100_000,
  maxTasks: 100_000,
  maxTaskBytes: 1_073_741_824,
  taskLeaseMs: 60_000,
  maxCacheEntries: 10_000,
  maxCacheBytes: 67_108_864,
};

/**
 * Stores in one SQLite file: state, confirmations, rate limits, tasks and cache outlast the process, and the processes of one machine share
 * them. Creates the file; `:memory:` has none and ends with the process. Needs the package `libsql`.
 *
 * @example
 * const stores = sqliteStores('server.db');
 * const server = createServer({ name: 'shop', version: '1.0.0', stateStore: stores.state, taskStore: stores.tasks });
 */
export function sqliteStores(path: string, options: SqliteOptions = {}): SqliteStores {
  if (!NON_EMPTY[0](path))
    throw wrongValue('sqliteStores', { option: 'path', expected: NON_EMPTY[1], value: path });
  assertOptions('sqliteStores', options, RULES);
  assertOptions('sqliteStores', options.state ?? {}, STATE_LIMITS, 'state');
  const given = { ...DEFAULTS, ...options };
  const clock = options.clock ?? systemClock;
  const database = new SqliteDatabase(path);
  const tasks = new SqliteTaskStore(database, clock, {
    maxTasks: given.maxTasks,
    maxBytes: given.maxTaskBytes,
    leaseMs: given.taskLeaseMs,
  });
  return {
    state: new SqliteStateStore(database, clock, options.state ?? {}),
    confirmations: new SqliteConfirmationStore(database, clock, given.maxConfirmations),
    rateLimits: new SqliteRateLimitStore(database, clock, given.maxRateKeys),
    tasks,
    cache: new SqliteCacheStore(database, clock, {
      maxEntries: given.maxCacheEntries,
      maxBytes: given.maxCacheBytes,
    }),
    close: () => {
      tasks.close();
      database.close();
    },
  };
}
