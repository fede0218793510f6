import { describe, expect, test } from 'vitest';
import { PageBook } from '../../../src/wire/services/pages.ts';
import type { ListItem } from '../../../src/wire/services/pages.ts';

const items = (...keys: string[]): ListItem[] => keys.map((key) => ({ key, json: `{"name":"${key}"}` }));
const layout = { member: 'tools', head: '', tail: '', maxBytes: 1_000_000, maxItems: 2 };

interface Page {
  readonly tools: readonly { readonly name: string }[];
  readonly nextCursor?: string;
}

const read = (book: PageBook, cursor?: string): Page => JSON.parse(book.find(cursor)?.json ?? 'null') as Page;
const names = ({ tools }: Page): string[] => tools.map(({ name }) => name);

function collect(book: PageBook): string[][] {
  const pages: string[][] = [];
  let cursor: string | undefined;
  for (let turn = 0; turn < 20; turn += 1) {
    const page = read(book, cursor);
    pages.push(names(page));
    if (page.nextCursor === undefined) return pages;
    cursor = page.nextCursor;
  }
  throw new Error('the list has no end');
}

describe('a list in pages', () => {
  test('follows its order from cursor to cursor, and the last page has none', () => {
    expect(collect(new PageBook(items('a', 'b', 'c', 'd', 'e'), layout))).toEqual([
      ['a', 'b'],
      ['c', 'd'],
      ['e'],
    ]);
  });

  test('that is empty is one empty page', () => {
    expect(new PageBook([], layout).find(undefined)?.json).toBe('{"tools":[]}');
  });

  test('has what stands around the entries on every page', () => {
    const book = new PageBook(items('a', 'b', 'c'), {
      ...layout,
      head: '"resultType":"complete"',
      tail: '"ttlMs":5',
    });
    const first = book.find(undefined)?.json ?? '';
    expect(
      first.startsWith('{"resultType":"complete","tools":[{"name":"a"},{"name":"b"}],"nextCursor":"'),
    ).toBe(true);
    expect(first.endsWith('","ttlMs":5}')).toBe(true);
    expect(book.find(read(book).nextCursor)?.json).toBe(
      '{"resultType":"complete","tools":[{"name":"c"}],"ttlMs":5}',
    );
  });

  test('is bounded by bytes, not by characters', () => {
    const wide = ['ä', 'ö', 'ü'].map((key) => ({ key, json: JSON.stringify(key.repeat(10)) }));
    // Twelve characters each, but 22 bytes and a comma.
    const book = new PageBook(wide, { ...layout, maxItems: 10, maxBytes: 46 });
    expect(collectCounts(book)).toEqual([2, 1]);
  });

  test('shows an entry that alone is larger than a page by itself', () => {
    const book = new PageBook(items('a', 'b'), { ...layout, maxBytes: 1 });
    expect(collect(book)).toEqual([['a'], ['b']]);
  });

  test('goes on behind the same entry after the list has changed', () => {
    const { nextCursor } = read(new PageBook(items('a', 'b', 'c', 'd'), layout));
    const grown = new PageBook(items('new', 'a', 'b', 'c', 'd'), layout);
    expect(names(read(grown, nextCursor))).toEqual(['c', 'd']);
  });

  test('goes on at the same place when the entry is gone', () => {
    const { nextCursor } = read(new PageBook(items('a', 'b', 'c', 'd'), layout));
    const shrunk = new PageBook(items('a', 'c', 'd'), layout);
    expect(names(read(shrunk, nextCursor))).toEqual(['c', 'd']);
    expect(new PageBook([], layout).find(nextCursor)?.json).toBe('{"tools":[]}');
  });

  test('knows no cursor of another list', () => {
    const { nextCursor } = read(new PageBook(items('a', 'b', 'c'), layout));
    expect(
      new PageBook(items('a', 'b', 'c'), { ...layout, member: 'prompts' }).find(nextCursor),
    ).toBeUndefined();
  });

  test.each(['x', '!', 'bm9uc2Vuc2U', 'WyJhIiwxXQ', 'Wy0xLCJhIl0', 'WzEuNSwiYSJd'])(
    'knows no cursor %s',
    (cursor) => {
      expect(new PageBook(items('a', 'b', 'c'), layout).find(cursor)).toBeUndefined();
    },
  );
});

function collectCounts(book: PageBook): number[] {
  const counts: number[] = [];
  let cursor: string | undefined;
  do {
    const page = read(book, cursor);
    counts.push(page.tools.length);
    cursor = page.nextCursor;
  } while (cursor !== undefined && counts.length < 20);
  return counts;
}
