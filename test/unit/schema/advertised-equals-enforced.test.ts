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

/** Ten shapes of input in each library, without transformations. */
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

/** Valid inputs of the shapes above; a test takes those that match its schema and changes them. */
const EXAMPLES: readonly unknown[] = [
  { a: 's', b: 1 },
  { a: 's' },
  { b: 1 },
  { a: 1, b: 's' },
  { a: { a: 's', b: { x: 1 } } },
  { a: [{ x: 1 }, { x: 2, a: 's' }] },
  { a: { x: { a: 1 } } },
  { a: { x: { b: 1 }, a: 's' } },
  { kind: 'a', x: 1 },
  { kind: 'b', a: { b: 's' } },
  { kind: 'a', a: { x: 1 } },
  { kind: 'b', b: 1 },
  { a: { x: 1 }, z: 's' },
  { a: { p: { x: 1 } } },
  { v: 1, children: [{ v: 2, children: [] }, { v: 3 }] },
  { a: { op: '+', left: { op: '-', left: { num: 1 } } } },
  { op: '+', left: { num: 1 } },
  { num: 1 },
  { a: 's', b: 1, x: 's' },
  { a: 's', x: 's' },
  { a: null },
  { a: [{ x: 1 }, 's'] },
  { a: 's', b: { x: 1 } },
  { a: { x: 1 }, b: { x: 1, a: 's' } },
  { x: 1, a: { x: 1, b: 1, a: { x: 2 } } },
  { a: { x: 1 } },
  { kind: 's', a: { x: 1 }, b: 1 },
  { a: 's', b: [{ x: 1 }, { x: 1, a: 1 }], x: { x: 1 } },
  { x: { x: 1 }, a: { x: 1 } },
  { a: { a: 1 } },
];

const KEYS = ['a', 'b', 'x', 'v', 'z', 'kind', 'op', 'left', 'num', 'children'];
const VALUES: readonly unknown[] = [
  's',
  1,
  true,
  null,
  {},
  [],
  { x: 1 },
  { a: 's' },
  { x: 1, z: 1 },
  [{ x: 1 }],
];
const spoiling = fc.record({
  at: fc.nat(20),
  how: fc.constantFrom('add', 'replace', 'remove'),
  key: fc.constantFrom(...KEYS),
  value: fc.constantFrom(...VALUES),
});
const input = fc
  .tuple(fc.constantFrom(...EXAMPLES), fc.array(spoiling, { maxLength: 3 }))
  .map(([example, spoilings]) => {
    const root: unknown = structuredClone(example);
    for (const step of spoilings) spoil(root, step);
    return root;
  });

/** Changes one member of one of the objects and arrays in the value. */
function spoil(
  root: unknown,
  { at, how, key, value }: { at: number; how: string; key: string; value: unknown },
): void {
  const containers: Record<string, unknown>[] = [];
  const collect = (current: unknown): void => {
    if (typeof current !== 'object' || current === null) return;
    containers.push(current as Record<string, unknown>);
    for (const member of Object.values(current)) collect(member);
  };
  collect(root);
  const target = containers[at % containers.length] ?? {};
  const present = Object.keys(target)[at % 3] ?? key;
  if (Array.isArray(target)) target.push(structuredClone(value));
  else if (how === 'remove') delete target[present];
  else target[how === 'add' ? key : present] = structuredClone(value);
}

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
          if (ok !== accepts(value)) throw new Error(`enforced: ${ok}, advertised: ${!ok}`);
        }),
        // The unchanged examples are always included, so that no run consists of rejections only.
        { numRuns: 500, examples: EXAMPLES.map((example): [unknown] => [example]) },
      );
      expect(accepted).toBeGreaterThan(0);
    },
  );
});
