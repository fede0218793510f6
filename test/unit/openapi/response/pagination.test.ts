import { describe, expect, test } from 'vitest';
import type { PagingParameter } from '../../../../src/openapi/response/pagination/pagination-input.ts';
import { answer, json, read, textsOf } from './support.ts';
import { PagingParameters } from '../../../../src/openapi/response/pagination/pagination-input.ts';

const CANNOT = 'There are more results, but this tool has no argument that asks for them.';
const ITEMS = [{ id: 'a' }, { id: 'b' }];

interface Paged {
  /** Names of parameters; the argument has the same name, or the name after `=`. */
  readonly has: readonly (string | PagingParameter)[];
  readonly given?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The arguments of the next page, `cannot`, or undefined. */
function next(body: unknown, { has, given = {}, headers = {} }: Paged): unknown {
  const parameters = has.map((each) => {
    if (typeof each !== 'string') return each;
    const [name = '', argument = name] = each.split('=');
    return { argument, name };
  });
  const result = read(json(body, headers), {
    pagination: { arguments: given, parameters: new PagingParameters(parameters) },
  });
  const [, line] = textsOf(result);
  const found = result._meta?.['toolwright/next'];
  if (line === CANNOT) return 'cannot';
  expect(line).toBe(
    found === undefined
      ? undefined
      : `More results: call this tool again with ${JSON.stringify(found)} and the other arguments as before.`,
  );
  return found;
}

describe('a Link header', () => {
  const link = (query: string): Readonly<Record<string, string>> => ({
    link: `<https://api.example.com/pets?${query}>; rel="next", <https://api.example.com/pets?page=1>; rel="first"`,
  });

  test('gives the arguments that change', () => {
    const given = { page: 2, per_page: 30 };
    expect(next([1], { has: ['page', 'per_page'], given, headers: link('page=3&per_page=30') })).toEqual({
      page: 3,
    });
  });

  test('is read whatever the answer is', () => {
    const pagination = {
      arguments: {},
      parameters: new PagingParameters([{ argument: 'page', name: 'page' }]),
    };
    const headers = { 'content-type': 'text/csv', link: '</pets?page=2>; rel=next' };
    expect(textsOf(read(answer(200, headers, 'a,b'), { pagination }))).toEqual([
      'a,b',
      'More results: call this tool again with {"page":2} and the other arguments as before.',
    ]);
  });

  test('is not read without the paging parameters of the tool', () => {
    expect(textsOf(read(json([1], link('page=2'))))).toEqual(['[1]']);
  });

  test('uses the argument names of the tool', () => {
    expect(next([1], { has: ['page[after]=page_after'], headers: link('page%5Bafter%5D=x%20y') })).toEqual({
      page_after: 'x y',
    });
  });

  test.each([
    [{ page: 2 }, undefined, 3],
    [{ page: '2' }, undefined, '3'],
    [{}, undefined, 3],
    [{}, 'string', '3'],
    [{ page: '2' }, 'integer', 3],
  ])('values have the type of the argument: %j, %s', (given, type, page) => {
    const has = [{ argument: 'page', name: 'page', ...(type === undefined ? {} : { type }) }];
    expect(next([1], { has, given, headers: link('page=3') })).toEqual({ page });
  });

  test('digits that are no number stay a text', () => {
    const headers = link('cursor=007&since=12345678901234567890');
    expect(next([1], { has: ['cursor', 'since'], given: { since: 5 }, headers })).toEqual({
      cursor: '007',
      since: '12345678901234567890',
    });
  });

  test('lists that were asked for are no change, however they are written', () => {
    const paged = { has: ['tags', 'page'], given: { tags: ['a', 'b'], page: 1 } };
    expect(next([1], { ...paged, headers: link('tags=a&tags=b&page=2') })).toEqual({ page: 2 });
    expect(next([1], { ...paged, headers: link('tags=a,b&page=2') })).toEqual({ page: 2 });
    expect(next([1], { ...paged, headers: link('tags=c&page=2') })).toEqual({ tags: ['c'], page: 2 });
  });

  test('that the tool cannot request gets a note', () => {
    expect(next([1], { has: [], headers: link('page=3') })).toBe('cannot');
    expect(next([1], { has: ['limit'], headers: link('cursor=x&limit=10') })).toBe('cannot');
    expect(next([1], { has: ['sort'], headers: link('cursor=x&sort=asc') })).toBe('cannot');
    expect(next([1], { has: ['page'], headers: { link: '</pets/page/2>; rel=next' } })).toBe('cannot');
    expect(next([1], { has: ['page'], headers: { link: '<http://[>; rel=next' } })).toBe('cannot');
  });

  test('is read without a list, and for a tool without any argument', () => {
    expect(next({ id: 1 }, { has: [], headers: link('page=3') })).toBe('cannot');
  });

  test('shows nothing that the tool has no argument for', () => {
    expect(next([1], { has: ['page'], headers: link('page=2&access_token=s3cret') })).toEqual({ page: 2 });
  });

  test('of the last page gives nothing, whatever is counted', () => {
    const headers = { link: '</pets?page=1>; rel="prev"' };
    expect(
      next({ total: 100, items: ITEMS }, { has: ['page'], given: { page: 2 }, headers }),
    ).toBeUndefined();
  });

  test('may name arguments that every object has', () => {
    const found = next([1], { has: ['page=__proto__'], headers: link('page=2') });
    expect(Object.entries(found as object)).toEqual([['__proto__', 2]]);
  });
});

describe('a cursor in the answer', () => {
  test.each([
    [{ next_cursor: 'abc' }, ['cursor'], { cursor: 'abc' }],
    [{ nextCursor: 'abc' }, ['limit', 'cursor'], { cursor: 'abc' }],
    [{ next_page_token: 'abc' }, ['page_token'], { page_token: 'abc' }],
    [{ nextPageToken: 'abc' }, ['pageToken'], { pageToken: 'abc' }],
    [{ cursor: 'abc' }, ['cursor'], { cursor: 'abc' }],
    [{ next: 'abc' }, ['cursor'], { cursor: 'abc' }],
    [{ next: 3 }, ['page'], { page: 3 }],
    [{ next: '3' }, ['page'], { page: 3 }],
    [{ next_page: 3 }, ['page'], { page: 3 }],
    [{ meta: { next_page: 3 } }, ['page'], { page: 3 }],
    [{ pagination: { next_cursor: 'abc' } }, ['cursor'], { cursor: 'abc' }],
    [{ response_metadata: { next_cursor: 'abc=' } }, ['cursor'], { cursor: 'abc=' }],
    [{ next_cursor: 'abc', has_more: true }, ['start_cursor'], { start_cursor: 'abc' }],
    [{ next_marker: 'abc' }, ['cursor', 'marker'], { marker: 'abc' }],
    [{ next_offset: 40 }, ['offset'], { offset: 40 }],
    [{ metadata: { continue: 'abc' } }, ['continue'], { continue: 'abc' }],
    [{ pageInfo: { hasNextPage: true, endCursor: 'abc' } }, ['after'], { after: 'abc' }],
    [{ paging: { cursors: { after: 'abc' } } }, ['after'], { after: 'abc' }],
    [{ next_cursor: 1234567890123456 }, ['cursor'], { cursor: '1234567890123456' }],
  ])('%j for %j', (body, has, expected) => {
    expect(next({ ...body, items: ITEMS }, { has })).toEqual(expected);
  });

  test('that no number holds is not rounded', () => {
    expect(next('{"next_cursor":12345678901234567890,"items":[1]}', { has: ['cursor'] })).toEqual({
      cursor: '12345678901234567890',
    });
  });

  test.each([null, '', false, 0, '0', ' '])('that is %j says that this is the last page', (none) => {
    for (const key of ['next_cursor', 'nextPageToken', 'next', 'cursor', 'next_page'])
      expect(next({ [key]: none, items: ITEMS }, { has: ['cursor', 'page', 'page_token'] })).toBeUndefined();
    expect(next({ next: none, count: 99, items: ITEMS }, { has: ['page'] })).toBeUndefined();
  });

  test('says nothing when the answer says that there is no more', () => {
    expect(next({ has_more: false, next_cursor: 'x', items: ITEMS }, { has: ['cursor'] })).toBeUndefined();
    expect(
      next({ pageInfo: { hasNextPage: false, endCursor: 'x' }, items: ITEMS }, { has: ['after'] }),
    ).toBeUndefined();
  });

  test('that is the one of this call leads nowhere', () => {
    expect(
      next({ cursor: 'abc', items: ITEMS }, { has: ['cursor'], given: { cursor: 'abc' } }),
    ).toBeUndefined();
    expect(next({ next: 3, items: ITEMS }, { has: ['page'], given: { page: 3 } })).toBeUndefined();
  });

  test('that the tool cannot use gets a note, if it is certain', () => {
    expect(next({ next_cursor: 'abc', items: ITEMS }, { has: ['q'] })).toBe('cannot');
    expect(next({ next_cursor: 'x'.repeat(5000), items: ITEMS }, { has: ['cursor'] })).toBe('cannot');
  });
});

describe('a link in the answer', () => {
  const url = 'https://elsewhere.example/pets?page=3&limit=10';
  test.each([
    [{ next: url }],
    [{ next: '/pets?page=3' }],
    [{ next: '?page=3' }],
    [{ links: { next: url } }],
    [
      {
        links: [
          { rel: 'self', href: '?page=2' },
          { rel: 'next', href: url },
        ],
      },
    ],
    [{ _links: { next: { href: url } } }],
    [{ paging: { next: url } }],
    [{ '@odata.nextLink': url }],
    [{ next_url: url }],
    [{ next_page_url: url }],
    [{ meta: { pagination: { links: { next: url } } } }],
    [{ nextLink: url }],
  ])('%j gives arguments', (body) => {
    const given = { page: 2, limit: 10 };
    expect(next({ ...body, items: ITEMS }, { has: ['page', 'limit'], given })).toEqual({ page: 3 });
  });

  test('with names of its own for parameters', () => {
    const body = { '@odata.nextLink': 'https://x.example/a?$skip=20&$top=10', value: ITEMS };
    expect(next(body, { has: ['$skip=skip', '$top=top'], given: { top: 10 } })).toEqual({ skip: 20 });
  });

  test('that is null says that this is the last page', () => {
    for (const body of [
      { links: { next: null } },
      { _links: { next: { href: null } } },
      { paging: { next: '' } },
    ])
      expect(next({ ...body, total: 50, items: ITEMS }, { has: ['page'] })).toBeUndefined();
  });

  test('that the tool cannot request gets a note', () => {
    expect(next({ links: { next: url }, items: ITEMS }, { has: [] })).toBe('cannot');
    expect(next({ next: url, results: ITEMS }, { has: [] })).toBe('cannot');
    expect(next({ data: { results: ITEMS, next: url } }, { has: [] })).toBe('cannot');
    expect(next({ '@odata.nextLink': url }, { has: ['limit'] })).toBe('cannot');
  });

  test('of a single object leads to another object, not to more of them, where nothing can ask for more', () => {
    expect(next({ id: 1, links: { next: url } }, { has: [] })).toBeUndefined();
    expect(next({ id: 1, links: { next: url } }, { has: ['q'] })).toBe('cannot');
  });

  test('with an alternative gets no note', () => {
    const body = { next: 'https://x.example/?cursor=abc', total: 50, items: ITEMS };
    expect(next(body, { has: ['offset'] })).toEqual({ offset: 2 });
  });
});

describe('plain data', () => {
  test.each([
    [{ id: 1, next: 2 }, []],
    [{ id: 1, next: 2 }, ['limit', 'q']],
    [{ id: 1, next: 'two' }, ['q']],
    [{ id: 1, next: 'https://example.com/chapter/2' }, ['q']],
    [{ id: 1, cursor: 'pointer' }, ['q']],
    [{ after: 'x', items: [1] }, ['after']],
    [{ total: 12.5, items: [1] }, ['page']],
    [{ total: 100, items: [1] }, ['q']],
    [{ total: 100, items: [1] }, ['start', 'end']],
    [{ total: 100 }, ['page']],
    [{ next: { id: 5 } }, ['page', 'cursor']],
    [{ next: [5] }, ['page', 'cursor']],
    [{ next: true }, ['page', 'cursor']],
    [{ has_more: true }, ['page']],
    [[], ['page']],
    ['"next"', ['page']],
    [null, ['page']],
    [{ links: [1, null, { rel: 7 }], meta: 'x', paging: null }, ['page']],
  ])('%j has no next page for %j', (body, has) => {
    expect(next(body, { has })).toBeUndefined();
  });

  test('behind a token that proves who asks, no cursor goes', () => {
    expect(next({ next_cursor: 'abc', items: ITEMS }, { has: ['token'] })).toBe('cannot');
  });

  test('that is large is looked through in little time', () => {
    const data = Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`next_${index}`, index]));
    expect(next({ data, items: ITEMS }, { has: ['page'] })).toBeUndefined();
  });
});

describe('an answer that says that there is more', () => {
  test('is gone on with after its last element', () => {
    expect(next({ has_more: true, data: ITEMS }, { has: ['limit', 'starting_after'] })).toEqual({
      starting_after: 'b',
    });
    expect(next({ has_more: true, last_id: 'z', data: ITEMS }, { has: ['after_id'] })).toEqual({
      after_id: 'z',
    });
    expect(next({ has_more: true, data: [{ id: 5 }] }, { has: ['after'], given: { after: 4 } })).toEqual({
      after: 5,
    });
  });

  test('but not for those who read backwards', () => {
    const has = ['starting_after', 'ending_before'];
    expect(next({ has_more: true, data: ITEMS }, { has, given: { ending_before: 'x' } })).toBe('cannot');
  });

  test('is gone on with by counting', () => {
    expect(next({ hasMore: true, items: ITEMS }, { has: ['page'] })).toEqual({ page: 2 });
    expect(next({ hasMore: true, items: ITEMS }, { has: ['offset'], given: { offset: 4 } })).toEqual({
      offset: 6,
    });
  });

  test('that cannot be requested gets a note', () => {
    expect(next({ has_more: true, data: [{ name: 'x' }] }, { has: ['starting_after'] })).toBe('cannot');
    expect(next({ has_more: true, data: ITEMS }, { has: [] })).toBe('cannot');
  });

  test('is believed when it says no', () => {
    expect(
      next({ has_more: false, total: 50, data: ITEMS }, { has: ['starting_after', 'page'] }),
    ).toBeUndefined();
  });
});

describe('counting', () => {
  test.each([
    [{ total: 5 }, ['offset', 'limit'], {}, { offset: 2 }],
    [{ total: 5 }, ['offset', 'limit'], { offset: 2, limit: 2 }, { offset: 4 }],
    [{ total: 5 }, ['offset', 'limit'], { offset: '2' }, { offset: '4' }],
    [{ total: 5 }, ['offset', 'limit'], { offset: 3 }, undefined],
    [{ total_count: 5 }, ['offset'], {}, { offset: 2 }],
    [{ count: 5 }, ['offset'], {}, { offset: 2 }],
    [{ count: 2 }, ['offset'], { offset: 4 }, undefined],
    [{ meta: { total: 5 } }, ['skip'], {}, { skip: 2 }],
    [{ total: 5, startAt: 2 }, ['startAt'], {}, { startAt: 4 }],
    [{ total: 5 }, ['start', 'rows'], {}, { start: 2 }],
    [{ total: 5 }, ['page', 'per_page'], {}, { page: 2 }],
    [{ total: 5 }, ['page', 'per_page'], { page: 2, per_page: 2 }, { page: 3 }],
    [{ total: 6 }, ['page', 'per_page'], { page: 3, per_page: 2 }, undefined],
    [{ total: 5, per_page: 2 }, ['page'], { page: 2 }, { page: 3 }],
    [{ total: 50 }, ['page'], { page: 2 }, undefined],
    [{ total: 5, page: 2, page_size: 2 }, ['page'], {}, { page: 3 }],
    [{ page: 1, total_pages: 3 }, ['page'], {}, { page: 2 }],
    [{ page: 3, total_pages: 3 }, ['page'], { page: 3 }, undefined],
    [{ total: 5, limit: 2 }, ['page'], { page: 0 }, { page: 1 }],
    [{ total: 6, limit: 2, page: 0 }, ['page'], { page: 0 }, { page: 1 }],
    [{ totalElements: 5, totalPages: 3, number: 1, size: 2 }, ['page'], { page: 1 }, { page: 2 }],
    [{ totalElements: 5, totalPages: 3, number: 2, size: 2 }, ['page'], { page: 2 }, undefined],
    [{ total: 5 }, ['page', 'offset'], { offset: 2 }, { offset: 4 }],
    [{ total: 5 }, ['page', 'offset'], { page: 'cover' }, { offset: 2 }],
  ])('%j with %j of %j', (body, has, given, expected) => {
    expect(next({ ...body, items: ITEMS }, { has, given })).toEqual(expected);
  });

  test('believes headers', () => {
    const has = ['page', 'per_page'];
    expect(next(ITEMS, { has, headers: { 'x-total-count': '5' } })).toEqual({ page: 2 });
    expect(next(ITEMS, { has, headers: { 'x-total-count': '2' } })).toBeUndefined();
    expect(next(ITEMS, { has: ['offset'], headers: { 'content-range': 'items 0-1/5' } })).toEqual({
      offset: 2,
    });
    expect(next(ITEMS, { has, headers: { 'x-next-page': '4' } })).toEqual({ page: 4 });
    expect(next(ITEMS, { has, headers: { 'x-next-page': '', 'x-total-pages': '9' } })).toBeUndefined();
  });

  test('ends with an empty page', () => {
    expect(next({ total: 5, items: [] }, { has: ['page', 'offset'] })).toBeUndefined();
  });
});

test('a selection keeps the next page', () => {
  const pagination = {
    arguments: {},
    parameters: new PagingParameters([{ argument: 'cursor', name: 'cursor' }]),
  };
  const result = read(json({ next_cursor: 'abc', items: ITEMS }), { select: '/items/*/id', pagination });
  expect(textsOf(result)).toEqual([
    '["a","b"]',
    'More results: call this tool again with {"cursor":"abc"} and the other arguments as before.',
  ]);
});
