import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Libsql from 'libsql';
import { onTestFinished } from 'vitest';
import { sqliteStores } from '../../../src/sqlite.ts';
import type { SqliteOptions, SqliteStores } from '../../../src/sqlite.ts';

/** The path of a file in a folder of its own, which is removed with the test. */
export function sqlitePath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-sqlite-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'stores.db');
}

/** Opens a file, and closes it with the test. */
export function openStores(path: string, options: SqliteOptions = {}): SqliteStores {
  const stores = sqliteStores(path, options);
  onTestFinished(() => stores.close());
  return stores;
}

/** The rows of a query, read over a connection of its own. */
export function query(path: string, sql: string): unknown[] {
  const database = new Libsql(path, { timeout: 5000 });
  try {
    return database.prepare(sql).all();
  } finally {
    database.close();
  }
}

/** Returns a function that returns the version of a file, which changes with every write of others. */
export function watchVersion(path: string): () => unknown {
  const database = new Libsql(path, { timeout: 5000 });
  onTestFinished(() => void database.close());
  return () => database.prepare('PRAGMA data_version').all();
}
