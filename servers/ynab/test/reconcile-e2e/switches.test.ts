import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { HOUSEHOLD, startProxied, TOKYO } from '../support/proxied-stack.ts';
import {
  addTransactions,
  ALL_CHANGES,
  createAccount,
  listTransactions,
  readReconciled,
} from '../support/statements.ts';
import type { Reconciled } from '../support/statements.ts';

const stack = await startProxied();
afterAll(() => stack.close());

let account: string;
const CSV = `Date,Description,Amount
2026-11-02,Hardware Store,-20.00
2026-11-04,Flower Shop,-40.00
2026-11-09,Bus Company,-5.00
`;
const MISSING = '2026-11-03 -7 Never There cleared';
const UNCLEARED = '2026-11-04 -40 Flower Shop uncleared';
const OTHER_DATE = '2026-11-07 -5 Bus Company cleared';

beforeEach(async () => {
  account = await createAccount(stack);
  await addTransactions(stack, account, [
    ['2026-11-04', -40, 'Flower Shop'],
    ['2026-11-03', -7, 'Never There', 'cleared'],
    ['2026-11-07', -5, 'Bus Company', 'cleared'],
  ]);
  stack.proxy.takeRoutes();
});

async function reconcile(args: object): Promise<Reconciled> {
  const outcome = await stack.outcome('reconcile_account', {
    account_id: account,
    csv_data: CSV,
    statement_balance: -65,
    ...args,
  });
  expect(outcome).toMatchObject({ isError: false });
  return readReconciled(outcome);
}

const changes = (): string[] => stack.proxy.takeRoutes().filter((route) => !route.startsWith('GET'));

describe('nothing is changed', () => {
  test.each([
    ['without arguments', {}],
    ['by default, although switches are on', { ...ALL_CHANGES, dry_run: undefined }],
    ['if dry_run is false and no switch is on', { dry_run: false }],
  ])('%s', async (_, args) => {
    const result = await reconcile(args);
    expect(result.dry_run).toBe(true);
    expect(changes()).toEqual([]);
    expect(await listTransactions(stack, account)).toEqual([MISSING, UNCLEARED, OTHER_DATE]);
  });

  test('without switches, dry_run: false changes nothing, and the result says why', async () => {
    const args = { account_id: account, csv_data: CSV, statement_balance: -65, dry_run: false };
    const outcome = await stack.outcome('reconcile_account', args);
    expect(outcome.text).toContain(
      '## Planned changes\n\n- Nothing was changed: dry_run is false, but none of the switches auto_create_transactions, auto_update_cleared_status, auto_unclear_missing, auto_adjust_dates is true.\n\n',
    );
  });

  test('the result in words lists the rows and the transactions without a partner', async () => {
    const args = { account_id: account, csv_data: CSV, statement_balance: -65 };
    const { text } = await stack.outcome('reconcile_account', args);
    expect(text).toContain(
      '## Only in the statement\n\n| Row | Date | Amount | Description |\n| ---: | --- | ---: | --- |\n| 2 | 2026-11-02 | -$20.00 | Hardware Store |\n\n',
    );
    expect(text.replace(/[\da-f-]{36}/, '<id>')).toContain(
      '## Only in YNAB\n\n| Date | Amount | Payee | Status | Id |\n| --- | ---: | --- | --- | --- |\n| 2026-11-03 | -$7.00 | Never There | cleared | <id> |\n\n',
    );
  });

  test('a dry run with all switches plans every change and projects the balance', async () => {
    expect(await reconcile({ ...ALL_CHANGES, dry_run: true })).toMatchObject({
      summary: { bank_rows: 3, matched: 2, suggested: 0, unmatched_bank: 1, unmatched_ynab: 1 },
      balance: { bank: -65, cleared: -12, difference: -53, direction: 'ynab_higher' },
      plan: {
        writes: { create: 1, clear: 1, unclear: 1, adjust_date: 1, reconcile: 2 },
        projected_cleared: -65,
        projected_difference: 0,
      },
    });
  });

  test('a dry run returns what would be sent', async () => {
    const { plan } = await reconcile({ ...ALL_CHANGES, dry_run: true });
    expect(plan.would_send).toMatchObject([
      { step: 'create', arguments: { date: '2026-11-02', amount_milliunits: -20_000 } },
      { step: 'clear', cleared: 'cleared' },
      { step: 'unclear', cleared: 'uncleared' },
      { step: 'adjust_date', date: '2026-11-09', previous_date: '2026-11-07' },
      { step: 'reconcile', cleared: 'reconciled' },
      { step: 'reconcile', cleared: 'reconciled' },
    ]);
  });

  test('a recommendation names the budget, so that the call changes this one whatever the default is', async () => {
    const { recommendations } = await reconcile({});
    expect(recommendations.length).toBeGreaterThan(2);
    for (const { tool, arguments: args } of recommendations) {
      expect(args).toMatchObject({ budget_id: HOUSEHOLD });
      if (tool !== 'get_transaction') await stack.json(tool, { ...args, dry_run: true });
    }
  });
});

describe('each switch alone makes its own changes', () => {
  test.each<[string, Record<string, number>, string[]]>([
    [
      'auto_create_transactions',
      { create: 1 },
      ['2026-11-02 -20 Hardware Store cleared', MISSING, UNCLEARED, OTHER_DATE],
    ],
    ['auto_update_cleared_status', { clear: 1 }, [MISSING, '2026-11-04 -40 Flower Shop cleared', OTHER_DATE]],
    ['auto_unclear_missing', { unclear: 1 }, ['2026-11-03 -7 Never There uncleared', UNCLEARED, OTHER_DATE]],
    ['auto_adjust_dates', { adjust_date: 1 }, [MISSING, UNCLEARED, '2026-11-09 -5 Bus Company cleared']],
  ])('%s', async (name, done, expected) => {
    const { executed } = await reconcile({ dry_run: false, [name]: true });
    expect(executed).toEqual({ done, left: {}, duplicate_import_ids: [] });
    expect(changes()).toHaveLength(1);
    expect(await listTransactions(stack, account)).toEqual(expected);
    // The same call again finds nothing to do.
    expect((await reconcile({ dry_run: false, [name]: true })).executed).toEqual({
      done: {},
      left: {},
      duplicate_import_ids: [],
    });
    expect(changes()).toEqual([]);
  });
});

test('all switches: the account agrees with the statement, and what was cleared is reconciled', async () => {
  const result = await reconcile(ALL_CHANGES);
  expect(result.executed?.done).toEqual({ create: 1, clear: 1, unclear: 1, adjust_date: 1, reconcile: 2 });
  expect(result).toMatchObject({
    balance: { difference: -53 },
    balance_after: { bank: -65, cleared: -65, difference: 0, direction: 'balanced' },
    next_steps: ['The account agrees with the statement.'],
  });
  expect(await listTransactions(stack, account)).toEqual([
    '2026-11-02 -20 Hardware Store reconciled',
    '2026-11-03 -7 Never There uncleared',
    '2026-11-04 -40 Flower Shop reconciled',
    '2026-11-09 -5 Bus Company cleared',
  ]);
});

test('if the balances would not agree, nothing is marked reconciled', async () => {
  const { executed, plan } = await reconcile({ ...ALL_CHANGES, statement_balance: -66 });
  expect(executed?.done).not.toHaveProperty('reconcile');
  expect(plan.skipped).toEqual([
    {
      step: 'reconcile',
      count: 2,
      reason: 'The cleared balance would not equal the balance of the statement.',
    },
  ]);
});

test('a row that cannot be read is reported with its number, and keeps transactions from being uncleared', async () => {
  const csv_data = `${CSV}2026-11-99,Broken Date,-1.00\n2026-11-10,Broken Amount,abc\n`;
  const { csv, plan } = await reconcile({ ...ALL_CHANGES, dry_run: true, csv_data });
  expect(csv.errors).toMatchObject([{ row: 5 }, { row: 6 }]);
  const text = await stack.call('reconcile_account', {
    account_id: account,
    statement_balance: 0,
    csv_data: `${CSV}[x](http://a.test),Broken Date,-1.00\n`,
  });
  // A cell of the file is no link in the result.
  expect(text).toContain(String.raw`The first is row 5: Invalid date "\[x](http://a.test)": expected YMD.`);
  expect(plan.writes).not.toHaveProperty('unclear');
  expect(plan.skipped).toContainEqual({
    step: 'unclear',
    count: 1,
    reason: 'Rows of the statement could not be read, so a transaction may only seem to be missing.',
  });
});

test('a row with a future date is skipped, and the others are created', async () => {
  const csv_data = `${CSV}2026-11-20,Card Fee,-3.00\n`;
  const { executed, plan } = await reconcile({ ...ALL_CHANGES, csv_data });
  expect(executed?.done).toMatchObject({ create: 1 });
  expect(plan.skipped).toMatchObject([{ step: 'create', count: 1 }]);
  expect(await listTransactions(stack, account)).toContain('2026-11-02 -20 Hardware Store reconciled');
});

test('a credit card: the signs of the statement are inverted', async () => {
  const card = await createAccount(stack, { name: 'Card', type: 'creditCard' });
  await addTransactions(stack, card, [['2026-11-05', -12.5, 'Cinema']]);
  const result = await reconcile({
    ...ALL_CHANGES,
    account_id: card,
    csv_data:
      'Date,Description,Amount\n2026-11-05,Cinema,12.50\n2026-11-06,Museum,8.00\n2026-11-07,Refund,-3.00\n',
    statement_balance: -17.5,
  });
  expect(result.summary).toMatchObject({ matched: 1, sign: { is_inverted: true } });
  expect(result.balance_after).toMatchObject({ difference: 0 });
  expect(await listTransactions(stack, card)).toEqual([
    '2026-11-05 -12.5 Cinema reconciled',
    '2026-11-06 -8 Museum reconciled',
    '2026-11-07 3 Refund reconciled',
  ]);
});

test('a budget in yen: amounts have no decimal digits', async () => {
  const yen = await createAccount(stack, { budget_id: TOKYO, name: 'Yen' });
  const args = {
    ...ALL_CHANGES,
    budget_id: TOKYO,
    account_id: yen,
    csv_data: 'Date,Description,Amount\n2026-11-05,Ramen Bar,"-1,200"\n2026-11-06,Salary,250000\n',
    statement_balance: 248_800,
  };
  const result = await reconcile(args);
  expect(result.balance_after).toMatchObject({ bank: 248_800, bank_milliunits: 248_800_000, difference: 0 });
  expect(await listTransactions(stack, yen, { budget_id: TOKYO })).toEqual([
    '2026-11-05 -1200 Ramen Bar reconciled',
    '2026-11-06 250000 Salary reconciled',
  ]);
  const fraction = await stack.outcome('reconcile_account', { ...args, statement_balance: 0.5 });
  expect(fraction).toMatchObject({ isError: true, code: 'INVALID_ARGUMENTS' });
});

describe('in preview mode', () => {
  test('a run shows its plan first and happens once with the token; a dry run needs none', async () => {
    const previewing = await startProxied({
      environment: { YNAB_MCP_WRITE_MODE: 'preview', YNAB_DEFAULT_BUDGET_ID: HOUSEHOLD },
    });
    const { accounts } = await previewing.json<{ accounts: { id: string; name: string }[] }>('list_accounts');
    const id = accounts.find(({ name }) => name === 'Rainy Day Savings')?.id ?? '';
    const args = {
      account_id: id,
      csv_data: 'Date,Description,Amount\n2026-11-16,Interest,1.23\n',
      statement_balance: 13_020.83,
      dry_run: false,
      auto_create_transactions: true,
    };
    const dry = await previewing.outcome('reconcile_account', { ...args, dry_run: true });
    expect(readReconciled(dry).plan.writes).toEqual({ create: 1, reconcile: 1 });
    const shown = await previewing.outcome('reconcile_account', args);
    expect(shown.text).toContain(
      'Household: Change transactions of Rainy Day Savings: create 1, reconcile 1.\n- create 2026-11-16 $1.23 Interest\n',
    );
    const [, token] = /confirmation_token "(\w+)"/.exec(shown.text) ?? [];
    const isChange = ({ route }: { route: string }): boolean => !route.startsWith('GET');
    expect(previewing.proxy.seen.filter(isChange)).toEqual([]);
    const confirmed = await previewing.outcome('reconcile_account', { ...args, confirmation_token: token });
    expect(readReconciled(confirmed).executed?.done).toEqual({ create: 1, reconcile: 1 });
    const again = await previewing.outcome('reconcile_account', { ...args, confirmation_token: token });
    expect(again).toMatchObject({ isError: true });
    expect(previewing.proxy.seen.filter(isChange)).toHaveLength(2);
    await previewing.close();
  });
});
