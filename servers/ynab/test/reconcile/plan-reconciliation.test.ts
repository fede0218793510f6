import { describe, expect, test } from 'vitest';
import type { ReconciliationInput } from '../../src/reconcile/analysis.ts';
import { analyzeReconciliation } from '../../src/reconcile/analyze-reconciliation.ts';
import { planReconciliation } from '../../src/reconcile/plan-reconciliation.ts';
import type { PlanOptions, ReconciliationPlan } from '../../src/reconcile/plan-reconciliation.ts';
import { bankRow, transaction } from '../matching/ledger.ts';
import { defaults } from './input.ts';

const OFF: PlanOptions = {
  today: '2024-02-01',
  auto_create_transactions: false,
  auto_update_cleared_status: false,
  auto_unclear_missing: false,
  auto_adjust_dates: false,
};
const ON: PlanOptions = {
  today: '2024-02-01',
  auto_create_transactions: true,
  auto_update_cleared_status: true,
  auto_unclear_missing: true,
  auto_adjust_dates: true,
};

/** Opening balance 100.00, reconciled; one row of each kind. */
const statement: ReconciliationInput = {
  ...defaults,
  rows: [
    bankRow(2, '2024-01-05', -4500, 'Coffee'),
    bankRow(3, '2024-01-08', -20_000, 'Shoes'),
    bankRow(4, '2024-01-09', -3000, 'Paper'),
    bankRow(5, '2024-01-20', -700, 'Bus'),
  ],
  transactions: [
    transaction('coffee', { date: '2024-01-04', amount: -4500, payee_name: 'Coffee' }),
    transaction('shoes', { date: '2024-01-07', amount: -20_000, payee_name: 'Shoes', cleared: 'cleared' }),
    transaction('paper', { date: '2024-01-08', amount: -3000, payee_name: 'Paper', cleared: 'reconciled' }),
    transaction('missing', { date: '2024-01-15', amount: -1230, cleared: 'cleared' }),
    transaction('old', { date: '2024-01-15', amount: -1240, cleared: 'reconciled' }),
    transaction('open', { date: '2024-01-15', amount: -1250 }),
  ],
  account: { id: 'account-1', type: 'checking', cleared_balance: 74_530 },
  statementBalance: 70_560,
};

function plan(options: PlanOptions, input: Partial<ReconciliationInput> = {}): ReconciliationPlan {
  return planReconciliation(analyzeReconciliation({ ...statement, ...input }), options);
}

describe('plan of a reconciliation', () => {
  test('all switches: creates, clears, unclears, dates, then what this run cleared', () => {
    const import_id = 'statement:463cfe844c6b553c276d66076a';
    expect(plan(ON)).toEqual({
      writes: [
        {
          step: 'create',
          row: 5,
          arguments: {
            account_id: 'account-1',
            amount_milliunits: -700,
            date: '2024-01-20',
            payee_name: 'Bus',
            cleared: 'cleared',
            import_id,
          },
        },
        { step: 'clear', transaction_id: 'coffee', cleared: 'cleared' },
        { step: 'unclear', transaction_id: 'missing', cleared: 'uncleared' },
        { step: 'adjust_date', transaction_id: 'coffee', date: '2024-01-05', previous_date: '2024-01-04' },
        { step: 'adjust_date', transaction_id: 'shoes', date: '2024-01-08', previous_date: '2024-01-07' },
        { step: 'reconcile', import_id, cleared: 'reconciled' },
        { step: 'reconcile', transaction_id: 'coffee', cleared: 'reconciled' },
      ],
      projected: { cleared: 70_560, difference: 0 },
      skipped: [],
    });
  });

  test('no switch, no write', () => {
    expect(plan(OFF)).toEqual({
      writes: [],
      projected: { cleared: 74_530, difference: -3970 },
      skipped: [],
    });
  });

  test.each([
    ['auto_create_transactions', ['create'], 73_830],
    ['auto_update_cleared_status', ['clear'], 70_030],
    ['auto_unclear_missing', ['unclear'], 75_760],
    ['auto_adjust_dates', ['adjust_date', 'adjust_date'], 74_530],
  ] as const)('%s alone', (name, steps, cleared) => {
    const { writes, projected } = plan({ ...OFF, [name]: true });
    expect(writes.map(({ step }) => step)).toEqual(steps);
    expect(projected.cleared).toBe(cleared);
  });

  test('nothing is reconciled unless the balances will agree', () => {
    const { writes, skipped } = plan(ON, { statementBalance: 70_561 });
    expect(writes.map(({ step }) => step)).not.toContain('reconcile');
    expect(skipped).toEqual([
      {
        step: 'reconcile',
        count: 2,
        reason: 'The cleared balance would not equal the balance of the statement.',
      },
    ]);
  });

  test('nothing is uncleared if rows could not be read', () => {
    const csvErrors = [{ row: 9, field: 'date' as const, message: 'The row has no date.' }];
    const { writes, skipped } = plan(ON, { csvErrors, statementBalance: 69_330 });
    expect(writes.map(({ step }) => step)).toEqual([
      'create',
      'clear',
      'adjust_date',
      'adjust_date',
      'reconcile',
      'reconcile',
    ]);
    expect(skipped).toEqual([
      {
        step: 'unclear',
        count: 1,
        reason: 'Rows of the statement could not be read, so a transaction may only seem to be missing.',
      },
    ]);
  });

  test('the API takes no future dates: such rows wait for a later run', () => {
    const bank = { rows: [...statement.rows, bankRow(6, '2024-02-03', -800, 'Card fee')] };
    const { writes, skipped } = plan({ ...ON, today: '2024-01-19' }, bank);
    expect(writes.filter(({ step }) => step === 'create')).toEqual([]);
    expect(skipped).toContainEqual({
      step: 'create',
      count: 2,
      reason: 'Their dates are in the future, which YNAB does not accept. A later run changes them.',
    });
    const late = plan({ ...ON, today: '2024-01-07' });
    expect(late.writes.filter(({ step }) => step === 'adjust_date')).toMatchObject([
      { transaction_id: 'coffee' },
    ]);
    expect(late.skipped).toContainEqual({
      step: 'adjust_date',
      count: 1,
      reason: 'Their dates are in the future, which YNAB does not accept. A later run changes them.',
    });
  });

  test('the API ignores the date of a split, so it is not changed', () => {
    const parts = [{ deleted: false }, { deleted: false }];
    const transactions = statement.transactions.map((each) =>
      each.id === 'coffee' ? { ...each, subtransactions: parts } : each,
    );
    const { writes, skipped } = plan(ON, { transactions });
    expect(writes.filter(({ step }) => step === 'adjust_date')).toMatchObject([{ transaction_id: 'shoes' }]);
    expect(skipped).toEqual([
      { step: 'adjust_date', count: 1, reason: 'YNAB does not change the dates of splits.' },
    ]);
  });

  test('suggestions and their transactions are left alone', () => {
    const rows = [bankRow(2, '2024-01-05', -4500, 'abcd'), bankRow(3, '2024-01-10', -60_000, 'Store')];
    const part = { date: '2024-01-10', cleared: 'cleared' } as const;
    const transactions = [
      transaction('doubt', { date: '2024-01-06', amount: -4500, payee_name: 'abxy', cleared: 'cleared' }),
      transaction('other', { date: '2024-01-07', amount: -4500, payee_name: 'zzzz', cleared: 'cleared' }),
      transaction('part-1', { ...part, amount: -25_000 }),
      transaction('part-2', { ...part, amount: -35_000 }),
    ];
    expect(plan(ON, { rows, transactions }).writes).toEqual([]);
  });

  test('a second run has nothing to write', () => {
    const first = analyzeReconciliation(statement);
    const { writes } = planReconciliation(first, ON);
    const created = writes.flatMap((write) =>
      write.step === 'create'
        ? [
            transaction('new', {
              ...write.arguments,
              amount: write.arguments.amount_milliunits,
              cleared: 'reconciled',
            }),
          ]
        : [],
    );
    const changed = statement.transactions.map((each) => {
      if (each.id === 'coffee') return { ...each, date: '2024-01-05', cleared: 'reconciled' as const };
      if (each.id === 'shoes') return { ...each, date: '2024-01-08' };
      return each.id === 'missing' ? { ...each, cleared: 'uncleared' as const } : each;
    });
    const account = { ...statement.account, cleared_balance: 70_560 };
    expect(created).toHaveLength(1);
    expect(plan(ON, { transactions: [...changed, ...created], account })).toEqual({
      writes: [],
      projected: { cleared: 70_560, difference: 0 },
      skipped: [],
    });
  });
});
