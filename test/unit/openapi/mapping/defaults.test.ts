import { expect, test } from 'vitest';
import { ToolRegistry } from '../../../../src/index.ts';
import { fromOpenAPI } from '../../../../src/openapi.ts';
import { connect } from '../../../support/sdk.ts';
import { inputOf, reportOf, toolOf, useApi, withBody, withOperation } from '../import/support.ts';
import type { Json } from '../import/support.ts';

const api = useApi();

const LEVELS = ['low', 'high', ...Array.from({ length: 30 }, (_, index) => `level ${index}`)];
const schemas = {
  Level: { type: 'string', enum: ['low', 'high'] },
  // Too long to be listed.
  Levels: { type: 'string', enum: LEVELS },
};
const ref = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });

const withParameter = (schema: Json): Json =>
  withOperation(
    { operationId: 'get', parameters: [{ name: 'level', in: 'query', required: true, schema }] },
    { openapi: '3.1.0', components: { schemas } },
  );

const STRAY: Record<string, Json> = {
  'beside its values': { type: 'string', enum: ['low', 'high'], default: 'medium' },
  'beside a reference': { ...ref('Level'), default: 'medium' },
  'beside a reference to a long list': { ...ref('Levels'), default: 'medium' },
  'beside allOf': { allOf: [ref('Level')], default: 'medium' },
  'beside alternatives': { anyOf: [ref('Levels'), { type: 'null' }], default: 'medium' },
  'of a list': { type: 'array', items: ref('Levels'), default: ['low', 'medium'] },
};

test.each(Object.entries(STRAY))(
  'a default outside of its enum is not filled in: %s',
  async (_where, schema) => {
    const document = withParameter(schema);
    const input = inputOf(await toolOf(document));
    expect((input['properties'] as Record<string, Json>)['level']).not.toHaveProperty('default');
    expect(input['required']).toEqual(['level']);
    const { notes } = await reportOf(document, {}, 'GET /pets');
    expect(notes).toEqual([expect.stringMatching(/^the default .*medium.* is left out$/)]);
    const registry = new ToolRegistry();
    await fromOpenAPI(document, { ...api.options, registry });
    await using connection = await connect(registry, { client: 'v2 Client', server: 'v2 Server' });
    const before = api.arrived.length;
    const result = await connection.client.callTool('get', {});
    expect([result.isError, api.arrived.length - before]).toEqual([true, 0]);
    expect(JSON.stringify(result.content)).toContain('level: is required');
  },
);

test('one that fits is filled in', async () => {
  const document = withParameter({ anyOf: [ref('Levels'), { type: 'null' }], default: 'high' });
  const registry = new ToolRegistry();
  await fromOpenAPI(document, { ...api.options, registry });
  expect((await registry.executeTool({ name: 'get', arguments: {} })).isError).not.toBe(true);
  expect(api.arrived.at(-1)?.line).toBe('GET /pets?level=high');
  expect((await reportOf(document, {}, 'GET /pets')).notes).toEqual([]);
});

test('in members of a body as well; null says that there is none', async () => {
  const body = (fallback: unknown): Json =>
    withBody({
      type: 'object',
      properties: { a: { type: 'object', properties: { b: { enum: ['x', 'y'], default: fallback } } } },
    });
  const memberOf = async (document: Json): Promise<unknown> =>
    (inputOf(await toolOf(document)) as { properties: { a: { properties: { b: unknown } } } }).properties.a
      .properties.b;
  expect(await memberOf(body('z'))).toEqual({ enum: ['x', 'y'] });
  expect((await reportOf(body('z'))).notes).toEqual([
    'the default "z" is not one of the allowed values; it is left out',
  ]);
  expect(await memberOf(body(null))).toEqual({ enum: ['x', 'y'] });
  expect((await reportOf(body(null))).notes).toEqual([]);
  expect(await memberOf(body('y'))).toEqual({ enum: ['x', 'y'], default: 'y' });
});
