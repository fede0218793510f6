import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareTransactions } from '../../src/compare/compare-transactions.ts';
import type { Comparison, ComparisonInput } from '../../src/compare/compare-transactions.ts';
import { scoreComparison } from '../../src/compare/score-comparison.ts';
import { bankRow, transaction } from '../matching/ledger.ts';

const defaults: ComparisonInput = {
  rows: [],
  transactions: [],
  amountTolerance: 10,
  dateToleranceDays: 5,
  sign: 'as_is',
  accountType: 'checking',
};

const pairsOf = ({ matched }: Comparison) =>
  matched.map(({ bank, transaction: { id } }) => `${bank.row} ${id}`);

describe('score of a comparison', () => {
  const tolerances = { amountTolerance: 10, dateToleranceDays: 5 };
  test.each([
    [0, 0, 100, 100],
    [0, 0, 0, 90],
    [1, 0, 0, 82],
    [5, 0, 0, 50],
    [0, 10, 0, 40],
    [0, -5, 50, 70],
    [5, 10, 100, 10],
  ])('%i days, %i milliunits and a similarity of %i score %i', (days, difference, description, score) => {
    expect(scoreComparison({ days, difference, description }, tolerances, false)).toBe(score * 100);
    expect(scoreComparison({ days, difference, description }, tolerances, true)).toBe(score * 100 + 500);
  });

  test('tolerances of zero', () => {
    const zero = { amountTolerance: 0, dateToleranceDays: 0 };
    expect(scoreComparison({ days: 0, difference: 0, description: 0 }, zero, false)).toBe(9000);
  });
});

describe('comparison of a statement', () => {
  test('matched, missing in the budget, missing in the bank', () => {
    const result = compareTransactions({
      ...defaults,
      rows: [
        bankRow(2, '2024-01-05', -4500, 'COFFEE 12'),
        bankRow(3, '2024-01-08', -90_010, 'RENT'),
        bankRow(4, '2024-01-20', -700, 'Bus'),
      ],
      transactions: [
        transaction('coffee', { date: '2024-01-04', amount: -4500, payee_name: 'Coffee' }),
        transaction('rent', { date: '2024-01-08', amount: -90_000, payee_name: 'Rent' }),
        transaction('extra', { date: '2024-01-10', amount: -1 }),
        transaction('before', { date: '2024-01-01', amount: -2 }),
        transaction('gone', { date: '2024-01-20', amount: -700, deleted: true }),
      ],
    });
    expect(result.matched).toMatchObject([
      {
        bank: { row: 2 },
        transaction: { id: 'coffee' },
        score: 92,
        amount_difference: 0,
        days_apart: 1,
        description_similarity: 100,
      },
      { bank: { row: 3 }, transaction: { id: 'rent' }, score: 50, amount_difference: -10, days_apart: 0 },
    ]);
    expect(result.missing_in_ynab.map(({ row }) => row)).toEqual([4]);
    expect(result.missing_in_bank.map(({ id }) => id)).toEqual(['extra']);
    expect(result.summary).toEqual({
      start_date: '2024-01-05',
      end_date: '2024-01-20',
      bank_rows: 3,
      matched: 2,
      missing_in_ynab: 1,
      missing_in_bank: 1,
      sign: { is_inverted: false, decided_by: 'request', compared: 0, opposite: 0 },
    });
  });

  test.each([
    ['beyond the tolerance of the amount', '2024-01-05', -4511],
    ['beyond the tolerance of the date', '2024-01-11', -4500],
    ['below 30 points', '2024-01-08', -4510],
  ])('%s', (_, date, amount) => {
    const rows = [bankRow(1, '2024-01-05', -4500, 'aaaa')];
    const other = transaction('t', { date, amount, payee_name: 'zzzz' });
    expect(pairsOf(compareTransactions({ ...defaults, rows, transactions: [other] }))).toEqual([]);
  });

  test('rows outside the period are left out', () => {
    const rows = ['01', '05', '09'].map((day, index) => bankRow(index + 1, `2024-01-${day}`, -1000));
    const { summary, missing_in_ynab } = compareTransactions({
      ...defaults,
      rows,
      startDate: '2024-01-02',
      endDate: '2024-01-08',
    });
    expect(missing_in_ynab.map(({ row }) => row)).toEqual([2]);
    expect(summary).toMatchObject({ start_date: '2024-01-02', end_date: '2024-01-08', bank_rows: 1 });
  });

  test('the best total wins over the best first pair', () => {
    const rows = [bankRow(1, '2024-01-05', -1000), bankRow(2, '2024-01-06', -1000)];
    const transactions = [
      transaction('a', { date: '2024-01-05', amount: -1000 }),
      transaction('b', { date: '2024-01-01', amount: -1000 }),
    ];
    expect(pairsOf(compareTransactions({ ...defaults, rows, transactions, dateToleranceDays: 4 }))).toEqual([
      '1 b',
      '2 a',
    ]);
  });

  test('equal amounts stay in their order, and the chronology bonus outweighs similar texts', () => {
    const rows = [bankRow(1, '2024-01-03', -1000, 'abcdx'), bankRow(2, '2024-01-04', -1000, 'abcde')];
    const compare = (payees: readonly [string, string], hasChronologyBonus: boolean) => {
      const transactions = [
        transaction('first', { date: '2024-01-01', amount: -1000, payee_name: payees[0] }),
        transaction('second', { date: '2024-01-02', amount: -1000, payee_name: payees[1] }),
      ];
      return compareTransactions({ ...defaults, rows, transactions, hasChronologyBonus }).matched.map(
        ({ transaction: { id }, score }) => `${id} ${score}`,
      );
    };
    expect(compare(['zzzz', 'zzzz'], false)).toEqual(['first 74', 'second 74']);
    expect(compare(['zzzz', 'zzzz'], true)).toEqual(['first 79', 'second 79']);
    expect(compare(['abcde', 'abcdx'], false)).toEqual(['second 92', 'first 76']);
    expect(compare(['abcde', 'abcdx'], true)).toEqual(['first 87', 'second 87']);
  });

  test('signs are decided as in a reconciliation', () => {
    const rows = [bankRow(1, '2024-01-05', 4500)];
    const transactions = [transaction('t', { date: '2024-01-05', amount: -4500 })];
    const { matched, summary } = compareTransactions({ ...defaults, rows, transactions, sign: 'auto' });
    expect(matched[0]?.bank.amount).toBe(-4500);
    expect(summary.sign.is_inverted).toBe(true);
  });

  test('an empty statement has an empty comparison', () => {
    const transactions = [transaction('t', { date: '2024-01-05', amount: -4500 })];
    expect(compareTransactions({ ...defaults, transactions })).toMatchObject({
      summary: { start_date: null, end_date: null, bank_rows: 0 },
      matched: [],
      missing_in_ynab: [],
      missing_in_bank: [],
    });
  });

  test('more pairs than can be matched in seconds are an error', () => {
    const rows = Array.from({ length: 501 }, (_, index) => bankRow(index + 1, '2024-01-05', -4500));
    const transactions = Array.from({ length: 1000 }, (_, index) =>
      transaction(`t${index}`, { date: '2024-01-06', amount: -4510 }),
    );
    expect(() => compareTransactions({ ...defaults, rows, transactions })).toThrow(
      'The statement cannot be matched: more than 500000 pairs of a row and a transaction are within the tolerances.',
    );
    const narrow = { ...defaults, rows, transactions, amountTolerance: 9 };
    expect(compareTransactions(narrow).summary).toMatchObject({ bank_rows: 501, matched: 0 });
  });

  test('the order does not matter, each is used once, and nothing is lost', () => {
    const date = fc.constantFrom('2024-01-01', '2024-01-03', '2024-01-04', '2024-01-09');
    const amount = fc.constantFrom(-1000, -1005, -1010, 500);
    const text = fc.constantFrom('Coffee', 'Rent', '');
    const any = fc
      .tuple(
        fc.array(fc.record({ date, amount, description: text }), { maxLength: 6 }),
        fc.array(fc.record({ date, amount, payee_name: text }), { maxLength: 6 }),
        fc.boolean(),
      )
      .chain(([plainRows, plainTransactions, hasChronologyBonus]) => {
        const rows = plainRows.map((fields, index) => ({ row: index + 1, ...fields }));
        const transactions = plainTransactions.map((fields, index) => transaction(`t${index}`, fields));
        return fc.record({
          rows: fc.constant(rows),
          transactions: fc.constant(transactions),
          otherRows: fc.shuffledSubarray(rows, { minLength: rows.length }),
          otherTransactions: fc.shuffledSubarray(transactions, { minLength: transactions.length }),
          hasChronologyBonus: fc.constant(hasChronologyBonus),
        });
      });
    fc.assert(
      fc.property(any, ({ rows, transactions, otherRows, otherTransactions, hasChronologyBonus }) => {
        const input = { ...defaults, rows, transactions, hasChronologyBonus };
        const result = compareTransactions(input);
        const other = compareTransactions({ ...input, rows: otherRows, transactions: otherTransactions });
        expect(other).toEqual(result);
        const numbers = [
          ...result.matched.map(({ bank }) => bank.row),
          ...result.missing_in_ynab.map(({ row }) => row),
        ];
        expect(numbers.toSorted((left, right) => left - right)).toEqual(rows.map(({ row }) => row));
        const ids = result.matched.map(({ transaction: { id } }) => id);
        expect(new Set(ids).size).toBe(ids.length);
      }),
      { numRuns: 300 },
    );
  });
});
