import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { toPlainZodDocument } from '../../src/schema/convert/plain-zod.ts';

const DECORATIONS: readonly ((schema: z.ZodType) => z.ZodType)[] = [
  (schema) => schema,
  (schema) => schema.describe('what it is'),
  (schema) => schema.optional(),
  (schema) => schema.describe('inner').optional().describe('outer'),
  (schema) => schema.meta({ title: 'T', examples: ['x'], 'x-mcp-header': 'Region' }),
  (schema) => schema.optional().optional(),
  (schema) => schema.describe('a').meta({ deprecated: true }),
  (schema) => schema.nullable(),
  (schema) => schema.meta({ type: 'odd', id: 'own' }).describe('child of an id'),
  (schema) => schema.refine(() => true),
];
const decorate = (schema: z.ZodType, how: number): z.ZodType => DECORATIONS[how]?.(schema) ?? schema;
const leaf = fc
  .constantFrom<() => z.ZodType>(
    () => z.string(),
    () => z.number(),
    () => z.boolean(),
    () => z.enum(['a', 'b']),
    () => z.enum({ A: 'a', B: 'b' }),
    () => z.int(),
    () => z.email(),
    () => z.string().min(2),
    () => z.coerce.number(),
    () => z.coerce.string(),
    () => z.literal('x'),
    () => z.any(),
    () => z.string().default('d'),
    () => z.enum({ A: 1 }),
    () => z.url(),
    () => z.strictObject({ a: z.string() }),
    () => z.looseObject({}),
    () => z.string().trim(),
    () => z.array(z.string()).min(1),
    () => z.object({ a: z.string() }).partial(),
    () => z.string().overwrite((v) => v),
    () => z.string().catch('c'),
    () => z.string().prefault('p'),
    () => z.string().readonly(),
    () => z.object({}).catchall(z.string()),
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
      ),
      fc.nat(9),
      fc.nat(9),
    )
    .map(([made, first, second]) => decorate(second < 3 ? decorate(made, second) : made, first)),
}));

test('says of plain schemas what Zod says, to the letter, and nothing of others', () => {
  let plain = 0;
  let ordinary = 0;
  fc.assert(
    fc.property(schema, fc.constantFrom<'input' | 'output'>('input', 'output'), (given, side) => {
      const own = toPlainZodDocument(given, side);
      if (own === undefined) return;
      plain += 1;
      const said = given['~standard'].jsonSchema[side]({ target: 'draft-2020-12' });
      expect(JSON.stringify(own.document)).toBe(JSON.stringify(said));
      if (!own.isOrdinary) return;
      ordinary += 1;
      expect(findOddKeyword(own.document)).toBeUndefined();
      expect(isFrozen(own.document)).toBe(true);
    }),
    { numRuns: 3000 },
  );
  expect(plain).toBeGreaterThan(300);
  expect(ordinary).toBeGreaterThan(150);
});

test.each([
  [1, true],
  [999, true],
  [1000, false],
])('a document with %i members is ordinary: %s', (members, isOrdinary) => {
  const shape = Object.fromEntries(Array.from({ length: members }, (_, index) => [`m${index}`, z.string()]));
  expect(toPlainZodDocument(z.object(shape), 'input')?.isOrdinary).toBe(isOrdinary);
});

const ORDINARY = new Set([
  '$schema',
  'type',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'enum',
  'title',
  'description',
]);

/** What an ordinary document must not say: a keyword that somebody would have to look for. */
function findOddKeyword(node: Readonly<Record<string, unknown>>): string | undefined {
  const odd = Object.keys(node).find((keyword) => !ORDINARY.has(keyword));
  if (odd !== undefined) return odd;
  const { properties = {}, items } = node as { properties?: object; items?: Record<string, unknown> };
  return [...Object.values(properties), ...(items === undefined ? [] : [items])]
    .map(findOddKeyword)
    .find((found) => found !== undefined);
}

function isFrozen(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return Object.isFrozen(value) && Object.values(value).every(isFrozen);
}
