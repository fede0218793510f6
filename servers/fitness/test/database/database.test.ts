import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '../../src/database/database.ts';
import { MIGRATIONS } from '../../src/database/migrations.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fitness-database-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

test('every file of the folder migrations is in the list, in the order of its number', () => {
  const files = readdirSync(new URL('../../src/database/migrations', import.meta.url)).toSorted();
  expect(files.slice(0, 2)).toEqual(['0001-foods.ts', '0002-recipes.ts']);
  expect(MIGRATIONS.map(({ name }) => `${name}.ts`)).toEqual(files);
  for (const [index, file] of files.entries()) expect(Number(file.slice(0, 4))).toBe(index + 1);
});

test('a database is in WAL mode with full synchronisation, and checks foreign keys', () => {
  const database = openDatabase(join(folder, 'a.db'));
  expect(database.all('PRAGMA journal_mode')).toEqual([{ journal_mode: 'wal' }]);
  expect(database.all('PRAGMA synchronous')).toEqual([{ synchronous: 2 }]);
  expect(() => database.insert('recipe_tags', { id: 1, tag: 'a' })).toThrow(/FOREIGN KEY/);
  database.close();
});

test('a file that is not a database is rejected with its name', () => {
  const file = join(folder, 'notes.txt');
  writeFileSync(file, 'not a database, but long enough to have a header of a hundred bytes'.repeat(3));
  expect(() => openDatabase(file)).toThrow(
    `Cannot use the file ${file}: file is not a database. Choose another file, or one that does not exist yet.`,
  );
});

test('a file is migrated once, and opened again with its rows', () => {
  const file = join(folder, 'b.db');
  const first = openDatabase(file);
  first.insert('food_source', { digest: 'abc' });
  first.close();
  const second = openDatabase(file);
  expect(second.all('SELECT * FROM food_source')).toEqual([{ digest: 'abc' }]);
  expect(second.all('PRAGMA user_version')).toEqual([{ user_version: MIGRATIONS.length }]);
  second.close();
});

test('a file of a newer server is rejected', () => {
  const file = join(folder, 'c.db');
  const database = openDatabase(file);
  database.run('PRAGMA user_version = 1000');
  database.close();
  expect(() => openDatabase(file)).toThrow(/has version 1000, but this server knows versions up to \d+/);
});

test('a file in a missing folder is rejected with its name', () => {
  const file = join(folder, 'missing', 'd.db');
  expect(() => openDatabase(file)).toThrow(`Cannot open the file ${file}`);
});

test('a transaction that throws stores nothing', () => {
  const database = openDatabase(':memory:');
  expect(() =>
    database.write(() => {
      database.insert('food_source', { digest: 'lost' });
      throw new Error('stop');
    }),
  ).toThrow('stop');
  expect(database.all('SELECT * FROM food_source')).toEqual([]);
  database.close();
});

test('an asynchronous transaction is rejected and stores nothing', () => {
  const database = openDatabase(':memory:');
  expect(() =>
    database.write(async () => {
      database.insert('food_source', { digest: 'lost' });
    }),
  ).toThrow('must be synchronous');
  expect(database.all('SELECT * FROM food_source')).toEqual([]);
  database.close();
});

test('a number that is not finite is rejected, and a boolean is stored as 0 or 1', () => {
  const database = openDatabase(':memory:');
  expect(() => database.all('SELECT ?', Number.NaN)).toThrow('Cannot store the number NaN');
  expect(database.all('SELECT ? AS value', true)).toEqual([{ value: 1 }]);
  database.close();
});
