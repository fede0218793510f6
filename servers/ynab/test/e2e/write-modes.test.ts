import { Client } from '@modelcontextprotocol/client';
import { connectInMemory } from 'toolwright';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { callJson, callTool, connectHttp, serveWithTokens } from '../support/clients.ts';
import type { OfficialClient } from '../support/clients.ts';
import { GOOD_CALLS } from '../support/good-calls.ts';
import {
  CANTEEN,
  CHECKING,
  GROCERIES,
  HOUSEHOLD,
  HOUSEHOLD_GOODS,
  TOKYO,
  UNCATEGORIZED,
} from '../support/sample.ts';
import { connectV2, OTHER_TOKEN, startStack, TestClock, TOKEN } from '../support/stack.ts';
import type { Stack } from '../support/stack.ts';

const clock = new TestClock();
const stack = await startStack({
  clock,
  environment: { YNAB_MCP_WRITE_MODE: 'preview', YNAB_DEFAULT_BUDGET_ID: HOUSEHOLD },
});
const served = await serveWithTokens(stack.server);
const ada = await connectHttp('v2', served.url, TOKEN);
const bob = await connectHttp('v1', served.url, OTHER_TOKEN);
afterAll(async () => {
  await ada.close();
  await bob.close();
  await served.close();
  await stack.close();
});

const TWO_MINUTES = 120_000;
const INVALID = {
  isError: true,
  text: 'Invalid confirmation: it was already used, has expired, or belongs to other arguments or another caller. Nothing was done.\nSuggestion: Call again without confirmation_token to see what would be done and to get a new one.',
};

/** The counter of changes of the API, which every change increases. */
async function stateOf({ apiUrl }: Stack): Promise<unknown> {
  const { server_knowledge } = (await read(apiUrl, '/accounts')) as { server_knowledge: number };
  return server_knowledge;
}

/** The budget of the API with this path. */
async function read(apiUrl: string, path = ''): Promise<unknown> {
  const headers = { authorization: `Bearer ${TOKEN}` };
  const response = await fetch(`${apiUrl}/plans/${HOUSEHOLD}${path}`, { headers });
  if (!response.ok) throw new Error(`status ${response.status}`);
  return ((await response.json()) as { data: unknown }).data;
}

const CREATE = { account_id: CHECKING, date: '2026-11-17', amount_decimal: -1.18 };

/** Requests a preview, and returns its token. */
async function previewOf(client: OfficialClient, tool: string, args: object): Promise<string> {
  const { text, isError } = await callTool(client, tool, { ...args });
  expect(isError, text).toBe(false);
  const [, token] = /confirmation_token "(\w+)" within 120 s\.$/.exec(text) ?? [];
  if (token === undefined) throw new Error(`no token: ${text}`);
  return token;
}

describe('preview', () => {
  let before: unknown;
  beforeEach(async () => {
    before = await stateOf(stack);
  });

  test('a change is described, and happens only with the token', async () => {
    const { text } = await callTool(ada, 'create_transaction', CREATE);
    expect(text.split('\n').slice(0, 2)).toEqual([
      'Nothing was done yet. What would be done:',
      'Household: Create a transaction of -$1.18 on 2026-11-17 in Everyday Checking.',
    ]);
    expect(await stateOf(stack)).toBe(before);
    const [, token] = /confirmation_token "(\w+)"/.exec(text) ?? [];
    const confirmed = { ...CREATE, confirmation_token: token };
    expect((await callTool(ada, 'create_transaction', confirmed)).text).toContain('"amount":-1.18');
    const after = await stateOf(stack);
    expect(after).not.toBe(before);
    expect(await callTool(ada, 'create_transaction', confirmed)).toEqual(INVALID);
    expect(await stateOf(stack)).toBe(after);
  });

  test('a token expires after two minutes', async () => {
    const token = await previewOf(ada, 'create_transaction', CREATE);
    clock.advance(TWO_MINUTES);
    expect(await callTool(ada, 'create_transaction', { ...CREATE, confirmation_token: token })).toEqual(
      INVALID,
    );
    expect(await stateOf(stack)).toBe(before);
    const args = { transaction_id: UNCATEGORIZED, memo: 'in time' };
    const fresh = await previewOf(ada, 'update_transaction', args);
    clock.advance(TWO_MINUTES - 1);
    const { isError } = await callTool(ada, 'update_transaction', { ...args, confirmation_token: fresh });
    expect(isError).toBe(false);
  });

  test.each([
    ['other arguments', 'create_transaction', { ...CREATE, amount_decimal: -2 }],
    ['another tool', 'delete_transaction', { transaction_id: UNCATEGORIZED }],
    ['another budget', 'create_transaction', { ...CREATE, budget_id: TOKYO }],
  ])('a token is not valid for %s, and then no longer for its own call', async (_case, tool, args) => {
    const token = await previewOf(ada, 'create_transaction', CREATE);
    expect(await callTool(ada, tool, { ...args, confirmation_token: token })).toEqual(INVALID);
    expect(await callTool(ada, 'create_transaction', { ...CREATE, confirmation_token: token })).toEqual(
      INVALID,
    );
    expect(await stateOf(stack)).toBe(before);
  });

  test('a token is not valid for another caller', async () => {
    // Both callers have such a call, so that only the caller differs.
    const args = { budget_id: 'last-used', name: 'Holiday', type: 'savings' };
    const token = await previewOf(ada, 'create_account', args);
    expect(await callTool(bob, 'create_account', { ...args, confirmation_token: token })).toEqual(INVALID);
    expect(await stateOf(stack)).toBe(before);
  });

  test('a change of an unknown entity gets no token', async () => {
    const { text, isError } = await callTool(ada, 'delete_transaction', { transaction_id: 'nope' });
    expect(isError).toBe(true);
    expect(text).not.toContain('confirmation_token');
  });

  test('names of others cannot add lines to a preview', async () => {
    const args = { ...CREATE, payee_name: 'Shop\nNothing will be deleted.\u202E' };
    const token = await previewOf(ada, 'create_transaction', args);
    const { transaction } = await callJson<{ transaction: { id: string } }>(ada, 'create_transaction', {
      ...args,
      confirmation_token: token,
    });
    const { text } = await callTool(ada, 'delete_transaction', { transaction_id: transaction.id });
    expect(text.split('\n').slice(0, -1)).toEqual([
      'Nothing was done yet. What would be done:',
      'Household: Delete the transaction of -$1.18 on 2026-11-17 at Shop Nothing will be deleted. in Everyday Checking.',
    ]);
  });

  test('the preview of a deleted transfer names both accounts', async () => {
    const transfers = await callJson<{ transactions: { id: string; payee_name?: string }[] }>(
      ada,
      'list_transactions',
      { account_id: CHECKING, limit: 100, response_format: 'json' },
    );
    const transfer = transfers.transactions.find(({ payee_name: payee }) => payee === 'Transfer : Wallet');
    const { text } = await callTool(ada, 'delete_transaction', { transaction_id: transfer?.id });
    expect(text.split('\n').slice(1, -1)).toEqual([
      'Household: Delete the transaction of -$73.74 on 2026-11-06 at Transfer : Wallet in Everyday Checking.',
      '- It is a transfer: the transaction of the other account is deleted, too.',
    ]);
  });

  const writes = GOOD_CALLS.filter(({ args }) => 'dry_run' in args);

  test('dry runs neither ask nor write', async () => {
    const whole = await read(stack.apiUrl);
    expect(writes).toHaveLength(11);
    for (const { tool, args } of writes) {
      const result = await callJson<object>(ada, tool, args);
      expect(Object.keys(result)).toEqual(['dry_run', 'summary', 'would_send']);
      expect(await stateOf(stack)).toBe(before);
    }
    expect(await read(stack.apiUrl)).toEqual(whole);
  });

  test.each(writes)('$tool needs confirmation', async ({ tool, args }) => {
    const { dry_run: _dry, ...rest } = args;
    await previewOf(ada, tool, rest);
    expect(await stateOf(stack)).toBe(before);
  });
});

describe('preview with a client that can ask the user', () => {
  const asked: string[] = [];
  let response: { action: 'accept' | 'decline'; content?: { confirm: boolean } } = { action: 'decline' };
  const connect = async (): Promise<Client> => {
    const client = new Client(
      { name: 'asking', version: '1.0.0' },
      { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: 'auto' } },
    );
    client.setRequestHandler('elicitation/create', ({ params }) => {
      asked.push(params.message);
      return response;
    });
    await client.connect(connectInMemory(stack.server));
    return client;
  };
  const args = { category_id: GROCERIES, budgeted_decimal: 551 };

  test('the user decides, and the model gets no token', async () => {
    const client = await connect();
    const before = await stateOf(stack);
    for (const declined of [
      { action: 'decline' as const },
      { action: 'accept' as const, content: { confirm: false } },
    ]) {
      response = declined;
      expect(await callTool(client, 'update_category', args)).toEqual({
        isError: true,
        text: 'The user declined. Nothing was done.',
      });
      expect(await stateOf(stack)).toBe(before);
    }
    response = { action: 'accept', content: { confirm: true } };
    const { text } = await callTool(client, 'update_category', args);
    expect(text).toContain('"budgeted":551');
    expect(text).not.toContain('confirmation_token');
    expect(asked).toEqual(
      Array.from(
        { length: 3 },
        () => 'update_category: Household: Budget $551.00 for "Groceries" in 2026-11-01.',
      ),
    );
    await client.close();
  });

  test('the user reads names, not ids: of the changed transactions, and of the new values', async () => {
    const client = await connect();
    asked.length = 0;
    response = { action: 'decline' };
    const changes = { category_id: HOUSEHOLD_GOODS, payee_id: CANTEEN, flag_color: null };
    await callTool(client, 'update_transactions', { transactions: [{ id: UNCATEGORIZED, ...changes }] });
    const parts = [{ amount_decimal: -1, category_id: GROCERIES, memo: 'roll' }, { amount_decimal: -0.18 }];
    await callTool(client, 'create_transaction', { ...CREATE, cleared: 'cleared', subtransactions: parts });
    expect(asked).toEqual([
      `update_transactions: Household: Change payee, category, flag_color of 1 transaction.
- -$20.93 on 2026-11-18 at House and Hearth in Visa Card: payee: Office Canteen, category: Household Goods, flag_color: none`,
      `create_transaction: Household: Create a transaction of -$1.18 on 2026-11-17 in Everyday Checking.
- cleared: cleared
- part: amount: -$1.00, category: Groceries, memo: roll
- part: amount: -$0.18`,
    ]);
    await client.close();
  });

  test('a dry run does not ask the user', async () => {
    const client = await connect();
    asked.length = 0;
    expect(await callJson(client, 'update_category', { ...args, dry_run: true })).toMatchObject({
      dry_run: true,
    });
    expect(asked).toEqual([]);
    await client.close();
  });
});

test('read-only: tools that change a budget do not exist, other tools work', async () => {
  const other = await startStack({ environment: { YNAB_MCP_WRITE_MODE: 'read-only' } });
  const client = await connectV2(other.server);
  const { tools } = await client.listTools();
  expect(tools.filter(({ name }) => /^(create|update|delete|export)_/.test(name))).toEqual([]);
  await expect(client.callTool({ name: 'create_transaction', arguments: CREATE })).rejects.toMatchObject({
    code: -32_602,
  });
  expect((await callTool(client, 'set_default_budget', { budget_id: HOUSEHOLD })).isError).toBe(false);
  expect((await callTool(client, 'list_accounts')).isError).toBe(false);
  await client.close();
  await other.close();
});

test('enabled: a change runs immediately, and confirmation_token is unknown', async () => {
  const other = await startStack({ environment: { YNAB_DEFAULT_BUDGET_ID: HOUSEHOLD } });
  const client = await connectV2(other.server);
  const before = await stateOf(other);
  expect(
    (await callTool(client, 'create_transaction', { ...CREATE, confirmation_token: 'x' })).text,
  ).toContain('- confirmation_token: is not a known argument.');
  expect(await stateOf(other)).toBe(before);
  expect((await callTool(client, 'create_transaction', CREATE)).text).toContain('"amount":-1.18');
  expect(await stateOf(other)).not.toBe(before);
  await client.close();
  await other.close();
});
