import { describe, expect, test } from 'vitest';
import { ResourcesManager, ToolRegistry } from '../../../../src/index.ts';
import type { AnyToolDefinition } from '../../../../src/index.ts';
import { ToolAnnotations } from '../../../../src/model.ts';
import { countOutcomes, fromOpenAPI, OutboundClient } from '../../../../src/openapi.ts';
import type { OpenApiOptions } from '../../../../src/openapi.ts';
import {
  aDocument,
  BASE,
  importOf,
  inputOf,
  reportOf,
  toolOf,
  toolsOf,
  useApi,
  withOperation,
} from './support.ts';
import type { Json } from './support.ts';
import { duplicate, refused } from '../../../support/refused.ts';

const api = useApi();

const PETS = aDocument({
  servers: [{ url: 'https://pets.example/v1' }],
  tags: [{ name: 'pets', description: 'All about\u200B pets' }, 5],
  paths: {
    '/pets': {
      get: { operationId: 'listPets', tags: ['pets'], summary: 'Lists pets' },
      post: {
        operationId: 'addPet',
        tags: ['pets'],
        requestBody: { content: { 'application/json': { schema: { properties: { action: {} } } } } },
      },
    },
    '/owners/{id}': { get: { operationId: 'getOwner', tags: ['people'], deprecated: true } },
    '/health': { get: {} },
    '/bad': { get: { parameters: [{ name: 'x', in: 'nowhere' }] } },
  },
});

const names = (tools: readonly unknown[]): string[] => tools.map((tool) => (tool as AnyToolDefinition).name);

describe('an import', () => {
  test('says what became of each operation', async () => {
    const { tools, resources, report } = await importOf(PETS, { excludeTags: ['people'] });
    expect(names(tools)).toEqual(['listPets', 'addPet', 'get_health']);
    expect(resources).toEqual([]);
    expect(report).toEqual({
      title: 'Pets',
      apiVersion: '1.2.3',
      openapi: '3.0',
      uri: 'inline:/document',
      files: [],
      notes: [],
      findings: [
        {
          reason: 'excluded',
          option: 'excludeTags',
          received: 'people',
          message: '"people" is in excludeTags',
        },
        {
          reason: 'unusable-operation',
          option: 'document',
          path: ['GET /bad'],
          message: 'the parameter "x" has an unknown location: in is "nowhere"',
        },
      ],
      operations: [
        {
          key: 'GET /pets',
          operationId: 'listPets',
          outcome: 'tool',
          name: 'listPets',
          reason: undefined,
          notes: [],
          missingCredentials: [],
        },
        {
          key: 'POST /pets',
          operationId: 'addPet',
          outcome: 'tool',
          name: 'addPet',
          reason: undefined,
          notes: [],
          missingCredentials: [],
        },
        {
          key: 'GET /owners/{id}',
          operationId: 'getOwner',
          outcome: 'left-out',
          name: undefined,
          reason: '"people" is in excludeTags',
          notes: [],
          missingCredentials: [],
        },
        {
          key: 'GET /health',
          operationId: undefined,
          outcome: 'tool',
          name: 'get_health',
          reason: undefined,
          notes: [],
          missingCredentials: [],
        },
        {
          key: 'GET /bad',
          operationId: undefined,
          outcome: 'refused',
          name: undefined,
          reason: 'the parameter "x" has an unknown location: in is "nowhere"',
          notes: [],
          missingCredentials: [],
        },
      ],
    });
    expect(countOutcomes(report)).toEqual({
      tool: 3,
      resource: 0,
      'resource-template': 0,
      'left-out': 1,
      refused: 1,
    });
  });

  test('names what is needed to call it, and was not given', async () => {
    const document = withOperation(
      { security: [{ key: [] }] },
      {
        components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
      },
    );
    expect((await reportOf(document, {}, 'GET /pets')).missingCredentials).toEqual([
      'needs key (header X-Key): give credentials.key',
    ]);
    expect((await reportOf(document, { credentials: { key: 'k' } }, 'GET /pets')).missingCredentials).toEqual(
      [],
    );
  });

  test('of nothing but what is refused is an error that says why', async () => {
    const document = withOperation({ parameters: [5] });
    await expect(importOf(document)).rejects.toThrow(
      'No operation of "Pets" can be imported. GET /pets: a parameter is not an object',
    );
    await expect(fromOpenAPI(withOperation({}))).rejects.toThrow(
      'No operation of "Pets" can be imported. GET /pets: The document names no server, and it was not loaded from a URL. Set baseUrl to the URL of the API.',
    );
    expect((await importOf(aDocument())).tools).toEqual([]);
    expect((await importOf(withOperation({}), { excludeOperations: ['GET'] })).tools).toEqual([]);
  });

  test('adds to a registry and to resources', async () => {
    const [registry, resources] = [new ToolRegistry(), new ResourcesManager()];
    const routeMaps = [{ path: '/health', kind: 'resource' } as const];
    await importOf(PETS, { registry, resources, routeMaps });
    expect(names(registry.listTools())).toEqual(['listPets', 'addPet', 'getOwner']);
    expect(resources.getAllResources().map(({ uri }) => uri)).toEqual(['openapi://pets/health']);
    await expect(importOf(PETS, { registry })).rejects.toThrow(duplicate('Tool', 'listPets'));
    await importOf(PETS, { registry, namespace: 'more' });
    expect(registry.size).toBe(7);
  });

  test('closes the client that it has made, and no other', async () => {
    class Client extends OutboundClient {
      closed = 0;
      override close(): void {
        this.closed += 1;
        super.close();
      }
    }
    const outbound = new Client();
    (await importOf(withOperation({}), { outbound })).close();
    await expect(importOf(5, { outbound })).rejects.toThrow();
    expect(outbound.closed).toBe(0);
    (await importOf(withOperation({}))).close();
    outbound.close();
  });

  test('of several documents, each with its own names', async () => {
    const registry = new ToolRegistry();
    const other = withOperation({ operationId: 'listPets' });
    await importOf(PETS, { registry, namespace: 'a', excludeOperations: ['addPet'] });
    await importOf(other, { registry, namespace: 'b' });
    expect(names(registry.listTools())).toEqual(['a_listPets', 'a_getOwner', 'a_get_health', 'b_listPets']);
    await expect(importOf(other, { namespace: 'a b' })).rejects.toThrow(refused('namespace'));
  });
});

describe('modes', () => {
  test('explicit: what is named, and nothing else', async () => {
    expect(
      names((await importOf(PETS, { mode: 'explicit', includeTools: ['addPet', 'GET /health'] })).tools),
    ).toEqual(['addPet', 'get_health']);
    expect((await importOf(PETS, { mode: 'explicit' })).tools).toEqual([]);
  });

  test('grouped by tag, through a registry', async () => {
    const registry = new ToolRegistry();
    await importOf(PETS, { registry, groupBy: 'tag', ...api.options });
    const surface = registry.surface({ exposure: 'grouped' });
    const listed = surface.listTools();
    expect(listed.map(({ name }) => name)).toEqual(['pets', 'people', 'health']);
    const [pets] = listed;
    expect(pets?.description).toContain('All about pets');
    // One of the actions has an argument with this name.
    expect(pets?.inputSchema).toMatchObject({
      properties: { operation: { enum: ['listPets', 'addPet'] }, action: {} },
      required: ['operation'],
    });
    const result = await surface.executeTool({ name: 'pets', arguments: { operation: 'addPet', action: 5 } });
    expect(result).toMatchObject({ content: [{ type: 'text', text: '{"ok":true}' }] });
    expect(api.arrived.at(-1)).toMatchObject({ line: 'POST /pets', body: '{"action":5}' });
  });

  test('groups have names, whatever the tags are', async () => {
    const tags = ['\u5ba0\u7269', '\u4eba', 'Pets', 'pets', '__proto__', 'a.b c', ''];
    const paths = Object.fromEntries(
      tags.map((tag, index) => [`/things${index}/x`, { get: { tags: [tag] } }]),
    );
    const { tools } = await importOf(aDocument({ paths }), { groupBy: 'tag', namespace: 'n' });
    expect(tools.map((tool) => (tool as { getName(): string }).getName())).toEqual([
      'n_things0',
      'n_things1',
      'n_Pets',
      'n_pets_2',
      'n___proto__',
      'n_a_b_c',
      'n_things6',
    ]);
    expect(
      tools.map((tool) => (tool as unknown as { getActionNames(): string[] }).getActionNames())[0],
    ).toEqual(['get_things0_x']);
  });
});

describe('three tools in the place of many', () => {
  const document = aDocument({
    paths: {
      '/pets': {
        get: { operationId: 'listPets', tags: ['pets'], summary: 'Lists pets\n\nmore' },
        post: { operationId: 'addPet', 'x-mcp-scopes': ['write'] },
      },
      '/pets/{id}': {
        get: { operationId: 'getPet', tags: ['Pets'] },
        delete: { operationId: 'deletePet', 'x-mcp-confirm': 'preview' },
      },
    },
  });

  async function prepare(
    options: OpenApiOptions = {},
  ): Promise<(name: string, args?: Json, scopes?: readonly string[]) => Promise<unknown>> {
    const registry = new ToolRegistry();
    await fromOpenAPI(document, { ...api.options, mode: 'dynamic', registry, ...options });
    return async (name, args = {}, scopes = []) => {
      const { content } = await registry.executeTool({
        name,
        arguments: args,
        principal: { id: 'p', scopes },
      });
      const [block] = content;
      const text = block?.type === 'text' ? block.text : '';
      return text.startsWith('{') ? (JSON.parse(text) as unknown) : text;
    };
  }

  test('have the names that others have', async () => {
    expect(names((await importOf(document, { mode: 'dynamic' })).tools)).toEqual([
      'list-api-endpoints',
      'get-api-endpoint-schema',
      'invoke-api-endpoint',
      'deletePet',
    ]);
    expect(names((await importOf(document, { mode: 'dynamic', namespace: 'a' })).tools)).toEqual([
      'a_list-api-endpoints',
      'a_get-api-endpoint-schema',
      'a_invoke-api-endpoint',
      'a_deletePet',
    ]);
  });

  test('list what the caller may use', async () => {
    const call = await prepare();
    const list = (await call('list-api-endpoints')) as { total: number; endpoints: Json[] };
    expect(list).toEqual({
      total: 3,
      endpoints: [
        { endpoint: 'GET /pets', name: 'listPets', description: 'Lists pets' },
        { endpoint: 'GET /pets/{id}', name: 'getPet', description: 'GET /pets/{id}' },
        { endpoint: 'DELETE /pets/{id}', name: 'deletePet', description: 'DELETE /pets/{id}' },
      ],
    });
    expect(await call('list-api-endpoints', {}, ['write'])).toMatchObject({ total: 4 });
    expect(await call('list-api-endpoints', { query: 'LISTS pets' })).toMatchObject({ total: 1 });
    expect(await call('list-api-endpoints', { tag: 'PETS' })).toMatchObject({ total: 2 });
    expect(await call('list-api-endpoints', { page: 2 })).toEqual({ total: 3, endpoints: [] });
    expect(await call('list-api-endpoints', { page: 0 })).toContain('must be integer');
  });

  test('describe one', async () => {
    const call = await prepare();
    for (const endpoint of ['GET /pets/{id}', 'getPet']) {
      expect(await call('get-api-endpoint-schema', { endpoint })).toEqual({
        endpoint: 'GET /pets/{id}',
        name: 'getPet',
        description: 'GET /pets/{id}',
        params: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
      });
    }
    expect(await call('get-api-endpoint-schema', { endpoint: '/pets/{id}' })).toContain(
      'Several operations match "/pets/{id}": GET /pets/{id}, DELETE /pets/{id}. Name one of them.',
    );
    expect(await call('get-api-endpoint-schema', { endpoint: '/pets/{id}', method: 'get' })).toMatchObject({
      name: 'getPet',
    });
    expect(await call('get-api-endpoint-schema', { endpoint: 'getPets' })).toContain(
      'Unknown operation "getPets". Did you mean "getPet"?',
    );
    expect(await call('get-api-endpoint-schema', { endpoint: 'addPet' })).toContain(
      'Unknown operation "addPet".',
    );
    expect(await call('get-api-endpoint-schema')).toContain('is required');
  });

  test('call one', async () => {
    const call = await prepare();
    expect(await call('invoke-api-endpoint', { endpoint: 'getPet', params: { id: 'a b' } })).toEqual({
      ok: true,
    });
    expect(api.arrived.at(-1)?.line).toBe('GET /pets/a%20b');
    expect(await call('invoke-api-endpoint', { endpoint: 'getPet' })).toContain(
      "Invalid arguments for tool 'invoke-api-endpoint'.\n- params.id: is required",
    );
    expect(await call('invoke-api-endpoint', { endpoint: 'getPet', params: { id: '1', x: 1 } })).toContain(
      'params.x: is unknown',
    );
    expect(await call('invoke-api-endpoint', { endpoint: 'addPet' })).toContain('Unknown operation "addPet"');
    expect(await call('invoke-api-endpoint', { endpoint: 'addPet' }, ['write'])).toEqual({ ok: true });
  });

  test('do not go around a confirmation', async () => {
    const call = await prepare();
    const count = api.arrived.length;
    expect(await call('invoke-api-endpoint', { endpoint: 'deletePet', params: { id: '1' } })).toContain(
      'DELETE /pets/{id} requires confirmation: call the tool deletePet directly.',
    );
    expect(await call('deletePet', { id: '1' })).toContain('Nothing was done yet.');
    expect(api.arrived.length).toBe(count);
  });

  test('keep secrets', async () => {
    const overrides = { getPet: { arguments: { id: { secret: true } } } };
    const { tools } = await importOf(document, { mode: 'dynamic', overrides });
    expect((tools as readonly AnyToolDefinition[])[2]?.secrets).toEqual(['params.id']);
  });
});

describe('overrides of operations', () => {
  test('is said by the document, by options, and by a function; the later wins', async () => {
    const document = withOperation(
      {
        operationId: 'get',
        'x-mcp': { name: 'one', title: 'One', tags: ['t'] },
        'x-mcp-title': 'Two',
        'x-mcp-nmae': 5,
      },
      { 'x-mcp-timeout-ms': 5, 'x-mcp-name': 'all' },
    );
    const first = await importOf(document);
    expect(first.tools).toMatchObject([{ name: 'one', title: 'Two', tags: ['t'], timeoutMs: 5 }]);
    expect(first.report.notes).toEqual([
      '"x-mcp-name" of the whole document is ignored: it is for one operation.',
    ]);
    expect(first.report.operations[0]?.notes).toEqual([
      expect.stringContaining('"x-mcp-nmae" is unknown and ignored. Did you mean "x-mcp-name"?'),
    ]);
    const second = await importOf(document, {
      overrides: { 'GET /pets': { name: 'two', title: 'Three' }, get: { title: 'Four' } },
      override: ({ method }) => ({ timeoutMs: 7, description: method }),
    });
    expect(second.tools).toMatchObject([{ name: 'two', title: 'Four', timeoutMs: 7, description: 'GET' }]);
  });

  test('descriptions of documents stay within their budget', async () => {
    const document = withOperation({ 'x-mcp-description': 'word '.repeat(1000) });
    expect((await toolOf(document, { maxDescription: 100 })).description.length).toBeLessThanOrEqual(100);
    const overrides = { 'GET /pets': { description: 'x'.repeat(2000) } };
    expect((await toolOf(document, { overrides })).description.length).toBe(2000);
  });

  test('annotations of the model', async () => {
    const annotations = new ToolAnnotations({ idempotentHint: false, extensions: { costHint: 1 } });
    const overrides = { 'GET /pets': { annotations } };
    expect((await toolOf(withOperation({}), { overrides })).annotations).toEqual({
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: false,
      openWorldHint: true,
      costHint: 1,
    });
  });

  test('hides', async () => {
    const document = aDocument({
      paths: { '/a': { get: { 'x-mcp': false } }, '/b': { get: {} }, '/c': { get: {} } },
    });
    const { report } = await importOf(document, {
      overrides: { 'GET /b': { hidden: true } },
      routeMaps: [{ path: '/c', kind: 'none' }],
    });
    expect(report.operations.map(({ outcome, reason }) => [outcome, reason])).toEqual([
      ['left-out', 'it is hidden'],
      ['left-out', 'it is hidden'],
      ['left-out', 'a route map excludes it'],
    ]);
  });

  test.each([
    [{ getPet: { scopes: ['admin'] } }, ['getPet'], ['getPets']],
    [{ getPets: {}, constructor: { hidden: true } }, ['constructor'], []],
    [{ 'GET /a/b': {} }, ['GET /a/b'], []],
  ])('%j: an operation that is not there is an error', async (overrides, path, expected) => {
    await expect(importOf(withOperation({ operationId: 'getPets' }), { overrides })).rejects.toMatchObject({
      name: 'DefinitionError',
      reason: 'unknown-operation',
      option: 'overrides',
      path,
      expected,
    });
  });

  test('of operations that cannot be read costs nothing else', async () => {
    const document = aDocument({
      paths: {
        '/a': { get: { operationId: 'a' } },
        '/b': { get: { operationId: 'b', parameters: [{ $ref: '#/gone' }] } },
        '/c': { $ref: '#/gone' },
      },
    });
    for (const key of ['b', 'GET /b', 'GET /c']) {
      const { tools, report } = await importOf(document, { overrides: { [key]: { scopes: ['admin'] } } });
      expect(tools).toMatchObject([{ name: 'a' }]);
      expect(report.operations.map(({ outcome }) => outcome)).toEqual(['tool', 'refused', 'refused']);
    }
  });
});

describe('options', () => {
  test.each<[Json, string | Error]>([
    [{ baseUlr: 'x' }, refused('baseUlr', { reason: 'unknown-option' })],
    [{ baseUrl: 5 }, refused('baseUrl')],
    [{ namespace: {} }, refused('namespace')],
    [{ mode: 'some' }, refused('mode')],
    [{ groupBy: 'tags' }, refused('groupBy')],
    [{ argumentNames: 1 }, refused('argumentNames')],
    [{ maxDescription: 0 }, 'fromOpenAPI: maxDescription must be an integer of at least 1; received 0.'],
    [{ routeMaps: {} }, refused('routeMaps')],
    [{ routeMaps: [{ kind: 'tol' }] }, refused('routeMaps', { path: [0, 'kind'] })],
    [
      { routeMaps: [{ kind: 'tool', override: { scope: [] } }] },
      refused('routeMaps', { path: [0, 'override', 'scope'], reason: 'unknown-option' }),
    ],
    [{ overrides: [] }, refused('overrides')],
    [
      { overrides: { a: { scope: ['x'] } } },
      refused('overrides', { path: ['a', 'scope'], reason: 'unknown-option' }),
    ],
    [{ overrides: { a: { kind: 'x' } } }, refused('overrides', { path: ['a', 'kind'] })],
    [{ overrides: { a: { name: 5 } } }, refused('overrides', { path: ['a', 'name'] })],
    [{ overrides: { a: { arguments: [] } } }, refused('overrides', { path: ['a', 'arguments'] })],
    [
      { overrides: { a: { arguments: { b: { hide: true } } } } },
      refused('overrides', { path: ['a', 'arguments', 'b', 'hide'], reason: 'unknown-option' }),
    ],
    [
      { overrides: { a: { response: { pick: '' } } } },
      refused('overrides', { path: ['a', 'response', 'pick'], reason: 'unknown-option' }),
    ],
    [{ override: {} }, 'fromOpenAPI: override must be a function; received an object.'],
    [{ serverVariables: { a: 5 } }, refused('serverVariables')],
    [{ preferredBodies: 'x' }, refused('preferredBodies')],
    [{ includeTags: 'x' }, refused('includeTags')],
    [{ limits: { maxBytes: 5 } }, refused('limits', { path: ['maxBytes'], reason: 'unknown-option' })],
  ])('%j are refused', async (options, message) => {
    await expect(importOf(withOperation({}), options as OpenApiOptions)).rejects.toThrow(message);
  });

  test('functions that fail, or answer later, are named', async () => {
    const document = withOperation({});
    const fail = (): never => {
      throw new TypeError('oh no');
    };
    await expect(importOf(document, { override: fail })).rejects.toThrow(
      'The override function for "GET /pets" failed: oh no',
    );
    await expect(importOf(document, { override: (async () => ({})) as never })).rejects.toThrow(
      refused('override'),
    );
    await expect(importOf(document, { override: () => ({ nmae: 'x' }) as never })).rejects.toThrow(
      refused('override', { path: ['GET /pets', 'nmae'] }),
    );
    await expect(importOf(document, { filter: fail })).rejects.toThrow(
      'The filter failed for "GET /pets": oh no',
    );
  });

  test('that are no object are refused', async () => {
    await expect(fromOpenAPI(withOperation({}), null as never)).rejects.toThrow(
      'Invalid options of fromOpenAPI: expected an object with: registry, resources',
    );
  });

  test('change names and texts', async () => {
    const document = withOperation({
      operationId: 'getEnvironmentConfigurationForOrganization',
      description: '<b>Bold</b> text',
      parameters: [
        { name: 'a', in: 'query', description: 'x'.repeat(50), schema: { description: '<i>y</i>' } },
      ],
    });
    const plain = await toolOf(document);
    expect(plain.description).toBe('<b>Bold</b> text');
    const tool = await toolOf(document, {
      maxNameLength: 30,
      abbreviate: 'long',
      stripHtml: true,
      maxArgumentDescription: 20,
    });
    expect(tool.name.length).toBeLessThanOrEqual(30);
    expect(tool.description).toBe('Bold text');
    expect(
      (inputOf(tool)['properties'] as { a: { description: string } }).a.description.length,
    ).toBeLessThanOrEqual(20);
  });
});

describe('any name is only a name', () => {
  test('of operations, tags, parameters and schemas', async () => {
    const document = JSON.parse(
      JSON.stringify(
        aDocument({
          tags: [{ name: 'PROTO', description: 'D' }],
          paths: {
            '/PROTO': {
              post: {
                operationId: 'PROTO',
                tags: ['PROTO', 'constructor'],
                parameters: [{ name: 'PROTO', in: 'query', schema: { $ref: '#/components/schemas/PROTO' } }],
                requestBody: {
                  content: {
                    'application/json': {
                      schema: { properties: { PROTO: { $ref: '#/components/schemas/constructor' } } },
                    },
                  },
                },
              },
            },
            '/toString/{constructor}': { get: { operationId: 'constructor' } },
          },
          components: {
            schemas: {
              PROTO: { type: 'object', properties: { PROTO: { type: 'string' } } },
              constructor: { type: 'object', properties: { x: {} } },
            },
          },
        }),
      ).replaceAll('PROTO', '__proto__'),
    ) as Json;
    for (const options of [
      {},
      { argumentNames: 'exact' },
      { groupBy: 'tag' },
      { mode: 'dynamic' },
    ] as const) {
      const registry = new ToolRegistry();
      const { report } = await fromOpenAPI(document, { ...BASE, ...options, registry });
      expect(report.operations.map(({ outcome }) => outcome)).toEqual(['tool', 'tool']);
    }
    const tools = await toolsOf(document);
    expect([...tools.keys()]).toEqual(['__proto__', 'constructor']);
    for (const tool of tools.values()) inputOf(tool);
  });
});
