import { describe, expect, test } from 'vitest';
import { listCombinations } from '../../src/matching/combinations.ts';
import { bankRow, transaction } from './ledger.ts';

const row = bankRow(1, '2024-01-10', -60_000);
const part = (id: string, amount: number, date = '2024-01-10') => transaction(id, { amount, date });
const idsOf = (transactions: Parameters<typeof listCombinations>[1], toleranceDays = 7) =>
  listCombinations(row, transactions, toleranceDays).map((found) => found.transactions.map(({ id }) => id));

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
    expect(listCombinations(row, parts, 7).map(({ days }) => days)).toEqual([1, 2, 0]);
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

  test('a thousand equal parts are not all tried', () => {
    let reads = 0;
    const parts = Array.from({ length: 1000 }, (_, index) =>
      Object.defineProperty(part(`p${index}`, 0), 'amount', { get: () => ((reads += 1), -20_000) }),
    );
    expect(idsOf(parts)).toHaveLength(3);
    expect(reads).toBeLessThan(100_000);
  });
});
