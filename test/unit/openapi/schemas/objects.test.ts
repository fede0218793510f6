import { describe, expect, test } from 'vitest';
import { convert, nodeOf, ref } from './converting.ts';

describe('members of objects', () => {
  test.each([
    [{ properties: { a: {} } }, { type: 'object', properties: { a: {} } }],
    [{ required: ['a', 'a', 5] }, { required: ['a'] }],
    [{ required: true }, {}],
    [{ properties: [] }, {}],
    [
      { type: 'object', additionalProperties: false },
      { type: 'object', additionalProperties: false },
    ],
    [
      { type: 'object', additionalProperties: { type: 'string' } },
      { type: 'object', additionalProperties: { type: 'string' } },
    ],
    [{ type: 'object', additionalProperties: 'no' }, { type: 'object' }],
    [
      { type: 'object', patternProperties: { '^x-': { type: 'string' } } },
      { type: 'object', patternProperties: { '^x-': { type: 'string' } } },
    ],
    [
      { type: 'object', propertyNames: { pattern: '^a' } },
      { type: 'object', propertyNames: { pattern: '^a' } },
    ],
    [{ dependentRequired: { a: ['b', 'b'], c: 'd', e: [5] } }, { dependentRequired: { a: ['b'] } }],
    [{ dependentSchemas: { a: { required: ['b'] } } }, { dependentSchemas: { a: { required: ['b'] } } }],
    [{ unevaluatedProperties: false }, { unevaluatedProperties: false }],
  ])('%j is %j', async (schema, expected) => {
    expect(await nodeOf(schema, { version: '3.1.0' })).toEqual(expected);
  });

  test('a pattern for names that cannot be used is left out', async () => {
    const schema = { patternProperties: { '(?i)x': { type: 'string' }, '^(a+)+$': {}, '^b': {} } };
    expect(await convert(schema)).toEqual({
      node: { patternProperties: { '^b': {} } },
      definitions: {},
      notes: ['a pattern of patternProperties cannot be used; it is left out'],
    });
  });

  test('any name is a name', async () => {
    const properties = JSON.parse(
      '{"__proto__":{"type":"string"},"constructor":{"type":"number"},"$ref":{"type":"string"},"$id":{"type":"string"},"toString":{}}',
    ) as object;
    const node = await nodeOf({ properties, required: ['__proto__', 'toString'] });
    expect(JSON.stringify(node)).toBe(
      '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"number"},"$ref":{"type":"string"},"$id":{"type":"string"},"toString":{}},"required":["__proto__","toString"]}',
    );
  });

  test('members beside choices make no object of them', async () => {
    const schema = {
      properties: { a: { type: 'string' } },
      oneOf: [{ required: ['a'] }, { type: 'string' }],
    };
    expect(await nodeOf(schema)).toEqual(schema);
    const parts = { properties: { a: { type: 'string' } }, allOf: [{ required: ['a'] }] };
    expect(await nodeOf(parts)).toEqual(parts);
  });
});

describe('readOnly and writeOnly members', () => {
  const both = {
    type: 'object',
    properties: {
      id: { type: 'string', readOnly: true },
      name: { type: 'string' },
      password: { type: 'string', writeOnly: true },
    },
    required: ['id', 'name', 'password'],
  };

  test('leave the other direction, and are not asked for there', async () => {
    expect(await nodeOf(both)).toEqual({
      type: 'object',
      properties: { name: { type: 'string' }, password: { type: 'string' } },
      required: ['name', 'password'],
    });
    expect(await nodeOf(both, { direction: 'response' })).toEqual({
      type: 'object',
      properties: { id: { type: 'string' }, name: { type: 'string' } },
      required: ['id', 'name'],
    });
  });

  const Id = { type: 'string', readOnly: true };

  test.each([
    ['a reference', ref('Id')],
    ['a mark beside a reference', { ...ref('Plain'), readOnly: true }],
    ['a wrapper', { allOf: [ref('Id')], description: 'D' }],
    ['a text', { type: 'string', readOnly: 'true' }],
  ])('through %s', async (_name, id) => {
    const schemas = { Id, Plain: { type: 'string' } };
    const schema = { properties: { id, name: { type: 'string' } }, required: ['id', 'name'] };
    expect(await nodeOf(schema, { schemas })).toEqual({
      type: 'object',
      properties: { name: { type: 'string' } },
      required: ['name'],
    });
  });

  test('all of them: an object without members', async () => {
    expect(await nodeOf({ properties: { id: Id }, required: ['id'] })).toEqual({ type: 'object' });
  });

  test('no part asks for what another part loses', async () => {
    const Base = { type: 'object', properties: { id: Id, name: { type: 'string' } } };
    const expected = { allOf: [{ $ref: '#/$defs/Base' }, { required: ['name'] }] };
    // Beside `allOf`.
    expect(
      await convert({ allOf: [ref('Base')], required: ['id', 'name'] }, { schemas: { Base } }),
    ).toMatchObject({ node: { $ref: '#/$defs/Base', required: ['name'] }, notes: [] });
    // In another part of `allOf`.
    expect(
      await convert({ allOf: [ref('Base'), { required: ['id', 'name'] }] }, { schemas: { Base } }),
    ).toMatchObject({ node: expected, notes: [] });
    // With the roles reversed.
    expect(await nodeOf({ properties: { id: Id, name: {} }, allOf: [{ required: ['id', 'name'] }] })).toEqual(
      { properties: { name: {} }, allOf: [{ required: ['name'] }] },
    );
    // Beside a reference.
    expect(
      await convert({ ...ref('Base'), required: ['id', 'name'] }, { schemas: { Base }, version: '3.1.0' }),
    ).toMatchObject({ node: { $ref: '#/$defs/Base', required: ['name'] }, notes: [] });
    expect(await nodeOf({ properties: { id: Id, name: {} }, dependentRequired: { name: ['id'] } })).toEqual({
      type: 'object',
      properties: { name: {} },
    });
  });

  test('not and conditions are converted exactly', async () => {
    const not = { required: ['id'] };
    expect(await nodeOf({ properties: { id: Id, name: {} }, not })).toEqual({
      type: 'object',
      properties: { name: {} },
      not,
    });
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    const condition = { if: { required: ['id'] }, then: { required: ['id', 'name'] } };
    expect(await nodeOf({ properties: { id: Id, name: {} }, ...condition })).toEqual({
      type: 'object',
      properties: { name: {} },
      if: { required: ['id'] },
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
      then: { required: ['name'] },
    });
  });

  test('members of members are none of them', async () => {
    const Owner = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] };
    const schema = { properties: { id: Id, owner: Owner, list: { type: 'array', items: Owner } } };
    expect(await nodeOf(schema)).toEqual({
      type: 'object',
      properties: { owner: Owner, list: { type: 'array', items: Owner } },
    });
  });
});
