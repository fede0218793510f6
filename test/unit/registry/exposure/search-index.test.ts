import { expect, test } from 'vitest';
import { createSearchIndex } from '../../../../src/registry/exposure/search-index.ts';
import type { SearchDocument, SearchIndex } from '../../../../src/registry/exposure/search-index.ts';
import { QUESTIONS } from '../../../fixtures/catalog/questions.ts';
import { toDocuments } from '../../../fixtures/catalog/to-builders.ts';

const everything = (): boolean => true;

function entry(name: string, description = '', more: Partial<SearchDocument> = {}): SearchDocument {
  return { name, description, tags: [], synonyms: [], fields: [], ...more };
}

function names(index: SearchIndex, query: string, limit = 10): string[] {
  return index.search(query, { limit, isVisible: everything }).map((hit) => hit.name);
}

/** Documents that have nothing to do with a test, so that words are as rare as in a real index. */
const OTHERS = ['weather', 'music', 'garden', 'travel'].map((topic) =>
  entry(topic, `Everything about ${topic}`),
);

test('of 60 questions that were written before the index the first five hits answer at least 54', () => {
  const index = createSearchIndex(toDocuments());
  const misses = QUESTIONS.filter(
    ({ question, expects }) => !names(index, question, 5).some((name) => expects.includes(name)),
  );
  const report = misses.map(({ question, expects }) => `${question} -> ${expects.join(', ')}`).join('\n');
  expect(QUESTIONS).toHaveLength(60);
  expect(QUESTIONS.length - misses.length, report).toBeGreaterThanOrEqual(54);
});

test.each([
  ['refunding', 'Issues refunds'],
  ['refunded', 'Issues refunds'],
  ['categories', 'Adds a category'],
  ['bought', 'Lists what somebody buys'],
  ['people', 'Finds a person'],
])('%j finds what says %j: inflected forms are one word', (query, description) => {
  const index = createSearchIndex([...OTHERS, entry('wanted', description)]);
  expect(names(index, query)).toEqual(['wanted']);
});

test.each(['user', 'users', 'profile', 'xml', 'archive_users', 'XMLFile', 'loadUserProfile'])(
  'names are found by their words: %s',
  (query) => {
    const index = createSearchIndex([
      ...OTHERS,
      entry('accounts.admin-area.archive_users_fromXMLFile', 'Runs a job'),
      entry('loadUserProfile', 'Runs a job as XML'),
    ]);
    expect(names(index, query).length).toBeGreaterThan(0);
  },
);

test('a word in the name counts more than the same word in the description of a field', () => {
  const inName = entry('shop.orders.export', 'Writes a file');
  const inField = entry('shop.orders.import', 'Reads a file', {
    fields: [{ name: 'source', description: 'Made by an export' }],
  });
  for (const documents of [
    [inName, inField],
    [inField, inName],
  ]) {
    expect(names(createSearchIndex([...OTHERS, ...documents]), 'export')).toEqual([
      'shop.orders.export',
      'shop.orders.import',
    ]);
  }
});

test.each(['reimburse', 'money back', 'I want my money back'])('synonyms are found: %s', (query) => {
  const index = createSearchIndex([
    ...OTHERS,
    entry('orders.refund', 'Pays for an order', { synonyms: ['money back', 'reimburse'] }),
  ]);
  expect(names(index, query)).toEqual(['orders.refund']);
});

test.each([
  ['title', entry('wanted', '', { title: 'Quarterly balance' })],
  ['description', entry('wanted', 'Computes the balance')],
  ['group', entry('wanted', '', { groupDescription: 'Balance sheets' })],
  ['tags', entry('wanted', '', { tags: ['balance'] })],
  ['field name', entry('wanted', '', { fields: [{ name: 'opening_balance' }] })],
])('the %s is searched', (_part, document) => {
  expect(names(createSearchIndex([...OTHERS, document]), 'balances')).toEqual(['wanted']);
});

test('everyday verbs find what APIs call otherwise, after what was said', () => {
  const index = createSearchIndex([
    ...OTHERS,
    entry('files.delete', 'Deletes a file'),
    entry('notes.forget', 'Forgets a note'),
  ]);
  expect(names(index, 'forget')).toEqual(['notes.forget', 'files.delete']);
});

test('a slip of the pen and a beginning are forgiven', () => {
  const index = createSearchIndex([...OTHERS, entry('subscriptions', 'Manages subscriptions')]);
  expect(names(index, 'subscribtions')).toEqual(['subscriptions']);
  expect(names(index, 'subsc')).toEqual(['subscriptions']);
});

test('Chinese, which has no spaces, is found by its characters', () => {
  const index = createSearchIndex([
    entry('rooms.book', '预订一间会议室'),
    entry('orders.list', '列出所有订单'),
  ]);
  expect(names(index, '会议室在哪里')).toEqual(['rooms.book']);
});

test('a hidden name is never returned and takes no place', () => {
  const index = createSearchIndex(toDocuments());
  const query = 'refund a payment';
  const all = names(index, query, 20);
  const hidden = new Set(all.filter((_, position) => position % 2 === 0));
  const hits = index.search(query, { limit: 5, isVisible: (name) => !hidden.has(name) });
  expect(hits).toHaveLength(5);
  expect(hits.filter((hit) => hidden.has(hit.name))).toEqual([]);
  expect(index.search(query, { limit: 5, isVisible: () => false })).toEqual([]);
});

test('a hidden action lends its group no weight', () => {
  const index = createSearchIndex([
    ...OTHERS,
    entry('x.secret.pay', 'Pays wages to staff'),
    entry('x.secret.look', 'Shows staff'),
    entry('y.public.look', 'Shows staff'),
  ]);
  const [best] = names(index, 'wages of staff');
  expect(best).toBe('x.secret.pay');
  const isVisible = (name: string): boolean => name !== 'x.secret.pay';
  const [first, second] = index.search('wages of staff', { limit: 2, isVisible });
  expect(first?.score).toBeCloseTo(second?.score ?? 0, 10);
});

test('a query without words finds nothing', () => {
  const index = createSearchIndex(toDocuments());
  for (const query of ['', '   ', '?!', '🙂🙃', 'the of and', '\u{0}'])
    expect(names(index, query), query).toEqual([]);
});

test('a query may be named like a member of every object', () => {
  const index = createSearchIndex([...OTHERS, entry('constructor', 'Builds a thing')]);
  expect(names(index, 'constructor')).toEqual(['constructor']);
  for (const query of ['__proto__', 'hasOwnProperty', 'toString valueOf'])
    expect(names(index, query)).toEqual([]);
});

test('only the first 500 characters of a query are read', () => {
  const index = createSearchIndex(toDocuments());
  expect(names(index, `${'- '.repeat(250)}refund`)).toEqual([]);
  expect(names(index, `refund${' -'.repeat(500_000)}`, 3)).toEqual(names(index, 'refund', 3));
  expect(names(index, 'x'.repeat(1_000_000))).toEqual([]);
});

test('equal scores stand by name, whatever the order of the documents', () => {
  const same = ['delta', 'alpha', 'charlie', 'bravo'].map((name) => entry(name, 'Prints a label'));
  const expected = ['alpha', 'bravo', 'charlie', 'delta'];
  expect(names(createSearchIndex(same), 'print labels')).toEqual(expected);
  expect(names(createSearchIndex(same.toReversed()), 'print labels')).toEqual(expected);
});

test('an empty index finds nothing, and a limit of nothing is kept', () => {
  expect(names(createSearchIndex([]), 'anything')).toEqual([]);
  const index = createSearchIndex(toDocuments());
  expect(names(index, 'refund', 0)).toEqual([]);
  expect(names(index, 'refund', -1)).toEqual([]);
});
