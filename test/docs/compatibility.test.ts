import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FOLDERS, headOf, inMatrix, readTable, TABLES, writeTable } from '../../matrix/index.mjs';
import { ROOT } from '../support/dist.ts';

const page = readFileSync(join(ROOT, 'docs/compatibility.md'), 'utf8');

test('docs/compatibility.md has the tables of the matrix', () => {
  expect(Object.keys(TABLES)).toEqual(['runtimes', 'clients', 'compilers', 'decorators']);
});

test.each(Object.keys(TABLES))(
  'the table %s has every row of the matrix, with the locked version',
  (table) => {
    const rows = TABLES[table] ?? [];
    const documented = readTable(page, table);
    // The lock file does not have the version of the Node that runs the matrix.
    const isLocked = rows.map(({ of }) => of !== undefined);
    const shown = (cells: readonly (readonly string[])[]): unknown[] =>
      cells.map(([name, version], index) => (isLocked[index] === true ? [name, version] : [name]));
    expect(rows.length).toBeGreaterThan(5);
    expect(shown(documented)).toEqual(shown(rows.map(headOf)));
    expect(documented.map((cells) => cells.length)).toEqual(rows.map(() => 7));
  },
);

test.each(Object.keys(TABLES))('no row of the table %s failed when it was written', (table) => {
  const results = readTable(page, table).map(([name, , , , , result]) => [name, result]);
  expect(results).toEqual((TABLES[table] ?? []).map(({ name, result = 'passed' }) => [name, result]));
});

test('README.md has the number of rows that passed, and of those with a documented error', () => {
  const results = Object.values(TABLES).flatMap((rows) => rows.map(({ result = 'passed' }) => result));
  const passed = results.filter((result) => result === 'passed').length;
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  expect(readme).toContain(`**${passed} of ${results.length} rows of the [compatibility matrix]`);
  expect(readme).toContain(`The other ${results.length - passed} rows are compilers`);
});

test('a table is written as it is read, and nothing else of the page changes', () => {
  for (const table of Object.keys(TABLES)) expect(writeTable(page, table, readTable(page, table))).toBe(page);
});

test.each([...FOLDERS])('matrix/%s names exact versions', (folder) => {
  const manifest = JSON.parse(readFileSync(inMatrix(folder, 'package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  const versions = Object.values(manifest.dependencies);
  expect(versions.length).toBeGreaterThan(1);
  for (const version of versions) expect(version).toMatch(/^(npm:[@\w/-]+@)?\d+\.\d+\.\d+$/);
});
