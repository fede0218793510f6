import { afterAll, describe, expect, test } from 'vitest';
import type { OfficialClient } from '../support/clients.ts';
import { PROMPTS } from '../support/prompt-texts.ts';
import { DINING_OUT, HOUSEHOLD, TOKYO } from '../support/sample.ts';
import { connectV1, connectV2, startStack } from '../support/stack.ts';

const stack = await startStack({ environment: { YNAB_DEFAULT_BUDGET_ID: HOUSEHOLD } });
const clients: readonly (readonly [string, OfficialClient])[] = [
  ['v1', await connectV1(stack.server)],
  ['v2', await connectV2(stack.server)],
];
afterAll(async () => {
  for (const [, client] of clients) await client.close();
  await stack.close();
});

describe.each(clients)('prompts through the official client %s', (_version, client) => {
  test('list their arguments', async () => {
    const { prompts } = await client.listPrompts();
    const listed = prompts.map((prompt) => [
      prompt.name,
      (prompt.arguments ?? []).map(({ name, required }) => (required ? name : `${name}?`)).join(' '),
    ]);
    expect(listed).toEqual(PROMPTS.map(([name, args]) => [name, args]));
  });

  test.each(PROMPTS)('%s returns its text', async (name, _args, call, text) => {
    const { messages } = await client.getPrompt({ name, arguments: call });
    expect(messages).toEqual([{ role: 'user', content: { type: 'text', text } }]);
  });

  const REQUIRED = PROMPTS.flatMap(([name, args, call]) =>
    args
      .split(' ')
      .filter((arg) => !arg.endsWith('?'))
      .map((arg) => [name, arg, call] as const),
  );

  test.each(REQUIRED)('%s without %s is an error', async (name, missing, call) => {
    const { [missing]: _left, ...rest } = call;
    await expect(client.getPrompt({ name, arguments: rest })).rejects.toMatchObject({ code: -32_602 });
  });

  test('the month of a summary is the current one by default', async () => {
    const { messages } = await client.getPrompt({ name: 'budget-summary' });
    expect(JSON.stringify(messages)).toContain('2. Call get_month with month 2026-11-01.');
  });

  test('an unknown prompt is an error', async () => {
    await expect(client.getPrompt({ name: 'nope' })).rejects.toMatchObject({ code: -32_602 });
  });
});

describe.each(clients)('completions through the official client %s', (_version, client) => {
  const complete = async (
    ref: { type: 'ref/prompt'; name: string } | { type: 'ref/resource'; uri: string },
    [name, value]: readonly [string, string],
    chosen: Record<string, string> = {},
  ): Promise<readonly string[]> => {
    const context = { arguments: chosen };
    const { completion } = await client.complete({ ref, argument: { name, value }, context });
    return completion.values;
  };
  const create = { type: 'ref/prompt', name: 'create-transaction' } as const;
  const account = { type: 'ref/resource', uri: 'ynab://budgets/{budget_id}/accounts/{account_id}' } as const;
  const month = { type: 'ref/resource', uri: 'ynab://budgets/{budget_id}/months/{month}' } as const;

  test('budget_name', async () => {
    expect(await complete(create, ['budget_name', 'h'])).toEqual(['Household']);
    expect(await complete(create, ['budget_name', ''])).toEqual(['Household', 'Tokyo Flat']);
  });

  test('budget_id', async () => {
    expect(await complete(account, ['budget_id', 'de'])).toEqual(['default']);
    expect(await complete(account, ['budget_id', TOKYO.slice(0, 4)])).toEqual([TOKYO]);
  });

  test('account_name: names that begin with the text come first, closed accounts not at all', async () => {
    expect(await complete(create, ['account_name', 'c'])).toEqual(['Car', 'Everyday Checking', 'Visa Card']);
  });

  test('account_id, in the chosen budget', async () => {
    const chosen = { budget_id: TOKYO };
    expect(await complete(account, ['account_id', '2a56'], chosen)).toEqual([
      '2a5617bf-516a-4a94-98a3-fa94b4647b80',
    ]);
    expect(await complete(account, ['account_id', 'c05d'], chosen)).toEqual([]);
  });

  test('category', async () => {
    expect(await complete(create, ['category', 'ca'])).toEqual([
      'Car Insurance',
      'Car Maintenance',
      'Childcare',
      'New Car',
      'Uncategorized',
      'Vacation',
      'Visa Card',
    ]);
  });

  test('payee', async () => {
    expect(await complete(create, ['payee', 'co'])).toEqual([
      'Concert Hall',
      'Corner Market',
      'Craft Corner',
      'Pasta Corner',
    ]);
    expect(await complete(create, ['payee', ''], { budget_name: 'Tokyo Flat' })).toHaveLength(33);
  });

  test('month: newest first', async () => {
    expect(await complete(month, ['month', '2026-1'])).toEqual(['2026-11-01', '2026-10-01']);
  });

  test('an unknown budget has no values', async () => {
    expect(await complete(account, ['account_id', ''], { budget_id: DINING_OUT })).toEqual([]);
    expect(await complete(create, ['payee', ''], { budget_name: 'nope' })).toEqual([]);
  });
});

test('at most 100 values are sent', async () => {
  const client = await connectV2(stack.server);
  const transactions = Array.from({ length: 100 }, (_, index) => ({
    account_id: 'c05d2aa1-aa39-4c3f-ac6a-1ccd7cbfb372',
    date: '2026-11-17',
    amount_decimal: -1,
    payee_name: `Stall ${String(index).padStart(3, '0')}`,
  }));
  await stack.call('create_transactions', { transactions });
  const { completion } = await client.complete({
    ref: { type: 'ref/prompt', name: 'create-transaction' },
    argument: { name: 'payee', value: '' },
  });
  expect(completion.values).toHaveLength(100);
  await client.close();
});
