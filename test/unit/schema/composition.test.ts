import { scope, type } from 'arktype';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { compileInput, createJudge, run, validate } from './compile.ts';
import { unknownArgument } from '../../support/refused.ts';

const object = (properties: Record<string, unknown>, more: object = {}): object => ({
  type: 'object',
  properties,
  ...more,
});
const number = { type: 'number' };
const string = { type: 'string' };

const zodExpression = z.union([
  z.object({ num: z.number() }),
  z.object({
    op: z.string(),
    get left() {
      return zodExpression;
    },
  }),
]);

/** A document, an input with unknown keys, and the stripped result. */
const STRIPPED: readonly [string, unknown, unknown, unknown][] = [
  [
    'allOf knows the keys of all its members',
    { type: 'object', allOf: [object({ a: number }), object({ b: number })] },
    { a: 1, b: 2, z: 3 },
    { a: 1, b: 2 },
  ],
  [
    'a reference knows the keys of its definition',
    object({ user: { $ref: '#/$defs/User' } }, { $defs: { User: object({ name: string }) } }),
    { user: { name: 'Ada', z: 1 } },
    { user: { name: 'Ada' } },
  ],
  [
    'an anchor is followed like a pointer',
    object({ user: { $ref: '#user' } }, { $defs: { U: object({ name: string }, { $anchor: 'user' }) } }),
    { user: { name: 'Ada', z: 1 } },
    { user: { name: 'Ada' } },
  ],
  [
    'a recursive schema is stripped at every depth',
    object({ v: number, next: { $ref: '#' } }),
    { v: 1, next: { v: 2, z: 1, next: { z: 1 } }, z: 1 },
    { v: 1, next: { v: 2, next: {} } },
  ],
  [
    'of a union, the alternative that fits decides',
    {
      type: 'object',
      oneOf: [object({ kind: { const: 'a' }, x: number }), object({ kind: { const: 'b' }, y: number })],
    },
    { kind: 'b', x: 1, y: 2 },
    { kind: 'b', y: 2 },
  ],
  [
    'alternatives beside properties add their keys',
    object(
      { kind: string },
      { anyOf: [object({ a: number }, { required: ['a'] }), object({ b: number }, { required: ['b'] })] },
    ),
    { kind: 'k', a: 1, z: 1 },
    { kind: 'k', a: 1 },
  ],
  [
    'what then and else describe counts when they apply',
    object(
      { kind: string },
      {
        if: { properties: { kind: { const: 'a' } } },
        then: object({ a: number }),
        else: object({ b: number }),
      },
    ),
    { kind: 'a', a: 1, b: 2, z: 3 },
    { kind: 'a', a: 1 },
  ],
  [
    'a dependent schema counts when its key is there',
    object({ a: number }, { dependentSchemas: { a: object({ b: number }) } }),
    { a: 1, b: 2, z: 3 },
    { a: 1, b: 2 },
  ],
  [
    'patterns know keys',
    object({ a: number }, { patternProperties: { '^x-': object({ p: number }) } }),
    { a: 1, 'x-y': { p: 1, z: 1 }, z: 1 },
    { a: 1, 'x-y': { p: 1 } },
  ],
  [
    'tuples and the rest behind them are stripped',
    object({ list: { type: 'array', prefixItems: [object({ a: number })], items: object({ b: number }) } }),
    {
      list: [
        { a: 1, b: 1 },
        { a: 1, b: 1 },
      ],
    },
    { list: [{ a: 1 }, { b: 1 }] },
  ],
  [
    'an alternative "true" takes every key',
    object({ any: { anyOf: [object({ a: number }), true] } }),
    { any: { a: 1, z: 1 } },
    { any: { a: 1, z: 1 } },
  ],
];

describe('strip mode', () => {
  test.each(STRIPPED)('%s', (_, schema, sent, kept) => {
    expect(run(schema, sent)).toEqual({ ok: true, value: kept });
  });

  test.each(STRIPPED.filter(([title]) => !title.startsWith('an alternative')))(
    'and in reject mode the same keys are refused: %s',
    (_, schema, sent, kept) => {
      const compiled = compileInput(schema, { unknownArguments: 'reject' });
      expect(validate(compiled, sent).ok).toBe(false);
      expect(validate(compiled, kept)).toEqual({ ok: true, value: kept });
      const accepts = createJudge(compiled);
      expect([accepts(sent), accepts(kept)]).toEqual([false, true]);
    },
  );
});

describe('schemas advertised in reject mode', () => {
  test('parts that share one object are closed once, where they meet', () => {
    const { jsonSchema } = compileInput(
      { allOf: [object({ a: number }), object({ b: number })] },
      { unknownArguments: 'reject' },
    );
    expect(jsonSchema).toEqual({
      type: 'object',
      allOf: [object({ a: number }), object({ b: number })],
      unevaluatedProperties: false,
    });
  });

  test('a definition used whole is closed in place, and its reference stays bare', () => {
    const { jsonSchema } = compileInput(
      object({ a: { $ref: '#/$defs/P' } }, { $defs: { P: object({ x: number }) } }),
      { unknownArguments: 'reject' },
    );
    expect(jsonSchema).toEqual({
      type: 'object',
      properties: { a: { $ref: '#/$defs/P' } },
      additionalProperties: false,
      $defs: { P: { type: 'object', properties: { x: number }, additionalProperties: false } },
    });
  });

  test('a definition used whole and as a part is written once for each', () => {
    const { jsonSchema } = compileInput(
      object(
        { a: { $ref: '#/$defs/P' }, b: { allOf: [{ $ref: '#/$defs/P' }, object({ y: number })] } },
        { $defs: { P: object({ x: number }) } },
      ),
      { unknownArguments: 'reject' },
    );
    expect(jsonSchema).toMatchObject({
      properties: {
        a: { $ref: '#/$defs/P' },
        b: { allOf: [{ $ref: '#/$defs/P-part' }, {}], unevaluatedProperties: false },
      },
      $defs: { P: { additionalProperties: false }, 'P-part': { properties: { x: number } } },
    });
  });

  test('equal definitions are written once, under a name that needs no escaping', () => {
    const { jsonSchema } = compileInput(
      object(
        { a: { $ref: '#/$defs/a~1b' }, b: { $ref: '#/$defs/B' } },
        { $defs: { 'a/b': object({ x: number }), B: object({ x: number }) } },
      ),
      { unknownArguments: 'reject' },
    );
    expect(jsonSchema).toEqual({
      type: 'object',
      properties: { a: { $ref: '#/$defs/a_b' }, b: { $ref: '#/$defs/a_b' } },
      additionalProperties: false,
      $defs: { a_b: { type: 'object', properties: { x: number }, additionalProperties: false } },
    });
  });

  test('a question asked of the value is left as it is', () => {
    const condition = object({ x: number }, { required: ['x'] });
    const { jsonSchema } = compileInput(
      object(
        { a: { not: condition }, b: { type: 'array', contains: { $ref: '#/$defs/C' } } },
        { $defs: { C: condition } },
      ),
      { unknownArguments: 'reject' },
    );
    expect(jsonSchema).toMatchObject({
      properties: { a: { not: condition }, b: { contains: { $ref: '#/$defs/C' } } },
      $defs: { C: condition },
    });
    expect(JSON.stringify(jsonSchema).match(/additionalProperties/g)).toHaveLength(1);
  });

  test('a dynamic reference becomes a plain one', () => {
    const { jsonSchema } = compileInput(
      object({ v: number, next: { $dynamicRef: '#node' } }, { $dynamicAnchor: 'node' }),
      { unknownArguments: 'reject' },
    );
    expect(jsonSchema).toEqual({
      type: 'object',
      properties: { v: number, next: { $ref: '#' } },
      additionalProperties: false,
    });
  });

  test('every object of a recursive union is closed', () => {
    const { jsonSchema } = compileInput(z.object({ e: zodExpression }), { unknownArguments: 'reject' });
    expect(JSON.stringify(jsonSchema).match(/"additionalProperties":false/g)).toHaveLength(3);
    expect(JSON.stringify(jsonSchema)).not.toContain('unevaluatedProperties');
  });
});

describe('recursive schemas of the libraries', () => {
  const zodTree = z.object({
    v: z.number(),
    get children() {
      return z.array(zodTree).optional();
    },
  });
  const arkTree = scope({ node: { v: 'number', 'children?': 'node[]' } }).export().node;

  test.each([
    ['zod', zodTree],
    ['arktype', arkTree],
  ])('%s: errors, unknown keys and repair reach every depth', (_, schema) => {
    const sent = { v: 1, children: [{ v: 2, children: [{ v: '3', z: 1 }] }] };
    expect(run(schema, sent)).toMatchObject({
      issues: [{ path: ['children', 0, 'children', 0, 'v'], expected: 'number' }],
    });
    expect(run(schema, sent, { repair: true })).toEqual({
      ok: true,
      value: { v: 1, children: [{ v: 2, children: [{ v: 3 }] }] },
    });
    expect(run(schema, sent, { repair: true, unknownArguments: 'reject' })).toMatchObject({
      issues: [{ path: ['children', 0, 'children', 0, 'z'], message: expect.stringContaining('Allowed: ') }],
    });
  });

  test('a recursive union is served', () => {
    const schema = z.object({ e: zodExpression });
    const value = { e: { op: '+', left: { op: '-', left: { num: 1 } } } };
    expect(run(schema, value)).toEqual({ ok: true, value });
    expect(run(zodExpression, value.e)).toEqual({ ok: true, value: value.e });
  });
});

describe('unions in reject mode', () => {
  const schema = z.union([z.object({ a: z.string() }), z.object({ a: z.number(), b: z.string() })]);

  test('a key of the alternative that does not fit is unknown', () => {
    expect(run(schema, { a: 's', b: 'x' }, { unknownArguments: 'reject' })).toEqual({
      ok: false,
      issues: [{ path: ['b'], message: unknownArgument('a') }],
    });
  });

  test('where no alternative fits, the keys of the nearest are taken for known', () => {
    const result = run(schema, { a: true, b: 'x' }, { unknownArguments: 'reject' });
    expect(result.ok ? [] : result.issues.map((issue) => issue.path)).toEqual([[], ['a']]);
  });

  test('hasArgument knows the keys of every alternative', () => {
    const compiled = compileInput(type({ a: 'string' }).or({ b: 'number' }));
    expect(['a', 'b', 'c'].map((name) => compiled.hasArgument(name))).toEqual([true, true, false]);
  });
});
