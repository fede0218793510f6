import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { HTTP_DEFAULTS } from '../../src/http.ts';
import { ERROR_CODES, REGISTRY_DEFAULTS, SERVER_DEFAULTS } from '../../src/index.ts';
import { ROOT } from '../support/dist.ts';

/** The rows of all tables of a page whose first cell is code; cells without backticks. */
function tableRows(page: string): string[][] {
  const lines = readFileSync(join(ROOT, page), 'utf8').split('\n');
  const rows = lines.filter((line) => /^\| `\w+`/.test(line));
  return rows.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', '')),
  );
}

test('docs/errors.md lists every error code, and no code that does not exist', () => {
  const documented = tableRows('docs/errors.md').filter(([code]) => /^[A-Z_]+$/.test(code ?? ''));
  expect(documented).toEqual(Object.entries(ERROR_CODES).map(([code, { fate, when }]) => [code, fate, when]));
});

test.each([
  ['a registry', REGISTRY_DEFAULTS],
  ['a server', SERVER_DEFAULTS],
  ['HTTP', HTTP_DEFAULTS],
])('docs/limits.md lists every default of %s with its number', (_of, defaults) => {
  const documented = tableRows('docs/limits.md').map(([name, value]) => [name, value]);
  const expected = Object.entries(defaults).map(([name, value]) => [name, String(value)]);
  expect(expected.length).toBeGreaterThan(0);
  for (const row of expected) expect(documented).toContainEqual(row);
});

test('docs/limits.md lists no default that does not exist, and none twice', () => {
  const documented = tableRows('docs/limits.md').map(([name]) => name ?? '');
  const known = [REGISTRY_DEFAULTS, SERVER_DEFAULTS, HTTP_DEFAULTS].flatMap((defaults) =>
    Object.keys(defaults),
  );
  expect(documented.toSorted()).toEqual(known.toSorted());
});
