import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { joinSchemas } from '../../../src/schema/nodes/joined-schema.ts';
import { omitFields } from '../../../src/schema/convert/omit-fields.ts';
import type { Schema } from '../../../src/schema/nodes/schema-types.ts';
import { compileInput, run } from './compile.ts';

const OWNER = 'Tool "t": the common schema';

test('leaving nothing out gives the schema itself', () => {
  const schema = z.object({ a: z.string() });
  expect(omitFields(schema, [], OWNER)).toBe(schema);
});

describe.each<[string, Schema]>([
  ['zod', z.object({ tenant: z.string(), limit: z.number().default(10), page: z.number() })],
  ['arktype', type({ tenant: 'string', limit: 'number = 10', page: 'number' })],
  [
    'json-schema',
    {
      type: 'object',
      properties: {
        tenant: { type: 'string' },
        limit: { type: 'number', default: 10 },
        page: { $ref: '#/$defs/Page' },
      },
      required: ['tenant', 'page'],
      $defs: { Page: { type: 'number' } },
    },
  ],
])('fields of %s', (_, schema) => {
  test('those that are left out are neither advertised nor required', () => {
    const compiled = compileInput(omitFields(schema, ['tenant', 'page'], OWNER));
    expect(compiled.jsonSchema['properties']).toEqual({ limit: { type: 'number', default: 10 } });
    expect(compiled.jsonSchema['required'] ?? []).toEqual([]);
  });

  test('those that stay are still checked', () => {
    const rest = omitFields(schema, ['tenant', 'page'], OWNER);
    expect(run(rest, { limit: 3 })).toEqual({ ok: true, value: { limit: 3 } });
    expect(run(rest, { limit: 'x' }).ok).toBe(false);
  });

  test('an unknown field is rejected with the nearest name', () => {
    expect(() => omitFields(schema, ['tenantt'], OWNER)).toThrow(
      'Tool "t": the common schema: unknown field "tenantt". Did you mean "tenant"? Fields: ',
    );
  });
});

test('a strict object stays strict', () => {
  const rest = omitFields(z.strictObject({ a: z.string(), b: z.string() }), ['b'], OWNER);
  expect(run(rest, { a: 'x', b: 'y' }).ok).toBe(false);
});

test('of a joined schema each part loses its own fields', () => {
  const joined = joinSchemas([
    z.object({ a: z.string(), b: z.string() }),
    type({ c: 'string', d: 'string' }),
  ]);
  expect(run(omitFields(joined, ['a', 'd'], OWNER), { b: 'x', c: 'y' })).toEqual({
    ok: true,
    value: { b: 'x', c: 'y' },
  });
});

describe('fields that cannot be omitted safely are rejected', () => {
  const HELP =
    'Move the field out of the common schema, or write the common schema as a plain Zod object, an ArkType or a JSON Schema.';
  const ab = { type: 'object', properties: { a: { type: 'string' }, b: { $ref: '#/properties/a' } } };

  test.each<[string, Schema, string]>([
    [
      'from an object with a refinement',
      z.object({ a: z.string(), b: z.string() }).refine(({ a, b }) => a === b),
      '.omit() cannot be used on object schemas containing refinements',
    ],
    [
      'from an ArkType with a rule over the whole object',
      type({ a: 'string', b: 'string' }).narrow(({ a, b }) => a === b),
      'the schema has a rule over the whole object (narrow), which would be lost',
    ],
    [
      'from a union of ArkTypes with such a rule',
      type({ a: 'string' })
        .narrow(() => true)
        .or({ a: 'number', c: 'string' }),
      'the schema has a rule over the whole object (narrow), which would be lost',
    ],
    [
      'from Valibot',
      toStandardJsonSchema(v.object({ a: v.string(), b: v.string() })),
      'schemas of "valibot" do not support it',
    ],
    [
      'from a union',
      z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]),
      'schemas of "zod" do not support it',
    ],
    [
      'from a JSON Schema with conditions',
      { ...ab, dependentRequired: { b: ['a'] } },
      'its root is not a plain list of properties',
    ],
    ['what another field refers to', ab, 'another part of the schema refers to it'],
  ])('%s', (_, schema, reason) => {
    expect(() => omitFields(schema, ['a'], OWNER)).toThrow(
      `Tool "t": the common schema: "a" cannot be omitted: ${reason}. ${HELP}`,
    );
    expect(() => omitFields(schema, ['a'], OWNER)).toThrow(
      expect.objectContaining({ code: 'INVALID_DEFINITION' }),
    );
  });
});
