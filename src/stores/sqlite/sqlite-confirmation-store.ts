import type { Clock } from '../../base/time/clock.ts';
import type { ConfirmationStore } from '../confirmation-store.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import { SqliteTable } from './sqlite-table.ts';

/** Confirmations in a file. */
export class SqliteConfirmationStore implements ConfirmationStore {
  readonly #database: SqliteDatabase;
  readonly #table: SqliteTable;
  readonly #maxWaiting: number;

  constructor(database: SqliteDatabase, clock: Clock, maxWaiting: number) {
    this.#database = database;
    this.#table = new SqliteTable(database, 'toolwright_confirmations', clock);
    this.#maxWaiting = maxWaiting;
  }

  // oxlint-disable-next-line max-params -- as the interface has it
  put(token: string, binding: string, ttlMs: number, owner = ''): void {
    this.#database.writeDurably(() => {
      this.#table.removeExpired();
      this.#database.run('DELETE FROM toolwright_confirmations WHERE token = ?', token);
      this.#database.run(
        'INSERT INTO toolwright_confirmations (token, binding, owner, expires_at) VALUES (?, ?, ?, ?)',
        token,
        // As JSON: libsql cuts texts at a NUL character.
        JSON.stringify(binding),
        owner,
        Math.ceil(this.#table.now() + ttlMs),
      );
      while (this.#table.total().entries > this.#maxWaiting && this.#dropOldest()) continue;
    });
  }

  take(token: string): string | undefined {
    return this.#database.writeDurably(() => {
      const found = this.#database.first<{ binding: string }>(
        'SELECT binding FROM toolwright_confirmations WHERE token = ? AND expires_at > ?',
        token,
        this.#table.now(),
      );
      this.#database.run('DELETE FROM toolwright_confirmations WHERE token = ?', token);
      return found === undefined ? undefined : (JSON.parse(found.binding) as string);
    });
  }

  /** Drops the oldest of the owner that has most; false if there is none. */
  #dropOldest(): boolean {
    const owner = this.#table.findLargest('entries') ?? '';
    const dropped = this.#database.run(
      'DELETE FROM toolwright_confirmations WHERE rowid = (SELECT min(rowid) FROM toolwright_confirmations WHERE owner = ?)',
      owner,
    );
    return dropped > 0;
  }
}
