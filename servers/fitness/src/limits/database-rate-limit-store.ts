import type { Clock } from 'toolwright/collaborators';
import type { RateDecision, RateLimit, RateLimitStore } from 'toolwright/stores';
import type { Database } from '../database/database.ts';

export interface DatabaseRateLimitOptions {
  /** Maximum number of windows that are kept. Default: 100,000. */
  readonly maxKeys?: number;
  readonly clock: Clock;
}

interface Window {
  readonly ends_at: number;
}

/**
 * A rate limit store in a database file: windows outlast the process, and processes that share the file count together. A window starts with
 * the first call of its key: exactly `limit` calls are allowed in it. Rejected calls write nothing. If the machine loses power, the last
 * calls before it may be uncounted: waiting for the disk would take longer than most calls.
 *
 * At most `maxKeys` windows are kept: ended ones are dropped first, then those with calls left, last those without. Times are system times,
 * because a window outlasts the process: if the system clock is set back, windows last longer by as much.
 */
export class DatabaseRateLimitStore implements RateLimitStore {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #maxKeys: number;

  constructor(database: Database, { clock, maxKeys = 100_000 }: DatabaseRateLimitOptions) {
    if (!Number.isInteger(maxKeys) || maxKeys < 1)
      throw new RangeError(`Invalid maxKeys ${maxKeys}: use a whole number from 1.`);
    this.#database = database;
    this.#clock = clock;
    this.#maxKeys = maxKeys;
  }

  consume(key: string, { limit, perMs }: RateLimit): RateDecision {
    return this.#database.writeSoon(() => {
      // Read within the transaction: while it waits for another process, a window may end.
      const now = this.#clock.wallTime?.() ?? this.#clock.now();
      const running = this.#database.first<Window & { readonly count: number }>(
        'SELECT ends_at, count FROM rate_windows WHERE key = ? AND ends_at > ?',
        key,
        now,
      );
      if (running === undefined) return this.#begin(key, { limit, endsAt: now + perMs, now });
      if (running.count >= limit) return { allowed: false, retryAfterMs: running.ends_at - now };
      this.#database.run(
        'UPDATE rate_windows SET count = count + 1, is_blocked = (count + 1 >= ?) WHERE key = ?',
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
    this.#database.run('DELETE FROM rate_windows WHERE key = ?', key);
    this.#makeRoom(now);
    this.#database.insert('rate_windows', {
      key,
      ends_at: Math.ceil(endsAt),
      count: 1,
      is_blocked: limit === 1,
    });
    return ALLOWED;
  }

  #makeRoom(now: number): void {
    if (this.#count() < this.#maxKeys) return;
    this.#database.run('DELETE FROM rate_windows WHERE ends_at <= ?', now);
    const excess = this.#count() - this.#maxKeys + 1;
    if (excess < 1) return;
    this.#database.run(
      `DELETE FROM rate_windows WHERE key IN
       (SELECT key FROM rate_windows ORDER BY is_blocked, ends_at LIMIT ?)`,
      excess,
    );
  }

  #count(): number {
    return this.#database.first<{ count: number }>('SELECT count(*) AS count FROM rate_windows')?.count ?? 0;
  }
}

const ALLOWED: RateDecision = { allowed: true };
