import type { Clock } from '../../base/time/clock.ts';
import { weighText } from '../../base/memory/weigh.ts';
import type { CacheStore } from '../cache-store.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import { SqliteTable } from './sqlite-table.ts';

export interface SqliteCacheLimits {
  readonly maxEntries: number;
  readonly maxBytes: number;
}

/** A cache in a file. Values must have a JSON form. Reading a value does not write, so the value that was stored first is dropped first. */
export class SqliteCacheStore implements CacheStore {
  readonly #database: SqliteDatabase;
  readonly #table: SqliteTable;
  readonly #limits: SqliteCacheLimits;
  #evictions = 0;

  constructor(database: SqliteDatabase, clock: Clock, limits: SqliteCacheLimits) {
    this.#database = database;
    this.#table = new SqliteTable(database, 'toolwright_cache', clock);
    this.#limits = limits;
  }

  get(key: string): unknown {
    const found = this.#database.first<{ value: string }>(
      'SELECT value FROM toolwright_cache WHERE key = ? AND expires_at > ?',
      toColumn(key),
      this.#table.now(),
    );
    return found === undefined ? undefined : JSON.parse(found.value);
  }

  set(key: string, value: unknown, ttlMs: number): void {
    const json = JSON.stringify(value) as string | undefined;
    this.#database.write(() => {
      this.#table.removeExpired();
      this.#database.run('DELETE FROM toolwright_cache WHERE key = ?', toColumn(key));
      if (json === undefined) return;
      this.#database.run(
        'INSERT INTO toolwright_cache (key, value, bytes, expires_at) VALUES (?, ?, ?, ?)',
        toColumn(key),
        json,
        weighText(key) + weighText(json),
        Math.ceil(this.#table.now() + ttlMs),
      );
      this.#makeRoom();
    });
  }

  delete(key: string): void {
    this.#database.run('DELETE FROM toolwright_cache WHERE key = ?', toColumn(key));
  }

  deleteByPrefix(prefix: string): void {
    const start = toColumn(prefix).slice(0, -1);
    // Not LIKE, which ignores case and has wildcards.
    this.#database.run('DELETE FROM toolwright_cache WHERE substr(key, 1, length(?)) = ?', start, start);
  }

  stats(): { readonly entries: number; readonly bytes: number; readonly evictions: number } {
    return { ...this.#table.total(), evictions: this.#evictions };
  }

  #makeRoom(): void {
    const { maxEntries, maxBytes } = this.#limits;
    for (;;) {
      const { entries, bytes } = this.#table.total();
      if (entries <= maxEntries && bytes <= maxBytes) return;
      this.#evictions += this.#database.run(
        'DELETE FROM toolwright_cache WHERE rowid = (SELECT min(rowid) FROM toolwright_cache)',
      );
    }
  }
}

/** As JSON: SQLite cannot keep every character, such as one half of a surrogate pair. */
function toColumn(key: string): string {
  return JSON.stringify(key);
}
