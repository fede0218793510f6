import { afterEach, describe, expect, test } from 'vitest';
import { ResourcesManager, ToolRegistry } from '../../../../src/index.ts';
import type { AnyToolDefinition, McpCallToolResult, ToolRegistryOptions } from '../../../../src/index.ts';
import { fromOpenAPI } from '../../../../src/openapi.ts';
import type { OpenApiOptions } from '../../../../src/openapi.ts';
import { connect } from '../../../support/sdk.ts';
import { aDocument, outputOf, reportOf, toolOf, useApi, withOperation } from '../import/support.ts';
import type { Json } from '../import/support.ts';

const api = useApi();
afterEach(() => {
  api.answer = {};
});

interface Called {
  readonly registry: ToolRegistry;
  call(args?: Json, caller?: object): Promise<McpCallToolResult>;
}

async function prepare(
  document: Json,
  options: OpenApiOptions = {},
  settings: ToolRegistryOptions = {},
): Promise<Called> {
  const registry = new ToolRegistry(settings);
  const { tools } = await fromOpenAPI(document, { ...api.options, ...options, registry });
  const [tool] = tools as readonly AnyToolDefinition[];
  const name = tool?.name ?? '';
  return {
    registry,
    call: (args = {}, caller = {}) => registry.executeTool({ name, arguments: args, ...caller }),
  };
}

const textOf = ({ content: [block] }: McpCallToolResult): string =>
  block?.type === 'text' ? block.text : '';

describe('a tool', () => {
  const document = withOperation(
    { operationId: 'deletePet', tags: ['pets', 'a\u200Bdmin'], summary: 'S' },
    {},
    ['delete', '/pets/{id}'],
  );

  test('has the hints of its method, unless they are overridden', async () => {
    expect(await toolOf(document)).toMatchObject({
      name: 'deletePet',
      description: 'S',
      category: 'pets',
      tags: ['pets', 'admin'],
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
    });
    const overrides = {
      deletePet: {
        annotations: { readOnlyHint: true, title: 'T\u202E' },
        title: 'T\u200Bi',
        description: 'D\u001B[31m',
        category: 'c',
        tags: ['x'],
        scopes: ['s'],
        missingScopes: 'challenge' as const,
        timeoutMs: 5,
      },
    };
    expect(await toolOf(document, { overrides })).toMatchObject({
      title: 'Ti',
      description: 'D',
      category: 'c',
      tags: ['pets', 'admin', 'x'],
      scopes: ['s'],
      missingScopes: 'challenge',
      timeoutMs: 5,
      annotations: { title: 'T', readOnlyHint: true, destructiveHint: false },
    });
    const get = withOperation({ operationId: 'get' });
    expect(
      await toolOf(get, { overrides: { get: { annotations: { destructiveHint: true } } } }),
    ).toMatchObject({
      annotations: { readOnlyHint: false, destructiveHint: true },
    });
  });

  test('whose hints contradict each other costs the operation', async () => {
    const annotations = { readOnlyHint: true, destructiveHint: true };
    const both = aDocument({
      paths: { '/a': { get: { 'x-mcp-annotations': annotations } }, '/b': { get: {} } },
    });
    expect(await reportOf(both, {}, 'GET /a')).toMatchObject({
      outcome: 'refused',
      reason: 'Tool "get_a" has both readOnlyHint and destructiveHint. Remove one of them.',
    });
  });

  test('that has to be confirmed previews its request, without secrets', async () => {
    const parameters = ['key', 'token', 'note', 'note2'].map((name) => ({
      name,
      in: 'query',
      schema: { type: 'string' },
    }));
    const post = withOperation({ operationId: 'post', parameters }, {}, ['post', '/pets']);
    const overrides: OpenApiOptions['overrides'] = {
      post: {
        confirm: 'preview',
        arguments: {
          key: { fixed: 'fixed-value' },
          token: { secret: true },
          note2: { hidden: true, default: 'hidden-value' },
        },
      },
    };
    const { call } = await prepare(post, { overrides });
    const count = api.arrived.length;
    const shown = await call({ token: 'secret-value', note: 'n' });
    expect(textOf(shown)).toMatch(
      /This would send POST http:\/\/127\.0\.0\.1:\d+\/pets\?key=\[?.+\]?&token=.+&note=n/,
    );
    expect(JSON.stringify(shown)).not.toMatch(/fixed-value|secret-value|hidden-value/);
    expect(api.arrived.length).toBe(count);
    const [, token] = /confirmation_token "([^"]+)"/.exec(textOf(shown)) ?? [];
    await call({ token: 'secret-value', note: 'n', confirmation_token: token });
    expect(api.arrived.at(-1)?.line).toBe(
      'POST /pets?key=fixed-value&token=secret-value&note=n&note2=hidden-value',
    );
  });

  test('that only reads is not confirmed, whatever the document asks for all of it', async () => {
    const both = aDocument({ 'x-mcp-confirm': 'preview', paths: { '/a': { get: {}, post: {} } } });
    const { tools } = await fromOpenAPI(both, { baseUrl: 'https://api.example' });
    expect((tools as readonly AnyToolDefinition[]).map(({ confirm }) => confirm)).toEqual([
      undefined,
      'preview',
    ]);
  });

  test('gives the rest of a long answer', async () => {
    api.answer = { body: JSON.stringify({ text: 'abc'.repeat(400) }) };
    const { call } = await prepare(
      withOperation({ parameters: [{ name: 'must', in: 'query', required: true }] }),
      { maxResponseChars: 500 },
    );
    const first = await call({ must: 'x' });
    const more = first._meta?.['toolwright/continue'];
    expect(more).toBeDefined();
    const count = api.arrived.length;
    const second = await call({ continue_from: more });
    expect(second.isError).toBeUndefined();
    expect(textOf(second)).toContain('abcabc');
    expect(api.arrived.length).toBe(count);
    // The rest of a result belongs to its caller.
    const other = await call({ continue_from: more }, { principal: { id: 'somebody else' } });
    expect(other.isError).toBe(true);
  });

  test.each([
    ['grouped', 'pets', (rest: Json): Json => ({ action: 'get', ...rest })],
    ['search', 'call_tool', (rest: Json): Json => ({ name: 'get', arguments: rest })],
  ] as const)('also in exposure %s', async (exposure, name, toArguments) => {
    api.answer = { body: JSON.stringify({ text: 'abc'.repeat(400) }) };
    const parameters = [{ name: 'must', in: 'query', required: true }];
    const { registry } = await prepare(withOperation({ operationId: 'get', tags: ['pets'], parameters }), {
      maxResponseChars: 500,
      groupBy: exposure === 'grouped' ? 'tag' : 'none',
    });
    const surface = registry.surface({ exposure });
    const first = await surface.executeTool({ name, arguments: toArguments({ must: 'x' }) });
    const more = first._meta?.['toolwright/continue'];
    expect(more).toBeDefined();
    const second = await surface.executeTool({ name, arguments: toArguments({ continue_from: more }) });
    expect(second.isError).toBeUndefined();
    expect(textOf(second)).toContain('abcabc');
  });

  test('keeps what is selected of an answer', async () => {
    api.answer = { body: '{"data":{"items":[{"id":1,"x":2}]},"meta":{}}' };
    const { call } = await prepare(withOperation({ operationId: 'get' }), {
      overrides: { get: { response: { select: '/data/items' } } },
    });
    expect(textOf(await call())).toBe('[{"id":1,"x":2}]');
  });
});

describe('credentials that an API repeats are not shown', () => {
  const KEY = 'AbC+dEf/123456==';
  const document = aDocument({
    paths: { '/pets': { get: { operationId: 'listPets', security: [{ key: [] }] } } },
    components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
  });
  const credentials = { key: KEY };
  const WITHHELD = 'It was withheld: it contains credentials of the request.';

  test.each([
    ['text/plain', '/x?key=AbC%2bdEf%2f123456%3d%3d', '/x?key=[redacted]'],
    ['text/html', '<p>AbC&#43;dEf&#x2F;123456&#x3D;&#61;</p>', '<p>[redacted]</p>'],
    ['text/plain', String.raw`{"key":"AbC\u002BdEf/123456=="}`, '{"key":"[redacted]"}'],
    ['application/json', '{"url":"/x?key=AbC%2bdEf%2f123456%3d%3d"}', '{"url":"/x?key=[redacted]"}'],
    ['application/octet-stream', `X-Key: ${KEY}`, `Binary data of 23 bytes. ${WITHHELD}`],
    ['application/pdf', 'key=AbC%2bdEf%2f123456%3d%3d', `PDF of 28 bytes. ${WITHHELD}`],
    ['image/png', `\u0000${KEY}`, `image/png of 17 bytes. ${WITHHELD}`],
    ['audio/wav', Buffer.from(KEY, 'utf16le'), `audio/wav of 32 bytes. ${WITHHELD}`],
  ])('as %s: %s', async (type, body, shown) => {
    const { call } = await prepare(document, { credentials });
    api.answer = { headers: { 'content-type': type }, body };
    expect((await call()).content).toEqual([{ type: 'text', text: shown }]);
  });

  test('as a media type', async () => {
    const { call } = await prepare(document, { credentials: { key: 'key-123456' } });
    api.answer = { headers: { 'content-type': 'application/key-123456' }, body: 'x' };
    expect((await call()).content).toMatchObject([
      { resource: { mimeType: 'application/[redacted]' } },
      { text: 'application/[redacted] of 1 bytes.' },
    ]);
  });

  test('in a resource', async () => {
    const resources = new ResourcesManager();
    const routeMaps = [{ kind: 'resource' }] as const;
    await fromOpenAPI(document, { ...api.options, routeMaps, credentials, resources });
    const read = async (): Promise<unknown> => resources.readResource({ uri: 'openapi://pets/pets' });
    api.answer = { headers: { 'content-type': 'image/png' }, body: `\u0000${KEY}` };
    expect(await read()).toMatchObject({
      message: expect.stringContaining(
        'GET /pets returned image/png, which was withheld: it contains credentials of the request.',
      ) as string,
    });
    api.answer = { headers: { 'content-type': 'image/png' }, body: 'other' };
    expect(await read()).toMatchObject({ value: { contents: [{ blob: 'b3RoZXI=' }] } });
  });
});

describe('output schemas', () => {
  const responses = (schema: unknown): Json => ({
    responses: { 200: { content: { 'application/json': { schema } } } },
  });
  const Pet = {
    type: 'object',
    properties: {
      name: { type: 'string' },
      password: { type: 'string', writeOnly: true },
      friend: { $ref: '#/components/schemas/Pet' },
    },
    required: ['name', 'password'],
  };
  const given = { components: { schemas: { Pet } } };
  const ANY = { description: 'Whatever the API answers instead' };

  test('are there when they are asked for, and take any object', async () => {
    const document = withOperation(responses({ $ref: '#/components/schemas/Pet' }), given);
    expect(outputOf(await toolOf(document))).toBeUndefined();
    expect(outputOf(await toolOf(document, { outputSchemas: true }))).toEqual({
      type: 'object',
      anyOf: [{ $ref: '#/$defs/Pet' }, ANY],
      $defs: {
        Pet: {
          type: 'object',
          properties: { name: { type: 'string' }, friend: { $ref: '#/$defs/Pet' } },
          required: ['name'],
        },
      },
    });
  });

  test.each<[string, unknown, unknown]>([
    [
      'a list',
      { type: 'array', items: {} },
      { type: 'object', properties: { result: { type: 'array', items: {} } } },
    ],
    [
      'an object without a type',
      { properties: { a: {} }, allOf: [{ required: ['a'] }] },
      { properties: { a: {} }, allOf: [{ required: ['a'] }] },
    ],
    [
      'parts',
      { allOf: [{ type: 'object' }, { required: ['a'] }] },
      { allOf: [{ type: 'object' }, { required: ['a'] }] },
    ],
    [
      'objects to choose from',
      { oneOf: [{ type: 'object' }, { properties: { a: {} } }] },
      { oneOf: [{ type: 'object' }, { type: 'object', properties: { a: {} } }] },
    ],
    [
      'a choice of anything',
      { oneOf: [{ type: 'object' }, { type: 'string' }] },
      { type: 'object', properties: { result: { oneOf: [{ type: 'object' }, { type: 'string' }] } } },
    ],
  ])('of %s', async (_name, schema, described) => {
    const tool = await toolOf(withOperation(responses(schema)), { outputSchemas: true });
    expect(outputOf(tool)?.['anyOf']).toEqual([described, ANY]);
  });

  test.each([
    [{ 200: { content: { 'text/plain': {} } } }],
    [{ 404: { content: { 'application/json': { schema: {} } } } }],
    [{ 200: { content: { 'application/json': { schema: { $ref: 'https://elsewhere.example/x' } } } } }],
    [{ 200: { content: { 'application/json': { schema: false } } } }],
  ])('are not made of %j', async (answers) => {
    expect(
      outputOf(await toolOf(withOperation({ responses: answers }), { outputSchemas: true })),
    ).toBeUndefined();
  });

  test.each(['v1 Client', 'v2 Client'])('do not lose what the API answers instead: %s', async (client) => {
    const drifts: unknown[] = [];
    const onDrift = (operation: string, problems: readonly string[]): void => {
      drifts.push([operation, problems]);
      throw new Error('a listener that fails');
    };
    const { registry } = await prepare(
      withOperation({ operationId: 'getPet', ...responses({ $ref: '#/components/schemas/Pet' }) }, given),
      { outputSchemas: true, onDrift },
    );
    await using connection = await connect(registry, { server: 'v2 Server', client });
    await connection.client.listTools();
    api.answer = { body: '{"name":"Rex"}' };
    expect(await connection.client.callTool('getPet')).toMatchObject({ structuredContent: { name: 'Rex' } });
    expect(drifts).toEqual([]);
    api.answer = { body: '{"name":null}' };
    const drifted = await connection.client.callTool('getPet');
    expect(drifted).toMatchObject({ structuredContent: { name: null } });
    expect(drifted.isError).toBeUndefined();
    expect(JSON.stringify(drifted.content)).toContain(
      'The response does not match the API description: name must be string',
    );
    expect(drifts).toEqual([['GET /pets', ['name must be string']]]);
    api.answer = { body: '[1]' };
    expect(await connection.client.callTool('getPet')).toMatchObject({ structuredContent: { result: [1] } });
  });

  test('overlapping alternatives are not a difference', async () => {
    api.answer = { body: '{"n":5}' };
    const schema = { properties: { n: { oneOf: [{ type: 'integer' }, { type: 'number' }] } } };
    const { call } = await prepare(withOperation(responses(schema)), { outputSchemas: true });
    expect((await call()).content).toEqual([{ type: 'text', text: '{"n":5}' }]);
  });
});

describe('resources', () => {
  const document = aDocument({
    paths: {
      '/pets': { get: { operationId: 'listPets', summary: 'All pets' } },
      '/pets/{pet-id}': {
        get: {
          operationId: 'getPet',
          parameters: [
            { name: 'pet-id', in: 'path' },
            { name: 'pet_id', in: 'query' },
            { name: 'fields', in: 'query' },
          ],
        },
        delete: { operationId: 'deletePet' },
      },
      '/owners/{id}': { get: { operationId: 'getOwner' } },
    },
  });
  const routeMaps = [
    { methods: ['GET'], path: '*{*', kind: 'resource-template' },
    { methods: ['GET'], kind: 'resource' },
  ] as const;

  async function read(uri: string, options: OpenApiOptions = {}, caller: object = {}): Promise<unknown> {
    const resources = new ResourcesManager();
    await fromOpenAPI(document, { ...api.options, routeMaps, ...options, resources });
    const reply = await resources.readResource({ uri, ...caller });
    return reply.kind === 'value' ? reply.value.contents : reply;
  }

  test('of operations that only read, with their parameters in the URI', async () => {
    const resources = new ResourcesManager();
    const { tools, report } = await fromOpenAPI(document, { ...api.options, routeMaps, resources });
    expect(tools.map((tool) => (tool as AnyToolDefinition).name)).toEqual(['deletePet']);
    expect(resources.getAllResources()).toMatchObject([
      { uri: 'openapi://pets/pets', name: 'listPets', description: 'All pets' },
    ]);
    expect(resources.getAllResourceTemplates()).toMatchObject([
      { uriTemplate: 'openapi://pets/pets/{pet_id}{?pet_id_2,fields}', name: 'getPet' },
      { uriTemplate: 'openapi://pets/owners/{id}', name: 'getOwner' },
    ]);
    expect(report.operations.map(({ key, outcome }) => [key, outcome])).toEqual([
      ['GET /pets', 'resource'],
      ['GET /pets/{pet-id}', 'resource-template'],
      ['DELETE /pets/{pet-id}', 'tool'],
      ['GET /owners/{id}', 'resource-template'],
    ]);
  });

  test('are read from the API', async () => {
    api.answer = { body: '{"a":1}' };
    expect(await read('openapi://pets/pets')).toEqual([
      { uri: 'openapi://pets/pets', mimeType: 'application/json', text: '{"a":1}' },
    ]);
    await read('openapi://pets/pets/a%20b?fields=x&pet_id_2=q');
    expect(api.arrived.at(-1)?.line).toBe('GET /pets/a%20b?pet_id=q&fields=x');
    api.answer = { headers: { 'content-type': 'image/png' }, body: Buffer.from([137, 80]) };
    expect(await read('openapi://pets/pets')).toMatchObject([{ mimeType: 'image/png', blob: 'iVA=' }]);
    api.answer = { status: 204, body: '' };
    expect(await read('openapi://pets/pets')).toMatchObject([{ text: '' }]);
  });

  test('that are not there, and those that fail', async () => {
    api.answer = { status: 404, body: '{}' };
    expect(await read('openapi://pets/pets/1')).toMatchObject({ reason: 'UNKNOWN_RESOURCE' });
    api.answer = { status: 500, body: '{"error":"broken"}' };
    expect(JSON.stringify(await read('openapi://pets/pets/1'))).toContain('broken');
  });

  test('have defaults and fixed values, which are not in the URI', async () => {
    const overrides = {
      getPet: { arguments: { 'query.pet_id': { hidden: true, default: 'd' }, fields: { default: 'name' } } },
      getOwner: { arguments: { id: { fixed: 'secret-me' } } },
    };
    const resources = new ResourcesManager();
    await fromOpenAPI(document, { ...api.options, routeMaps, overrides, resources });
    expect(resources.getAllResourceTemplates().map(({ uriTemplate }) => uriTemplate)).toEqual([
      'openapi://pets/pets/{pet_id}{?fields}',
    ]);
    expect(resources.getAllResources().map(({ uri }) => uri)).toEqual([
      'openapi://pets/pets',
      'openapi://pets/owners/id',
    ]);
    await resources.readResource({ uri: 'openapi://pets/pets/7' });
    expect(api.arrived.at(-1)?.line).toBe('GET /pets/7?pet_id=d&fields=name');
    await resources.readResource({ uri: 'openapi://pets/owners/id' });
    expect(api.arrived.at(-1)?.line).toBe('GET /owners/secret-me');
  });

  test('are for those who have the scopes', async () => {
    const overrides = { listPets: { scopes: ['read'] } };
    expect(await read('openapi://pets/pets', { overrides })).toMatchObject({ reason: 'UNKNOWN_RESOURCE' });
    expect(
      await read('openapi://pets/pets', { overrides }, { principal: { id: 'x', scopes: ['read'] } }),
    ).toHaveLength(1);
  });

  test('whose URIs cannot be read back, or are the same, cost the operation', async () => {
    const paths = { '/{a}{b}': { get: {} }, '/p/{x-y}': { get: {} }, '/p/{x_y}': { get: {} } };
    const { report } = await fromOpenAPI(aDocument({ paths }), { ...api.options, routeMaps });
    expect(report.operations.map(({ outcome, reason }) => [outcome, reason?.slice(0, 100)])).toEqual([
      ['refused', expect.stringContaining('two expressions of the template are adjacent')],
      ['resource-template', undefined],
      ['refused', expect.any(String)],
    ]);
    expect(report.findings).toContainEqual({
      reason: 'duplicate-name',
      option: 'uri',
      received: 'openapi://pets/p/{x_y}',
      message: report.operations[2]?.reason,
    });
  });
});
