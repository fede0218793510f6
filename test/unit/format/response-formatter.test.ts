import { decode } from '@toon-format/toon';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ResponseFormatter, UnserializableError } from '../../../src/format/response-formatter.ts';

const VALUE = { id: 1, tags: ['a'] };
const MINIFIED = '{"id":1,"tags":["a"]}';
const PRETTY = '{\n  "id": 1,\n  "tags": [\n    "a"\n  ]\n}';

describe('JSON', () => {
  test('is minified by default', () => {
    expect(new ResponseFormatter().format(VALUE)).toBe(MINIFIED);
  });

  test('is pretty on request, of the formatter or of the call', () => {
    expect(new ResponseFormatter({ minify: false }).format(VALUE)).toBe(PRETTY);
    expect(new ResponseFormatter().format(VALUE, { minify: false })).toBe(PRETTY);
    expect(new ResponseFormatter({ minify: false }).format(VALUE, { minify: true })).toBe(MINIFIED);
    expect(new ResponseFormatter({ minify: false, prettySpaces: 1 }).format([1])).toBe('[\n 1\n]');
  });

  test('an option that is undefined counts as not given', () => {
    const options = { format: undefined, minify: undefined, prettySpaces: undefined } as object;
    expect(new ResponseFormatter(options).format([{ a: 1 }])).toBe('[{"a":1}]');
  });

  test.each(['json', 'toon', 'markdown'] as const)('a string stays as it is in %s', (format) => {
    expect(new ResponseFormatter({ format }).format('a "b"\n| c')).toBe('a "b"\n| c');
  });

  test('null, numbers and booleans are written', () => {
    const formatter = new ResponseFormatter();
    expect([null, 1.5, true].map((value) => formatter.format(value))).toEqual(['null', '1.5', 'true']);
  });

  test.each([
    ['undefined', undefined, 'undefined has no JSON form'],
    ['a BigInt', { a: 1n }, 'it contains a BigInt; convert it to a string or a number'],
  ])('%s has no text in any format, and the error says why', (_, value, reason) => {
    for (const format of ['json', 'toon', 'markdown'] as const) {
      const run = (): string => new ResponseFormatter({ format }).format(value);
      expect(run).toThrow(UnserializableError);
      expect(run).toThrow(reason);
    }
  });
});

describe('TOON', () => {
  const formatter = new ResponseFormatter({ format: 'toon' });

  test('writes lists of like objects as a table', () => {
    expect(
      formatter.format([
        { id: 1, name: 'a' },
        { id: 2, name: 'b, c' },
      ]),
    ).toBe('[2]{id,name}:\n  1,a\n  2,"b, c"');
  });

  test('dates and getters look as they do in JSON', () => {
    expect(formatter.format({ at: new Date(0) })).toBe('at: "1970-01-01T00:00:00.000Z"');
  });

  test('decoding gives the same data back', () => {
    const key = fc.string({ unit: 'grapheme' }).filter((name) => name !== '__proto__');
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.oneof(
          fc.string({ unit: 'grapheme' }),
          fc.integer(),
          fc.boolean(),
          fc.constant(null),
          fc.double({ noNaN: true, noDefaultInfinity: true }),
        ),
        fc.dictionary(key, tie('value'), { maxKeys: 4 }),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.array(fc.record({ a: fc.string(), b: fc.integer() }), { maxLength: 4 }),
      ),
    }));
    fc.assert(
      fc.property(
        value.filter((data) => typeof data !== 'string'),
        (data) => {
          const plain: unknown = JSON.parse(JSON.stringify(data));
          expect(decode(formatter.format(data))).toEqual(plain);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('Markdown', () => {
  const formatter = new ResponseFormatter({ format: 'markdown' });

  test('a list of like, flat objects is a table', () => {
    expect(
      formatter.format([
        { id: 1, done: true, by: null },
        { by: 'Ada', id: 2, done: false },
      ]),
    ).toBe('| id | done | by |\n| --- | --- | --- |\n| 1 | true |  |\n| 2 | false | Ada |');
  });

  test('cells and headings cannot break the table', () => {
    expect(formatter.format([{ 'a|b': 'x | y', 'c\nd': 'one\r\ntwo\nthree\rfour \\| five' }])).toBe(
      '| a\\|b | c<br>d |\n| --- | --- |\n| x \\| y | one<br>two<br>three<br>four \\\\\\| five |',
    );
  });

  test.each([
    ['an empty list', [], '[]'],
    ['a list of empty objects', [{}], '[{}]'],
    ['an object', { a: 1 }, '{"a":1}'],
    ['a list of scalars', [1, 2], '[1,2]'],
    ['a list of lists', [[1]], '[[1]]'],
    ['nested objects', [{ a: { b: 1 } }], '[{"a":{"b":1}}]'],
    ['objects with other keys', [{ a: 1 }, { b: 1 }], '[{"a":1},{"b":1}]'],
    ['objects with more keys', [{ a: 1 }, { a: 1, b: 1 }], '[{"a":1},{"a":1,"b":1}]'],
    ['a list with a null', [{ a: 1 }, null], '[{"a":1},null]'],
  ])('%s is written as JSON, because a table would lose something', (_, value, expected) => {
    expect(formatter.format(value)).toBe(expected);
  });

  test('that JSON honours the choice of the call', () => {
    expect(formatter.format({ a: 1 }, { minify: false })).toBe('{\n  "a": 1\n}');
    expect(formatter.runWithMinifyOverride(false, () => formatter.format({ a: 1 }))).toBe('{\n  "a": 1\n}');
  });

  test('dates are cells', () => {
    expect(formatter.format([{ at: new Date(0) }])).toContain('| 1970-01-01T00:00:00.000Z |');
  });
});

describe('the choice of one call', () => {
  const formatter = new ResponseFormatter();
  const pretty = '[\n  1\n]';

  test('holds within it, and the inner one wins', () => {
    const seen: string[] = [];
    formatter.runWithMinifyOverride(false, () => {
      seen.push(formatter.format([1]));
      formatter.runWithMinifyOverride(true, () => seen.push(formatter.format([1])));
      formatter.runWithMinifyOverride(undefined, () => seen.push(formatter.format([1])));
      seen.push(formatter.format([1]));
    });
    seen.push(formatter.format([1]));
    expect(seen).toEqual([pretty, '[1]', pretty, pretty, '[1]']);
  });

  test('a local option overrides it', () => {
    const text = formatter.runWithMinifyOverride(false, () => formatter.format([1], { minify: true }));
    expect(text).toBe('[1]');
  });

  test('calls at the same time do not see each other, and it survives awaiting', async () => {
    const gate = deferred();
    const call = async (minify: boolean): Promise<string> =>
      formatter.runWithMinifyOverride(minify, async () => {
        await gate.promise;
        return formatter.format([1]);
      });
    const calls = [call(false), call(true), call(false)];
    gate.resolve(undefined);
    expect(await Promise.all(calls)).toEqual([pretty, '[1]', pretty]);
  });

  test('two formatters share nothing', () => {
    const other = new ResponseFormatter();
    expect(formatter.runWithMinifyOverride(false, () => other.format([1]))).toBe('[1]');
  });

  test('the result or the error of the function is passed on', () => {
    expect(formatter.runWithMinifyOverride(true, () => 7)).toBe(7);
    expect(() =>
      formatter.runWithMinifyOverride(true, () => {
        throw new Error('x');
      }),
    ).toThrow('x');
  });
});

function deferred(): { promise: Promise<undefined>; resolve: (value: undefined) => void } {
  let resolve: (value: undefined) => void = () => {};
  const promise = new Promise<undefined>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
