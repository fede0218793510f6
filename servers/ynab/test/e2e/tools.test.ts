import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BAD_CALLS } from '../support/bad-calls.ts';
import { callJson, callTool, connectHttp, serveWithTokens, VERSIONS } from '../support/clients.ts';
import type { OfficialClient } from '../support/clients.ts';
import { GOOD_CALLS } from '../support/good-calls.ts';
import { BUNDLE, CHECKING, GROCERIES, HOUSEHOLD } from '../support/sample.ts';
import { startStack, TOKEN } from '../support/stack.ts';

const folder = mkdtempSync(join(tmpdir(), 'budget-exports-'));
const stack = await startStack({
  environment: { YNAB_DEFAULT_BUDGET_ID: HOUSEHOLD, YNAB_EXPORT_PATH: folder },
});
const served = await serveWithTokens(stack.server);
afterAll(async () => {
  await served.close();
  await stack.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Tools with tests of their own. */
const ELSEWHERE = new Set(['compare_transactions', 'reconcile_account']);

describe.each(VERSIONS)('through the official client %s over HTTP', (version) => {
  let client: OfficialClient;
  beforeAll(async () => {
    client = await connectHttp(version, served.url, TOKEN);
  });
  afterAll(() => client.close());

  test('every tool has a good call here', async () => {
    const { tools } = await client.listTools();
    const listed = tools.map(({ name }) => name).filter((name) => !ELSEWHERE.has(name));
    expect(GOOD_CALLS.map(({ tool }) => tool).toSorted()).toEqual(listed.toSorted());
    expect(listed).toHaveLength(35);
  });

  test.each(GOOD_CALLS)('$tool returns its facts', async ({ tool, args, facts }) => {
    const { text, isError } = await callTool(client, tool, args);
    expect(isError, text).toBe(false);
    for (const fact of facts) expect(text).toContain(fact);
  });

  test.each(GOOD_CALLS)('$tool rejects an unknown argument', async ({ tool, args }) => {
    const { text, isError } = await callTool(client, tool, { ...args, bogus: 1 });
    expect(isError).toBe(true);
    expect(text.startsWith(`Invalid arguments for tool '${tool}'.\n- bogus: is not a known argument.`)).toBe(
      true,
    );
  });

  test.each(BAD_CALLS)('$tool rejects $args', async ({ tool, args, error }) => {
    expect(await callTool(client, tool, args)).toEqual({ text: error, isError: true });
  });

  test('an unknown tool is an error of the protocol', async () => {
    await expect(client.callTool({ name: 'nope', arguments: {} })).rejects.toMatchObject({ code: -32_602 });
  });

  test('writes have their effect', async () => {
    await writeAndRead(client);
  });
});

interface Saved {
  readonly id: string;
  readonly amount: number;
  readonly memo?: string;
  readonly category_name?: string;
}

test('the parts of a scheduled transaction are a table in Markdown', async () => {
  const text = await stack.call('get_scheduled_transaction', { scheduled_transaction_id: BUNDLE });
  expect(text.split('\n\n').slice(2)).toEqual([
    '## Parts',
    '| Amount | Category | Payee | Memo |\n| ---: | --- | --- | --- |\n| -$45.00 | Phone |  |  |\n| -$65.00 | Internet |  |  |',
  ]);
});

/** Creates, changes and deletes, and reads after each. */
async function writeAndRead(client: OfficialClient): Promise<void> {
  const json = { response_format: 'json' };
  const balance = async (): Promise<number> => {
    const read = { account_id: CHECKING, ...json };
    const found = await callJson<{ account: { balance_milliunits: number } }>(client, 'get_account', read);
    return found.account.balance_milliunits;
  };
  expect(await balance()).toBe(16_201_180);
  const fields = { account_id: CHECKING, date: '2026-11-17' };
  const { transaction } = await callJson<{ transaction: Saved }>(client, 'create_transaction', {
    ...fields,
    amount_decimal: -12.34,
    payee_name: 'Corner Market',
  });
  expect(await balance()).toBe(16_188_840);
  const updated = await callJson<{ counts: object; results: { transaction: Saved }[] }>(
    client,
    'update_transactions',
    { transactions: [{ id: transaction.id, category_id: GROCERIES, amount_milliunits: -20_000 }] },
  );
  expect(updated.counts).toEqual({ updated: 1 });
  expect(updated.results[0]?.transaction).toMatchObject({ amount: -20, category_name: 'Groceries' });
  await callJson(client, 'update_transaction', { transaction_id: transaction.id, memo: 'milk' });
  const read = { transaction_id: transaction.id, ...json };
  const found = await callJson<{ transaction: Saved }>(client, 'get_transaction', read);
  expect(found.transaction).toMatchObject({ memo: 'milk', amount: -20 });
  const parts = [{ amount_decimal: -5, category_id: GROCERIES }, { amount_decimal: -15 }];
  const split = { transaction_id: transaction.id, subtransactions: parts };
  const { transaction: whole } = await callJson<{ transaction: object }>(client, 'update_transaction', split);
  expect(whole).toMatchObject({ amount: -20, subtransactions: [{ amount: -5 }, { amount: -15 }] });
  const { text } = await callTool(client, 'get_transaction', { transaction_id: transaction.id });
  expect(text.split('\n\n').slice(2)).toEqual([
    '## Parts',
    '| Amount | Category | Payee | Memo |\n| ---: | --- | --- | --- |\n| -$5.00 | Groceries |  |  |\n| -$15.00 | Uncategorized |  |  |',
  ]);
  expect((await callTool(client, 'update_transaction', split)).text).toContain(
    '- subtransactions: the transaction is a split: its parts cannot be changed.',
  );
  await callJson(client, 'delete_transaction', { transaction_id: transaction.id });
  expect(await balance()).toBe(16_201_180);
  expect((await callTool(client, 'get_transaction', read)).isError).toBe(true);

  const { category } = await callJson<{ category: object }>(client, 'update_category', {
    category_id: GROCERIES,
    budgeted_decimal: 550,
  });
  expect(category).toMatchObject({ budgeted: 550, balance: 9.05 });
  await callJson(client, 'update_category', { category_id: GROCERIES, budgeted_milliunits: 545_000 });
  const { category: restored } = await callJson<{ category: object }>(client, 'get_category', {
    category_id: GROCERIES,
    ...json,
  });
  expect(restored).toMatchObject({ budgeted: 545, balance: 4.05 });
}
