import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { REAL_SHAPES } from '../../bench/real-shapes/index.mjs';
import { toPlainZodDocument } from '../../src/schema/zod/plain-zod.ts';
import { findZodExpressions } from '../../src/schema/expressions/zod-expressions.ts';

const DECORATIONS: readonly ((schema: z.ZodType) => z.ZodType)[] = [
  (schema) => schema,
  (schema) => schema.describe('what it is'),
  (schema) => schema.optional(),
  (schema) => schema.describe('inner').optional().describe('outer'),
  (schema) => schema.meta({ title: 'T', description: 'D' }),
  (schema) => schema.optional().optional(),
  (schema) => schema.nullable(),
  (schema) => schema.nullable().describe('or null'),
  (schema) => schema.describe('inner').nullable().optional(),
  (schema) => schema.default('d').describe('with a default'),
  (schema) => schema.nullable().default(null),
  (schema) =>
    schema
      .meta({ title: 'T' })
      .default({ a: [1, null] })
      .optional(),
  (schema) => z.union([schema, z.null()]).describe('one of two'),
  (schema) => z.record(z.string(), schema),
  (schema) => schema.refine(() => true),
  (schema) => schema.meta({ title: 'T', examples: ['x'], 'x-mcp-header': 'Region' }),
  (schema) => schema.describe('a').meta({ deprecated: true }),
  (schema) => schema.meta({ type: 'odd', id: 'own' }).describe('child of an id'),
  (schema) => schema.readonly(),
  (schema) => schema.pipe(z.any()),
];
const decorate = (schema: z.ZodType, how: number): z.ZodType => DECORATIONS[how]?.(schema) ?? schema;
const leaf = fc
  .constantFrom<() => z.ZodType>(
    () => z.string(),
    () => z.number(),
    () => z.boolean(),
    () => z.null(),
    () => z.any(),
    () => z.unknown(),
    () => z.enum(['a', 'b']),
    () => z.enum({ A: 'a', B: 'b' }),
    () => z.enum({ A: 1 }),
    () => z.literal('x'),
    () => z.literal(['x', 'y']),
    () => z.literal([1, 'y', null, true]),
    () => z.literal([true, false]),
    () => z.literal(null),
    () => z.literal(1n),
    () => z.int(),
    () => z.int().min(1).max(100),
    () => z.int32(),
    () => z.uint32().lt(7),
    () => z.float32(),
    () => z.number().min(1).gt(1).max(5),
    () => z.number().gt(1).gte(2).lt(9),
    () => z.number().positive().int(),
    () => z.number().nonnegative().multipleOf(0.5),
    () => z.number().multipleOf(2).multipleOf(3),
    () => z.number().min(Number.NEGATIVE_INFINITY),
    () => z.coerce.number(),
    () => z.coerce.string(),
    () => z.string().min(2),
    () => z.string().min(2).min(1).max(9).max(10),
    () => z.string().length(2),
    () => z.string().regex(/^a+$/),
    () => z.string().regex(/^a+$/i).regex(/b/),
    () => z.string().min(1).regex(/^a/).max(3).describe('checked'),
    () => z.string().startsWith('pi_').endsWith('x'),
    () => z.string().includes('y').uppercase(),
    () => z.email(),
    () => z.email().max(100),
    () => z.url(),
    () => z.url({ protocol: /^https?$/ }),
    () => z.uuid(),
    () => z.guid(),
    () => z.ipv4(),
    () => z.base64(),
    () => z.base64url(),
    () => z.jwt(),
    () => z.iso.date(),
    () => z.iso.time(),
    () => z.iso.datetime(),
    () => z.iso.datetime({ offset: true, precision: 3 }),
    () => z.iso.datetime({ local: true }),
    () => z.iso.datetime({ precision: -1 }),
    () => z.iso.duration(),
    () => z.string().trim(),
    () => z.string().trim().min(1).toLowerCase(),
    () => z.string().overwrite((v) => v),
    () => z.string().refine(() => true),
    () => z.string().catch('c'),
    () => z.string().default('d'),
    () => z.number().default(Number.NaN),
    () => z.string().prefault('p'),
    () => z.string().readonly(),
    () => z.array(z.string()).min(1),
    () => z.array(z.int()).min(1).max(5).length(3),
    () => z.array(z.string()).nonempty().describe('some'),
    () => z.tuple([z.string()]),
    () => z.strictObject({ a: z.string() }),
    () => z.looseObject({}),
    () => z.object({ a: z.string() }).partial(),
    () => z.object({ a: z.string().default('d'), b: z.int().nullable().optional() }),
    () => z.object({ a: z.unknown(), b: z.any(), c: z.union([z.string(), z.int().optional()]) }),
    () => z.object({}).catchall(z.string()),
    () => z.record(z.string(), z.unknown()),
    () => z.record(z.string().regex(/^x-/), z.string().optional()),
    () => z.record(z.enum(['a', 'b']), z.string()),
    () => z.record(z.int(), z.string()),
    () => z.looseRecord(z.string().regex(/^x-/), z.string()),
    () => z.union([z.string(), z.number(), z.boolean(), z.null()]),
    () => z.union([z.string().nullable(), z.int()]),
    () => z.union([z.string(), z.string()]),
    () => z.union([z.literal('me'), z.email(), z.uuid()]).describe('who'),
    () => z.xor([z.string(), z.number()]),
    () =>
      z.discriminatedUnion('type', [
        z.object({ type: z.literal('a'), url: z.url() }),
        z.object({ type: z.literal('b'), text: z.string().max(5).optional() }),
      ]),
    () => z.intersection(z.object({ a: z.string() }), z.object({ b: z.string() })),
    () => z.lazy(() => z.string()),
  )
  .map((make) => make());
const { schema } = fc.letrec<{ schema: z.ZodType }>((tie) => ({
  schema: fc
    .tuple(
      fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc
          .dictionary(fc.constantFrom('a', 'b', 'constructor', '1', 'a b'), tie('schema'), { maxKeys: 4 })
          .map((shape) => z.object(shape)),
        tie('schema').map((element) => z.array(element)),
        fc.tuple(tie('schema'), tie('schema')).map((options) => z.union(options)),
      ),
      fc.nat(DECORATIONS.length - 1),
      fc.nat(DECORATIONS.length - 1),
    )
    .map(([made, first, second]) => decorate(second < 10 ? decorate(made, second) : made, first)),
}));

test('converts schemas as Zod does, to the letter, and leaves the others to Zod', () => {
  let converted = 0;
  fc.assert(
    fc.property(schema, fc.constantFrom<'input' | 'output'>('input', 'output'), (given, side) => {
      const own = toPlainZodDocument(given, side);
      if (own === undefined) return;
      converted += 1;
      const said = given['~standard'].jsonSchema[side]({ target: 'draft-2020-12' });
      expect(JSON.stringify(own.document)).toBe(JSON.stringify(said));
      expect(own.expressions?.map(String).toSorted()).toEqual(
        findZodExpressions(given).map(String).toSorted(),
      );
      expect(findOddKeyword(own.document, side)).toBeUndefined();
    }),
    { numRuns: 2500 },
  );
  expect(converted).toBeGreaterThan(400);
});

test('converts at least 95 % of the argument shapes of public servers, to the letter', () => {
  const documents = REAL_SHAPES.map(({ fields }) => {
    const given = z.object(fields());
    const said = given['~standard'].jsonSchema.input({ target: 'draft-2020-12' });
    return { own: toPlainZodDocument(given, 'input')?.document, said };
  });
  const converted = documents.filter(({ own }) => own !== undefined);
  for (const { own, said } of converted) expect(JSON.stringify(own)).toBe(JSON.stringify(said));
  expect(converted.length / documents.length).toBeGreaterThanOrEqual(0.95);
});

test('leaves schemas of earlier minor versions of Zod to Zod', () => {
  const given = z.object({ a: z.string() });
  const older = Object.create(given, {
    _zod: { value: { ...given._zod, def: given._zod.def, version: { major: 4, minor: 5, patch: 0 } } },
  }) as unknown;
  expect(toPlainZodDocument(older, 'input')).toBeUndefined();
});

test.each([
  [1, true],
  [999, true],
  [1000, false],
])('a document with %i members is converted: %s', (members, isConverted) => {
  const shape = Object.fromEntries(Array.from({ length: members }, (_, index) => [`m${index}`, z.string()]));
  expect(toPlainZodDocument(z.object(shape), 'input') !== undefined).toBe(isConverted);
});

const REFERENCES = new Set([
  '$ref',
  '$defs',
  '$id',
  '$anchor',
  'id',
  'x-mcp-header',
  'unevaluatedProperties',
]);

/** Keywords that later steps do not expect in such a document: references, annotations, and closed objects in input. */
function findOddKeyword(
  node: Readonly<Record<string, unknown>>,
  side: 'input' | 'output',
): string | undefined {
  const odd = Object.keys(node).find((keyword) => REFERENCES.has(keyword));
  if (odd !== undefined) return odd;
  if (side === 'input' && node['additionalProperties'] === false) return 'additionalProperties';
  const { properties = {}, items, anyOf = [], oneOf = [], additionalProperties } = node as Members;
  const rest = typeof additionalProperties === 'object' ? [additionalProperties] : [];
  return [...Object.values(properties), ...(items === undefined ? [] : [items]), ...anyOf, ...oneOf, ...rest]
    .map((child) => findOddKeyword(child, side))
    .find((found) => found !== undefined);
}

type Node = Readonly<Record<string, unknown>>;

interface Members {
  readonly properties?: Readonly<Record<string, Node>>;
  readonly items?: Node;
  readonly anyOf?: readonly Node[];
  readonly oneOf?: readonly Node[];
  readonly additionalProperties?: Node | boolean;
}
