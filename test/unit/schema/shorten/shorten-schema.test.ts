import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { shortenSchema } from '../../../../src/schema/shorten/shorten-schema.ts';
import { cpuMsOf } from '../../../support/cpu-time.ts';

const within = (max: number) => (schema: unknown) => JSON.stringify(schema).length <= max;

const DOCUMENT = {
  type: 'object',
  properties: {
    id: { type: 'string', description: 'Which one' },
    address: {
      type: 'object',
      description: 'Where it is',
      properties: {
        street: { type: 'string' },
        country: {
          type: 'object',
          properties: { code: { type: 'string' }, name: { type: 'string', description: 'x'.repeat(200) } },
        },
      },
      required: ['street'],
    },
    parent: { $ref: '#/$defs/Node' },
  },
  required: ['id'],
  $defs: {
    Node: {
      type: 'object',
      description: 'A node',
      properties: { next: { $ref: '#/$defs/Node' }, at: { type: 'integer' } },
    },
  },
};

const DEEP = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    deep: {
      type: 'object',
      properties: { deeper: { type: 'object', properties: { x: { type: 'string' } } } },
    },
  },
};

describe('a schema that is too long', () => {
  test('stays as it is while it fits', () => {
    expect(shortenSchema(DOCUMENT, { fits: within(10_000) })).toEqual({ schema: DOCUMENT, isWhole: true });
  });

  test('keeps its first level; what is deeper has its type, its description and the path that returns it', () => {
    expect(shortenSchema(DOCUMENT, { fits: within(320) })).toEqual({
      isWhole: false,
      schema: {
        type: 'object',
        properties: {
          id: { type: 'string', description: 'Which one' },
          address: { type: 'object', description: 'Where it is', 'x-path': '#/properties/address' },
          parent: { type: 'object', description: 'A node', 'x-path': '#/$defs/Node' },
        },
        required: ['id'],
      },
    });
  });

  test('has as many levels as fit', () => {
    const found = shortenSchema(DOCUMENT, { fits: within(500) });
    expect(found?.schema).toMatchObject({
      properties: {
        address: {
          properties: { country: { type: 'object', 'x-path': '#/properties/address/properties/country' } },
        },
        parent: { $ref: '#/$defs/Node' },
      },
      $defs: { Node: { properties: { at: { type: 'integer' } } } },
    });
  });

  test('a path returns the part, with the definitions that it refers to', () => {
    expect(shortenSchema(DOCUMENT, { fits: within(10_000), at: '#/properties/parent' })).toEqual({
      isWhole: true,
      schema: { $ref: '#/$defs/Node', $defs: DOCUMENT.$defs },
    });
    expect(
      shortenSchema(DOCUMENT, { fits: within(10_000), at: '#/properties/address/properties/country' }),
    ).toEqual({
      isWhole: true,
      schema: DOCUMENT.properties.address.properties.country,
    });
  });

  test.each([
    '#/properties/nosuch',
    '#/nosuch',
    '#nosuch',
    'nosuch',
    '',
    '#/required/7',
    '#/properties/__proto__',
  ])('the path %j leads nowhere', (at) => {
    expect(shortenSchema(DOCUMENT, { fits: within(10_000), at })).toBeUndefined();
  });

  test('names with slashes, tildes, percents and spaces are found again by the path that is given', () => {
    const names = ['a/b', 'a~b', 'a%2Fb', 'a b', 'ä', ''];
    const child = { type: 'object', properties: { deep: { type: 'string', description: 'x'.repeat(200) } } };
    const document = { type: 'object', properties: Object.fromEntries(names.map((name) => [name, child])) };
    const found = shortenSchema(document, { fits: within(800) })?.schema as typeof document;
    for (const name of names) {
      const { 'x-path': at } = found.properties[name] as unknown as { 'x-path': string };
      expect(shortenSchema(document, { fits: within(800), at }), name).toEqual({
        isWhole: true,
        schema: child,
      });
    }
  });

  test('with hundreds of properties lists the required ones first, and as many others as fit', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 300 }, (_, index) => [
        `p${index}`,
        { type: 'string', description: 'x'.repeat(50) },
      ]),
    );
    const document = { type: 'object', properties, required: ['p299'] };
    const { schema } = shortenSchema(document, { fits: within(300) }) as { schema: typeof document };
    expect(Object.keys(schema.properties).slice(0, 2)).toEqual(['p299', 'p0']);
    expect(schema).toMatchObject({ required: ['p299'], 'x-paths': ['#/properties/<name>'] });
    expect((schema as unknown as { 'x-more': string })['x-more']).toMatch(/^29\d more properties$/);
    expect(JSON.stringify(schema).length).toBeLessThanOrEqual(300);
  });

  test('is never longer than it may be, and compiles, whatever the limit', () => {
    for (let max = 130; max < 1000; max += 10) {
      const found = shortenSchema(DOCUMENT, { fits: within(max) });
      expect(JSON.stringify(found?.schema).length, `at ${max}`).toBeLessThanOrEqual(max);
      expect(() => new Ajv2020({ strict: false }).compile(found?.schema as object)).not.toThrow();
    }
  });

  test.each([
    [
      {
        oneOf: [
          { properties: { a: DEEP }, required: ['a'] },
          { properties: { b: DEEP }, required: ['b'] },
        ],
      },
      { b: { id: 'x' } },
    ],
    [
      {
        not: {
          properties: { a: { properties: { id: { properties: { x: { type: 'string' } } } } } },
          required: ['a'],
        },
      },
      { b: 1 },
    ],
    [
      { allOf: [{ properties: { a: { properties: { b: DEEP } } } }], unevaluatedProperties: false },
      { a: {} },
    ],
    [{ if: { properties: { a: DEEP }, required: ['a'] }, then: { required: ['z'] } }, { a: 7 }],
  ])('accepts what the whole schema accepts: %j', (given, value) => {
    const document = { type: 'object', description: 'x'.repeat(40), ...given };
    const ajv = new Ajv2020({ strict: false });
    expect(ajv.compile(document)(value)).toBe(true);
    const size = JSON.stringify(document).length;
    for (let max = 150; max < size; max += 7) {
      const { schema } = shortenSchema(document, { fits: within(max) }) as { schema: object };
      expect(ajv.compile(schema)(value), JSON.stringify(schema)).toBe(true);
    }
  });
});

test('takes time in proportion to the number of definitions', () => {
  const count = 4000;
  const $defs = Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `D${index}`,
      { type: 'object', properties: { next: { $ref: `#/$defs/D${(index + 1) % count}` } } },
    ]),
  );
  const document = { type: 'object', properties: { first: { $ref: '#/$defs/D0' } }, $defs };
  const shorten = (): void =>
    expect(shortenSchema(document, { at: '#/properties/first', fits: within(1000) })?.isWhole).toBe(false);
  expect(cpuMsOf(shorten)).toBeLessThan(1000);
});
