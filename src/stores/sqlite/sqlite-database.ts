import { createRequire } from 'node:module';
import type Libsql from 'libsql';
import { DefinitionError, MissingPeerError, ToolwrightError } from '../../errors/errors.ts';
import { MIGRATIONS } from './migrations.ts';

/** A value of a column. libsql aborts the process when it is given a boolean. */
type Value = string | number | null;

/** Time that a statement waits for other processes which write to the file. */
const BUSY_MS = 5000;

/**
 * One SQLite file. Every statement runs synchronously, so a transaction is never interleaved with another call of this process. Changes
 * outlast the process; those of {@link writeDurably} outlast the machine as well.
 */
export class SqliteDatabase {
  readonly #file: string;
  readonly #libsql: Libsql.Database;
  readonly #statements = new Map<string, Libsql.Statement>();
  #isClosed = false;

  constructor(file: string) {
    this.#file = file;
    this.#libsql = open(file);
    try {
      this.#libsql.pragma('journal_mode = WAL');
      this.#libsql.pragma('synchronous = NORMAL');
      this.#migrate();
    } catch (cause) {
      this.#libsql.close();
      if (cause instanceof DefinitionError) throw cause;
      throw new DefinitionError(
        `Cannot use the file ${file} of sqliteStores: ${(cause as Error).message}. Choose another file, or one that does not exist yet.`,
        { option: 'path', received: file, cause },
      );
    }
  }

  /** All rows of a query. The caller names the type of the columns that it selects. */
  all<T>(sql: string, ...values: Value[]): T[] {
    return this.#prepare(sql).all(...values) as T[];
  }

  first<T>(sql: string, ...values: Value[]): T | undefined {
    // Not `get`, which adds a member `_metadata` to the row.
    return this.all<T>(sql, ...values)[0];
  }

  /** Runs a statement and returns the number of changed rows. */
  run(sql: string, ...values: Value[]): number {
    return this.#prepare(sql).run(...values).changes;
  }

  /** Runs a function in a transaction: all of its changes are stored, or, if it throws, none. */
  write<T>(body: () => T): T {
    this.#execute('BEGIN IMMEDIATE');
    try {
      const value = body();
      this.#libsql.exec('COMMIT');
      return value;
    } catch (error) {
      if (this.#libsql.inTransaction) this.#libsql.exec('ROLLBACK');
      throw error;
    }
  }

  /** The same, and waits for the disk: the changes are there after a loss of power. */
  writeDurably<T>(body: () => T): T {
    this.#execute('PRAGMA synchronous = FULL');
    try {
      return this.write(body);
    } finally {
      this.#libsql.exec('PRAGMA synchronous = NORMAL');
    }
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#libsql.close();
  }

  /**
   * Runs the migrations that the file does not have yet, each in its own transaction. The version is in a table of its own, because the file
   * may belong to an application that uses `user_version`.
   */
  #migrate(): void {
    this.#libsql.exec('CREATE TABLE IF NOT EXISTS toolwright_version (version INTEGER NOT NULL)');
    for (const [index, sql] of MIGRATIONS.entries()) {
      this.write(() => {
        const version = this.#readVersion();
        if (version > MIGRATIONS.length)
          throw new DefinitionError(
            `The file ${this.#file} has version ${version} of the stores, but this version of Toolwright knows versions up to ${MIGRATIONS.length}. Update Toolwright, or use another file.`,
            { option: 'path', received: this.#file },
          );
        if (version > index) return;
        this.#libsql.exec(sql);
        this.#libsql.exec('DELETE FROM toolwright_version');
        this.#libsql.exec(`INSERT INTO toolwright_version VALUES (${index + 1})`);
      });
    }
  }

  #readVersion(): number {
    return this.first<{ version: number }>('SELECT version FROM toolwright_version')?.version ?? 0;
  }

  #execute(sql: string): void {
    this.#assertOpen();
    this.#libsql.exec(sql);
  }

  #assertOpen(): void {
    if (this.#isClosed)
      throw new ToolwrightError('SERVER_CLOSED', `The stores of the file ${this.#file} are closed.`);
  }

  #prepare(sql: string): Libsql.Statement {
    this.#assertOpen();
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#libsql.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

function open(file: string): Libsql.Database {
  const Database = loadLibsql();
  try {
    return new Database(file, { timeout: BUSY_MS });
  } catch (cause) {
    throw new DefinitionError(
      `Cannot open the file ${file} of sqliteStores: check that its folder exists and is writable.`,
      { option: 'path', received: file, cause },
    );
  }
}

/** Synchronously, so that stores can be created where a server is. */
function loadLibsql(): typeof Libsql {
  try {
    return createRequire(import.meta.url)('libsql') as typeof Libsql;
  } catch (cause) {
    throw new MissingPeerError('sqliteStores', ['libsql'], { cause });
  }
}
