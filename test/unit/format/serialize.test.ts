import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { serialize as serializeWithin } from '../../../src/format/serialize.ts';
import type { Serialized } from '../../../src/format/serialize.ts';

const serialize = (value: unknown, spaces?: number): Serialized =>
  serializeWithin(value, { maxBytes: 4_194_304, spaces });

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

  test('every JSON value survives a round trip', () => {
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
    expect(serialize(value)).toEqual({ ok: false, reason, isTooLarge: false });
  });
});

describe('depth', () => {
  test('512 levels are sent, more are not', () => {
    expect(serialize(nested(512)).ok).toBe(true);
    const tooDeep = { ok: false, reason: 'it is nested deeper than 512 levels', isTooLarge: false };
    expect(serialize(nested(513))).toEqual(tooDeep);
    expect(serialize(nested(513), 2)).toEqual(tooDeep);
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

const BYTES =
  'it contains bytes (a typed array or a buffer), which have no JSON form; convert them to a base64 string, such as the data of an image, or leave them out';

describe('bytes', () => {
  test.each<[string, unknown]>([
    ['a typed array', new Uint8Array(20_000_000)],
    ['a Buffer, which has a toJSON', Buffer.alloc(20_000_000)],
    ['numbers of another size', { points: [new Float64Array(3)] }],
    ['a view', new DataView(new ArrayBuffer(3))],
    ['what they look at', { data: new ArrayBuffer(3) }],
    ['what a toJSON gives', { toJSON: () => new Uint8Array(3) }],
  ])('are not written: %s', (_, value) => {
    expect(serialize(value)).toEqual({ ok: false, reason: BYTES, isTooLarge: false });
  });
});

/** Contains itself twice at every level. The reads of its members are counted. */
function shared(levels: number): { readonly value: unknown; readonly reads: () => number } {
  let reads = 0;
  let value: unknown = 'x';
  for (let level = 0; level < levels; level += 1) {
    const inner = value;
    const read = (): unknown => ((reads += 1), inner);
    value = Object.defineProperties(
      {},
      { a: { enumerable: true, get: read }, b: { enumerable: true, get: read } },
    );
  }
  return { value, reads: () => reads };
}

describe('size', () => {
  const tooLarge = { ok: false, reason: 'it is too large', isTooLarge: true };

  test('a value with shared parts is stopped during serialization', () => {
    const { value, reads } = shared(40);
    expect(serializeWithin(value, { maxBytes: 10_000 })).toEqual(tooLarge);
    expect(reads()).toBeLessThan(3000);
  });

  test('a cyclic value is distinguished from a large one', () => {
    const cyclic: Record<string, unknown> = { list: Array.from({ length: 100 }, () => 1) };
    cyclic['self'] = cyclic;
    expect(serializeWithin(cyclic, { maxBytes: 1000 })).toEqual({
      ok: false,
      reason: 'it contains itself (a cycle)',
      isTooLarge: false,
    });
  });

  test('the holes of a list are not looked at', () => {
    let reads = 0;
    // oxlint-disable-next-line no-new-array -- with holes
    const sparse = new Proxy(new Array(4_000_000_000), {
      get: (list, key, receiver) => ((reads += 1), Reflect.get(list, key, receiver) as unknown),
    });
    expect(serialize(sparse)).toEqual(tooLarge);
    expect(reads).toBeLessThan(10);
  });

  test('members that are not written are counted', () => {
    const row = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`k${index}`, undefined]));
    expect(serializeWithin(Array(1000).fill(row), { maxBytes: 10_000 })).toEqual(tooLarge);
  });

  test('blanks are counted', () => {
    expect(serializeWithin([nested(400), [1, 2, 3]], { maxBytes: 10_000 }).ok).toBe(true);
    expect(serializeWithin([nested(400), [1, 2, 3]], { maxBytes: 10_000, spaces: 2 })).toEqual(tooLarge);
  });

  test('text in an object of its own is counted as text', () => {
    expect(serializeWithin(Object('x'.repeat(1000)), { maxBytes: 1001 })).toEqual(tooLarge);
    expect(serializeWithin(Object('x'.repeat(1000)), { maxBytes: 1002 }).ok).toBe(true);
  });

  test('nothing is given up that would have fitted', () => {
    fc.assert(
      fc.property(fc.anything(), fc.constantFrom(0, 2), (value, spaces) => {
        const written = serialize(value, spaces);
        if (!written.ok) return;
        const { length: maxBytes } = new TextEncoder().encode(written.json);
        expect(serializeWithin(value, { maxBytes, spaces })).toEqual(written);
      }),
    );
  });
});
