import fc from 'fast-check';
import MiniSearch from 'minisearch';
import { expect, test } from 'vitest';
import { createSearchIndex } from '../../src/registry/exposure/search-index.ts';
import type { SearchDocument, SearchHit } from '../../src/registry/exposure/search-index.ts';
import { listPairs, listQueryTerms, listTerms } from '../../src/registry/exposure/search-terms.ts';
import { DEV_QUESTIONS } from '../fixtures/catalog/dev-questions.ts';
import { toDocuments } from '../fixtures/catalog/to-builders.ts';

/** Words that are alike: with common beginnings, one character apart, and pairs of them. */
const WORDS =
  `invoice invoices invoiced invent inventory invoke voice order orders ordering border reorder refund refunds refunding
  subscribe subscriber subscription subscribtion subscript customer customers costumer customize payment payments repayment paymant
  delete deleted deletion list lists listing lost show money back balance balances imbalance the of quarter quarterly`.match(
    /\S+/g,
  ) ?? [];

const phrase = fc.array(fc.constantFrom(...WORDS), { maxLength: 6 }).map((words) => words.join(' '));

const documents: fc.Arbitrary<SearchDocument[]> = fc
  .array(
    fc.record({
      tool: fc.constantFrom('shop', 'bank', 'shop.orders', 'shop.refunds'),
      description: phrase,
      synonyms: fc.array(phrase, { maxLength: 2 }),
      tags: fc.array(fc.constantFrom(...WORDS), { maxLength: 2 }),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((given) =>
    given.map(({ tool, ...rest }, at) => ({ ...rest, name: `${tool}.action${at}`, fields: [] })),
  );

/** An index of the visible documents alone, by the library that was used before. */
function searchAlone(visible: readonly SearchDocument[], query: string): Map<string, number> {
  const index = new MiniSearch<SearchDocument>({
    idField: 'name',
    fields: ['text'],
    extractField: (document, field) => (field === 'name' ? document.name : textOf(document)),
    tokenize: (text) => text.split(' '),
    processTerm: (term) => term,
  });
  index.addAll(visible);
  const scores = new Map<string, number>();
  const groups = new Map<string, number>();
  const groupOf = (name: string): string => name.slice(0, name.lastIndexOf('.'));
  for (const { term, weight, mayBeMisspelt } of listQueryTerms(query)) {
    const bm25 = { k: 1.2, b: 0.3, d: 0.2 };
    let hits = index.search(term, { bm25 });
    if (hits.length === 0 && mayBeMisspelt) {
      const weights = { prefix: 0.3, fuzzy: 0.2 };
      hits = index.search(term, { bm25, prefix: true, fuzzy: term.length > 5 ? 1 : false, weights });
    }
    const best = new Map<string, number>();
    for (const { id, score } of hits as { id: string; score: number }[]) {
      scores.set(id, (scores.get(id) ?? 0) + weight * score);
      best.set(groupOf(id), Math.max(weight * score, best.get(groupOf(id)) ?? 0));
    }
    for (const [group, score] of best) groups.set(group, (groups.get(group) ?? 0) + score);
  }
  return new Map([...scores].map(([name, score]) => [name, score + 0.3 * (groups.get(groupOf(name)) ?? 0)]));
}

function textOf({ name, description, synonyms, tags }: SearchDocument): string {
  const action = listTerms(name.slice(name.lastIndexOf('.') + 1));
  const said = listTerms(synonyms.join(' '));
  const group = listTerms(name.slice(0, name.lastIndexOf('.')));
  const rest = [...listTerms(description), ...group, ...listTerms(tags.join(' '))];
  const pairs = synonyms.flatMap((synonym) => listPairs(listTerms(synonym)));
  return [...said, ...said, ...action, ...action, ...rest, ...pairs].join(' ');
}

function search(of: readonly SearchDocument[], query: string, visible?: ReadonlySet<string>): SearchHit[] {
  const isVisible = (name: string): boolean => visible?.has(name) ?? true;
  return createSearchIndex(of).search(query, { limit: 100, isVisible });
}

test('hits and scores are those of an index that never heard of the hidden documents', () => {
  let found = 0;
  fc.assert(
    fc.property(documents, fc.infiniteStream(fc.boolean()), phrase, (all, coin, query) => {
      const shown = all.filter(() => coin.next().value as boolean);
      const hits = search(all, query, new Set(shown.map(({ name }) => name)));
      expect(hits).toEqual(search(shown, query));
      const expected = searchAlone(shown, query);
      expect(hits.map(({ name }) => name).toSorted()).toEqual([...expected.keys()].toSorted());
      for (const { name, score } of hits) expect(score).toBeCloseTo(expected.get(name) ?? 0, 9);
      found += hits.length;
    }),
    { numRuns: 500 },
  );
  expect(found).toBeGreaterThan(500);
});

test('the same holds for 150 questions to a catalog of 300 actions of which every third is hidden', () => {
  const all = toDocuments();
  const shown = all.filter((_, at) => at % 3 !== 0);
  const names = new Set(shown.map(({ name }) => name));
  const shared = createSearchIndex(all);
  const alone = createSearchIndex(shown);
  for (const { question } of DEV_QUESTIONS) {
    const hits = shared.search(question, { limit: 300, isVisible: (name) => names.has(name) });
    expect(hits).toEqual(alone.search(question, { limit: 300, isVisible: () => true }));
  }
});
