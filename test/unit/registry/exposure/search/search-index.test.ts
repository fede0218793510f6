import { expect, test } from 'vitest';
import { createSearchIndex } from '../../../../../src/registry/exposure/search/search-index.ts';
import type {
  SearchDocument,
  SearchIndex,
} from '../../../../../src/registry/exposure/search/search-index.ts';

const everything = (): boolean => true;

const EMPTY: SearchDocument = {
  name: '',
  sentence: '',
  synonyms: '',
  endpoint: '',
  tags: '',
  description: '',
  arguments: '',
  details: '',
};

function entry(name: string, sentence = '', more: Partial<SearchDocument> = {}): SearchDocument {
  return { ...EMPTY, name, sentence, ...more };
}

function names(index: SearchIndex, query: string, limit = 10): string[] {
  return index.search([query], { limit, isVisible: everything }).map((hit) => hit.name);
}

/** Unrelated documents, so that words are as rare as in a real index. */
const OTHERS = ['weather', 'music', 'garden', 'travel'].map((topic) =>
  entry(topic, `Everything about ${topic}`),
);

test.each([
  ['refunding', 'Issues refunds'],
  ['refunded', 'Issues refunds'],
  ['categories', 'Adds a category'],
])('%j finds what says %j: inflected forms are one word', (query, sentence) => {
  const index = createSearchIndex([...OTHERS, entry('wanted', sentence)]);
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

test('a word counts by its field: name before endpoint, tags, description and arguments', () => {
  const filled = (length: number): string => `export ${'filling '.repeat(length - 1)}`;
  const documents = [
    entry('a', '', { details: filled(60) }),
    entry('b', '', { description: filled(30) }),
    entry('c', '', { tags: filled(4) }),
    entry('d', '', { endpoint: filled(5) }),
    entry('export_all_the_filling'),
  ];
  const expected = ['export_all_the_filling', 'd', 'c', 'b', 'a'];
  expect(names(createSearchIndex([...OTHERS, ...documents]), 'export')).toEqual(expected);
  expect(names(createSearchIndex([...documents.toReversed(), ...OTHERS]), 'export')).toEqual(expected);
});

test.each(Object.keys(EMPTY))('the field %s is searched', (field) => {
  const document = { ...entry('wanted'), [field]: 'balance' };
  expect(names(createSearchIndex([...OTHERS, document]), 'balances')).toEqual([document.name]);
});

test.each(['reimburse', 'money back', 'I want my money back'])('synonyms are found: %s', (query) => {
  const index = createSearchIndex([
    ...OTHERS,
    entry('orders.refund', 'Pays for an order', { synonyms: 'money back reimburse' }),
  ]);
  expect(names(index, query)).toEqual(['orders.refund']);
});

test.each([
  ['show the invoice', 'invoices.get'],
  ['read an invoice', 'invoices.get'],
  ['add an invoice', 'invoices.create'],
  ['open a new invoice', 'invoices.create'],
  ['edit an invoice', 'invoices.update'],
  ['change the invoice', 'invoices.update'],
  ['remove an invoice', 'invoices.delete'],
  ['cancel the invoice', 'invoices.stop'],
])('verbs of one class find each other: %s', (query, expected) => {
  const verbs = ['get', 'create', 'update', 'delete', 'stop'];
  const index = createSearchIndex([...OTHERS, ...verbs.map((verb) => entry(`invoices.${verb}`))]);
  expect(names(index, query)[0]).toBe(expected);
});

test.each([
  ['fork a note', 'notes.add'],
  ['how many notes are there', 'notes.count'],
  ['notes', 'notes.count'],
])('only a command prefers tools that create: %s', (query, expected) => {
  const index = createSearchIndex([
    entry('notes.add', 'Adds to the notes'),
    entry('notes.count', 'Counts the notes'),
  ]);
  expect(names(index, query)[0]).toBe(expected);
});

test('the verb itself counts more than another of its class', () => {
  const index = createSearchIndex([...OTHERS, entry('delete_label'), entry('remove_label')]);
  expect(names(index, 'remove label')).toEqual(['remove_label', 'delete_label']);
  expect(names(index, 'delete label')).toEqual(['delete_label', 'remove_label']);
});

test('of two tools with all words of the query, the one that says nothing else is first', () => {
  const index = createSearchIndex([
    ...OTHERS,
    entry('a', 'Check if a pull request has been merged'),
    entry('b', 'Merge a pull request'),
    entry('c', 'Request', { description: 'Merge a pull. Merge a pull. Pull, merge, pull, merge.' }),
  ]);
  expect(names(index, 'merge a pull request')).toEqual(['b', 'a', 'c']);
});

test('several phrasings find together what each finds alone, the best first', () => {
  const index = createSearchIndex([
    ...OTHERS,
    entry('refunds.create', 'Pays a charge back'),
    entry('disputes.close', 'Ends a dispute of a bank'),
    entry('reports.list', 'Lists reports about a bank'),
  ]);
  const search = (...phrasings: string[]): string[] =>
    index.search(phrasings, { limit: 2, isVisible: everything }).map(({ name }) => name);
  expect(search('reimburse somebody')).toEqual([]);
  expect(search('reimburse somebody', 'pay a charge back')).toEqual(['refunds.create']);
  expect(search('pay a charge back', 'reimburse somebody')).toEqual(['refunds.create']);
  expect(search('something about a bank', 'pay a charge back')[0]).toBe('refunds.create');
});

test('a misspelt word and the beginning of a word are found', () => {
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
  const labels = Array.from({ length: 20 }, (_, at) => entry(`label_${at}`, 'Prints a label'));
  const index = createSearchIndex([...OTHERS, ...labels]);
  const isVisible = (name: string): boolean => !/[02468]$/.test(name);
  const hits = index.search(['print labels'], { limit: 10, isVisible });
  expect(hits).toHaveLength(10);
  expect(hits.filter((hit) => !isVisible(hit.name))).toEqual([]);
  expect(index.search(['print labels'], { limit: 5, isVisible: () => false })).toEqual([]);
});

test('a query without words finds nothing', () => {
  const index = createSearchIndex(OTHERS);
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
  const index = createSearchIndex(OTHERS);
  expect(names(index, `${'- '.repeat(250)}weather`)).toEqual([]);
  expect(names(index, `weather${' -'.repeat(500_000)}`)).toEqual(['weather']);
  expect(names(index, 'x'.repeat(1_000_000))).toEqual([]);
});

test('equal scores are ordered by name, whatever the order of the documents', () => {
  const same = ['delta', 'alpha', 'charlie', 'bravo'].map((name) => entry(name, 'Prints a label'));
  const expected = ['alpha', 'bravo', 'charlie'];
  expect(names(createSearchIndex(same), 'print labels', 3)).toEqual(expected);
  expect(names(createSearchIndex(same.toReversed()), 'print labels', 3)).toEqual(expected);
});

test('an empty index finds nothing, and a limit of nothing is kept', () => {
  expect(names(createSearchIndex([]), 'anything')).toEqual([]);
  expect(names(createSearchIndex(OTHERS), 'weather', 0)).toEqual([]);
  expect(names(createSearchIndex(OTHERS), 'weather', -1)).toEqual([]);
});

test('a description of more words than a call takes arguments does not stop the search', () => {
  const index = createSearchIndex([
    ...OTHERS,
    entry('wanted', 'Issues refunds', { description: '字'.repeat(400_000) }),
  ]);
  expect(names(index, 'refunds')).toEqual(['wanted']);
});

test.each(['who am i', 'who_am_i', 'Who am I?'])('%j finds a name of nothing but stop words', (query) => {
  const index = createSearchIndex([...OTHERS, entry('who_am_i', 'Tells the name of the account')]);
  expect(names(index, query)).toEqual(['who_am_i']);
});
