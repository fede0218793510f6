import { mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { openDatabase } from './database.ts';
import type { Database } from './database.ts';

/** Opens the database of `FITNESS_DATABASE`, and creates its folder, which only its owner can read. */
export function openDatabaseFile(file: string): Database {
  if (file === ':memory:') return openDatabase(file);
  const path = resolve(file);
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new Error(`The folder of FITNESS_DATABASE ${path} cannot be created: choose another path.`, {
      cause,
    });
  }
  return openDatabase(path);
}
