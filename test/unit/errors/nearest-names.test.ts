import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findNearestNames } from '../../../src/errors/nearest-names.ts';

/** The textbook algorithm; a transposition counts as one difference. */
function levenshtein(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (__, j) => i + j),
  );
  for (let i = 1; i <= a.length; i += 1) {
    for (let j = 1; j <= b.length; j += 1) {
      const [above, here] = [rows[i - 1] ?? [], rows[i] ?? []];
      const substitution = (above[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = isSwap ? (rows[i - 2]?.[j - 2] ?? 0) + 1 : Infinity;
      here[j] = Math.min((above[j] ?? 0) + 1, (here[j - 1] ?? 0) + 1, substitution, swap);
    }
  }
  return rows[a.length]?.[b.length] ?? 0;
}

test('a name is near exactly when a third of its letters, and at most three, need to change', () => {
  const name = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '_'), minLength: 3, maxLength: 14 });
  fc.assert(
    fc.property(name, name, (wanted, candidate) => {
      const limit = Math.min(3, Math.floor(wanted.length / 3));
      const isNear = levenshtein(wanted, candidate) <= limit;
      expect(findNearestNames(wanted, [candidate])).toEqual(isNear ? [candidate] : []);
    }),
    { numRuns: 2000 },
  );
});

test('the nearest three are found, those of equal distance by name, whatever the order of the candidates', () => {
  const name = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 6, maxLength: 10 });
  fc.assert(
    fc.property(name, fc.array(name, { maxLength: 30 }), (wanted, candidates) => {
      const limit = Math.min(3, Math.floor(wanted.length / 3));
      const near = candidates
        .map((candidate) => ({ candidate, distance: levenshtein(wanted, candidate) }))
        .filter(({ distance }) => distance <= limit)
        .toSorted((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1));
      expect(findNearestNames(wanted, candidates)).toEqual(
        near.slice(0, 3).map(({ candidate }) => candidate),
      );
    }),
    { numRuns: 1000 },
  );
});

test('an unknown name is compared with a bounded number of characters, however many names there are', () => {
  let taken = 0;
  function* names(): Generator<string> {
    for (; taken < 100_000; taken += 1) yield 'bcdefghija'.repeat(12);
  }
  const shifted = `xyz${'abcdefghij'.repeat(12)}`.slice(0, 120);
  expect(findNearestNames(shifted, names())).toEqual([]);
  expect(taken).toBe(546);
});

test('names that cannot be near any more are not asked about', () => {
  const asked: string[] = [];
  const isAsked = (name: string): boolean => {
    asked.push(name);
    return name !== 'hidden_1';
  };
  const names = ['short', 'a_very_long_name', 'hidden_1', 'hidden_2', 'hidden_3', 'hidden_4', 'hidden_555'];
  expect(findNearestNames('hidden_0', names, isAsked)).toEqual(['hidden_2', 'hidden_3', 'hidden_4']);
  expect(asked).toEqual(['hidden_1', 'hidden_2', 'hidden_3', 'hidden_4']);
});

test('two letters swapped are one difference', () => {
  expect(findNearestNames('yaer', ['year', 'page'])).toEqual(['year']);
});
