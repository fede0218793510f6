import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { compileInput, run, validate } from './compile.ts';

const LIBRARIES: Readonly<Record<string, unknown>> = {
  zod: z.object({
    n: z.number().optional(),
    i: z.int().optional(),
    b: z.boolean().optional(),
    list: z.array(z.number()).optional(),
    point: z.object({ x: z.number() }).optional(),
    text: z.string().optional(),
    mixed: z.union([z.string(), z.number()]).optional(),
    maybe: z.number().nullable().optional(),
  }),
  arktype: type({
    'n?': 'number',
    'i?': 'number.integer',
    'b?': 'boolean',
    'list?': 'number[]',
    'point?': { x: 'number' },
    'text?': 'string',
    'mixed?': 'string | number',
    'maybe?': 'number | null',
  }),
  valibot: toStandardJsonSchema(
    v.object({
      n: v.optional(v.number()),
      i: v.optional(v.pipe(v.number(), v.integer())),
      b: v.optional(v.boolean()),
      list: v.optional(v.array(v.number())),
      point: v.optional(v.object({ x: v.number() })),
      text: v.optional(v.string()),
      mixed: v.optional(v.union([v.string(), v.number()])),
      maybe: v.optional(v.nullable(v.number())),
    }),
  ),
  'json-schema': {
    type: 'object',
    properties: {
      n: { type: 'number' },
      i: { type: 'integer' },
      b: { type: 'boolean' },
      list: { type: 'array', items: { type: 'number' } },
      point: { type: 'object', properties: { x: { type: 'number' } }, required: ['x'] },
      text: { type: 'string' },
      mixed: { anyOf: [{ type: 'string' }, { type: 'number' }] },
      maybe: { type: ['number', 'null'] },
    },
  },
};

describe.each(Object.entries(LIBRARIES))('repair in %s', (_, schema) => {
  const compiled = compileInput(schema, { repair: true });
  const plain = compileInput(schema);

  test.each([
    ['a number', { n: '-2.5e3' }, { n: -2500 }],
    ['a number with blanks around it', { n: ' 7 ' }, { n: 7 }],
    ['an integer', { i: '42' }, { i: 42 }],
    ['a boolean', { b: 'true' }, { b: true }],
    ['a list', { list: '[1, 2]' }, { list: [1, 2] }],
    ['strings in a list', { list: ['1', '2'] }, { list: [1, 2] }],
    ['strings in a list that is itself a string', { list: '["1", 2]' }, { list: [1, 2] }],
    ['an object', { point: '{"x": 1}' }, { point: { x: 1 } }],
    ['a number in an object that is itself a string', { point: '{"x": "1"}' }, { point: { x: 1 } }],
    ['a nullable number', { maybe: '3' }, { maybe: 3 }],
  ])('%s sent as a string is undone', (__, sent, expected) => {
    expect(validate(compiled, sent)).toEqual({ ok: true, value: expected });
    expect(validate(plain, sent).ok).toBe(false);
  });

  test.each([
    ['where a string is asked for', { text: '5' }],
    ['where a string is one of the types', { mixed: '5' }],
    ['and neither is JSON text there', { text: '{"x":1}' }],
  ])('a string stays a string %s', (__, sent) => {
    expect(validate(compiled, sent)).toEqual({ ok: true, value: sent });
  });

  test.each([
    ['a whole number that a double cannot hold', 'n', '9007199254740993'],
    ['a fraction with more digits than a double has', 'n', '0.12345678901234567891'],
    ['a number that is too large', 'n', '1e400'],
    ['a number that is too small', 'n', '1e-400'],
    ['a hexadecimal number', 'n', '0x10'],
    ['a number with leading zeros', 'n', '007'],
    ['a fraction for an integer', 'i', '1.5'],
    ['words', 'n', 'seven'],
    ['an empty string', 'n', ''],
    ['a boolean in other words', 'b', 'yes'],
    ['a capitalised boolean', 'b', 'True'],
    ['broken JSON', 'list', '[1, 2'],
    ['an object where a list is asked for', 'list', '{"x":1}'],
    ['a list where an object is asked for', 'point', '[1]'],
  ])('%s stays and is reported as it came', (__, key, text) => {
    expect(validate(compiled, { [key]: text })).toMatchObject({
      ok: false,
      issues: [{ path: [key], received: `${JSON.stringify(text)} (string)` }],
    });
  });

  test('clean input is passed on untouched', () => {
    const sent = { n: 1, i: 2, b: false, list: [1], point: { x: 1 }, text: 't', mixed: 'm', maybe: null };
    expect(validate(compiled, sent)).toEqual({ ok: true, value: sent });
  });

  test('every number that survives printing survives the repair', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true, max: 1e15, min: -1e15 }), (number) => {
        const wanted = number === 0 ? 0 : number;
        expect(validate(compiled, { n: String(wanted) })).toEqual({ ok: true, value: { n: wanted } });
      }),
    );
  });
});

describe('values in strings', () => {
  const tree = {
    type: 'object',
    properties: { list: { type: 'array', items: { $ref: '#/properties/list' } } },
  };

  test('nesting beyond the limit of the transports is not unpacked', () => {
    const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
    expect(run(tree, { list: nested(128) }, { repair: true }).ok).toBe(true);
    expect(run(tree, { list: nested(129) }, { repair: true })).toMatchObject({
      issues: [{ path: ['list'], expected: 'array' }],
    });
    expect(run(tree, { list: nested(100_000) }, { repair: true }).ok).toBe(false);
  });

  test.each(['{"__proto__":{"admin":true}}', '{"a":[{"constructor":{"prototype":{"admin":true}}}]}'])(
    'an object that reaches for a prototype is not unpacked: %s',
    (text) => {
      const schema = { type: 'object', properties: { data: { type: 'object' } } };
      expect(run(schema, { data: text }, { repair: true })).toMatchObject({
        ok: false,
        issues: [{ path: ['data'], expected: 'object' }],
      });
    },
  );
});

describe('alternatives', () => {
  test('a string that one alternative accepts is not repaired for another', () => {
    const schema = {
      type: 'object',
      anyOf: [
        { properties: { x: { type: ['string', 'number'] } } },
        { properties: { x: { type: 'number' }, y: { type: 'number' } } },
      ],
    };
    expect(run(schema, { x: '5' }, { repair: true })).toEqual({ ok: true, value: { x: '5' } });
  });

  test('where no alternative fits and they disagree, the string is reported as it came', () => {
    const schema = {
      type: 'object',
      anyOf: [
        { properties: { x: { type: ['string', 'number'] }, q: {} }, required: ['q'] },
        { properties: { x: { type: 'number' }, r: {} }, required: ['r'] },
      ],
    };
    const result = run(schema, { x: '5' }, { repair: true });
    expect(result.ok ? [] : result.issues.filter((issue) => issue.path[0] === 'x')).toMatchObject([
      { expected: 'string or number or number', received: '"5" (string)' },
    ]);
  });

  test('an alternative that does not take a key has no say about its value', () => {
    const number = { type: 'number' };
    const schema = {
      type: 'object',
      anyOf: [
        { properties: { n: number, q: {} }, required: ['q'] },
        { properties: { m: number, q: {} }, required: ['q'] },
      ],
    };
    const result = run(schema, { n: '5', m: '6' }, { repair: true });
    expect(result.ok ? [] : result.issues.map((issue) => issue.path)).toEqual([['q'], []]);
  });

  test('a type in a condition does not cause a repair', () => {
    const schema = {
      type: 'object',
      properties: { kind: {}, v: { if: { const: 1 }, then: { type: 'number' } } },
    };
    expect(run(schema, { v: '5' }, { repair: true })).toEqual({ ok: true, value: { v: '5' } });
  });

  test('the member that tells alternatives apart leads the repair', () => {
    const schema = z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('number'), v: z.number() }),
      z.object({ kind: z.literal('text'), v: z.string() }),
    ]);
    expect(run(schema, { kind: 'number', v: '5' }, { repair: true })).toMatchObject({ value: { v: 5 } });
    expect(run(schema, { kind: 'text', v: '5' }, { repair: true })).toMatchObject({ value: { v: '5' } });
  });

  test('an enumeration of numbers takes no string', () => {
    const schema = { type: 'object', properties: { level: { enum: [1, 2] }, mixed: { enum: [1, '1'] } } };
    expect(run(schema, { level: '2', mixed: '1' }, { repair: true })).toEqual({
      ok: true,
      value: { level: 2, mixed: '1' },
    });
  });
});

describe('strings with more values than a message may have stay strings', () => {
  const lists = z.object({
    a: z.array(z.record(z.string(), z.number())),
    b: z.array(z.unknown()).optional(),
  });
  const listOf = (text: string, count: number): string =>
    `[${Array.from({ length: count }, () => text).join(',')}]`;
  const said = (value: object): unknown => {
    const validated = run(lists, value, { repair: true });
    return validated.ok ? 'repaired' : validated.issues.map(({ path }) => path);
  };

  test.each<[string, object, unknown]>([
    ['one of 24,000 objects is repaired', { a: listOf('{"n":1}', 24_000) }, 'repaired'],
    ['one of 60,000 objects', { a: listOf('{}', 60_000) }, [['a']]],
    [
      'two of 50,000 values together: the second',
      { a: listOf('{}', 20_000), b: listOf('1', 30_000) },
      [['b']],
    ],
    ['keys with empty places between them', { a: listOf('{"1023":1}', 1000) }, [['a']]],
    ['a long text within is repaired', { a: '[]', b: JSON.stringify(['x'.repeat(200_000)]) }, 'repaired'],
  ])('%s', (_, value, expected) => {
    expect(said(value)).toEqual(expected);
  });
});
