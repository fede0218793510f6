import { afterAll, describe, expect, test } from 'vitest';
import type { OfficialClient } from '../support/clients.ts';
import { CHECKING, GROCERIES, HOUSEHOLD, TOKYO } from '../support/sample.ts';
import { connectV1, connectV2, startStack } from '../support/stack.ts';

const stack = await startStack();
const clients: readonly (readonly [string, OfficialClient, notFound: number])[] = [
  // Revisions before 2026-07-28 have a code of their own.
  ['v1', await connectV1(stack.server), -32_002],
  ['v2', await connectV2(stack.server), -32_602],
];
afterAll(async () => {
  for (const [, client] of clients) await client.close();
  await stack.close();
});

const FOR_ALL = { audience: ['user', 'assistant'], priority: 0.8 };
const FOR_MODELS = { audience: ['assistant'], priority: 0.5 };

const at = `ynab://budgets/${HOUSEHOLD}`;

/** URIs with texts of their content. */
const READS: readonly (readonly [uri: string, facts: readonly string[]])[] = [
  ['ynab://budgets', [`"id":"${HOUSEHOLD}","name":"Household"`, `"id":"${TOKYO}","name":"Tokyo Flat"`]],
  ['ynab://user', ['{"user":{"id":"555c26b0-7970-4f6f-96d6-bc401e61a866"}}']],
  [at, [`{"budget":{"id":"${HOUSEHOLD}"`, '"currency":"USD","decimal_digits":2']],
  ['ynab://budgets/default', [`{"budget":{"id":"${HOUSEHOLD}"`]],
  ['ynab://budgets/last-used/accounts', ['"name":"Everyday Checking"', '"balance":16201.18']],
  [`ynab://budgets/${TOKYO}/accounts`, ['"balance":1374302,"balance_milliunits":1374302000']],
  [`${at}/accounts`, [`{"accounts":[{"id":"${CHECKING}"`]],
  [`${at}/accounts/${CHECKING}`, [`{"account":{"id":"${CHECKING}"`, '"balance_milliunits":16201180']],
  [`${at}/categories`, ['"name":"Food","categories":[{', `"id":"${GROCERIES}","name":"Groceries"`]],
  [`${at}/months`, ['"month":"2026-11-01","income":2436.32']],
  [`${at}/months/2026-11-01`, ['"month":"2026-11-01"', '"to_be_budgeted":203.56', '"name":"Groceries"']],
];

const UNKNOWN = [
  'ynab://nope',
  'ynab://budgets/nope',
  'ynab://budgets/nope/accounts',
  `${at}/accounts/nope`,
  `${at}/months/2026-11-02`,
  `${at}/months/1999-01-01`,
  `${at}/months/nope`,
  `${at}/payees`,
];

describe.each(clients)('resources through the official client %s', (_version, client, notFound) => {
  test('are listed with audience and priority', async () => {
    const { resources } = await client.listResources();
    expect(resources.map(({ uri, annotations }) => [uri, annotations])).toEqual([
      ['ynab://budgets', FOR_ALL],
      ['ynab://user', FOR_MODELS],
    ]);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate, annotations }) => [uriTemplate, annotations])).toEqual([
      ['ynab://budgets/{budget_id}', FOR_MODELS],
      ['ynab://budgets/{budget_id}/accounts', FOR_ALL],
      ['ynab://budgets/{budget_id}/accounts/{account_id}', FOR_MODELS],
      ['ynab://budgets/{budget_id}/categories', FOR_ALL],
      ['ynab://budgets/{budget_id}/months', FOR_MODELS],
      ['ynab://budgets/{budget_id}/months/{month}', FOR_MODELS],
    ]);
  });

  test.each(READS)('%s is read', async (uri, facts) => {
    const { contents } = await client.readResource({ uri });
    expect(contents).toHaveLength(1);
    const [content] = contents as readonly { uri: string; mimeType?: string; text?: string }[];
    expect(content).toMatchObject({ uri, mimeType: 'application/json' });
    for (const fact of facts) expect(content?.text).toContain(fact);
  });

  test.each(UNKNOWN)('%s is not found', async (uri) => {
    await expect(client.readResource({ uri })).rejects.toMatchObject({ code: notFound });
  });
});

test('a write is visible in resources and in lists at once', async () => {
  const client = await connectV2(stack.server);
  const read = async (): Promise<number> => {
    const { contents } = await client.readResource({ uri: `${at}/accounts/${CHECKING}` });
    const { text } = contents[0] as { text: string };
    return (JSON.parse(text) as { account: { balance_milliunits: number } }).account.balance_milliunits;
  };
  expect(await read()).toBe(16_201_180);
  const fields = { budget_id: HOUSEHOLD, account_id: CHECKING, date: '2026-11-17' };
  await stack.call('create_transaction', { ...fields, amount_decimal: -1.18 });
  expect(await read()).toBe(16_200_000);
  await client.close();
});

test('a failure of the API is not reported as an unknown resource', async () => {
  const limited = await startStack({ requestsPerHour: 1 });
  const client = await connectV2(limited.server);
  await client.readResource({ uri: 'ynab://budgets' });
  await expect(client.readResource({ uri: `${at}/accounts` })).rejects.toMatchObject({ code: -32_603 });
  await client.close();
  await limited.close();
});
