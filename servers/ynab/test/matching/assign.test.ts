import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assign } from '../../src/matching/assign.ts';
import type { Edge } from '../../src/matching/assign.ts';

const edge = (left: number, right: number, weight: number, preference = 0): Edge => ({
  left,
  right,
  weight,
  preference,
});

/** The best total by trying every assignment. */
function bestTotal(edges: readonly Edge[]): readonly [number, number] {
  const [first, ...rest] = edges;
  if (first === undefined) return [0, 0];
  const without = bestTotal(rest);
  const [weight, preference] = bestTotal(
    rest.filter(({ left, right }) => left !== first.left && right !== first.right),
  );
  const taken = [weight + first.weight, preference + first.preference] as const;
  return taken[0] > without[0] || (taken[0] === without[0] && taken[1] > without[1]) ? taken : without;
}

const edges = fc.uniqueArray(
  fc.record({
    left: fc.integer({ min: 0, max: 4 }),
    right: fc.integer({ min: 0, max: 4 }),
    weight: fc.integer({ min: 1, max: 12 }),
    preference: fc.integer({ min: 0, max: 5 }),
  }),
  { selector: ({ left, right }) => left * 5 + right, maxLength: 16 },
);

describe('assignment', () => {
  test.each<[string, Edge[], [number, number][]]>([
    ['nothing to assign', [], []],
    [
      'the greedy choice would lose a pair',
      [edge(0, 0, 90), edge(0, 1, 88), edge(1, 0, 89)],
      [
        [0, 1],
        [1, 0],
      ],
    ],
    ['a pair is left out if the total is better', [edge(0, 0, 10), edge(1, 0, 3)], [[0, 0]]],
    ['one good pair beats two bad ones', [edge(0, 0, 10), edge(0, 1, 4), edge(1, 0, 5)], [[0, 0]]],
    ['preferences decide equal totals', [edge(0, 0, 5, 0), edge(0, 1, 5, 1)], [[0, 1]]],
    ['preferences do not outweigh weights', [edge(0, 0, 6, 0), edge(0, 1, 5, 1000)], [[0, 0]]],
    [
      'a chain of three',
      [edge(0, 0, 5), edge(0, 1, 4), edge(1, 1, 5), edge(1, 2, 4), edge(2, 2, 5), edge(2, 0, 9)],
      [
        [0, 1],
        [1, 2],
        [2, 0],
      ],
    ],
  ])('%s', (_, all, pairs) => {
    const found = assign(all).map(({ left, right }) => [left, right]);
    expect(found.toSorted(([a = 0], [b = 0]) => a - b)).toEqual(pairs);
  });

  test('the total is the best of all assignments, and no end is used twice', () => {
    fc.assert(
      fc.property(edges, (all) => {
        const chosen = assign(all);
        expect(new Set(chosen.map(({ left }) => left)).size).toBe(chosen.length);
        expect(new Set(chosen.map(({ right }) => right)).size).toBe(chosen.length);
        expect([
          chosen.reduce((total, { weight }) => total + weight, 0),
          chosen.reduce((total, { preference }) => total + preference, 0),
        ]).toEqual(bestTotal(all));
      }),
      { numRuns: 1000 },
    );
  });

  test('the result does not depend on the order of the edges', () => {
    const shuffled = edges.chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
    );
    fc.assert(
      fc.property(shuffled, ([all, other]) => {
        expect(assign(other)).toEqual(assign(all));
      }),
      { numRuns: 300 },
    );
  });

  test('two hundred equal rows and transactions are all paired', () => {
    const ends = Array.from({ length: 200 }, (_, index) => index);
    const all = ends.flatMap((left) => ends.map((right) => edge(left, right, 7)));
    expect(assign(all)).toHaveLength(200);
  });
});
