import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { CHECKING, startProxied } from '../support/proxied-stack.ts';
import type { Outcome } from '../support/proxied-stack.ts';

const folder = mkdtempSync(join(tmpdir(), 'statements-'));
const imports = join(folder, 'imports');
const ROWS = 'Date,Description,Amount\n2026-11-05,Café Zürich,-4.50\n';
/** Text of no 8-bit encoding. */
const FOREIGN = 'Date\tDescription\tAmount\n2026-11-05\tŻabka Łódź\t-4,50 €\n';
mkdirSync(join(imports, 'folder'), { recursive: true });
writeFileSync(join(imports, 'november.csv'), ROWS);
writeFileSync(join(imports, 'folder', 'inside.csv'), ROWS);
writeFileSync(join(imports, 'windows.csv'), Buffer.from(ROWS, 'latin1'));
writeFileSync(join(imports, 'marked.csv'), `\uFEFF${ROWS}`);
writeFileSync(join(imports, 'unicode.csv'), `\uFEFF${FOREIGN}`, 'utf16le');
writeFileSync(join(imports, 'unicode-be.csv'), Buffer.from(`\uFEFF${FOREIGN}`, 'utf16le').swap16());
writeFileSync(join(imports, 'empty.csv'), '');
writeFileSync(join(folder, 'outside.csv'), ROWS);
symlinkSync(join(folder, 'outside.csv'), join(imports, 'link.csv'));
symlinkSync(folder, join(imports, 'linked-folder'));
writeFileSync(join(imports, 'large.csv'), ROWS);
truncateSync(join(imports, 'large.csv'), 10 * 1024 * 1024 + 1);
execFileSync('mkfifo', [join(imports, 'pipe.csv')]);

const stack = await startProxied({ environment: { YNAB_IMPORT_PATH: imports } });
afterAll(async () => {
  await stack.close();
  rmSync(folder, { recursive: true });
});

const NOT_THERE =
  '\nSuggestion: Put the file into the folder of YNAB_IMPORT_PATH, or pass the statement as csv_data.';

const TOOLS = [
  ['compare_transactions', { account_id: CHECKING }],
  ['reconcile_account', { account_id: CHECKING, statement_balance: 0 }],
] as const;

const read = (tool: string, args: object, path: string): Promise<Outcome> =>
  stack.outcome(tool, { ...args, csv_file_path: path });

describe.each(TOOLS)('%s', (tool, args) => {
  test('accepts a statement without rows: a month without transactions', async () => {
    const outcome = await stack.outcome(tool, { ...args, csv_data: 'Date,Description,Amount\n' });
    expect(outcome.isError).toBe(false);
    expect(outcome.text).toContain('- **Matched**: 0');
  });

  test.each(['november.csv', 'folder/inside.csv', 'windows.csv', 'marked.csv'])('reads %s', async (path) => {
    const outcome = await read(tool, args, path);
    expect(outcome.isError).toBe(false);
    expect(outcome.text).toContain('Café Zürich');
  });

  test.each(['unicode.csv', 'unicode-be.csv'])(
    'reads %s, which Excel saves as Unicode text',
    async (path) => {
      const outcome = await read(tool, args, path);
      expect(outcome.isError).toBe(false);
      expect(outcome.text).toContain('| 2 | 2026-11-05 | -$4.50 | Żabka Łódź |');
    },
  );

  test.each([
    ['../outside.csv'],
    ['folder/../../outside.csv'],
    [join(folder, 'outside.csv')],
    ['/etc/passwd'],
    ['link.csv'],
    ['linked-folder/outside.csv'],
  ])('rejects %s, which is outside of the import folder', async (path) => {
    const outcome = await read(tool, args, path);
    expect(outcome).toMatchObject({ isError: true, code: 'INVALID_ARGUMENTS' });
    expect(outcome.text).toContain('csv_file_path');
    expect(outcome.raw).not.toContain('Café');
    expect(outcome.raw).not.toContain(imports);
  });

  test.each([
    ['missing.csv', `The import folder has no file "missing.csv" that can be read.${NOT_THERE}`],
    ['folder', `The import folder has no file "folder" that can be read.${NOT_THERE}`],
    ['pipe.csv', `The import folder has no file "pipe.csv" that can be read.${NOT_THERE}`],
    [
      'large.csv',
      'The file "large.csv" has 10485761 bytes; the limit is 10485760.\nSuggestion: Split the statement by date.',
    ],
  ])('explains %s', async (path, text) => {
    expect(await read(tool, args, path)).toMatchObject({ isError: true, code: 'TOOL_ERROR', text });
  });

  test.each([
    ['an empty file', { csv_file_path: 'empty.csv' }],
    ['text', { csv_data: 'This is not a statement.' }],
    ['a column that does not exist', { csv_data: ROWS, csv_format: { amount_column: 'Betrag' } }],
  ])('explains %s', async (_, given) => {
    const outcome = await stack.outcome(tool, { ...args, ...given });
    expect(outcome).toMatchObject({ isError: true, code: 'TOOL_ERROR' });
    expect(outcome.text).toMatch(
      /^The statement cannot be read: .+\nSuggestion: Check the CSV, or describe its columns with csv_format\.$/,
    );
  });

  test.each([
    ['neither of the two', {}],
    ['both', { csv_data: ROWS, csv_file_path: 'november.csv' }],
  ])('needs exactly one of csv_data and csv_file_path: %s', async (_, given) => {
    expect(await stack.outcome(tool, { ...args, ...given })).toMatchObject({
      isError: true,
      code: 'INVALID_ARGUMENTS',
      text: `Invalid arguments for tool '${tool}'.\n- csv_data: pass exactly one of csv_data and csv_file_path`,
    });
  });
});

test('without YNAB_IMPORT_PATH, no file is read', async () => {
  const without = await startProxied();
  for (const [tool, args] of TOOLS) {
    const outcome = await without.outcome(tool, { ...args, csv_file_path: join(imports, 'november.csv') });
    expect(outcome).toMatchObject({
      isError: true,
      code: 'TOOL_ERROR',
      text: 'CSV files cannot be read: no import folder is set.\nSuggestion: Pass the statement as csv_data, or set YNAB_IMPORT_PATH and restart the server.',
    });
  }
  await without.close();
});
