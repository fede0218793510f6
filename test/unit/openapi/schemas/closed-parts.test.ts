import { expect, test } from 'vitest';
import { ToolRegistry } from '../../../../src/index.ts';
import { fromOpenAPI } from '../../../../src/openapi.ts';
import { connect } from '../../../support/sdk.ts';
import { check, importOf, inputOf, toolOf, useApi, withBody } from '../import/support.ts';
import type { Json } from '../import/support.ts';

const api = useApi();

const closed = (name: string, more: Json = {}): Json => ({
  type: 'object',
  additionalProperties: false,
  properties: { [name]: { type: 'string' }, ...more },
});

const SCHEMAS: Json = {
  Base: closed('id'),
  Pet: { allOf: [{ $ref: '#/components/schemas/Base' }, closed('name', { age: { type: 'integer' } })] },
};
const DOCUMENT = withBody(
  {
    type: 'object',
    properties: { pet: { $ref: '#/components/schemas/Pet' }, base: { $ref: '#/components/schemas/Base' } },
  },
  SCHEMAS,
);
const PET = { id: '7', name: 'Rex', age: 3 };

const notesOf = async (document: Json, options = {}): Promise<readonly string[]> =>
  (await importOf(document, options)).report.operations.flatMap(({ notes }) => notes);

test('parts that forbid each other are noted, and calls with them refused', async () => {
  expect(await notesOf(DOCUMENT)).toEqual([
    'parts of a schema (allOf) forbid each other\'s properties ("name", "age", "id"); calls with them are rejected. If the API accepts them, allow them: validate: "lenient" (--validate lenient)',
  ]);
  expect(await check(await toolOf(DOCUMENT), { pet: PET })).not.toEqual([]);
});

test('validate: lenient sends anyway, and advertises what it takes', async () => {
  const registry = new ToolRegistry();
  await fromOpenAPI(DOCUMENT, { ...api.options, validate: 'lenient', registry });
  await using connection = await connect(registry, { client: 'v2 Client', server: 'v2 Server' });
  const { tools } = await connection.client.listTools();
  const result = await connection.client.callTool(tools[0]?.name ?? '', { pet: PET });
  expect(result.isError).not.toBe(true);
  expect(JSON.parse(api.arrived.at(-1)?.body ?? '')).toEqual({ pet: PET });
  expect(await notesOf(DOCUMENT, { validate: 'lenient' })).toEqual([
    'parts of a schema (allOf) forbid each other\'s properties ("name", "age", "id"); they are allowed',
  ]);
  const schema = inputOf(await toolOf(DOCUMENT, { validate: 'lenient' }));
  expect((schema['$defs'] as Json)['Pet']).toEqual({
    allOf: [
      { type: 'object', properties: { id: { type: 'string' } } },
      { type: 'object', properties: { name: { type: 'string' }, age: { type: 'integer' } } },
    ],
  });
});

test('all the rest is validated as before', async () => {
  const tool = await toolOf(DOCUMENT, { validate: 'lenient' });
  expect(await check(tool, { pet: { ...PET, age: 'three' } })).not.toEqual([]);
  // Alone, the part is still closed.
  expect(await check(tool, { base: { id: '7', name: 'Rex' } })).not.toEqual([]);
  expect(await check(tool, { base: { id: '7' } })).toEqual([]);
});

test('parts that know each other, or are open, are not noted', async () => {
  const nested = (schema: Json): Json => withBody({ type: 'object', properties: { pet: schema } });
  const same = nested({ allOf: [closed('a', { b: {} }), closed('b', { a: {} })] });
  const open = nested({ allOf: [{ type: 'object', properties: { a: {} } }, { properties: { b: {} } }] });
  const patterns = nested({
    allOf: [{ ...closed('a'), patternProperties: { '^x-': {} } }, { properties: { b: {} } }],
  });
  const readOnly = nested({ allOf: [closed('a'), { properties: { id: { readOnly: true } } }] });
  for (const document of [same, open, patterns, readOnly]) expect(await notesOf(document)).toEqual([]);
  const beside = nested({ ...closed('a'), allOf: [{ properties: { b: {} } }] });
  expect(await notesOf(beside)).toHaveLength(1);
  expect(await check(await toolOf(beside, { validate: 'lenient' }), { pet: { a: 'x', b: 1 } })).toEqual([]);
});

test('a part of itself ends', async () => {
  const schemas = {
    A: { ...closed('a'), allOf: [{ $ref: '#/components/schemas/B' }] },
    B: { ...closed('b'), allOf: [{ $ref: '#/components/schemas/A' }] },
  };
  const document = withBody(
    { type: 'object', properties: { a: { $ref: '#/components/schemas/A' } } },
    schemas,
  );
  const tool = await toolOf(document, { validate: 'lenient' });
  expect(await check(tool, { a: { a: 'x', b: 'y' } })).toEqual([]);
});

test('another word is refused', async () => {
  await expect(importOf(DOCUMENT, { validate: 'off' as never })).rejects.toThrow(
    'fromOpenAPI: validate must be "strict" or "lenient"; received "off".',
  );
});
