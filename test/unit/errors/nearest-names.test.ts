import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findNearestNames } from '../../../src/errors/nearest-names.ts';

/** The textbook form, without any short cut. */
function levenshtein(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (__, j) => i + j),
  );
  for (let i = 1; i <= a.length; i += 1) {
    for (let j = 1; j <= b.length; j += 1) {
      const [above, here] = [rows[i - 1] ?? [], rows[i] ?? []];
      const substitution = (above[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      here[j] = Math.min((above[j] ?? 0) + 1, (here[j - 1] ?? 0) + 1, substitution);
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
