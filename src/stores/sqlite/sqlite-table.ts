import { wallTimeOf } from '../../base/time/clock.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { SqliteDatabase } from './sqlite-database.ts';

/** Expired rows that are removed with one write: few, so that no write takes long. */
const REMOVED_AT_ONCE = 100;

interface Amount {
  readonly entries: number;
  readonly bytes: number;
}

const NOTHING: Amount = { entries: 0, bytes: 0 };

/** A table whose rows belong to owners and expire. Its name is part of statements: never that of a caller. */
export class SqliteTable {
  readonly #database: SqliteDatabase;
  readonly #name: string;
  readonly #clock: Clock;

  constructor(database: SqliteDatabase, name: string, clock: Clock) {
    this.#database = database;
    this.#name = name;
    this.#clock = clock;
  }

  /** Rows outlast the process, so their times are system times. */
  now(): number {
    return Math.floor(wallTimeOf(this.#clock));
  }

  /** Rows and bytes of all owners. */
  total(): Amount {
    return (
      this.#database.first<Amount>(
        'SELECT entries, bytes FROM toolwright_sizes WHERE name = ?',
        this.#name,
      ) ?? NOTHING
    );
  }

  shareOf(owner: string): Amount {
    return (
      this.#database.first<Amount>(
        'SELECT entries, bytes FROM toolwright_shares WHERE name = ? AND owner = ?',
        this.#name,
        owner,
      ) ?? NOTHING
    );
  }

  /** The owner that has most; undefined if there is none. */
  findLargest(amount: keyof Amount): string | undefined {
    return this.#database.first<{ owner: string }>(
      `SELECT owner FROM toolwright_shares WHERE name = ? ORDER BY ${amount} DESC LIMIT 1`,
      this.#name,
    )?.owner;
  }

  /** Removes some expired rows. */
  removeExpired(count: number = REMOVED_AT_ONCE): void {
    this.#database.run(
      `DELETE FROM ${this.#name} WHERE rowid IN (SELECT rowid FROM ${this.#name} WHERE expires_at <= ? LIMIT ?)`,
      this.now(),
      count,
    );
  }
}
