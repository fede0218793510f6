import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { scope, type } from 'arktype';
import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { compileInput, createJudge, validate } from './compile.ts';

const zodTree = z.object({
  v: z.number(),
  get children() {
    return z.array(zodTree).optional();
  },
});
const zodExpression = z.union([
  z.object({ num: z.number() }),
  z.object({
    op: z.string(),
    get left() {
      return zodExpression;
    },
  }),
]);
const valibotTree: v.GenericSchema = v.object({
  v: v.number(),
  children: v.optional(v.array(v.lazy(() => valibotTree))),
});
const arkTree = scope({ node: { v: 'number', 'children?': 'node[]' } }).export().node;

const point = { type: 'object', properties: { x: { type: 'number' } }, required: ['x'] };

/** Ten shapes of input in each library; none of them transforms. */
const SCHEMAS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  zod: {
    flat: z.object({ a: z.string(), b: z.number().optional() }),
    nested: z.object({ a: z.object({ a: z.string(), b: z.object({ x: z.number() }).optional() }) }),
    list: z.object({ a: z.array(z.object({ x: z.number(), a: z.string().optional() })) }),
    union: z.union([z.object({ a: z.string() }), z.object({ b: z.number() })]),
    'overlapping union': z.union([z.object({ a: z.string() }), z.object({ a: z.number(), b: z.string() })]),
    'nested union': z.object({
      a: z.union([
        z.object({ x: z.object({ a: z.number().optional() }) }),
        z.object({ x: z.object({ b: z.number().optional() }), a: z.string() }),
      ]),
    }),
    discriminated: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('a'), x: z.number() }),
      z.object({ kind: z.literal('b'), a: z.object({ b: z.string() }) }),
    ]),
    loose: z.looseObject({ a: z.object({ x: z.number() }).optional() }),
    strict: z.strictObject({ a: z.record(z.string(), z.object({ x: z.number() })) }),
    tree: zodTree,
    expression: z.object({ a: zodExpression }),
    'root expression': zodExpression,
    intersection: z
      .object({ a: z.string() })
      .and(z.union([z.object({ b: z.number() }), z.object({ x: z.string() })])),
    'nullable object': z.object({ a: z.object({ x: z.number() }).nullable() }),
    tuple: z.object({ a: z.tuple([z.object({ x: z.number() }), z.string()]) }),
  },
  arktype: {
    flat: type({ a: 'string', 'b?': 'number' }),
    nested: type({ a: { a: 'string', 'b?': { x: 'number' } } }),
    list: type({ a: type({ x: 'number', 'a?': 'string' }).array() }),
    union: type({ a: 'string' }).or({ b: 'number' }),
    'overlapping union': type({ a: 'string' }).or({ a: 'number', b: 'string' }),
    'nested union': type({
      a: type({ x: { 'a?': 'number' } }).or({ x: { 'b?': 'number' }, a: 'string' }),
    }),
    discriminated: type({ kind: "'a'", x: 'number' }).or({ kind: "'b'", a: { b: 'string' } }),
    loose: type({ 'a?': { x: 'number' }, '[string]': 'unknown' }),
    strict: type({ '+': 'reject', a: { '[string]': { x: 'number' } } }),
    tree: arkTree,
    intersection: type({ a: 'string' }).and(type({ b: 'number' }).or({ x: 'string' })),
    'nullable object': type({ a: type({ x: 'number' }).or('null') }),
    tuple: type({ a: [{ x: 'number' }, 'string'] }),
  },
  valibot: {
    flat: v.object({ a: v.string(), b: v.optional(v.number()) }),
    nested: v.object({ a: v.object({ a: v.string(), b: v.optional(v.object({ x: v.number() })) }) }),
    list: v.object({ a: v.array(v.object({ x: v.number(), a: v.optional(v.string()) })) }),
    union: v.union([v.object({ a: v.string() }), v.object({ b: v.number() })]),
    'overlapping union': v.union([v.object({ a: v.string() }), v.object({ a: v.number(), b: v.string() })]),
    'nested union': v.object({
      a: v.union([
        v.object({ x: v.object({ a: v.optional(v.number()) }) }),
        v.object({ x: v.object({ b: v.optional(v.number()) }), a: v.string() }),
      ]),
    }),
    discriminated: v.variant('kind', [
      v.object({ kind: v.literal('a'), x: v.number() }),
      v.object({ kind: v.literal('b'), a: v.object({ b: v.string() }) }),
    ]),
    'object with rest': v.objectWithRest({ a: v.optional(v.object({ x: v.number() })) }, v.unknown()),
    strict: v.strictObject({ a: v.record(v.string(), v.object({ x: v.number() })) }),
    tree: valibotTree,
    intersection: v.intersect([
      v.object({ a: v.string() }),
      v.union([v.object({ b: v.number() }), v.object({ x: v.string() })]),
    ]),
    'nullable object': v.object({ a: v.nullable(v.object({ x: v.number() })) }),
    tuple: v.object({ a: v.strictTuple([v.object({ x: v.number() }), v.string()]) }),
  },
  'json-schema': {
    flat: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'number' } }, required: ['a'] },
    'allOf of definitions': {
      allOf: [{ $ref: '#/$defs/A' }, { $ref: '#/$defs/B' }],
      $defs: {
        A: { type: 'object', properties: { a: { type: 'string' } } },
        B: { type: 'object', properties: { b: point } },
      },
    },
    'one definition whole and as a part': {
      type: 'object',
      properties: {
        a: { $ref: '#/$defs/P' },
        b: { allOf: [{ $ref: '#/$defs/P' }, { properties: { a: {} } }] },
      },
      $defs: { P: point },
    },
    'root as a part of itself': {
      type: 'object',
      properties: { x: { type: 'number' }, a: { $ref: '#', properties: { b: { type: 'number' } } } },
    },
    'single allOf': {
      type: 'object',
      properties: { a: { allOf: [{ $ref: '#/$defs/P' }] } },
      $defs: { P: point },
    },
    'alternatives beside properties': {
      type: 'object',
      properties: { kind: { type: 'string' } },
      anyOf: [{ properties: { a: point }, required: ['a'] }, { properties: { b: { type: 'number' } } }],
    },
    'if, then, else': {
      type: 'object',
      properties: { kind: { enum: ['a', 'b'] } },
      if: { properties: { kind: { const: 'a' } } },
      then: { properties: { a: point } },
      else: { properties: { b: { type: 'number' } }, required: ['b'] },
    },
    'dependent schemas': {
      type: 'object',
      properties: { a: { type: 'string' } },
      dependentSchemas: { a: { properties: { b: point } } },
    },
    'not and contains': {
      type: 'object',
      properties: {
        a: { not: { $ref: '#/$defs/P' } },
        b: { type: 'array', contains: { $ref: '#/$defs/P' } },
        x: point,
      },
      $defs: { P: point },
    },
    'pattern properties': {
      type: 'object',
      properties: { x: point },
      patternProperties: { '^[ab]$': { type: 'object', properties: { x: { type: 'number' } } } },
    },
    'union with an open alternative': {
      type: 'object',
      properties: { a: { anyOf: [point, { type: 'object', required: ['a'] }, { type: 'string' }] } },
    },
    tree: {
      type: 'object',
      properties: { v: { type: 'number' }, children: { type: 'array', items: { $ref: '#' } } },
      required: ['v'],
    },
  },
};

const scalar = fc.constantFrom<unknown>('s', 'a', 1, 2.5, true, null);
const KEYS = ['a', 'b', 'x', 'v', 'kind', 'op', 'left', 'num', 'children', 'z'];
const { value: anyValue } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { arbitrary: scalar, weight: 3 },
    { arbitrary: fc.dictionary(fc.constantFrom(...KEYS), tie('value'), { maxKeys: 4 }), weight: 4 },
    { arbitrary: fc.array(tie('value'), { maxLength: 2 }), weight: 1 },
  ),
}));

/** Objects near the shapes above, so that many are valid or wrong in one place only. */
const p = fc.oneof(
  fc.constantFrom({ x: 1 }, { x: 1, z: 1 }, { x: 1, a: 's' }, { x: 's' }, {}, { z: 1 }),
  anyValue,
);
const near = fc.oneof(
  fc.record(
    { a: fc.oneof(p, scalar), b: fc.oneof(p, scalar), x: fc.oneof(p, scalar), z: scalar },
    { requiredKeys: [] },
  ),
  fc.record(
    { kind: fc.constantFrom('a', 'b', 'c'), a: fc.oneof(p, fc.constant({ b: 's' })), x: scalar, b: scalar },
    { requiredKeys: ['kind'] },
  ),
  fc.record(
    {
      v: scalar,
      children: fc.array(
        fc.record({ v: scalar, z: scalar, children: fc.constant([]) }, { requiredKeys: [] }),
        { maxLength: 2 },
      ),
      z: scalar,
    },
    { requiredKeys: ['v'] },
  ),
  fc.record({ a: fc.array(p, { maxLength: 2 }), b: fc.array(p, { maxLength: 2 }) }, { requiredKeys: [] }),
  fc.record({ a: fc.tuple(p, scalar) }),
  fc.record({
    a: fc.oneof(
      fc.constantFrom(
        { num: 1 },
        { op: '+', left: { num: 1 } },
        { op: '+', left: { num: 1, z: 1 } },
        { op: '+', num: 1, left: { num: 2 } },
      ),
    ),
  }),
  fc.constantFrom({ num: 1 }, { op: '+', left: { num: 1 } }, { op: '+', left: { num: 1, z: 1 } }),
  fc.record({
    a: fc.record(
      { x: fc.record({ a: fc.constantFrom<unknown>(1, 's'), b: scalar }, { requiredKeys: [] }), a: scalar },
      { requiredKeys: ['x'] },
    ),
  }),
  fc.record({ a: fc.dictionary(fc.constantFrom('p', 'q'), p) }),
);
const input = fc.oneof(
  { arbitrary: near, weight: 4 },
  { arbitrary: fc.dictionary(fc.constantFrom(...KEYS), anyValue, { maxKeys: 4 }), weight: 1 },
);

describe.each(Object.entries(SCHEMAS))('%s', (library, schemas) => {
  test.each(Object.entries(schemas))(
    'what reject mode advertises for "%s" is what it enforces',
    (_, schema) => {
      const wrapped = library === 'valibot' ? toStandardJsonSchema(schema as v.GenericSchema) : schema;
      const compiled = compileInput(wrapped, { unknownArguments: 'reject' });
      const accepts = createJudge(compiled);
      let accepted = 0;
      fc.assert(
        fc.property(input, (value) => {
          const { ok } = validate(compiled, value);
          if (ok) accepted += 1;
          expect({ value, ok }).toEqual({ value, ok: accepts(value) });
        }),
        { numRuns: 400, seed: 7 },
      );
      expect(accepted).toBeGreaterThan(0);
    },
  );
});
