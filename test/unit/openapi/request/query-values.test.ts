import { parse } from 'node:querystring';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Parameter } from '../../../../src/openapi/model/operation.ts';
import { compileRequest } from '../../../../src/openapi/request/compile-request.ts';
import { parameter, planOf, targetOf, useRecorder } from './recorder.ts';

const recorder = useRecorder();
const ARRAY = ['blue', 'black', 'brown'];
const OBJECT = { R: 100, G: 200, B: 150 };

async function queryOf(members: Partial<Parameter>, value: unknown, name = 'color'): Promise<string> {
  const plan = planOf('/x', [parameter('query', name, members)]);
  return targetOf(await recorder.send(plan, { [name]: value })).slice('/x'.length);
}

/** From the section "Style Examples" of the specification; below the line, undefined combinations. */
describe('the table of the specification', () => {
  test.each([
    ['form', false, '', '?color='],
    ['form', false, 'blue', '?color=blue'],
    ['form', false, ARRAY, '?color=blue,black,brown'],
    ['form', false, OBJECT, '?color=R,100,G,200,B,150'],
    ['form', true, '', '?color='],
    ['form', true, 'blue', '?color=blue'],
    ['form', true, ARRAY, '?color=blue&color=black&color=brown'],
    ['form', true, OBJECT, '?R=100&G=200&B=150'],
    ['spaceDelimited', false, ARRAY, '?color=blue%20black%20brown'],
    ['spaceDelimited', false, OBJECT, '?color=R%20100%20G%20200%20B%20150'],
    ['pipeDelimited', false, ARRAY, '?color=blue%7Cblack%7Cbrown'],
    ['pipeDelimited', false, OBJECT, '?color=R%7C100%7CG%7C200%7CB%7C150'],
    ['deepObject', true, OBJECT, '?color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150'],
    ['deepObject', false, OBJECT, '?color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150'],
    // ---
    ['tabDelimited', false, ARRAY, '?color=blue%09black%09brown'],
    ['spaceDelimited', true, ARRAY, '?color=blue&color=black&color=brown'],
    ['spaceDelimited', true, OBJECT, '?R=100&G=200&B=150'],
    ['spaceDelimited', false, 'blue', '?color=blue'],
    ['pipeDelimited', true, ARRAY, '?color=blue&color=black&color=brown'],
    ['pipeDelimited', true, OBJECT, '?R=100&G=200&B=150'],
    ['pipeDelimited', true, 'blue', '?color=blue'],
    ['tabDelimited', true, ARRAY, '?color=blue&color=black&color=brown'],
    ['deepObject', true, 'blue', '?color=blue'],
    ['deepObject', true, ARRAY, '?color%5B0%5D=blue&color%5B1%5D=black&color%5B2%5D=brown'],
    ['simple', false, ARRAY, '?color=blue,black,brown'],
    ['matrix', true, ARRAY, '?color=blue&color=black&color=brown'],
  ] as const)('%s, explode %s: %o is %s', async (style, explode, color, query) => {
    expect(await queryOf({ style, explode }, color)).toBe(query);
  });

  test.each(['form', 'spaceDelimited', 'pipeDelimited', 'tabDelimited', 'deepObject'] as const)(
    '%s: what has no value is left out',
    async (style) => {
      for (const explode of [false, true]) {
        for (const value of [[], {}, null, undefined, [null], { a: null }])
          expect(await queryOf({ style, explode }, value)).toBe('');
      }
    },
  );
});

describe('values', () => {
  test.each([
    [0, '?color=0'],
    [1e21, '?color=1e%2B21'],
    [0.1, '?color=0.1'],
    [true, '?color=true'],
    [false, '?color=false'],
    ['a b', '?color=a%20b'],
    ['a+b', '?color=a%2Bb'],
    ['a&b=c#d', '?color=a%26b%3Dc%23d'],
    ["it's", '?color=it%27s'],
    ['50%', '?color=50%25'],
    ['\u00E4', '?color=%C3%A4'],
    ['a,b', '?color=a%2Cb'],
    ['\uD800', '?color=%EF%BF%BD'],
  ])('%j is %s', async (value, query) => {
    expect(await queryOf({}, value)).toBe(query);
  });

  test('commas in items are distinguished from separators', async () => {
    expect(await queryOf({ explode: false }, ['a,b', 'c d', 'e|f'])).toBe('?color=a%2Cb,c%20d,e%7Cf');
  });

  test('lists in an object that is spread are repeated, and what is deeper is JSON', async () => {
    // As frameworks parse a `pageable` parameter.
    expect(await queryOf({}, { page: 0, sort: ['a,asc', 'b'], none: null })).toBe(
      '?page=0&sort=a%2Casc&sort=b',
    );
    expect(await queryOf({}, { a: { b: [1] } })).toBe('?a=%7B%22b%22%3A%5B1%5D%7D');
    expect(await queryOf({}, [{ a: 1 }, [2]])).toBe('?color=%7B%22a%22%3A1%7D&color=%5B2%5D');
  });

  test.each(['ids[]', 'filter[name]', '$filter', 'a.b', 'a b', '__proto__'])('%j is a name', async (name) => {
    const query = await queryOf({}, ['1', '2'], name);
    expect(query).not.toMatch(/[[\] $]/);
    expect([...new URLSearchParams(query)]).toEqual([
      [name, '1'],
      [name, '2'],
    ]);
  });

  test('parameters stand in their order', async () => {
    const plan = planOf('/x', [parameter('query', 'b'), parameter('query', 'a'), parameter('query', 'c')]);
    expect(targetOf(await recorder.send(plan, { a: 1, b: 2, c: undefined }))).toBe('/x?b=2&a=1');
  });

  test('one that is required and missing is named', async () => {
    const plan = planOf('/x', [{ ...parameter('query', 'q', { required: true }), argument: 'query_q' }]);
    await expect(recorder.send(plan, { q: 1 })).rejects.toThrow(
      'The argument "query_q" is missing: GET /x needs it in its query.',
    );
  });
});

describe('deep objects', () => {
  const deep = { style: 'deepObject', explode: true } as const;

  test('go as deep as they are, with lists by number', async () => {
    const value = { a: { b: 1, c: [2, { d: 3 }] }, e: 'f g', n: null, none: [] };
    expect(decodeURIComponent(await queryOf(deep, value))).toBe(
      '?color[a][b]=1&color[a][c][0]=2&color[a][c][1][d]=3&color[e]=f g',
    );
  });

  test('are refused where they never end', async () => {
    let value: unknown = 1;
    for (let depth = 0; depth < 65; depth += 1) value = { a: value };
    await expect(queryOf(deep, value)).rejects.toThrow('nested more than 64 levels deep');
  });
});

describe('reserved characters', () => {
  const allowReserved = true;

  test('stay, except for those that would change the query', async () => {
    expect(await queryOf({ allowReserved }, ':/?@!$()*,;=[]')).toBe('?color=:/?@!$()*,;=[]');
    expect(await queryOf({ allowReserved }, "&#+ '\u00E4|")).toBe('?color=%26%23%2B%20%27%C3%A4%7C');
  });

  test('and what is encoded already stays encoded', async () => {
    expect(await queryOf({ allowReserved }, '%26%')).toBe('?color=%26%25');
  });

  test('leave the commas of lists to the list', async () => {
    expect(await queryOf({ allowReserved, explode: false }, ['a/b', 'c,d', 'e&f#+'])).toBe(
      '?color=a/b,c%2Cd,e%26f%23%2B',
    );
    expect(await queryOf({ allowReserved }, ['a/b', 'c,d'])).toBe('?color=a/b&color=c,d');
  });

  test('stay in the example of the specification', async () => {
    expect(await queryOf({ allowReserved }, { a: 'x%2By', b: 'x/y', c: 'x^y' })).toBe(
      '?a=x%2By&b=x/y&c=x%5Ey',
    );
  });
});

describe('documents in the query', () => {
  test.each([
    ['application/json', { lat: 40.6, long: -73.9 }, '?color=%7B%22lat%22%3A40.6%2C%22long%22%3A-73.9%7D'],
    ['application/json', 'a', '?color=%22a%22'],
    ['application/json; charset=utf-8', [1], '?color=%5B1%5D'],
    ['application/vnd.x+json', { a: null }, '?color=%7B%22a%22%3Anull%7D'],
    ['text/plain', 'a b', '?color=a%20b'],
    ['text/plain', { a: 1 }, '?color=%7B%22a%22%3A1%7D'],
    ['application/json', null, ''],
  ])('%s: %o is %s', async (contentType, value, query) => {
    expect(await queryOf({ contentType }, value)).toBe(query);
  });
});

describe('the whole query', () => {
  const send = async (contentType: string | undefined, value: unknown): Promise<string> => {
    const plan = planOf('/x', [parameter('querystring', 'q', { contentType })]);
    return targetOf(await recorder.send(plan, { q: value })).slice('/x'.length);
  };
  const FORM = 'application/x-www-form-urlencoded';

  test.each([
    [FORM, { foo: 'a + b', bar: true }, '?foo=a+%2B+b&bar=true'],
    [undefined, { foo: [1, 2], none: null }, '?foo=1&foo=2'],
    [FORM, 'a=1&b=c d#e', '?a=1&b=c%20d%23e'],
    [FORM, '?a=1', '?a=1'],
    [FORM, {}, ''],
    [FORM, undefined, ''],
    [
      'application/json',
      { numbers: [1, 2], flag: null },
      '?%7B%22numbers%22%3A%5B1%2C2%5D%2C%22flag%22%3Anull%7D',
    ],
    ['application/jsonpath', '$.a.b[1:1]', '?%24.a.b%5B1%3A1%5D'],
  ])('%s: %o is %s', async (contentType, value, query) => {
    expect(await send(contentType, value)).toBe(query);
  });
});

const text = fc.string({ unit: 'grapheme', maxLength: 6 });

test('whatever the values are, a server that decodes the query gets them back', async () => {
  const build = compileRequest(
    planOf('/x', [
      parameter('query', 'a'),
      parameter('query', 'b'),
      parameter('query', 'c', { explode: false }),
    ]),
    'https://api.example.com',
  );
  await fc.assert(
    fc.asyncProperty(
      text,
      fc.array(text, { minLength: 2, maxLength: 4 }),
      fc.array(text, { minLength: 1 }),
      async (a, b, c) => {
        const { url } = await build({ a, b, c });
        expect(url.href).toMatch(/^https:\/\/api\.example\.com\/x\?[\w\-.~%=&,]*$/);
        const read = parse(url.search.slice(1));
        expect([read['a'], read['b']]).toEqual([a, b]);
        const [, list = ''] = /&c=(.*)$/.exec(url.search) ?? [];
        expect(list.split(',').map(decodeURIComponent)).toEqual(c);
      },
    ),
    { numRuns: 500 },
  );
});
