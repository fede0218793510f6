import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ERROR_CODES, REGISTRY_DEFAULTS } from '../../src/index.ts';
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

test('docs/limits.md lists every default of a registry with its number', () => {
  const documented = tableRows('docs/limits.md').map(([name, value]) => [name, value]);
  for (const [name, value] of Object.entries(REGISTRY_DEFAULTS))
    expect(documented).toContainEqual([name, String(value)]);
});
