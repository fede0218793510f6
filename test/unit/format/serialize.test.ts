import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { serialize } from '../../../src/format/serialize.ts';

const throwing = (): never => {
  throw new Error('secret inside');
};

function nested(depth: number): unknown {
  let value: unknown = [];
  for (let level = 1; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

describe('values that have a JSON form', () => {
  test.each([
    [
      'members that are undefined, functions or symbols are left out',
      { a: undefined, b: throwing, c: Symbol('x'), d: 1 },
      '{"d":1}',
    ],
    ['in a list they become null', [undefined, throwing], '[null,null]'],
    ['numbers that JSON does not know become null', [NaN, Infinity, -0], '[null,null,0]'],
    ['dates become text', new Date(0), '"1970-01-01T00:00:00.000Z"'],
    ['lone halves of characters are escaped', '\ud800', '"\\ud800"'],
  ])('%s', (_, value, json) => {
    expect(serialize(value)).toEqual({ ok: true, json });
  });

  test('anything JSON can hold comes back the same', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const serialized = serialize(value);
        expect(serialized).toEqual({ ok: true, json: JSON.stringify(value) });
      }),
    );
  });
});

describe('values that have none', () => {
  const cyclic: Record<string, unknown> = {};
  cyclic['a'] = { b: cyclic };
  const hostile = new Proxy({}, { get: throwing, getPrototypeOf: throwing });
  test.each([
    ['undefined', undefined, 'undefined has no JSON form'],
    ['a function', throwing, 'a function has no JSON form'],
    ['a symbol', Symbol('x'), 'a symbol has no JSON form'],
    ['toJSON that gives nothing', { toJSON: () => undefined }, 'it has no JSON form'],
    ['a BigInt', { a: [1n] }, 'it contains a BigInt; convert it to a string or a number'],
    ['a cycle', cyclic, 'it contains itself (a cycle)'],
    [
      'a getter that throws',
      Object.defineProperty({}, 'a', { enumerable: true, get: throwing }),
      'one of its members throws when it is read',
    ],
    ['toJSON that throws', { a: { toJSON: throwing } }, 'one of its members throws when it is read'],
    ['a proxy that throws', { a: hostile }, 'one of its members throws when it is read'],
    [
      'a throw of something that throws itself',
      {
        toJSON: () => {
          throw hostile as unknown as Error;
        },
      },
      'one of its members throws when it is read',
    ],
    ['a depth that no stack holds', nested(100_000), 'it is nested deeper than 512 levels'],
  ])('%s is told, without the words of foreign code', (_, value, reason) => {
    expect(serialize(value)).toEqual({ ok: false, reason });
  });
});

describe('depth', () => {
  test('512 levels are sent, more are not', () => {
    expect(serialize(nested(512)).ok).toBe(true);
    expect(serialize(nested(513))).toEqual({ ok: false, reason: 'it is nested deeper than 512 levels' });
    expect(serialize(nested(513), 2)).toEqual({ ok: false, reason: 'it is nested deeper than 512 levels' });
    expect(serialize(nested(512), 2).ok).toBe(true);
  });

  test('many levels side by side are not deep', () => {
    expect(serialize(Array.from({ length: 2000 }, () => [[{}]])).ok).toBe(true);
  });

  test.each([
    ['brackets', '[{'.repeat(2000)],
    ['brackets behind an escaped quote', `"${'['.repeat(2000)}`],
    ['brackets behind escaped backslashes', `\\\\"${'{'.repeat(2000)}\\`],
  ])('%s in a string do not count', (_, text) => {
    expect(serialize({ [text]: text }).ok).toBe(true);
    expect(serialize([text, nested(511)]).ok).toBe(true);
    expect(serialize([text, nested(512)]).ok).toBe(false);
  });
});
