import Libsql from 'libsql';
import { MIGRATIONS } from './migrations.ts';

/** A value of a column. Booleans are stored as 0 and 1. */
export type Value = string | number | boolean | null;

type Row = Readonly<Record<string, Value>>;

/** One SQLite file. Every statement runs synchronously, so a transaction is never interleaved with another call of this process. */
export class Database {
  readonly #file: string;
  readonly #libsql: Libsql.Database;
  readonly #statements = new Map<string, Libsql.Statement>();

  constructor(file: string) {
    this.#file = file;
    try {
      this.#libsql = new Libsql(file, { timeout: 5000 });
    } catch (cause) {
      throw new Error(`Cannot open the file ${file}: check that its folder exists and is writable.`, {
        cause,
      });
    }
    try {
      // A commit that was reported is in the write-ahead log on disk, so it survives the end of the process and of the machine.
      this.#libsql.pragma('journal_mode = WAL');
    } catch (cause) {
      this.#libsql.close();
      throw new Error(
        `Cannot use the file ${file}: ${(cause as Error).message}. Choose another file, or one that does not exist yet.`,
        { cause },
      );
    }
    try {
      this.#libsql.pragma('synchronous = FULL');
      this.#libsql.pragma('foreign_keys = ON');
      this.#migrate();
    } catch (error) {
      this.#libsql.close();
      throw error;
    }
  }

  /** All rows of a query. The caller names the type of the columns that it selects. */
  all<T>(sql: string, ...values: Value[]): T[] {
    return this.#prepare(sql).all(...values.map(toColumn)) as T[];
  }

  first<T>(sql: string, ...values: Value[]): T | undefined {
    // Not `get`, which adds a member `_metadata` to the row.
    return this.all<T>(sql, ...values)[0];
  }

  /** Runs a statement and returns the number of changed rows. */
  run(sql: string, ...values: Value[]): number {
    return this.#prepare(sql).run(...values.map(toColumn)).changes;
  }

  insert(table: string, row: Row): void {
    const names = Object.keys(row);
    const marks = names.map(() => '?').join(', ');
    this.run(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${marks})`, ...Object.values(row));
  }

  /** Runs a function in a transaction that sees one state of the file. */
  read<T>(body: () => T): T {
    return this.#transaction('BEGIN DEFERRED', body);
  }

  /** Runs a function in a transaction: all of its changes are stored, or, if it throws, none. */
  write<T>(body: () => T): T {
    return this.#transaction('BEGIN IMMEDIATE', body);
  }

  close(): void {
    this.#libsql.close();
  }

  #transaction<T>(begin: string, body: () => T): T {
    this.#libsql.exec(begin);
    try {
      const value = body();
      // The transaction would end before the body does.
      if (value instanceof Promise) throw new TypeError('The body of a transaction must be synchronous.');
      this.#libsql.exec('COMMIT');
      return value;
    } catch (error) {
      if (this.#libsql.inTransaction) this.#libsql.exec('ROLLBACK');
      throw error;
    }
  }

  /** Runs the migrations that the file does not have yet, each in its own transaction. */
  #migrate(): void {
    for (const [index, { name, sql }] of MIGRATIONS.entries()) {
      this.write(() => {
        const version = this.first<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0;
        if (version > MIGRATIONS.length)
          throw new Error(
            `The file ${this.#file} has version ${version}, but this server knows versions up to ${MIGRATIONS.length}: use a newer server or another file.`,
          );
        if (version > index) return;
        try {
          this.#libsql.exec(sql);
        } catch (cause) {
          throw new Error(`Migration ${name} failed on the file ${this.#file}.`, { cause });
        }
        this.#libsql.exec(`PRAGMA user_version = ${index + 1}`);
      });
    }
  }

  #prepare(sql: string): Libsql.Statement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#libsql.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

/** Opens a database and brings it to the newest version. `:memory:` has no file and ends with the process. */
export function openDatabase(file: string): Database {
  return new Database(file);
}

/** libsql aborts the process when it is given a boolean, and stores NaN as null. */
function toColumn(value: Value): string | number | null {
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new RangeError(`Cannot store the number ${value}: it must be finite.`);
  return typeof value === 'boolean' ? Number(value) : value;
}
