import { afterEach, expect, test } from 'vitest';
import { ToolRegistry } from '../../../../src/index.ts';
import { fromOpenAPI } from '../../../../src/openapi.ts';
import type { OpenApiOptions } from '../../../../src/openapi.ts';
import { connect } from '../../../support/sdk.ts';
import type { SdkCallResult } from '../../../support/sdk.ts';
import { useApi, withOperation } from '../import/support.ts';
import type { Json } from '../import/support.ts';

const api = useApi();
afterEach(() => {
  api.answer = {};
});

const documenting = (status: string, ...names: string[]): Json =>
  withOperation({
    operationId: 'get',
    responses: {
      [status]: { description: 'ok', headers: Object.fromEntries(names.map((name) => [name, {}])) },
    },
  });

async function call(document: Json, options: OpenApiOptions = {}): Promise<SdkCallResult> {
  const registry = new ToolRegistry();
  await fromOpenAPI(document, { ...api.options, ...options, registry });
  await using connection = await connect(registry, { client: 'v2 Client', server: 'v2 Server' });
  return await connection.client.callTool('get', {});
}

const SENT = { etag: 'W/"abc"', location: '/items/7?token=1' };

test('ETag and Location are part of a result where the operation documents them', async () => {
  api.answer = { status: 201, headers: SENT };
  expect(await call(documenting('201', 'etag', 'Location', 'X-Other'))).toMatchObject({
    content: [
      { type: 'text', text: '{"ok":true}' },
      { type: 'text', text: 'ETag: W/"abc"\nLocation: /items/7?token=1' },
    ],
    _meta: { 'toolwright/headers': { ETag: 'W/"abc"', Location: '/items/7?token=1' } },
  });
});

test('and only there', async () => {
  api.answer = { headers: SENT };
  expect((await call(documenting('200', 'X-Other'))).content).toEqual([
    { type: 'text', text: '{"ok":true}' },
  ]);
  expect((await call(documenting('200', 'ETag'))).content).toEqual([
    { type: 'text', text: '{"ok":true}' },
    { type: 'text', text: 'ETag: W/"abc"' },
  ]);
  api.answer = {};
  expect((await call(documenting('200', 'ETag'))).content).toHaveLength(1);
});

test('in Swagger 2.0 as well, and where there is no content', async () => {
  api.answer = { status: 204, headers: SENT, body: '' };
  const { paths } = documenting('204', 'Location');
  const swagger = { swagger: '2.0', info: { title: 'Pets', version: '1' }, paths };
  expect((await call(swagger)).content).toEqual([
    { type: 'text', text: 'Done: 204 without content.' },
    { type: 'text', text: 'Location: /items/7?token=1' },
  ]);
  // An undocumented location is returned without its query.
  expect((await call(documenting('204'))).content).toEqual([
    { type: 'text', text: 'Done: 204 without content. Location: /items/7.' },
  ]);
});

test('beside what is said of pages, in the parts of a long answer only once', async () => {
  api.answer = {
    headers: SENT,
    body: JSON.stringify(Array.from({ length: 50 }, (_, index) => `item ${index}`)),
  };
  const registry = new ToolRegistry();
  await fromOpenAPI(documenting('200', 'ETag'), { ...api.options, maxResponseChars: 200, registry });
  const first = await registry.executeTool({ name: 'get', arguments: {} });
  expect(first._meta).toMatchObject({ 'toolwright/headers': { ETag: 'W/"abc"' } });
  const token = first._meta?.['toolwright/continue'];
  const second = await registry.executeTool({ name: 'get', arguments: { continue_from: token } });
  expect(second._meta).not.toHaveProperty('toolwright/headers');
  expect(second.isError).not.toBe(true);
});

test('of an error there are none, and credentials are hidden', async () => {
  api.answer = { status: 412, headers: SENT };
  expect(JSON.stringify(await call(documenting('200', 'ETag')))).not.toContain('abc');
  api.answer = { headers: { etag: '"very-secret-key"' } };
  const document = {
    ...documenting('200', 'ETag'),
    components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'x-key' } } },
    security: [{ key: [] }],
  };
  const result = await call(document, { credentials: { key: 'very-secret-key' } });
  expect(JSON.stringify(result)).toContain('ETag');
  expect(JSON.stringify(result)).not.toContain('very-secret-key');
});
