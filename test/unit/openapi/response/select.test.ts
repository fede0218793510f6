import { describe, expect, test } from 'vitest';
import { answer, json, read, textsOf } from './support.ts';

const BODY = {
  total: 2,
  'a/b': { 'c~d': 5 },
  items: [
    { id: 1, name: 'Rex', owner: { name: 'Ann', mail: 'a@b' } },
    { id: 2, owner: { name: 'Bob' } },
    { id: 3, name: null },
  ],
};

function shown(select: string | readonly string[]): unknown {
  const [text = '', ...others] = textsOf(read(json(BODY), { select }));
  expect(others).toEqual([]);
  return JSON.parse(text);
}

describe('one pointer', () => {
  test.each([
    ['/total', 2],
    ['/items/1/owner', { name: 'Bob' }],
    ['/a~1b/c~0d', 5],
    ['/items/*/id', [1, 2, 3]],
    ['/items/*/name', ['Rex', null]],
    ['/items/*/owner/name', ['Ann', 'Bob']],
    ['items/*/id', [1, 2, 3]],
  ])('%s gives the part', (select, expected) => {
    expect(shown(select)).toEqual(expected);
  });

  test.each(['', []])('%j is no selection', (select) => {
    expect(shown(select)).toEqual(BODY);
  });

  test('of an empty list gives an empty list', () => {
    expect(textsOf(read(json({ items: [] }), { select: '/items/*/id' }))).toEqual(['[]']);
  });

  test.each(['/data', '/items/7', '/items/length', '/constructor', '/__proto__/toString', '/items/*/nope'])(
    '%s that leads nowhere costs nothing: all is shown, and said so',
    (select) => {
      expect(textsOf(read(json(BODY), { select }))).toEqual([
        JSON.stringify(BODY),
        `The response has no ${select}, so all of it is shown. It has: total, a/b, items.`,
      ]);
    },
  );

  test('says what there is instead', () => {
    expect(textsOf(read(json([1, 2]), { select: '/a' }))[1]).toBe(
      'The response has no /a, so all of it is shown. It is an array of 2.',
    );
    expect(textsOf(read(json(7), { select: ['/a', '/b'] }))[1]).toBe(
      'The response has no /a, /b, so all of it is shown. It is a single value.',
    );
  });

  test('is for JSON under any name', () => {
    const given = answer(200, { 'content-type': 'text/plain' }, '{ "a": [1] }');
    expect(textsOf(read(given, { select: '/a' }))).toEqual(['[1]']);
    expect(textsOf(read(answer(200, { 'content-type': 'text/plain' }, 'hi'), { select: '/a' }))).toEqual([
      'hi',
    ]);
  });
});

describe('several pointers', () => {
  test('give what they name in the structure of the whole', () => {
    expect(shown(['/items/*/id', '/total', '/items/*/owner/name'])).toEqual({
      total: 2,
      items: [{ id: 1, owner: { name: 'Ann' } }, { id: 2, owner: { name: 'Bob' } }, { id: 3 }],
    });
  });

  test('keep the place of elements that have nothing of it', () => {
    expect(shown(['/items/*/owner/mail'])).toEqual({ items: [{ owner: { mail: 'a@b' } }, {}, {}] });
    expect(textsOf(read(json([{ a: 1 }, 5, [6]]), { select: ['/*/a'] }))).toEqual(['[{"a":1},null,[]]']);
  });

  test('may name elements', () => {
    expect(shown(['/items/2/id', '/items/0/name'])).toEqual({ items: [{ name: 'Rex' }, { id: 3 }] });
  });

  test('do not mind what is not there, as long as something is', () => {
    expect(shown(['/total', '/nope', '/items/*/nope'])).toEqual({ total: 2 });
  });

  test('may overlap', () => {
    expect(shown(['/items/0/owner/name', '/items/0/owner'])).toEqual({
      items: [{ owner: { name: 'Ann', mail: 'a@b' } }],
    });
  });
});
