import { describe, expect, test } from 'vitest';
import { convert, nodeOf, ref } from './converting.ts';

const Cat = { type: 'object', properties: { lives: { type: 'integer' } }, required: ['lives'] };
const Dog = { type: 'object', properties: { bark: { type: 'string' } } };

describe('allOf', () => {
  test('of one part is that part, with what is said beside it', async () => {
    expect(await nodeOf({ allOf: [{ type: 'string', minLength: 1 }], description: 'D' })).toEqual({
      type: 'string',
      minLength: 1,
      description: 'D',
    });
    expect(
      await convert({ allOf: [ref('Cat')], description: 'D', default: {} }, { schemas: { Cat } }),
    ).toMatchObject({ node: { $ref: '#/$defs/Cat', description: 'D', default: {} } });
    expect(
      await convert({ allOf: [ref('Cat')], nullable: true, title: 'T' }, { schemas: { Cat } }),
    ).toMatchObject({ node: { title: 'T', anyOf: [{ $ref: '#/$defs/Cat' }, { type: 'null' }] } });
  });

  test('annotations of the outer schema win', async () => {
    const part = { type: 'string', description: 'inner', example: 'a', default: 'x' };
    expect(await nodeOf({ allOf: [part], description: 'outer', example: 'b' })).toEqual({
      type: 'string',
      description: 'outer',
      examples: ['b'],
      default: 'x',
    });
  });

  test('of one part stays where both say the same thing', async () => {
    expect(await nodeOf({ allOf: [{ required: ['a'] }], required: ['b'] })).toEqual({
      allOf: [{ required: ['a'] }],
      required: ['b'],
    });
    expect(await nodeOf({ allOf: [Cat], properties: { name: {} } })).toEqual({
      allOf: [Cat],
      properties: { name: {} },
    });
  });

  test.each([
    [{ allOf: [] }, {}],
    [{ allOf: [{}] }, {}],
    [{ allOf: [{}, { type: 'string' }] }, { type: 'string' }],
    [{ allOf: [{ description: 'D' }, Cat] }, { allOf: [{ description: 'D' }, Cat] }],
    [{ allOf: [true] }, { allOf: [true] }],
    [{ allOf: [5, null] }, {}],
    [{ allOf: {} }, {}],
    [
      { type: 'object', allOf: [Cat, Dog] },
      { type: 'object', allOf: [Cat, Dog] },
    ],
  ])('%j is %j', async (schema, expected) => {
    expect(await nodeOf(schema)).toEqual(expected);
  });
});

describe('choices and conditions', () => {
  test.each([
    [{ anyOf: [{ type: 'string' }, false] }, { anyOf: [{ type: 'string' }, false] }],
    [{ oneOf: [{ type: 'string' }, 5] }, { oneOf: [{ type: 'string' }] }],
    [{ oneOf: [] }, {}],
    [{ not: { type: 'string' } }, { not: { type: 'string' } }],
    [{ not: 5 }, {}],
    [
      { if: { type: 'string' }, else: { type: 'null' } },
      { if: { type: 'string' }, else: { type: 'null' } },
    ],
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    [{ then: { type: 'string' } }, {}],
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    [{ if: true, then: 5 }, { if: true }],
  ])('%j is %j', async (schema, expected) => {
    expect(await nodeOf(schema)).toEqual(expected);
  });
});

describe('a discriminator', () => {
  const oneOf = [ref('Cat'), ref('Dog')];
  const marked = (name: string, value: object): object => ({
    $ref: `#/$defs/${name}`,
    type: 'object',
    properties: { kind: value },
    required: ['kind'],
  });

  test('says which value belongs to which choice', async () => {
    const schema = { oneOf, discriminator: { propertyName: 'kind' } };
    expect(await convert(schema, { schemas: { Cat, Dog } })).toMatchObject({
      node: { oneOf: [marked('Cat', { const: 'Cat' }), marked('Dog', { const: 'Dog' })] },
      definitions: { Cat, Dog },
      notes: [],
    });
  });

  test('by its mapping, of references or of names', async () => {
    const mapping = { cat: '#/components/schemas/Cat', tiger: 'Cat', dog: 'Dog', cow: 'Cow', x: 5 };
    const schema = { anyOf: oneOf, discriminator: { propertyName: 'kind', mapping } };
    expect(await convert(schema, { schemas: { Cat, Dog } })).toMatchObject({
      node: { anyOf: [marked('Cat', { enum: ['cat', 'tiger'] }), marked('Dog', { const: 'dog' })] },
    });
  });

  test('never asks for a value that the choice itself does not take', async () => {
    const Base = { properties: { kind: { type: 'string', enum: ['cat', 'dog'] } } };
    const own = { allOf: [ref('Base'), Cat] };
    const schemas = { Base, Cat: own, Dog: { properties: { kind: { const: 'dog' } } } };
    const schema = { oneOf, discriminator: { propertyName: 'kind' } };
    expect(await convert(schema, { schemas })).toMatchObject({
      node: { oneOf: [{ $ref: '#/$defs/Cat' }, { $ref: '#/$defs/Dog' }] },
    });
    const mapping = { cat: 'Cat', dog: 'Dog' };
    expect(
      await convert({ oneOf, discriminator: { propertyName: 'kind', mapping } }, { schemas }),
    ).toMatchObject({ node: { oneOf: [marked('Cat', { const: 'cat' }), marked('Dog', { const: 'dog' })] } });
  });

  test('that is read-only is not asked for', async () => {
    const schemas = { Cat: { properties: { kind: { type: 'string', readOnly: true } } } };
    const schema = { oneOf: [ref('Cat')], discriminator: { propertyName: 'kind' } };
    expect(await convert(schema, { schemas })).toMatchObject({ node: { oneOf: [{ $ref: '#/$defs/Cat' }] } });
  });

  test('keeps null and keywords beside a reference', async () => {
    const discriminator = { propertyName: 'kind' };
    expect(
      await convert({ oneOf: [{ ...ref('Cat'), nullable: true }], discriminator }, { schemas: { Cat } }),
    ).toMatchObject({ node: { oneOf: [{ anyOf: [{ $ref: '#/$defs/Cat' }, { type: 'null' }] }] } });
    const beside = { ...ref('Cat'), properties: { name: { type: 'string' } } };
    expect(
      await convert({ oneOf: [beside], discriminator }, { schemas: { Cat }, version: '3.1.0' }),
    ).toMatchObject({
      node: {
        oneOf: [
          {
            allOf: [
              { $ref: '#/$defs/Cat', type: 'object', properties: { name: { type: 'string' } } },
              { type: 'object', properties: { kind: { const: 'Cat' } }, required: ['kind'] },
            ],
          },
        ],
      },
    });
  });

  test.each([['kind'], [5], [{}], [{ propertyName: 5 }], [{ propertyName: '' }]])(
    '%j says nothing',
    async (discriminator) => {
      expect(await convert({ oneOf, discriminator }, { schemas: { Cat, Dog } })).toMatchObject({
        node: { oneOf: [{ $ref: '#/$defs/Cat' }, { $ref: '#/$defs/Dog' }] },
        notes: [],
      });
    },
  );

  test('can have any name', async () => {
    const schema = { oneOf: [ref('Cat')], discriminator: { propertyName: '__proto__' } };
    const { node } = await convert(schema, { schemas: { Cat } });
    expect(JSON.stringify(node)).toBe(
      '{"oneOf":[{"$ref":"#/$defs/Cat","type":"object","properties":{"__proto__":{"const":"Cat"}},"required":["__proto__"]}]}',
    );
  });
});
