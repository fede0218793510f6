import type { Clock } from '../../base/time/clock.ts';
import { StateRoom, weighState } from '../state/state-room.ts';
import type { StateAmount, StateLimits } from '../state/state-room.ts';
import type { StateSetOptions, StateStore } from '../state/state-store.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import { SqliteTable } from './sqlite-table.ts';

interface Row {
  readonly value: string;
  readonly bytes: number;
}

/** State in a file. A value that was stored is there after a loss of power. */
export class SqliteStateStore implements StateStore {
  readonly #database: SqliteDatabase;
  readonly #table: SqliteTable;
  readonly #room: StateRoom;

  constructor(database: SqliteDatabase, clock: Clock, limits: StateLimits) {
    this.#database = database;
    this.#table = new SqliteTable(database, 'toolwright_state', clock);
    this.#room = new StateRoom(limits);
  }

  get(owner: string, key: string): string | undefined {
    return this.#find(owner, key)?.value;
  }

  // oxlint-disable-next-line max-params -- as the interface has it
  set(owner: string, key: string, value: string, { ttlMs, ifAbsent = false }: StateSetOptions): boolean {
    return this.#database.writeDurably(() => {
      this.#table.removeExpired();
      const before = this.#find(owner, key);
      if (before !== undefined && ifAbsent) return false;
      const bytes = weighState(key, value);
      const entries = before === undefined ? 1 : 0;
      this.#assertRoom(owner, { entries, bytes: bytes - (before?.bytes ?? 0) });
      this.#database.run(
        `INSERT INTO toolwright_state (owner, key, value, bytes, expires_at) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (owner, key) DO UPDATE
         SET value = excluded.value, bytes = excluded.bytes, expires_at = excluded.expires_at`,
        owner,
        key,
        value,
        bytes,
        Math.ceil(this.#table.now() + ttlMs),
      );
      return true;
    });
  }

  take(owner: string, key: string): string | undefined {
    return this.#database.writeDurably(() => {
      const found = this.#find(owner, key);
      this.#remove(owner, key);
      return found?.value;
    });
  }

  delete(owner: string, key: string): void {
    this.#database.writeDurably(() => this.#remove(owner, key));
  }

  #find(owner: string, key: string): Row | undefined {
    return this.#database.first<Row>(
      'SELECT value, bytes FROM toolwright_state WHERE owner = ? AND key = ? AND expires_at > ?',
      owner,
      key,
      this.#table.now(),
    );
  }

  #remove(owner: string, key: string): void {
    this.#database.run('DELETE FROM toolwright_state WHERE owner = ? AND key = ?', owner, key);
  }

  #assertRoom(owner: string, added: StateAmount): void {
    if (this.#findExceeded(owner, added) === undefined) return;
    this.#table.removeExpired(Number.MAX_SAFE_INTEGER);
    const exceeded = this.#findExceeded(owner, added);
    if (exceeded !== undefined) throw this.#room.toError(exceeded);
  }

  #findExceeded(owner: string, added: StateAmount): 'owner' | 'store' | undefined {
    return this.#room.findExceeded(this.#table.shareOf(owner), this.#table.total(), added);
  }
}
