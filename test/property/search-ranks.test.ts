import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSearchIndex } from '../../src/registry/exposure/search/search-index.ts';
import type { SearchDocument, SearchHit } from '../../src/registry/exposure/search/search-index.ts';

/** Similar words: with common prefixes, one character apart, and verbs of one class. */
const WORDS =
  `invoice invoices invoiced invent inventory invoke voice order orders ordering border reorder refund refunds refunding
  subscribe subscriber subscription subscribtion subscript customer customers costumer customize payment payments repayment paymant
  delete deleted deletion remove list lists listing lost show get add create money back balance balances imbalance the of`.match(
    /\S+/g,
  ) ?? [];

const phrase = fc.array(fc.constantFrom(...WORDS), { maxLength: 6 }).map((words) => words.join(' '));

const documents: fc.Arbitrary<SearchDocument[]> = fc
  .array(
    fc.record({
      name: fc.constantFrom('shop', 'bank', 'shop.orders', 'shop.refunds'),
      sentence: phrase,
      synonyms: phrase,
      endpoint: phrase,
      tags: phrase,
      description: phrase,
      arguments: phrase,
      details: phrase,
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((given) => given.map((document, at) => ({ ...document, name: `${document.name}.action${at}` })));

const queries = fc.array(phrase, { minLength: 1, maxLength: 3 });

function search(
  of: readonly SearchDocument[],
  phrasings: readonly string[],
  visible?: ReadonlySet<string>,
): SearchHit[] {
  const isVisible = (name: string): boolean => visible?.has(name) ?? true;
  return createSearchIndex(of).search(phrasings, { limit: 100, isVisible });
}

test('hits and scores are those of an index that never heard of the hidden documents', () => {
  let found = 0;
  fc.assert(
    fc.property(documents, fc.infiniteStream(fc.boolean()), queries, (all, coin, phrasings) => {
      const shown = all.filter(() => coin.next().value as boolean);
      const hits = search(all, phrasings, new Set(shown.map(({ name }) => name)));
      expect(hits).toEqual(search(shown, phrasings));
      found += hits.length;
    }),
    { numRuns: 500 },
  );
  expect(found).toBeGreaterThan(500);
});

test('several phrasings find what each finds, with the best of its scores', () => {
  fc.assert(
    fc.property(documents, queries, (all, phrasings) => {
      const best = new Map<string, number>();
      for (const { name, score } of phrasings.flatMap((phrasing) => search(all, [phrasing])))
        best.set(name, Math.max(score, best.get(name) ?? 0));
      expect(new Map(search(all, phrasings).map(({ name, score }) => [name, score]))).toEqual(best);
    }),
    { numRuns: 200 },
  );
});

test('the order of the documents changes nothing, and a limit keeps the first hits', () => {
  fc.assert(
    fc.property(documents, queries, fc.nat({ max: 5 }), (all, phrasings, limit) => {
      const hits = search(all, phrasings);
      expect(search(all.toReversed(), phrasings)).toEqual(hits);
      const first = createSearchIndex(all).search(phrasings, { limit, isVisible: () => true });
      expect(first).toEqual(hits.slice(0, limit));
    }),
    { numRuns: 200 },
  );
});
