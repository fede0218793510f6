import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { callJson, callTool } from '../support/clients.ts';
import { HOUSEHOLD } from '../support/sample.ts';
import { connectV2, startStack } from '../support/stack.ts';

const root = mkdtempSync(join(tmpdir(), 'budget-export-'));
const folder = join(root, 'exports');
const outside = join(root, 'outside');
mkdirSync(folder);
mkdirSync(outside);
writeFileSync(join(outside, 'kept.json'), 'kept');
mkdirSync(join(folder, 'folder.json'));
writeFileSync(join(folder, 'letter.txt'), 'kept');
symlinkSync(outside, join(folder, 'folder-link'));
symlinkSync(join(outside, 'kept.json'), join(folder, 'file-link.json'));
symlinkSync(join(outside, 'new.json'), join(folder, 'dangling.json'));

const stack = await startStack({
  environment: { YNAB_DEFAULT_BUDGET_ID: HOUSEHOLD, YNAB_EXPORT_PATH: folder },
});
const client = await connectV2(stack.server);
afterAll(async () => {
  await client.close();
  await stack.close();
  rmSync(root, { recursive: true, force: true });
});

interface Exported {
  readonly path: string;
  readonly count: number;
  readonly preview: readonly object[];
}

test('an export has amounts in units of the currency and in milliunits', async () => {
  const exported = await callJson<Exported>(client, 'export_transactions', {
    since_date: '2026-11-01',
    filename: 'november.json',
  });
  expect(exported.path).toBe(join(folder, 'november.json'));
  expect(exported.preview).toHaveLength(10);
  const file = JSON.parse(readFileSync(exported.path, 'utf8')) as {
    budget: string;
    exported_on: string;
    transactions: object[];
  };
  expect(file).toMatchObject({ budget: 'Household', exported_on: '2026-11-18' });
  expect(file.transactions).toHaveLength(exported.count);
  expect(file.transactions[0]).toEqual({
    id: '1b077c78-d160-46f6-8532-19135b3e2131',
    date: '2026-11-18',
    amount: -16.18,
    amount_milliunits: -16_180,
    account_name: 'Visa Card',
    payee_name: 'Office Canteen',
    category_name: 'Lunch at Work',
    cleared: 'uncleared',
  });
});

test('a whole export has all fields, under a default name', async () => {
  const { path } = await callJson<Exported>(client, 'export_transactions', {
    type: 'unapproved',
    minimal: false,
  });
  expect(path).toBe(join(folder, `transactions-${HOUSEHOLD}-2026-11-18.json`));
  expect(readFileSync(path, 'utf8')).toContain('"import_id": "YNAB:-16180:2026-11-18:1"');
});

test.each([
  '../x.json',
  'a/../../x.json',
  '/etc/x.json',
  join(root, 'outside/x.json'),
  'folder-link/x.json',
  'file-link.json',
  'dangling.json',
  'a\u0000b.json',
])('%j is rejected', async (filename) => {
  const { text, isError } = await callTool(client, 'export_transactions', { filename });
  expect(isError).toBe(true);
  expect(text).toContain(
    'Invalid arguments for tool \'export_transactions\'.\n- filename: must be a path inside the folder of this tool, without ".." and without links that lead out of it',
  );
  expect(readFileSync(join(outside, 'kept.json'), 'utf8')).toBe('kept');
  expect(existsSync(join(outside, 'x.json'))).toBe(false);
  expect(existsSync(join(outside, 'new.json'))).toBe(false);
  expect(existsSync(join(root, 'x.json'))).toBe(false);
});

test.each(['letter.txt', 'new', '.profile', ' ', '..', '.'])(
  'the name %j is rejected: an export never replaces a file of another kind',
  async (filename) => {
    const { text, isError } = await callTool(client, 'export_transactions', { filename });
    expect(isError).toBe(true);
    expect(text).toContain(
      "Invalid arguments for tool 'export_transactions'.\n- filename: must end in .json (",
    );
    expect(readFileSync(join(folder, 'letter.txt'), 'utf8')).toBe('kept');
  },
);

test.each([
  ['missing/x.json', 'ENOENT'],
  ['folder.json', 'EISDIR'],
])('%s cannot be written', async (filename, code) => {
  expect(await callTool(client, 'export_transactions', { filename })).toEqual({
    isError: true,
    text: `Cannot write "${filename}" into the export folder (${code}).\nSuggestion: Pass a filename without folders, and check that YNAB_EXPORT_PATH is a folder.`,
  });
});

test('without a folder, exports are disabled', async () => {
  const other = await startStack({ environment: { YNAB_DEFAULT_BUDGET_ID: HOUSEHOLD } });
  await expect(other.call('export_transactions')).rejects.toThrow(
    'Exports are disabled: no export folder is set.\nSuggestion: Set YNAB_EXPORT_PATH to a folder, then restart the server.',
  );
  await other.close();
});

test('a folder that does not exist is named as the cause', async () => {
  const environment = { YNAB_DEFAULT_BUDGET_ID: HOUSEHOLD, YNAB_EXPORT_PATH: join(root, 'missing') };
  const other = await startStack({ environment });
  await expect(other.call('export_transactions', { filename: 'x.json' })).rejects.toThrow(
    /^Cannot write "x\.json" into the export folder \(\w+\)\.\nSuggestion: Pass a filename without folders, and check that YNAB_EXPORT_PATH is a folder\.$/,
  );
  await other.close();
});
