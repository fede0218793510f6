import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ReconciliationAnalysis, ReconciliationInput } from '../../src/reconcile/analysis.ts';
import { analyzeReconciliation } from '../../src/reconcile/analyze-reconciliation.ts';
import { bankRow, transaction } from '../matching/ledger.ts';
import { defaults } from './input.ts';

function analyze(input: Partial<ReconciliationInput>): ReconciliationAnalysis {
  return analyzeReconciliation({ ...defaults, ...input });
}

/** The groups of a month: a match, a suggestion, a combination, a row and a transaction without the other. */
const month: Partial<ReconciliationInput> = {
  rows: [
    bankRow(2, '2024-01-05', -4500, 'COFFEE 12'),
    bankRow(3, '2024-01-08', -20_000, 'ABCD'),
    bankRow(4, '2024-01-10', -60_000, 'STORE'),
    bankRow(5, '2024-01-20', -700, 'BUS'),
    bankRow(6, '2024-02-02', -999, 'LATER'),
  ],
  transactions: [
    transaction('coffee', { date: '2024-01-04', amount: -4500, payee_name: 'Coffee' }),
    transaction('doubt', { date: '2024-01-06', amount: -20_000, payee_name: 'Abxy' }),
    transaction('doubt-too', { date: '2024-01-03', amount: -20_000, payee_name: 'Zz' }),
    transaction('part-1', { date: '2024-01-10', amount: -25_000 }),
    transaction('part-2', { date: '2024-01-11', amount: -35_000 }),
    transaction('missing', { date: '2024-01-15', amount: -1234, cleared: 'cleared', payee_name: 'Lost' }),
    transaction('before', { date: '2024-01-01', amount: -5, cleared: 'cleared' }),
    transaction('after', { date: '2024-02-01', amount: -11_000, cleared: 'cleared' }),
    transaction('deleted', { date: '2024-01-20', amount: -700, payee_name: 'Bus', deleted: true }),
    transaction('elsewhere', {
      date: '2024-01-20',
      amount: -700,
      payee_name: 'Bus',
      account_id: 'account-2',
    }),
  ],
  account: { id: 'account-1', type: 'checking', cleared_balance: 89_000 },
  statementBalance: 94_800,
  statementEndDate: '2024-01-31',
};

describe('analysis of a reconciliation', () => {
  const analysis = analyze(month);

  test('each row is in one of three lists', () => {
    expect(analysis.matches).toEqual([
      {
        bank: bankRow(2, '2024-01-05', -4500, 'COFFEE 12'),
        transaction: month.transactions?.[0],
        score: 109.25,
        days_apart: 1,
        payee_similarity: 100,
      },
    ]);
    expect(analysis.suggestions).toMatchObject([
      {
        kind: 'transaction',
        bank: { row: 3 },
        transaction: { id: 'doubt' },
        score: 80.63,
        alternatives: [{ transaction: { id: 'doubt-too' } }],
      },
      {
        kind: 'combination',
        bank: { row: 4 },
        combinations: [{ transactions: [{ id: 'part-1' }, { id: 'part-2' }], days_apart: 1 }],
      },
    ]);
    expect(analysis.unmatched_bank.map(({ bank }) => bank.row)).toEqual([5]);
    expect(analysis.unmatched_ynab.map(({ id }) => id)).toEqual(['part-1', 'part-2', 'missing']);
  });

  test('the summary counts them', () => {
    expect(analysis.summary).toEqual({
      account_id: 'account-1',
      statement_start: '2024-01-05',
      statement_end: '2024-01-31',
      bank_rows: 4,
      rows_after_end: 1,
      matched: 1,
      suggested: 2,
      unmatched_bank: 1,
      unmatched_ynab: 3,
      csv_errors: 0,
      sign: { is_inverted: false, decided_by: 'request', compared: 0, opposite: 0 },
    });
  });

  test('the cleared balance is the one at the end of the statement', () => {
    expect(analysis.balance).toEqual({
      bank: 94_800,
      cleared: 100_000,
      difference: -5200,
      direction: 'ynab_higher',
    });
  });

  test('recommendations have the complete arguments of a tool', () => {
    expect(analysis.recommendations).toEqual([
      {
        type: 'update_cleared',
        priority: 'high',
        message: 'Row 2 (2024-01-05, -$4.50) confirms this transaction: mark it as cleared.',
        tool: 'update_transaction',
        arguments: { transaction_id: 'coffee', cleared: 'cleared' },
      },
      {
        type: 'create_transaction',
        priority: 'medium',
        message: 'Row 5 (2024-01-20, -$0.70) has no transaction: create it.',
        tool: 'create_transaction',
        arguments: {
          account_id: 'account-1',
          amount_milliunits: -700,
          date: '2024-01-20',
          payee_name: 'BUS',
          cleared: 'cleared',
          import_id: 'statement:463cfe844c6b553c276d66076a',
        },
      },
      {
        type: 'manual_review',
        priority: 'medium',
        message:
          'Row 3 (2024-01-08, -$20.00) may be this transaction of 2024-01-06: mark it as cleared if it is.',
        tool: 'update_transaction',
        arguments: { transaction_id: 'doubt', cleared: 'cleared' },
      },
      {
        type: 'manual_review',
        priority: 'low',
        message:
          'Row 4 (2024-01-10, -$60.00) is the sum of these 2 transactions: mark them as cleared if they belong together.',
        tool: 'update_transactions',
        arguments: {
          transactions: [
            { id: 'part-1', cleared: 'cleared' },
            { id: 'part-2', cleared: 'cleared' },
          ],
        },
      },
      {
        type: 'manual_review',
        priority: 'low',
        message:
          'This cleared transaction (2024-01-15, -$1.23) is not in the statement: mark it as uncleared if the bank does not have it.',
        tool: 'update_transaction',
        arguments: { transaction_id: 'missing', cleared: 'uncleared' },
      },
    ]);
  });

  test('next steps follow the order of the work', () => {
    expect(analysis.next_steps).toEqual([
      'Mark matched transactions as cleared (1); auto_update_cleared_status does it for all.',
      'Create the transactions that only the bank has (1); auto_create_transactions does it for all.',
      'Decide on the suggestions (2).',
      'Check cleared transactions that the statement does not have (1); auto_unclear_missing marks them as uncleared.',
    ]);
  });
});

describe('balance', () => {
  test.each([
    [50_000, 0, 'balanced'],
    [50_001, 1, 'bank_higher'],
    [49_000, -1000, 'ynab_higher'],
    [-50_000, -100_000, 'ynab_higher'],
  ])('a statement of %i differs by %i: %s', (statementBalance, difference, direction) => {
    const account = { id: 'account-1', type: 'checking', cleared_balance: 50_000 };
    expect(analyze({ account, statementBalance }).balance).toEqual({
      bank: statementBalance,
      cleared: 50_000,
      difference,
      direction,
    });
  });

  test('a later transaction that a row confirms counts', () => {
    const { balance } = analyze({
      rows: [bankRow(1, '2024-01-31', -4500, 'Coffee')],
      transactions: [
        transaction('t', { date: '2024-02-01', amount: -4500, payee_name: 'Coffee', cleared: 'cleared' }),
        transaction('u', { date: '2024-02-01', amount: -100, cleared: 'cleared' }),
        transaction('v', { date: '2024-02-01', amount: -200, cleared: 'uncleared' }),
      ],
      account: { id: 'account-1', type: 'checking', cleared_balance: 5400 },
      statementBalance: 5500,
    });
    expect(balance).toMatchObject({ cleared: 5500, direction: 'balanced' });
  });
});

describe('signs', () => {
  test('a card with purchases as positive amounts is inverted', () => {
    const { summary, matches } = analyze({
      sign: 'auto',
      account: { id: 'account-1', type: 'creditCard', cleared_balance: 0 },
      rows: [bankRow(1, '2024-01-05', 4500, 'Coffee')],
      transactions: [transaction('t', { date: '2024-01-05', amount: -4500, payee_name: 'Coffee' })],
    });
    expect(summary.sign).toEqual({ is_inverted: true, decided_by: 'comparison', compared: 1, opposite: 1 });
    expect(matches.map(({ bank }) => bank.amount)).toEqual([-4500]);
  });
});

describe('insights', () => {
  const typesOf = (input: Partial<ReconciliationInput>) =>
    analyze(input).insights.map(({ type, severity, rows, transaction_ids }) => [
      type,
      severity,
      rows,
      transaction_ids,
    ]);
  const none = { statementBalance: 0, account: { id: 'account-1', type: 'checking', cleared_balance: 0 } };

  test('an account that agrees has none', () => {
    const { insights, next_steps } = analyze(none);
    expect(insights).toEqual([]);
    expect(next_steps).toEqual(['The account agrees with the statement.']);
  });

  test('balance_gap names what alone would explain it', () => {
    const input: Partial<ReconciliationInput> = {
      ...none,
      statementBalance: -700,
      rows: [bankRow(1, '2024-01-05', -700), bankRow(2, '2024-01-20', -300, 'Tea')],
      transactions: [
        transaction('refund', { date: '2024-01-06', amount: 700, cleared: 'cleared' }),
        transaction('tea', { date: '2024-01-20', amount: -300, payee_name: 'Tea', cleared: 'cleared' }),
      ],
    };
    expect(typesOf(input)[0]).toEqual(['balance_gap', 'critical', [1], ['refund']]);
    expect(analyze(input).insights[0]?.message).toBe(
      'The bank has -$0.70, the cleared balance is $0.00: the difference is -$0.70. Each of these alone would explain it: row 1, the transaction of 2024-01-06.',
    );
  });

  test('repeat_amount and anomaly', () => {
    const rows = [-500, -500, -600, -500, -600, -700].map((amount, index) =>
      bankRow(index + 1, '2024-01-05', amount),
    );
    expect(typesOf({ ...none, rows })).toEqual([
      ['anomaly', 'warning', [6, 3, 5, 1, 2, 4], []],
      ['repeat_amount', 'info', [1, 2, 4], []],
      ['repeat_amount', 'info', [3, 5], []],
    ]);
  });

  test.each([
    ['another day', '2024-01-25', -4500],
    ['another amount', '2024-01-06', -4550],
    ['the other sign', '2024-01-06', 4500],
  ])('near_match: %s', (_, date, amount) => {
    const rows = [bankRow(1, '2024-01-05', -4500)];
    const transactions = [
      transaction('near', { date, amount }),
      transaction('far', { date: '2024-01-20', amount: -4400 }),
    ];
    expect(typesOf({ ...none, rows, transactions })).toEqual([['near_match', 'info', [1], ['near']]]);
  });

  test('csv_errors and rows after the end', () => {
    const csvErrors = [{ row: 7, field: 'date' as const, message: 'The row has no date.' }];
    const rows = [bankRow(1, '2024-01-05', 0)];
    const { insights, next_steps } = analyze({ ...none, csvErrors, rows, statementEndDate: '2024-01-01' });
    expect(insights.map(({ type, message }) => [type, message])).toEqual([
      [
        'csv_errors',
        'Rows that could not be read: 1. They are missing here. The first is row 7: The row has no date.',
      ],
      ['anomaly', 'Rows later than the end of the statement (2024-01-01): 1. They were left out.'],
    ]);
    expect(next_steps).toEqual(['Fix the rows that could not be read (1), or set csv_format.']);
  });

  test('a difference without an open row is said in the next steps', () => {
    expect(analyze({ ...none, statementBalance: 100 }).next_steps).toEqual([
      'All rows are matched, but the balances differ by $0.10: check the balance of the statement and earlier transactions.',
    ]);
  });
});

describe('duplicates', () => {
  const rows = [bankRow(1, '2024-01-05', -4500, 'Coffee'), bankRow(2, '2024-01-09', -1, 'x')];
  const first = transaction('first', {
    date: '2024-01-05',
    amount: -4500,
    payee_name: 'Coffee',
    cleared: 'cleared',
  });
  const again = { date: '2024-01-06', amount: -4500, payee_name: 'Coffee shop', cleared: 'cleared' as const };

  test.each([
    ['the same payee', again, ['review_duplicate']],
    ['another payee', { ...again, payee_name: 'Zzz' }, ['manual_review']],
    ['another payee, uncleared', { ...again, payee_name: 'Zzz', cleared: 'uncleared' as const }, []],
  ])('%s', (_, fields, types) => {
    const { recommendations } = analyze({ rows, transactions: [first, transaction('again', fields)] });
    const about = recommendations.filter(({ tool }) => tool !== 'create_transaction');
    expect(about.map(({ type }) => type)).toEqual(types);
    for (const each of about) expect(each.arguments).toMatchObject({ transaction_id: 'again' });
  });
});

test('a reconciled transaction is no part of a combination', () => {
  const rows = [bankRow(1, '2024-01-10', -60_000)];
  const part = transaction('part-1', { date: '2024-01-10', amount: -25_000 });
  const suggestionsWith = (cleared: 'cleared' | 'reconciled') => {
    const other = transaction('part-2', { date: '2024-01-10', amount: -35_000, cleared });
    return analyze({ rows, transactions: [part, other] }).suggestions.map(({ kind }) => kind);
  };
  expect(suggestionsWith('cleared')).toEqual(['combination']);
  expect(suggestionsWith('reconciled')).toEqual([]);
});

describe('import ids', () => {
  const idsOf = (input: Partial<ReconciliationInput>) =>
    new Map(analyze(input).unmatched_bank.map(({ bank, import_id }) => [bank.row, import_id]));
  const first = bankRow(1, '2024-01-05', -4500, 'Coffee');
  const second = bankRow(2, '2024-01-05', -4500, 'Tea');

  test('they have at most 36 characters and differ by account, date, amount and place on the day', () => {
    const account = { id: 'account-2', type: 'checking', cleared_balance: 0 };
    const rows = [
      first,
      second,
      { ...first, row: 3, date: '2024-01-06' },
      { ...first, row: 4, amount: -4501 },
    ];
    const ids = [...idsOf({ rows }).values(), ...idsOf({ rows, account }).values()];
    expect(new Set(ids).size).toBe(8);
    for (const id of ids) expect(id).toMatch(/^statement:[0-9a-f]{26}$/);
  });

  test('they do not depend on the order, the text or the numbers of the rows', () => {
    const ids = [...idsOf({ rows: [first, second] }).values()];
    expect([...idsOf({ rows: [second, first] }).values()]).toEqual(ids);
    expect([...idsOf({ rows: [{ ...first, description: 'COFFEE #1', row: 9 }, second] }).values()]).toEqual(
      ids,
    );
  });

  test('a row that the bank adds to the day gets an id of its own', () => {
    const created = idsOf({ rows: [second] }).get(2);
    const transactions = [
      transaction('t', { date: '2024-01-05', amount: -4500, payee_name: 'Tea', import_id: created }),
    ];
    const later = idsOf({ rows: [first, second], transactions });
    expect([...later.keys()]).toEqual([1]);
    expect(later.get(1)).not.toBe(created);
  });
});

describe('any statement', () => {
  const date = fc.constantFrom('2024-01-01', '2024-01-03', '2024-01-04', '2024-01-12');
  const amount = fc.constantFrom(-1000, -2000, -3000, 500);
  const text = fc.constantFrom('Coffee', 'Rent', 'abcd', '');
  const cleared = fc.constantFrom('cleared', 'uncleared', 'reconciled' as const);
  const any = fc
    .tuple(
      fc.array(fc.record({ date, amount, description: text }), { maxLength: 7 }),
      fc.array(fc.record({ date, amount, payee_name: text, cleared }), { maxLength: 7 }),
    )
    .chain(([plainRows, plainTransactions]) => {
      const rows = plainRows.map((fields, index) => ({ row: index + 1, ...fields }));
      const transactions = plainTransactions.map((fields, index) => transaction(`t${index}`, fields));
      return fc.record({
        rows: fc.constant(rows),
        transactions: fc.constant(transactions),
        otherRows: fc.shuffledSubarray(rows, { minLength: rows.length }),
        otherTransactions: fc.shuffledSubarray(transactions, { minLength: transactions.length }),
        strictness: fc.constantFrom('loose', 'normal', 'strict' as const),
        sign: fc.constantFrom('auto', 'as_is', 'invert' as const),
      });
    });

  test('the order does not matter, and every row is in one list', () => {
    fc.assert(
      fc.property(any, ({ otherRows, otherTransactions, ...input }) => {
        const analysis = analyze(input);
        expect(analyze({ ...input, rows: otherRows, transactions: otherTransactions })).toEqual(analysis);
        const numbers = [
          ...analysis.matches.map(({ bank }) => bank.row),
          ...analysis.suggestions.map(({ bank }) => bank.row),
          ...analysis.unmatched_bank.map(({ bank }) => bank.row),
        ];
        expect(numbers.toSorted((left, right) => left - right)).toEqual(input.rows.map(({ row }) => row));
      }),
      { numRuns: 300 },
    );
  });
});

describe('work', () => {
  test('500 rows without a match: the dates of 5,000 transactions are read a few times, not for each row', () => {
    let reads = 0;
    const dayOf = (index: number): string => new Date((index % 300) * 86_400_000).toISOString().slice(0, 10);
    const transactions = Array.from({ length: 5000 }, (_, index) =>
      Object.defineProperty(transaction(`t${index}`, { amount: -1 - 2 * index, date: '' }), 'date', {
        get: () => ((reads += 1), dayOf(index)),
      }),
    );
    const rows = Array.from({ length: 500 }, (_, index) => bankRow(index + 1, dayOf(index), -1_000_000));
    reads = 0;
    expect(analyze({ rows, transactions }).summary).toMatchObject({ matched: 0, unmatched_bank: 500 });
    expect(reads).toBeLessThan(500_000);
  });

  test('500 rows and 5,000 transactions: payees are compared only where amounts and dates agree', () => {
    let reads = 0;
    const dayOf = (index: number): string => new Date(index * 86_400_000).toISOString().slice(0, 10);
    const transactions = Array.from({ length: 5000 }, (_, index) =>
      Object.defineProperty(
        transaction(`t${index}`, { date: dayOf(Math.floor(index / 6)), amount: -10 * (1 + (index % 1500)) }),
        'payee_name',
        { get: () => ((reads += 1), `Shop ${index % 40}`) },
      ),
    );
    const rows = transactions
      .slice(4500)
      .map(({ date, amount }, index) => bankRow(index + 1, date, amount, `SHOP ${(4500 + index) % 40} CITY`));
    reads = 0;
    const { summary } = analyze({ rows, transactions });
    expect(summary).toMatchObject({ bank_rows: 500, matched: 500 });
    expect(reads).toBeLessThan(5000);
  });
});
