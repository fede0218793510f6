import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { assertServable } from '../../../src/schema/view/check-json-schema.ts';
import { isNode, subschemas } from '../../../src/schema/nodes/json-node.ts';
import type { SchemaNode } from '../../../src/schema/nodes/json-node.ts';
import { applySchemaProfile } from '../../../src/schema/profiles/schema-profile.ts';
import { createAcceptance } from './acceptance.ts';

const NOTE = 'Simplified: the server checks the exact shape.';
const text = { type: 'string' };
const number = { type: 'number' };

/** The profiled schema of one field. */
function field(schema: unknown, profile: 'no-ref' | 'no-union', $defs?: SchemaNode): unknown {
  const document = { type: 'object', properties: { x: schema }, ...($defs === undefined ? {} : { $defs }) };
  return (applySchemaProfile(document, profile)['properties'] as SchemaNode)['x'];
}

function sizeOf(node: SchemaNode): number {
  return 1 + subschemas(node).reduce((sum, { schema }) => sum + (isNode(schema) ? sizeOf(schema) : 0), 0);
}

function keywordsIn(node: SchemaNode): string[] {
  return [
    ...Object.keys(node),
    ...subschemas(node).flatMap(({ schema }) => (isNode(schema) ? keywordsIn(schema) : [])),
  ];
}

test('the full profile is the document itself', () => {
  const document = { type: 'object', $defs: {} };
  expect(applySchemaProfile(document, 'full')).toBe(document);
});

describe('without references', () => {
  test('definitions are written out where they are used', () => {
    expect(
      applySchemaProfile(
        {
          $schema: 'https://json-schema.org/draft/2020-12/schema',
          type: 'object',
          properties: { a: { $ref: '#/$defs/A' }, b: { $dynamicRef: '#b' }, c: { $ref: '#/properties/a' } },
          $defs: { A: { type: 'array', items: { $ref: '#b' } }, B: { $anchor: 'b', type: 'string' } },
        },
        'no-ref',
      ),
    ).toEqual({
      type: 'object',
      properties: {
        a: { type: 'array', items: { type: 'string' } },
        b: { type: 'string' },
        c: { type: 'array', items: { type: 'string' } },
      },
    });
  });

  test('keywords beside a reference stay', () => {
    const defs = { A: { type: 'string', minLength: 1, description: 'A name' } };
    expect(field({ $ref: '#/$defs/A', description: 'Mine', default: 'x' }, 'no-ref', defs)).toEqual({
      type: 'string',
      minLength: 1,
      default: 'x',
      description: 'Mine',
    });
    expect(field({ $ref: '#/$defs/A', minLength: 2 }, 'no-ref', defs)).toEqual({
      minLength: 2,
      allOf: [defs.A],
    });
    const closed = { A: { type: 'object', properties: { a: text }, additionalProperties: false } };
    expect(field({ $ref: '#/$defs/A', properties: { b: text } }, 'no-ref', closed)).toEqual({
      properties: { b: text },
      allOf: [closed.A],
    });
  });

  test('recursion is cut where it repeats, with a note', () => {
    const tree = z.object({
      value: z.number(),
      get children() {
        return z.array(tree).optional();
      },
    });
    const document = z.toJSONSchema(tree) as SchemaNode;
    expect(applySchemaProfile(document, 'no-ref')).toMatchObject({
      type: 'object',
      properties: {
        value: { type: 'number' },
        children: {
          type: 'array',
          items: { type: 'object', description: 'Recursive: again the whole, as above.' },
        },
      },
    });
    const defs = {
      Node: { type: 'object', properties: { next: { $ref: '#/$defs/Node', description: 'The next.' } } },
    };
    expect(field({ $ref: '#/$defs/Node' }, 'no-ref', defs)).toEqual({
      type: 'object',
      properties: {
        next: { type: 'object', description: 'The next. Recursive: again "Node", as above.' },
      },
    });
  });

  test('a cut in a question takes the question away, and in a choice of one makes it a choice', () => {
    const node = (more: SchemaNode): SchemaNode => ({ Node: { type: 'object', ...more } });
    const next = { properties: { next: { $ref: '#/$defs/Node' } } };
    expect(field({ $ref: '#/$defs/Node' }, 'no-ref', node({ not: next }))).toEqual({ type: 'object' });
    expect(field({ $ref: '#/$defs/Node' }, 'no-ref', node({ if: next, then: false }))).toEqual({
      type: 'object',
    });
    expect(
      field({ $ref: '#/$defs/Node' }, 'no-ref', node({ oneOf: [next, { required: ['x'] }] })),
    ).toHaveProperty('anyOf');
  });

  test('a cut in what is searched for takes the upper bound of the search away', () => {
    const defs = {
      Node: {
        type: 'array',
        contains: { type: 'array', items: { $ref: '#/$defs/Node' } },
        minContains: 1,
        maxContains: 2,
      },
    };
    const written = field({ $ref: '#/$defs/Node' }, 'no-ref', defs);
    expect(written).toMatchObject({ type: 'array', minContains: 1 });
    expect(written).not.toHaveProperty('maxContains');
  });

  test('a fan of references does not explode', () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [
        `D${index}`,
        {
          type: 'object',
          properties: { a: { $ref: `#/$defs/D${index + 1}` }, b: { $ref: `#/$defs/D${index + 1}` } },
        },
      ]),
    );
    const document = {
      type: 'object',
      properties: { x: { $ref: '#/$defs/D0' } },
      $defs: { ...$defs, D40: text },
    };
    for (const profile of ['no-ref', 'no-union'] as const) {
      const written = applySchemaProfile(document, profile);
      expect(sizeOf(written)).toBeLessThanOrEqual(50_000);
      expect(() => assertServable(written, 'it')).not.toThrow();
    }
    expect(JSON.stringify(applySchemaProfile(document, 'no-ref'))).toContain('is not written out here.');
  });

  test('a chain of references does not become too deep', () => {
    const chain = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [
        `D${index}`,
        { type: 'object', properties: { a: { $ref: `#/$defs/D${index + 1}` } } },
      ]),
    );
    let nested: SchemaNode = { $ref: '#/$defs/D0' };
    for (let level = 0; level < 100; level += 1) nested = { type: 'object', properties: { a: nested } };
    const document = {
      type: 'object',
      properties: { first: { $ref: '#/$defs/D0' }, x: nested },
      $defs: { ...chain, D60: text },
    };
    assertServable(document, 'it');
    expect(() => assertServable(applySchemaProfile(document, 'no-ref'), 'it')).not.toThrow();
  });
});

describe('without unions, nothing is lost of', () => {
  test.each<[string, SchemaNode, SchemaNode]>([
    ['constants', { anyOf: [{ const: 'a' }, { const: 'b' }] }, { type: 'string', enum: ['a', 'b'] }],
    [
      'enums',
      { oneOf: [{ enum: ['a', 1] }, { const: null }] },
      { type: ['string', 'integer', 'null'], enum: ['a', 1, null] },
    ],
    [
      'an enum or null',
      { anyOf: [{ enum: ['a', 'b'] }, { type: 'null' }] },
      { type: ['string', 'null'], enum: ['a', 'b', null] },
    ],
    [
      'a value or null',
      { anyOf: [{ type: 'string', minLength: 2 }, { type: 'null' }] },
      { type: ['string', 'null'], minLength: 2 },
    ],
    [
      'different types',
      {
        anyOf: [
          { type: 'string', format: 'email' },
          { type: 'integer', minimum: 1 },
          { type: 'array', items: text },
        ],
      },
      { type: ['string', 'integer', 'array'], format: 'email', minimum: 1, items: text },
    ],
    [
      'a part that all others are part of',
      { anyOf: [{ type: 'string', minLength: 3 }, text] },
      { type: 'string' },
    ],
    [
      'parts that all apply',
      { type: 'string', allOf: [{ minLength: 2 }, { minLength: 3, maxLength: 9 }] },
      { type: 'string', minLength: 3, maxLength: 9 },
    ],
    [
      'objects that all apply',
      {
        type: 'object',
        properties: { a: text },
        allOf: [{ type: 'object', properties: { b: number, a: { maxLength: 3 } }, required: ['b'] }],
      },
      { type: 'object', properties: { a: { type: 'string', maxLength: 3 }, b: number }, required: ['b'] },
    ],
    [
      'a closed object',
      { type: 'object', properties: { a: text }, unevaluatedProperties: false },
      { type: 'object', properties: { a: text }, additionalProperties: false },
    ],
  ])('%s', (_, schema, expected) => {
    expect(field(schema, 'no-union')).toEqual(expected);
  });
});

describe('without unions, lost information gets a note', () => {
  test.each<[string, SchemaNode, SchemaNode]>([
    [
      'constraints that not all share',
      {
        description: 'A code.',
        anyOf: [
          { type: 'string', minLength: 2, pattern: '^a' },
          { type: 'string', minLength: 5 },
        ],
      },
      { type: 'string', minLength: 2, description: `A code. ${NOTE}` },
    ],
    [
      'a type and one of its values',
      { anyOf: [{ const: 'auto' }, text] },
      { type: 'string', description: NOTE },
    ],
    [
      'a closed object of several parts',
      { type: 'object', allOf: [{ properties: { a: text } }], unevaluatedProperties: false },
      { type: 'object', properties: { a: text }, description: NOTE },
    ],
    [
      'values among other types',
      {
        anyOf: [
          { const: 'auto', description: 'Let us choose' },
          { type: 'number', description: 'Exactly' },
        ],
      },
      { type: ['string', 'number'], description: `Let us choose | Exactly ${NOTE}` },
    ],
    [
      'closed objects',
      {
        anyOf: [
          {
            type: 'object',
            properties: { kind: { const: 'a' }, x: text },
            required: ['kind', 'x'],
            additionalProperties: false,
          },
          {
            type: 'object',
            properties: { kind: { const: 'b' }, x: number },
            required: ['kind'],
            additionalProperties: false,
          },
        ],
      },
      {
        type: 'object',
        properties: { kind: { type: 'string', enum: ['a', 'b'] }, x: { type: ['string', 'number'] } },
        required: ['kind'],
        additionalProperties: false,
        description: NOTE,
      },
    ],
    [
      'arrays',
      {
        anyOf: [
          { type: 'array', items: text, minItems: 1 },
          { type: 'array', prefixItems: [number], items: false },
        ],
      },
      { type: 'array', items: { type: ['string', 'number'] }, description: NOTE },
    ],
    [
      'conditions',
      { ...text, if: { minLength: 3 }, then: { pattern: '^a' } },
      { type: 'string', description: NOTE },
    ],
    ['negations', { ...text, not: { const: 'x' } }, { type: 'string', description: NOTE }],
    [
      'choices of exactly one that overlap',
      { oneOf: [{ type: 'string', minLength: 3 }, text] },
      { type: 'string', description: NOTE },
    ],
    [
      'two patterns',
      { ...text, pattern: 'a', allOf: [{ pattern: 'b' }] },
      { type: 'string', pattern: 'a', description: NOTE },
    ],
  ])('%s', (_, schema, expected) => {
    expect(field(schema, 'no-union')).toEqual(expected);
  });

  test('fields of one alternative that another takes with any value', () => {
    const union = {
      type: 'object',
      anyOf: [
        { properties: { a: { ...number, description: 'How many' } }, required: ['a'] },
        { properties: { b: text } },
      ],
    };
    expect(applySchemaProfile(union, 'no-union')).toEqual({
      type: 'object',
      properties: { a: { description: 'How many' }, b: {} },
      description: NOTE,
    });
    expect(applySchemaProfile(union, 'no-union', { unlistedKeys: 'dropped' })).toEqual({
      type: 'object',
      properties: { a: { type: 'number', description: 'How many' }, b: text },
      description: NOTE,
    });
  });
});

describe('a profile never accepts less than the document', () => {
  const scalar = fc.constantFrom<unknown>(
    text,
    number,
    { type: 'integer', minimum: 1 },
    { type: 'string', minLength: 2 },
    { type: 'string', maxLength: 1, description: 'Short' },
    { enum: ['a', 1, null] },
    { const: 'a' },
    { type: ['string', 'null'] },
    { type: 'boolean' },
    { $ref: '#/$defs/A' },
    { $ref: '#/$defs/B', minProperties: 1 },
    { $ref: '#' },
    { minLength: 2 },
    { required: ['x'] },
    true,
    false,
    {},
  );
  const { schema } = fc.letrec<{ schema: unknown }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 3, depthIdentifier: 'schema' },
      { weight: 3, arbitrary: scalar },
      fc.record(
        {
          type: fc.constant('object'),
          properties: fc.dictionary(fc.constantFrom('x', 'y', 'z'), tie('schema'), { maxKeys: 2 }),
          required: fc.constantFrom(['x'], ['y'], ['x', 'y']),
          additionalProperties: fc.oneof(fc.constant(false), tie('schema')),
          patternProperties: fc.dictionary(fc.constantFrom('^x', 'z'), tie('schema'), { maxKeys: 1 }),
          unevaluatedProperties: fc.oneof(fc.constant(false), tie('schema')),
          propertyNames: fc.constantFrom({ enum: ['x', 'y'] }, { maxLength: 1 }),
        },
        { requiredKeys: [] },
      ),
      fc.record(
        {
          type: fc.constant('array'),
          items: tie('schema'),
          prefixItems: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
          // Plain values: nested ones with references take Ajv too long.
          contains: fc.constantFrom<unknown>(
            text,
            number,
            { enum: ['a', 1] },
            { anyOf: [text, { required: ['x'] }] },
          ),
          maxContains: fc.constant(1),
          unevaluatedItems: tie('schema'),
        },
        { requiredKeys: [] },
      ),
      fc.record(
        {
          type: fc.constantFrom('object', 'string', ['object', 'array', 'number']),
          properties: fc.dictionary(fc.constantFrom('x', 'y'), tie('schema'), { maxKeys: 1 }),
          anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }),
          oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }),
          allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
          not: tie('schema'),
          if: tie('schema'),
          // oxlint-disable-next-line unicorn/no-thenable
          then: tie('schema'),
          else: tie('schema'),
          dependentSchemas: fc.dictionary(fc.constant('x'), tie('schema')),
          unevaluatedProperties: fc.oneof(fc.constant(false), tie('schema')),
        },
        { requiredKeys: [] },
      ),
    ),
  }));
  const document = fc
    .record({ x: schema, y: schema, A: schema, B: schema, root: fc.oneof(fc.constant({}), schema) })
    .map(({ x, y, A, B, root }): SchemaNode => ({
      ...(isNode(root) ? root : {}),
      type: 'object',
      properties: { x, y },
      $defs: { A, B },
    }))
    .filter(isServable);
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3, depthIdentifier: 'value' },
      { weight: 2, arbitrary: fc.constantFrom<unknown>('', 'a', 'abc', 0, 1, 2.5, null, true) },
      fc.array(tie('value'), { maxLength: 2 }),
      fc.dictionary(fc.constantFrom('x', 'y', 'z'), tie('value'), { maxKeys: 3 }),
    ),
  }));
  const argument = fc.dictionary(fc.constantFrom('x', 'y', 'z'), value, { maxKeys: 3 });

  type Judge = (value: unknown) => boolean | undefined;

  /** Ajv generates failing code ("props0 is not defined") for some `unevaluatedProperties`; then its verdict is ignored. */
  function createTolerantAcceptance(schema: SchemaNode): Judge {
    const accepts = createAcceptance(schema);
    return (value) => {
      try {
        return accepts(value);
      } catch (error) {
        if (error instanceof ReferenceError) return undefined;
        throw error;
      }
    };
  }

  function isServable(candidate: SchemaNode): boolean {
    try {
      assertServable(candidate, 'it');
      return true;
    } catch {
      return false;
    }
  }

  test.each(['no-ref', 'no-union'] as const)('%s', (profile) => {
    let [accepted, exact] = [0, 0];
    fc.assert(
      fc.property(document, fc.array(argument, { minLength: 10, maxLength: 30 }), (full, values) => {
        const profiled = applySchemaProfile(full, profile);
        expect(profiled['type']).toBe('object');
        const keywords = keywordsIn(profiled);
        for (const banned of profile === 'no-ref' ? ['$ref', '$defs'] : BANNED)
          expect(keywords).not.toContain(banned);
        assertServable(profiled, 'it');
        const [before, after] = [full, profiled].map(createTolerantAcceptance) as [Judge, Judge];
        const isExact = !/Simplified:|Recursive:/.test(JSON.stringify(profiled)) && !hasCut(full);
        for (const candidate of values) {
          if (before(candidate) === undefined || after(candidate) === undefined) continue;
          if (before(candidate)) {
            accepted += 1;
            expect([JSON.stringify(candidate), after(candidate)]).toEqual([JSON.stringify(candidate), true]);
          } else if (isExact) {
            exact += 1;
            expect([JSON.stringify(candidate), after(candidate)]).toEqual([JSON.stringify(candidate), false]);
          }
        }
      }),
      { numRuns: 80 },
    );
    expect(accepted).toBeGreaterThan(50);
    expect(exact).toBeGreaterThan(20);
  });

  /** Whether a cut could have been removed together with its surrounding keyword. */
  function hasCut(full: SchemaNode): boolean {
    return JSON.stringify(full).includes('"$ref"');
  }
});

const BANNED = [
  '$ref',
  '$dynamicRef',
  '$defs',
  'anyOf',
  'oneOf',
  'allOf',
  'not',
  'if',
  'then',
  'else',
  'dependentSchemas',
];
