import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connectHttp, serveWithTokens } from '../support/clients.ts';
import { CHECKING, DINING_OUT, GROCERIES, HOUSEHOLD, HOUSEHOLD_GOODS, VISA } from '../support/sample.ts';
import { startStack, TOKEN } from '../support/stack.ts';
import { expectGolden, Transcript } from '../support/transcript.ts';

const json = { response_format: 'json' };
const SINCE = '2026-11-01';

/** Transactions of the bank, each on a day of its own: transactions of one day are listed in the order of their ids. */
const IMPORTED = [
  { date: '2026-11-10', amount_decimal: -23.4, payee_name: 'Corner Market', import_id: 'bank:2026-11-10:1' },
  { date: '2026-11-11', amount_decimal: -61.05, payee_name: 'Bistro Lumen', import_id: 'bank:2026-11-11:1' },
  { date: '2026-11-12', amount_decimal: -8.99, payee_name: 'Hardware Depot', import_id: 'bank:2026-11-12:1' },
].map((fields) => ({ account_id: VISA, ...fields, cleared: 'cleared' }));

/** The budget, its accounts and the month so far. */
async function lookAround(session: Transcript): Promise<void> {
  await session.call('list_budgets');
  await session.call('set_default_budget', { budget_id: HOUSEHOLD });
  await session.call('get_default_budget');
  await session.call('list_accounts');
  await session.call('list_categories', { limit: 15 });
  await session.call('list_months', { limit: 3 });
  await session.call('list_transactions', { type: 'unapproved', limit: 5 });
}

/** An import, the same import again, and a receipt. */
async function enter(session: Transcript): Promise<string> {
  interface Bulk {
    readonly results: readonly { readonly id: string }[];
  }
  const { results } = await session.change<Bulk>('create_transactions', { transactions: IMPORTED });
  await session.change('create_transactions', { transactions: IMPORTED });
  await session.call('get_account', { account_id: VISA });
  await session.change('create_receipt_split_transaction', {
    account_id: VISA,
    payee_name: 'Corner Market',
    date: '2026-11-17',
    receipt_subtotal: 84.97,
    receipt_tax: 4.25,
    receipt_total: 89.22,
    categories: [
      {
        category_id: GROCERIES,
        items: [
          { name: 'Bread', amount: 4.99 },
          { name: 'Cheese', amount: 12.49 },
          { name: 'Returned bottles', amount: -1.5 },
        ],
      },
      { category_id: HOUSEHOLD_GOODS, items: [{ name: 'Pan', amount: 68.99 }] },
    ],
  });
  return results[2]?.id ?? '';
}

/** All uncategorized transactions of the month get a category. */
async function categorize(session: Transcript): Promise<void> {
  const filter = { type: 'uncategorized', since_date: SINCE };
  const text = await session.call('list_transactions', { ...filter, ...json });
  const { transactions } = JSON.parse(text) as { transactions: { id: string; payee_name: string }[] };
  const categories: Readonly<Record<string, string>> = {
    'Corner Market': GROCERIES,
    'Bistro Lumen': DINING_OUT,
    'Sushi Bar': DINING_OUT,
  };
  const changes = transactions.map(({ id, payee_name: payee }) => ({
    id,
    category_id: categories[payee] ?? HOUSEHOLD_GOODS,
    approved: true,
  }));
  await session.change('update_transactions', { transactions: changes });
  await session.call('list_transactions', filter);
}

/** The bank has all transactions until the 15th, and a fee that nobody has entered. */
const STATEMENT = `Date,Description,Amount
2026-11-01,MAPLE STREET APARTMENTS,-1650.00
2026-11-02,TRANSFER RAINY DAY SAVINGS,-250.00
2026-11-03,EVERGREEN INSURANCE 4711,-18.00
2026-11-05,TRANSFER BROKERAGE,-200.00
2026-11-06,TRANSFER WALLET,-73.74
2026-11-09,LITTLE STEPS LLC,-120.00
2026-11-10,HELPING HANDS,-30.00
2026-11-12,CITY POWER,-94.46
2026-11-13,NORTHWIND PAYROLL,2436.32
2026-11-15,ROAD ASSURANCE,-110.00
2026-11-15,ACCOUNT FEE,-4.50
`;

/** The account agrees with the statement after the run, and a second run has nothing to do. */
async function reconcile(session: Transcript): Promise<void> {
  const statement = { account_id: CHECKING, csv_data: STATEMENT, statement_balance: 16_241.68 };
  await session.call('reconcile_account', statement);
  const run = {
    ...statement,
    dry_run: false,
    auto_create_transactions: true,
    auto_update_cleared_status: true,
  };
  await session.confirm('reconcile_account', run);
  await session.call('compare_transactions', { account_id: CHECKING, csv_data: STATEMENT });
}

async function schedule(session: Transcript): Promise<void> {
  const { scheduled_transaction: created } = await session.change<{ scheduled_transaction: { id: string } }>(
    'create_scheduled_transaction',
    {
      account_id: CHECKING,
      date: '2026-12-05',
      amount_decimal: -39.9,
      frequency: 'monthly',
      payee_name: 'Swim Club',
      memo: 'first month',
    },
  );
  const id = { scheduled_transaction_id: created.id };
  await session.change('update_scheduled_transaction', { ...id, amount_decimal: -44.9, memo: null });
  await session.call('get_scheduled_transaction', id);
  await session.change('delete_scheduled_transaction', id);
  await session.call('list_scheduled_transactions', { limit: 3 });
}

async function budgetAndAnalyze(session: Transcript): Promise<void> {
  await session.change('update_category', { category_id: DINING_OUT, budgeted_decimal: 190 });
  await session.call('get_category', { category_id: DINING_OUT });
  await session.call('analyze_spending', { since_date: SINCE, until_date: '2026-11-18', group_by: 'week' });
  await session.call('compare_spending_periods', {
    period_a: { since_date: '2026-10-01', until_date: '2026-10-18' },
    period_b: { since_date: SINCE, until_date: '2026-11-18' },
    group_by: 'account',
  });
  await session.call('export_transactions', {
    type: 'unapproved',
    since_date: SINCE,
    filename: 'november.json',
  });
}

test('a month in one session', { timeout: 120_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'budget-month-'));
  const stack = await startStack({
    environment: { YNAB_MCP_WRITE_MODE: 'preview', YNAB_EXPORT_PATH: folder },
  });
  const served = await serveWithTokens(stack.server);
  const client = await connectHttp('v2', served.url, TOKEN);
  const session = new Transcript(client, new Map([[folder, '<folder>']]));
  await lookAround(session);
  const wrong = await enter(session);
  await categorize(session);
  await session.call('compare_transactions', { account_id: CHECKING, csv_data: STATEMENT });
  await schedule(session);
  await budgetAndAnalyze(session);
  await session.call('delete_transaction', { transaction_id: wrong, dry_run: true });
  await session.change('delete_transaction', { transaction_id: wrong });
  await session.call('get_transaction', { transaction_id: wrong });
  await reconcile(session);
  await session.call('list_accounts', { limit: 4 });
  await session.call('get_month', { month: SINCE });
  await session.call('diagnostic_info', { include_server: false, include_memory: false });
  expect(session.count).toBeGreaterThanOrEqual(25);
  expectGolden(session.toString(), new URL('month.golden.txt', import.meta.url));
  await client.close();
  await served.close();
  await stack.close();
  rmSync(folder, { recursive: true, force: true });
});
