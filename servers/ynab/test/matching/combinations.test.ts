import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { indexParts, listCombinations } from '../../src/matching/combinations.ts';
import type { LedgerTransaction } from '../../src/matching/ledger-transaction.ts';
import { bankRow, transaction } from './ledger.ts';

const row = bankRow(1, '2024-01-10', -60_000);
const part = (id: string, amount: number, date = '2024-01-10') => transaction(id, { amount, date });
const find = (transactions: readonly LedgerTransaction[], toleranceDays = 7) =>
  listCombinations(row, indexParts(transactions), toleranceDays);
const idsOf = (transactions: readonly LedgerTransaction[], toleranceDays = 7) =>
  find(transactions, toleranceDays).map((found) => found.transactions.map(({ id }) => id));

describe('combinations', () => {
  test('two come before three, and near ones before distant ones', () => {
    const parts = [
      part('a', -10_000),
      part('b', -20_000),
      part('c', -30_000),
      part('d', -40_000, '2024-01-12'),
      part('e', -30_000, '2024-01-09'),
    ];
    expect(idsOf(parts)).toEqual([
      ['c', 'e'],
      ['b', 'd'],
      ['c', 'b', 'a'],
    ]);
    expect(find(parts).map(({ days }) => days)).toEqual([1, 2, 0]);
  });

  test.each([
    ['four parts', [part('a', -15_000), part('b', -15_001), part('c', -15_000), part('d', -14_999)]],
    ['parts of the other sign', [part('a', -70_000), part('b', 10_000)]],
    ['a single equal amount', [part('a', -60_000), part('b', 0)]],
    ['parts beyond the tolerance', [part('a', -30_000), part('b', -30_000, '2024-01-18')]],
    ['the same transaction twice', [part('a', -30_000)]],
  ])('%s make no combination', (_, parts) => {
    expect(idsOf(parts)).toEqual([]);
  });

  test('the order of the transactions does not matter', () => {
    const parts = Array.from({ length: 12 }, (_, index) => part(`p${index}`, -5000 * (index + 1)));
    expect(idsOf(parts.toReversed())).toEqual(idsOf(parts));
    expect(idsOf(parts)).toHaveLength(3);
  });

  test('every two or three parts with the sum are found, if there are few', () => {
    const amounts = fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 6 });
    fc.assert(
      fc.property(amounts, (tenths) => {
        const parts = tenths.map((tenth, index) => part(`p${index}`, tenth * -5000));
        const sets = Array.from({ length: 2 ** parts.length }, (_, bits) =>
          parts.filter((_part, index) => (bits >> index) % 2 === 1),
        ).filter(
          (set) =>
            (set.length === 2 || set.length === 3) &&
            set.reduce((total, { amount }) => total + amount, 0) === -60_000,
        );
        const pairs = sets.filter(({ length }) => length === 2);
        const offered = find(parts);
        expect(offered).toHaveLength(Math.min(sets.length, 3));
        expect(offered.filter((each) => each.transactions.length === 2)).toHaveLength(
          Math.min(pairs.length, 3),
        );
        for (const { transactions } of offered) {
          expect(transactions.reduce((total, { amount }) => total + amount, 0)).toBe(-60_000);
          expect(new Set(transactions).size).toBe(transactions.length);
        }
      }),
    );
  });

  test('parts without a combination are looked up by their amounts', () => {
    let reads = 0;
    const parts = Array.from({ length: 60 }, (_, index) =>
      Object.defineProperty(part(`p${index}`, 0), 'amount', {
        get: () => ((reads += 1), -1 - 4 ** (index % 7)),
      }),
    );
    expect(idsOf(parts)).toEqual([]);
    expect(reads).toBeLessThan(3000);
  });

  test('a thousand equal parts are not all tried', () => {
    let reads = 0;
    const parts = Array.from({ length: 1000 }, (_, index) =>
      Object.defineProperty(part(`p${index}`, 0), 'amount', { get: () => ((reads += 1), -20_000) }),
    );
    expect(idsOf(parts)).toHaveLength(3);
    expect(reads).toBeLessThan(100_000);
  });
});
