import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { matchRows } from '../../src/matching/match-rows.ts';
import type { MatchedRows, MatchOptions } from '../../src/matching/match-rows.ts';
import { createPayeeSimilarity } from '../../src/matching/payee-similarity.ts';
import { scoreDate, scorePair } from '../../src/matching/score.ts';
import { bankRow, transaction } from './ledger.ts';

const NORMAL: MatchOptions = { toleranceDays: 7, strictness: 'normal' };

function pairsOf({ automatic, suggested }: MatchedRows): string[] {
  return [...automatic, ...suggested]
    .map(({ row, transaction: { id }, level }) => `${row.row} ${id} ${level}`)
    .toSorted();
}

describe('score', () => {
  test.each([
    [0, 7, 100],
    [1, 7, 95],
    [4, 7, 72.5],
    [7, 7, 50],
    [1, 1, 95],
    [2, 2, 50],
    [3, 5, 72.5],
  ])('%i days apart with a tolerance of %i score %d', (days, tolerance, score) => {
    expect(scoreDate(days, tolerance)).toBe(score);
  });

  test.each([
    ['the same day and payee', 0, 100, 115],
    ['the same day, no payee', 0, 0, 70],
    ['the same day, nearly the payee', 0, 94, 102.9],
    ['the same day, the payee from 95', 0, 95, 113.25],
    ['a day apart, the same payee', 1, 100, 109.25],
    ['a day apart, half the payee', 1, 50, 81.75],
    ['at the tolerance, no payee', 7, 0, 57.5],
  ])('%s', (_, days, payee, score) => {
    expect(scorePair(days, payee, 7) / 100).toBe(score);
  });

  test.each([
    ['TIM HORTONS #1234 TORONTO ON', 'Tim Hortons', 100],
    ['MARKET WHOLE FOODS', 'Whole Foods Market', 100],
    ['CAFE ZURICH', 'Café Zürich', 100],
    ['КАФЕ ПУШКИН МОСКВА', 'Пушкин кафе', 100],
    ['PAYROLL DEPOSIT ACME INC', 'Acme payroll', 100],
    ['abc', 'xyz', 0],
    ['', 'Coffee', 0],
    ['Coffee', null, 0],
    ['###', 'Coffee', 0],
  ])('%j and %j are similar by %i', (description, payee_name, expected) => {
    const payee = transaction('t', { date: '2024-01-05', amount: 1, payee_name });
    expect(createPayeeSimilarity()(description, payee)).toBe(expected);
  });

  test('the name that the bank gave counts as the payee', () => {
    const renamed = transaction('t', {
      date: '2024-01-05',
      amount: 1,
      payee_name: 'Books',
      import_payee_name: 'AMZN MKTP CA',
    });
    expect(createPayeeSimilarity()('AMZN MKTP CA*2K4', renamed)).toBe(100);
  });
});

describe('levels', () => {
  // A day apart: 50 + 14.25 + 0.35 × payee (+ 10 from 95); similarity of "abcd" and "abxy" is 50.
  const row = bankRow(1, '2024-01-05', -4500, 'abcd');
  test.each([
    ['loose', 'abcd', 'automatic'],
    ['loose', 'abxy', 'automatic'],
    ['loose', null, 'suggested'],
    ['normal', 'abcd', 'automatic'],
    ['normal', 'abxy', 'suggested'],
    ['normal', null, 'suggested'],
    ['strict', 'abcd', 'automatic'],
    ['strict', 'abxy', 'suggested'],
    ['strict', null, undefined],
  ] as const)('%s with payee %s is %s', (strictness, payee_name, level) => {
    const other = transaction('t', { date: '2024-01-04', amount: -4500, payee_name });
    const matched = matchRows([row], [other], { toleranceDays: 7, strictness });
    expect(pairsOf(matched)).toEqual(level === undefined ? [] : [`1 t ${level}`]);
    expect(matched.candidates.get(1)).toHaveLength(1);
  });

  test('the only candidate on the very day is automatic, one of two is not', () => {
    const first = transaction('a', { date: '2024-01-05', amount: -4500 });
    const later = transaction('b', { date: '2024-01-06', amount: -4500 });
    const second = transaction('c', { date: '2024-01-05', amount: -4500 });
    const strict = { toleranceDays: 7, strictness: 'strict' } as const;
    expect(pairsOf(matchRows([row], [first, later], strict))).toEqual(['1 a automatic']);
    expect(pairsOf(matchRows([row], [first, second], strict))).toEqual([]);
    expect(pairsOf(matchRows([row], [first, second], NORMAL))).toEqual(['1 a suggested']);
  });

  test.each([
    ['another amount', { date: '2024-01-05', amount: -4510 }],
    ['the other sign', { date: '2024-01-05', amount: 4500 }],
    ['a day beyond the tolerance', { date: '2024-01-13', amount: -4500 }],
  ])('%s is no candidate', (_, fields) => {
    const other = transaction('t', { ...fields, payee_name: 'abcd' });
    expect(matchRows([row], [other], NORMAL).candidates.get(1)).toEqual([]);
  });

  test('the tolerance is inclusive, and may be zero', () => {
    const other = transaction('t', { date: '2024-01-12', amount: -4500, payee_name: 'abcd' });
    expect(pairsOf(matchRows([row], [other], NORMAL))).toEqual(['1 t automatic']);
    const same = transaction('s', { date: '2024-01-05', amount: -4500, payee_name: 'abcd' });
    const exact = { ...NORMAL, toleranceDays: 0 };
    expect(pairsOf(matchRows([row], [other, same], exact))).toEqual(['1 s automatic']);
  });
});

describe('ties', () => {
  const row = bankRow(1, '2024-01-05', -4500, 'Coffee');
  const on = (id: string, date: string, cleared: 'cleared' | 'uncleared') =>
    transaction(id, { date, amount: -4500, payee_name: 'Coffee', cleared });

  test('uncleared transactions come first, whatever their ids', () => {
    expect(
      pairsOf(
        matchRows([row], [on('a', '2024-01-05', 'cleared'), on('b', '2024-01-05', 'uncleared')], NORMAL),
      ),
    ).toEqual(['1 b automatic']);
    expect(
      pairsOf(
        matchRows([row], [on('b', '2024-01-05', 'cleared'), on('a', '2024-01-05', 'uncleared')], NORMAL),
      ),
    ).toEqual(['1 a automatic']);
  });

  test('the nearest date scores higher', () => {
    expect(
      pairsOf(
        matchRows([row], [on('a', '2024-01-08', 'uncleared'), on('b', '2024-01-06', 'cleared')], NORMAL),
      ),
    ).toEqual(['1 b automatic']);
  });

  test('equal rows and transactions keep their order', () => {
    const later = bankRow(2, '2024-01-06', -4500, 'Coffee');
    for (const [first, second] of [
      ['2024-01-03', '2024-01-04'],
      ['2024-01-07', '2024-01-08'],
    ] as const) {
      const pair = [on('a', first, 'uncleared'), on('b', second, 'uncleared')];
      const options = { toleranceDays: 4, strictness: 'normal' } as const;
      expect(pairsOf(matchRows([row, later], pair, options))).toEqual(['1 a automatic', '2 b automatic']);
    }
  });

  test('equal candidates are chosen by content', () => {
    const [a, b] = [on('a', '2024-01-05', 'uncleared'), on('b', '2024-01-05', 'uncleared')];
    expect(pairsOf(matchRows([row], [a, b], NORMAL))).toEqual(['1 a automatic']);
    expect(pairsOf(matchRows([row], [b, a], NORMAL))).toEqual(['1 a automatic']);
  });
});

describe('the whole statement', () => {
  test('a transaction is matched once, with the row it fits best', () => {
    const rows = [bankRow(1, '2024-01-05', -4500, 'Coffee'), bankRow(2, '2024-01-06', -4500, 'Coffee')];
    const only = transaction('t', { date: '2024-01-06', amount: -4500, payee_name: 'Coffee' });
    expect(pairsOf(matchRows(rows, [only], NORMAL))).toEqual(['2 t automatic']);
  });

  test('the first row of the file does not take the transaction of the second', () => {
    const rows = [bankRow(1, '2024-01-05', -4500, 'Coffee'), bankRow(2, '2024-01-08', -4500, 'Coffee')];
    const early = transaction('early', { date: '2024-01-02', amount: -4500, payee_name: 'Coffee' });
    const late = transaction('late', { date: '2024-01-06', amount: -4500, payee_name: 'Coffee' });
    expect(pairsOf(matchRows(rows, [late, early], { toleranceDays: 3, strictness: 'normal' }))).toEqual([
      '1 early automatic',
      '2 late automatic',
    ]);
  });

  test('an exact match does not give way to two suggestions with a higher total', () => {
    const rows = [bankRow(1, '2024-01-08', -4500, 'Netflix'), bankRow(2, '2024-01-14', -4500, 'qqqq')];
    const exact = transaction('exact', { date: '2024-01-08', amount: -4500, payee_name: 'Netflix' });
    const other = transaction('other', { date: '2024-01-02', amount: -4500, payee_name: 'zzzz' });
    const loose = { toleranceDays: 7, strictness: 'loose' } as const;
    expect(pairsOf(matchRows(rows, [exact, other], loose))).toEqual(['1 exact automatic']);
    expect(pairsOf(matchRows(rows.slice(1), [exact], loose))).toEqual(['2 exact suggested']);
  });

  test('a pair that is not suggested does not move a match to another row', () => {
    const rows = [bankRow(1, '2024-01-08', -4500, 'Coffee'), bankRow(2, '2024-01-09', -4500, 'Coffee')];
    const exact = transaction('exact', { date: '2024-01-08', amount: -4500, payee_name: 'Coffee' });
    const other = transaction('other', { date: '2024-01-01', amount: -4500, payee_name: 'zzzz' });
    const strict = { toleranceDays: 7, strictness: 'strict' } as const;
    expect(pairsOf(matchRows(rows, [exact, other], strict))).toEqual(['1 exact automatic']);
  });

  test('a suggested transaction is reserved', () => {
    const rows = [bankRow(1, '2024-01-05', -4500, 'abcd'), bankRow(2, '2024-01-05', -4500, 'abzz')];
    const only = transaction('t', { date: '2024-01-04', amount: -4500, payee_name: 'abxy' });
    expect(pairsOf(matchRows(rows, [only], NORMAL))).toHaveLength(1);
  });

  test('more pairs than can be matched in seconds are an error', () => {
    const rows = Array.from({ length: 501 }, (_, index) => bankRow(index + 1, '2024-01-05', -4500));
    const transactions = Array.from({ length: 1000 }, (_, index) =>
      transaction(`t${index}`, { date: '2024-01-05', amount: -4500 }),
    );
    expect(() => matchRows(rows, transactions, NORMAL)).toThrow(
      'The statement cannot be matched: more than 500000 pairs of a row and a transaction are within the tolerances.',
    );
    const others = transactions.map((each) => ({ ...each, date: '2024-02-05' }));
    expect(matchRows(rows, others, NORMAL).candidates.size).toBe(501);
  });

  const days = ['2024-01-01', '2024-01-02', '2024-01-04', '2024-01-09'];
  const payees = ['Coffee', 'Cofee shop', 'Rent', 'abcd'];
  const anyRow = fc.record({
    date: fc.constantFrom(...days),
    amount: fc.constantFrom(-4500, 1000),
    description: fc.constantFrom(...payees),
  });
  const anyTransaction = fc.record({
    date: fc.constantFrom(...days),
    amount: fc.constantFrom(-4500, 1000),
    payee_name: fc.constantFrom(...payees, null),
    cleared: fc.constantFrom('cleared', 'uncleared', 'reconciled' as const),
  });
  const statement = fc
    .tuple(fc.array(anyRow, { maxLength: 7 }), fc.array(anyTransaction, { maxLength: 7 }))
    .map(([rows, transactions]) => ({
      rows: rows.map((fields, index) => ({ row: index + 1, ...fields })),
      transactions: transactions.map((fields, index) => transaction(`t${index}`, fields)),
    }));
  const strictness = fc.constantFrom('loose', 'normal', 'strict' as const);

  test('the order of rows and transactions does not matter', () => {
    const shuffled = statement.chain(({ rows, transactions }) =>
      fc.record({
        rows: fc.constant(rows),
        transactions: fc.constant(transactions),
        otherRows: fc.shuffledSubarray(rows, { minLength: rows.length }),
        otherTransactions: fc.shuffledSubarray(transactions, { minLength: transactions.length }),
      }),
    );
    fc.assert(
      fc.property(shuffled, strictness, ({ rows, transactions, otherRows, otherTransactions }, strict) => {
        const options = { toleranceDays: 7, strictness: strict };
        const other = matchRows(otherRows, otherTransactions, options);
        expect(other).toEqual(matchRows(rows, transactions, options));
      }),
      { numRuns: 300 },
    );
  });

  test('rows and transactions are used once, amounts are equal, dates are near', () => {
    fc.assert(
      fc.property(statement, strictness, ({ rows, transactions }, strict) => {
        const { automatic, suggested } = matchRows(rows, transactions, {
          toleranceDays: 4,
          strictness: strict,
        });
        const chosen = [...automatic, ...suggested];
        expect(new Set(chosen.map(({ row }) => row.row)).size).toBe(chosen.length);
        expect(new Set(chosen.map(({ transaction: { id } }) => id)).size).toBe(chosen.length);
        for (const { row, transaction: each, days: apart } of chosen) {
          expect(each.amount).toBe(row.amount);
          expect(apart).toBeLessThanOrEqual(4);
        }
      }),
      { numRuns: 300 },
    );
  });
});
