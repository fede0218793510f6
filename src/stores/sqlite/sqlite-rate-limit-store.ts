import type { Clock } from '../../base/time/clock.ts';
import type { RateDecision, RateLimit, RateLimitStore } from '../rate-limit-store.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import { SqliteTable } from './sqlite-table.ts';

interface Window {
  readonly ends_at: number;
  readonly count: number;
}

const ALLOWED: RateDecision = { allowed: true };

/**
 * Rate limits in a file. A window starts with the first call of its key: exactly `limit` calls are allowed in it, also of several processes.
 * Rejected calls write nothing. If the machine loses power, the last calls before it may be uncounted: waiting for the disk would take
 * longer than most calls.
 */
export class SqliteRateLimitStore implements RateLimitStore {
  readonly #database: SqliteDatabase;
  readonly #table: SqliteTable;
  readonly #maxKeys: number;

  constructor(database: SqliteDatabase, clock: Clock, maxKeys: number) {
    this.#database = database;
    this.#table = new SqliteTable(database, 'toolwright_rates', clock);
    this.#maxKeys = maxKeys;
  }

  consume(key: string, { limit, perMs }: RateLimit): RateDecision {
    return this.#database.write(() => {
      // Read within the transaction: while it waits for another process, a window may end.
      const now = this.#table.now();
      const running = this.#database.first<Window>(
        'SELECT ends_at, count FROM toolwright_rates WHERE key = ? AND ends_at > ?',
        key,
        now,
      );
      if (running === undefined) return this.#begin(key, { limit, endsAt: Math.ceil(now + perMs), now });
      if (running.count >= limit) return { allowed: false, retryAfterMs: running.ends_at - now };
      this.#database.run(
        'UPDATE toolwright_rates SET count = count + 1, is_blocked = (count + 1 >= ?) WHERE key = ?',
        limit,
        key,
      );
      return ALLOWED;
    });
  }

  #begin(
    key: string,
    { limit, endsAt, now }: { readonly limit: number; readonly endsAt: number; readonly now: number },
  ): RateDecision {
    if (limit < 1) return { allowed: false, retryAfterMs: endsAt - now };
    this.#database.run('DELETE FROM toolwright_rates WHERE key = ?', key);
    // Some ended windows with each new one, so that they do not pile up.
    this.#database.run(
      `DELETE FROM toolwright_rates WHERE rowid IN (
         SELECT rowid FROM toolwright_rates WHERE is_blocked IN (0, 1) AND ends_at <= ? LIMIT 16)`,
      now,
    );
    this.#makeRoom(now);
    this.#database.run(
      'INSERT INTO toolwright_rates (key, ends_at, count, is_blocked) VALUES (?, ?, 1, ?)',
      key,
      endsAt,
      limit < 2 ? 1 : 0,
    );
    return ALLOWED;
  }

  /** Drops ended windows first, then those with calls left, last those without. */
  #makeRoom(now: number): void {
    if (this.#table.total().entries < this.#maxKeys) return;
    this.#database.run('DELETE FROM toolwright_rates WHERE ends_at <= ?', now);
    const excess = this.#table.total().entries - this.#maxKeys + 1;
    if (excess < 1) return;
    this.#database.run(
      'DELETE FROM toolwright_rates WHERE key IN (SELECT key FROM toolwright_rates ORDER BY is_blocked, ends_at LIMIT ?)',
      excess,
    );
  }
}
