import { afterAll, expect, test } from 'vitest';
import { callJson, callTool, connectHttp, serveWithTokens } from '../support/clients.ts';
import type { OfficialClient } from '../support/clients.ts';
import { serveChangedPlans } from '../support/changed-plans.ts';
import {
  CHECKING,
  DINING_OUT,
  GROCERIES,
  HOUSEHOLD,
  TOKYO,
  TOKYO_CHECKING,
  VISA,
} from '../support/sample.ts';
import { OTHER_TOKEN, startStack, TestClock, TOKEN } from '../support/stack.ts';
import type { Stack, StackOptions } from '../support/stack.ts';

const stack = await startStack();
const served = await serveWithTokens(stack.server);
const ada = await connectHttp('v2', served.url, TOKEN);
const bob = await connectHttp('v1', served.url, OTHER_TOKEN);
afterAll(async () => {
  await ada.close();
  await bob.close();
  await served.close();
  await stack.close();
});

const json = { response_format: 'json' };

/** A stack whose list of budgets is changed. */
async function startChanged(
  change: Parameters<typeof serveChangedPlans>[1],
  options: StackOptions = {},
): Promise<{ readonly stack: Stack; close(): Promise<void> }> {
  let proxy: Awaited<ReturnType<typeof serveChangedPlans>> | undefined;
  const changed = await startStack({
    ...options,
    between: async (url) => {
      proxy = await serveChangedPlans(url, change);
      return proxy.url;
    },
  });
  const close = async (): Promise<void> => {
    await changed.close();
    await proxy?.close();
  };
  return { stack: changed, close };
}

/** The budget of a call. */
async function budgetOf(client: OfficialClient, args: object = {}): Promise<string> {
  const { budget } = await callJson<{ budget: { id: string } }>(client, 'get_budget', { ...args, ...json });
  return budget.id;
}

test('budget_id is optional in every tool but set_default_budget', async () => {
  const { tools } = await ada.listTools();
  const having = tools.filter(({ inputSchema }) => 'budget_id' in (inputSchema.properties ?? {}));
  expect(having.length).toBeGreaterThanOrEqual(28);
  const requiring = having.filter(({ inputSchema }) => inputSchema.required?.includes('budget_id'));
  expect(requiring.map(({ name }) => name)).toEqual(['set_default_budget']);
});

test('without a default, the error lists the budgets', async () => {
  expect(await callTool(ada, 'list_accounts')).toEqual({
    isError: true,
    text: `budget_id is required: there are 2 budgets and no default. Budgets: ${HOUSEHOLD} (Household), ${TOKYO} (Tokyo Flat). Pass budget_id, or call set_default_budget.`,
  });
});

test('the default of a caller is used, and only for this caller', async () => {
  expect(await budgetOf(ada, { budget_id: 'default' })).toBe(HOUSEHOLD);
  expect(await budgetOf(ada, { budget_id: 'last-used' })).toBe(HOUSEHOLD);
  await callJson(ada, 'set_default_budget', { budget_id: TOKYO });
  expect(await budgetOf(ada)).toBe(TOKYO);
  expect(await budgetOf(ada, { budget_id: 'default' })).toBe(TOKYO);
  expect(await budgetOf(ada, { budget_id: HOUSEHOLD })).toBe(HOUSEHOLD);
  expect(await callJson(ada, 'get_default_budget', json)).toEqual({
    default_budget_id: TOKYO,
    source: 'set_default_budget',
  });
  expect(await callJson(bob, 'get_default_budget', json)).toEqual({ default_budget_id: null, source: null });
  expect((await callTool(bob, 'get_default_budget')).text).toBe(
    'There is no default budget. Pass budget_id, or call set_default_budget.',
  );
  expect((await callTool(bob, 'get_budget')).isError).toBe(true);
});

test('an unknown default is rejected, and the previous one stays', async () => {
  await callJson(ada, 'set_default_budget', { budget_id: TOKYO });
  expect(await callTool(ada, 'set_default_budget', { budget_id: 'nope' })).toMatchObject({ isError: true });
  expect(await budgetOf(ada)).toBe(TOKYO);
});

test('a caller sees neither the budgets nor the accounts of another one', async () => {
  const { budgets } = await callJson<{ budgets: { id: string }[] }>(bob, 'list_budgets', json);
  expect(budgets).toHaveLength(2);
  expect(budgets.map(({ id }) => id)).not.toContain(HOUSEHOLD);
  const { text } = await callTool(bob, 'list_accounts', { budget_id: HOUSEHOLD });
  expect(text.startsWith(`Unknown budget "${HOUSEHOLD}".`)).toBe(true);
  await callJson(bob, 'set_default_budget', { budget_id: budgets[0]?.id });
  const { text: account } = await callTool(bob, 'get_account', { account_id: CHECKING });
  expect(account.startsWith(`Unknown account "${CHECKING}".`)).toBe(true);
});

test('a caller has its own cache', async () => {
  interface Page {
    readonly cached: boolean;
  }
  const list = (client: OfficialClient): Promise<Page> =>
    callJson<Page>(client, 'list_payees', { budget_id: 'last-used', ...json });
  await callJson(ada, 'clear_cache');
  await callJson(bob, 'clear_cache');
  expect((await list(ada)).cached).toBe(false);
  expect((await list(ada)).cached).toBe(true);
  expect((await list(bob)).cached).toBe(false);
  await callJson(ada, 'clear_cache');
  expect((await list(bob)).cached).toBe(true);
  expect((await list(ada)).cached).toBe(false);
});

test('a caller has its own output format', async () => {
  await callJson(ada, 'set_output_format', { default_minify: false, pretty_spaces: 1 });
  expect((await callTool(ada, 'clear_cache')).text).toBe('{\n "cleared": true\n}');
  expect((await callTool(bob, 'clear_cache')).text).toBe('{"cleared":true}');
  await callJson(ada, 'set_output_format', { default_minify: true, pretty_spaces: 2 });
});

test('amounts of a currency without decimals have none', async () => {
  const budget = { budget_id: TOKYO };
  const { account } = await callJson<{ account: object }>(ada, 'get_account', {
    ...budget,
    account_id: TOKYO_CHECKING,
    ...json,
  });
  expect(account).toMatchObject({ balance: 1_374_302, balance_milliunits: 1_374_302_000 });
  const { text } = await callTool(ada, 'list_accounts', budget);
  expect(text).toContain('| Visa Card | creditCard | -¥110,206 | -¥80,758 |');
  const fields = { ...budget, account_id: TOKYO_CHECKING, date: '2026-11-17', dry_run: true };
  expect(await callTool(ada, 'create_transaction', { ...fields, amount_decimal: -12.5 })).toEqual({
    isError: true,
    text: "Invalid arguments for tool 'create_transaction'.\n- amount_decimal: -12.5 has more than 0 decimal digits",
  });
  const planned = await callJson<{ summary: string; would_send: { transaction: object } }>(
    ada,
    'create_transaction',
    { ...fields, amount_decimal: -1250 },
  );
  expect(planned.summary).toBe(
    'Tokyo Flat: Create a transaction of -¥1,250 on 2026-11-17 in Everyday Checking.',
  );
  expect(planned.would_send.transaction).toMatchObject({ amount: -1_250_000 });
});

test('YNAB_DEFAULT_BUDGET_ID is used unless a caller has set another default', async () => {
  const configured = await startStack({ environment: { YNAB_DEFAULT_BUDGET_ID: TOKYO } });
  const budget = async (args: object): Promise<unknown> =>
    (await configured.json<{ budget: { name: string } }>('get_budget', { ...args })).budget.name;
  expect(await budget({})).toBe('Tokyo Flat');
  expect(await budget({ budget_id: 'default' })).toBe('Tokyo Flat');
  expect(await configured.json('get_default_budget')).toEqual({
    default_budget_id: TOKYO,
    source: 'YNAB_DEFAULT_BUDGET_ID',
  });
  await configured.call('set_default_budget', { budget_id: HOUSEHOLD });
  expect(await budget({})).toBe('Household');
  expect(await configured.call('get_default_budget')).toBe(
    `The default budget is ${HOUSEHOLD}: it was set with set_default_budget.`,
  );
  await configured.close();
});

test('YNAB_DEFAULT_BUDGET_ID can be default: the default budget of the YNAB account', async () => {
  const configured = await startStack({ environment: { YNAB_DEFAULT_BUDGET_ID: 'default' } });
  for (const args of [{}, { budget_id: 'default' }]) {
    const { budget } = await configured.json<{ budget: { name: string } }>('get_budget', args);
    expect(budget.name).toBe('Household');
  }
  await configured.close();
});

test('an unknown YNAB_DEFAULT_BUDGET_ID is named as the cause', async () => {
  const configured = await startStack({ environment: { YNAB_DEFAULT_BUDGET_ID: 'nope' } });
  for (const args of [{}, { budget_id: 'default' }])
    await expect(configured.call('get_budget', args)).rejects.toThrow(
      `Unknown budget "nope", the value of YNAB_DEFAULT_BUDGET_ID.\nSuggestion: Use one of these as budget_id: ${HOUSEHOLD} (Household), ${TOKYO} (Tokyo Flat).`,
    );
  await configured.close();
});

test('last-used is the budget that the caller used last, also if the cache answered', async () => {
  const used = await startStack();
  const lastUsed = async (token?: string): Promise<string> =>
    (await used.json<{ budget: { name: string } }>('get_budget', { budget_id: 'last-used' }, token)).budget
      .name;
  expect(await lastUsed()).toBe('Household');
  await used.call('list_accounts', { budget_id: TOKYO });
  expect(await lastUsed()).toBe('Tokyo Flat');
  await used.call('list_accounts', { budget_id: HOUSEHOLD });
  await used.call('list_accounts', { budget_id: TOKYO });
  expect(await lastUsed()).toBe('Tokyo Flat');
  expect(await lastUsed(OTHER_TOKEN)).toBe('Household');
  await used.close();
});

test('the only budget is the default', async () => {
  const { stack: single, close } = await startChanged((data) => {
    data.plans.length = 1;
    delete data.default_plan;
  });
  for (const args of [{}, { budget_id: 'default' }]) {
    const { budget } = await single.json<{ budget: { id: string } }>('get_budget', args);
    expect(budget.id).toBe(HOUSEHOLD);
  }
  const expected = { default_budget_id: HOUSEHOLD, source: 'only_budget' };
  expect(await single.json('get_default_budget')).toEqual(expected);
  expect(await single.call('get_default_budget')).toBe(
    `The default budget is ${HOUSEHOLD}: it is the only budget.`,
  );
  await close();
});

test('an account with several budgets and no default has no budget "default"', async () => {
  const { stack: several, close } = await startChanged((data) => {
    delete data.default_plan;
  });
  await expect(several.call('get_budget', { budget_id: 'default' })).rejects.toThrow(
    `This account has no default budget.\nSuggestion: Use one of these as budget_id: ${HOUSEHOLD} (Household), ${TOKYO} (Tokyo Flat).`,
  );
  await close();
});

const KUWAIT = {
  iso_code: 'KWD',
  decimal_digits: 3,
  decimal_separator: ',',
  group_separator: '.',
  symbol_first: false,
  currency_symbol: 'KD',
  display_symbol: true,
};

test('amounts of a currency with three decimal digits have three', async () => {
  const { stack: kuwait, close } = await startChanged(({ plans }) => {
    for (const plan of plans) plan.currency_format = KUWAIT;
  });
  const account = { budget_id: HOUSEHOLD, account_id: CHECKING };
  expect(await kuwait.call('list_accounts', { budget_id: HOUSEHOLD })).toContain(
    '| Visa Card | creditCard | -1.494,130 KD | -985,630 KD |',
  );
  const dated = { ...account, date: '2026-11-17', dry_run: true };
  expect(await kuwait.json('create_transaction', { ...dated, amount_decimal: -1.005 })).toMatchObject({
    summary: 'Household: Create a transaction of -1,005 KD on 2026-11-17 in Everyday Checking.',
    would_send: { transaction: { amount: -1005 } },
  });
  await expect(kuwait.call('create_transaction', { ...dated, amount_decimal: -1.0005 })).rejects.toThrow(
    '- amount_decimal: -1.0005 has more than 3 decimal digits',
  );
  const receipt = {
    ...account,
    payee_name: 'Shop',
    receipt_tax: 0.033,
    receipt_total: 3.033,
    categories: [
      { category_id: GROCERIES, items: [{ name: 'A', amount: 1.005 }] },
      { category_id: DINING_OUT, items: [{ name: 'B', amount: 1.995 }] },
    ],
    dry_run: true,
  };
  const { would_send: sent } = await kuwait.json<{
    would_send: { transaction: { subtransactions: { amount: number }[] } };
  }>('create_receipt_split_transaction', receipt);
  expect(sent.transaction.subtransactions.map(({ amount }) => amount)).toEqual([-1005, -1995, -11, -22]);
  const csv_data = 'Date;Payee;Amount\n2026-11-17;A;1,005\n2026-11-17;B;1.234,567\n';
  const { missing_in_ynab: missing } = await kuwait.json<{ missing_in_ynab: { amount: number }[] }>(
    'compare_transactions',
    { ...account, csv_data },
  );
  expect(missing.map(({ amount }) => amount)).toEqual([1.005, 1234.567]);
  await close();
});

test('a budget without a currency format has two decimal digits and no symbol', async () => {
  const { stack: plain, close } = await startChanged(({ plans }) => {
    for (const plan of plans) plan.currency_format = null;
  });
  expect(await plain.call('list_accounts', { budget_id: HOUSEHOLD })).toContain(
    '| Visa Card | creditCard | -1,494.13 | -985.63 |',
  );
  await close();
});

test('a new format of the currency is shown, although the account has not changed', async () => {
  let format: object = KUWAIT;
  const clock = new TestClock();
  const { stack: changing, close } = await startChanged(
    ({ plans }) => {
      for (const plan of plans) plan.currency_format = format;
    },
    { clock },
  );
  const read = (): Promise<string> =>
    changing.call('get_account', { budget_id: HOUSEHOLD, account_id: VISA });
  expect(await read()).toContain('- **balance**: -1.494,130 KD (');
  format = { ...KUWAIT, decimal_digits: 0 };
  // The budgets have expired, and are not served any more.
  clock.advance(12 * 60_000);
  expect(await read()).toContain('- **balance**: -1.494 KD (');
  await close();
});
