import { afterEach, describe, expect, test } from 'vitest';
import { ToolRegistry } from '../../../../src/index.ts';
import type { AnyToolDefinition, McpCallToolResult } from '../../../../src/index.ts';
import { fromOpenAPI, OpenAPIServer } from '../../../../src/openapi.ts';
import type { OpenApiOptions } from '../../../../src/openapi.ts';
import {
  aDocument,
  BASE,
  check,
  importOf,
  inputOf,
  reportOf,
  schemaOf,
  toolOf,
  toolsOf,
  useApi,
  withOperation,
} from '../import/support.ts';
import type { Json } from '../import/support.ts';
import { duplicate } from '../../../support/refused.ts';

/** Problems of new users of an import. */
const api = useApi();
afterEach(() => {
  api.answer = {};
});

async function registryOf(document: Json, options: OpenApiOptions = {}): Promise<ToolRegistry> {
  const registry = new ToolRegistry();
  await fromOpenAPI(document, { ...api.options, ...options, registry });
  return registry;
}

const textOf = ({ content: [block] }: McpCallToolResult): string =>
  block?.type === 'text' ? block.text : '';

const query = (name: string, type = 'integer'): Json => ({ name, in: 'query', schema: { type } });
const get = (operation: Json, path = '/books'): Json =>
  withOperation({ operationId: 'get', ...operation }, {}, ['get', path]);

describe('the next page', () => {
  const document = get({ parameters: [query('page'), query('limit')] });
  const link = { headers: { link: '</books?page=2&limit=2>; rel="next"' }, body: '[1]' };

  test.each([
    [
      { limit: { fixed: 5 } },
      'More results: call this tool again with {"page":2} and the other arguments as before.',
    ],
    [
      { limit: { hidden: true } },
      'More results: call this tool again with {"page":2} and the other arguments as before.',
    ],
    [{ page: { hidden: true } }, 'There are more results, but this tool has no argument that asks for them.'],
    [
      { page: { name: 'p' }, limit: { hidden: true } },
      'More results: call this tool again with {"p":2} and the other arguments as before.',
    ],
  ])('is not asked for with what nobody can give: %j', async (args, hint) => {
    api.answer = link;
    const registry = await registryOf(document, { overrides: { get: { arguments: args } } });
    expect(JSON.stringify(await registry.executeTool({ name: 'get', arguments: {} }))).toContain(
      JSON.stringify(hint).slice(1, -1),
    );
  });

  test('is not looked for in what stands beside the params of an operation', async () => {
    const registry = await registryOf(document, { mode: 'dynamic' });
    const call = (args: Json): Promise<McpCallToolResult> =>
      registry.executeTool({ name: 'invoke-api-endpoint', arguments: { endpoint: 'GET /books', ...args } });
    const refused = await call({ page: 2 });
    expect(refused.isError).toBe(true);
    expect(textOf(refused)).toContain('page: is unknown. Known: endpoint, method, params');
    expect(textOf(await call({ params: { pages: 2 } }))).toMatch(/Known: page, limit\.$/);
    expect((await call({ params: { page: 2 } })).isError).not.toBe(true);
    expect(api.arrived.at(-1)?.line).toBe('GET /books?page=2');
  });
});

test('all mistakes of a call are reported at once', async () => {
  const registry = await registryOf(get({ parameters: [query('page'), query('limit')] }));
  const text = textOf(await registry.executeTool({ name: 'get', arguments: { page: 'x', limt: 1 } }));
  expect(text).toContain('limt: is unknown. Did you mean "limit"?');
  expect(text).toContain('page: must be integer');
});

describe('the report of an import', () => {
  const notesOf = async (document: Json, options: OpenApiOptions): Promise<readonly string[]> =>
    (await importOf(document, options)).report.notes;

  test('names variables that no server has', async () => {
    const servers = [{ url: 'https://{region}.example.com', variables: { region: { default: 'eu' } } }];
    const document = { ...get({}), servers };
    expect(await notesOf(document, { serverVariables: { regoin: 'us', region: 'us' } })).toEqual([
      'serverVariables: no server has a variable "regoin". Did you mean "region"?',
    ]);
  });

  test('counts operations that say they need no credentials', async () => {
    const components = { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } };
    const open = { get: { operationId: 'a', security: [] }, put: { operationId: 'b', security: [] } };
    const paths = { '/a': { ...open, post: { operationId: 'c' } } };
    const document = aDocument({ components, security: [{ key: [] }], paths });
    expect(await notesOf(document, { credentials: { key: 'k-123456' } })).toEqual([
      '2 operations declare security: []: no credentials are sent. If the API requires them, set headers',
    ]);
    expect(await notesOf(document, {})).toEqual([]);
    expect(await notesOf({ ...document, security: [] }, { credentials: { key: 'k-123456' } })).toEqual([]);
  });

  test('names wishes that cannot be met', async () => {
    const paths = { '/a': { get: { operationId: 'a' } }, '/b': { get: { operationId: 'b' } } };
    const overrides = { a: { name: 'x' }, b: { name: 'x' } };
    const { report } = await importOf(aDocument({ paths }), { overrides });
    expect(report.operations.map(({ notes }) => notes)).toEqual([
      [expect.stringMatching(/^renamed to x_\w+: "x" is already used or is not a valid name$/)],
      [expect.stringMatching(/^renamed to x_\w+: "x" is already used or is not a valid name$/)],
    ]);
    const named = await importOf(aDocument({ paths }), { overrides: { a: { name: 'x' } }, namespace: 'n' });
    expect(named.report.operations.map(({ name, notes }) => [name, notes])).toEqual([
      ['n_x', []],
      ['n_b', []],
    ]);
  });

  test('says where an option belongs', async () => {
    const given = { document: get({}), baseUrl: 'https://api.example' };
    await expect(OpenAPIServer.load(given as never)).rejects.toThrow(
      'OpenAPIServer.load: "baseUrl" is an import option. Move it to "openapi": { document, openapi: { baseUrl: \u2026 } }.',
    );
  });

  test('says how to tell documents apart', async () => {
    const documents = [1, 2].map(() => ({ document: get({}), ...BASE }));
    const loading = OpenAPIServer.load({ documents });
    await expect(loading).rejects.toThrow(duplicate('Tool', 'get'));
    await expect(loading).rejects.toThrow(
      / Or give each document a namespace: \{ document, namespace: 'pets' \}\.$/,
    );
    const named = documents.map((each, index) => ({ ...each, namespace: `n${index}` }));
    await using server = await OpenAPIServer.load({ documents: named });
    expect(server.tools?.listTools().map(({ name }) => name)).toEqual(['n0_get', 'n1_get']);
  });
});

describe('references', () => {
  const Pet = { type: 'object', properties: { name: { type: 'string' } } };
  const NewPet = {
    $ref: '#/components/schemas/Pet',
    required: ['name', 'owner'],
    properties: { owner: { type: 'string' } },
  };
  const post = (id: string, name: string): Json => ({
    post: {
      operationId: id,
      requestBody: {
        required: true,
        content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } },
      },
    },
  });
  const namesOf = (tool: AnyToolDefinition | undefined): readonly string[] => {
    if (tool === undefined) throw new Error('there is no such tool');
    const { properties = {}, required = [] } = inputOf(tool) as { properties?: object; required?: string[] };
    return [...Object.keys(properties), ...required.map((name) => `${name}!`)];
  };

  test.each([
    ['create first', ['create', 'update']],
    ['update first', ['update', 'create']],
  ])('that add something are not what they refer to: %s', async (_, order) => {
    const all: Record<string, Json> = { create: post('create', 'NewPet'), update: post('update', 'Pet') };
    const paths = Object.fromEntries(order.map((id) => [`/${id}`, all[id]]));
    const document = { ...aDocument({ paths, components: { schemas: { Pet, NewPet } } }), openapi: '3.1.0' };
    const tools = await toolsOf(document);
    expect(namesOf(tools.get('create'))).toEqual(['name', 'owner', 'name!', 'owner!']);
    expect(namesOf(tools.get('update'))).toEqual(['name']);
  });

  test('to parameters may have a description of their own', async () => {
    const components = { parameters: { page: { ...query('page'), description: 'Which.' } } };
    const parameters = [{ $ref: '#/components/parameters/page', description: 'Which page.' }];
    const document = { ...get({ parameters }), openapi: '3.1.0', components };
    expect((await schemaOf(document))['properties']).toEqual({
      page: { description: 'Which page.', type: 'integer' },
    });
  });

  test('to media types are followed in parameters', async () => {
    const schema = { type: 'object', properties: { a: { type: 'integer' } } };
    const components = { mediaTypes: { M: { schema } } };
    const content = { 'application/json': { $ref: '#/components/mediaTypes/M' } };
    const document = {
      ...get({ parameters: [{ name: 'q', in: 'query', content }] }),
      openapi: '3.2.0',
      components,
    };
    expect((await schemaOf(document))['properties']).toEqual({ q: schema });
  });
});

describe('bodies', () => {
  const withContent = (content: Json, more: Json = {}): Json =>
    withOperation({ operationId: 'add', summary: 'Adds.', requestBody: { content, ...more } }, {}, [
      'post',
      '/pets',
    ]);
  const schema = { type: 'object', properties: { name: { type: 'string' } } };

  test('that are taken apart are described with the operation', async () => {
    const content = { 'application/json': { schema } };
    expect((await toolOf(withContent(content, { description: 'The p\u200Bet.' }))).description).toBe(
      'Adds.\n\nBody: The pet.',
    );
    expect((await toolOf(withContent(content, { description: 'Adds' }))).description).toBe('Adds.');
    const whole = { 'application/json': { schema: { type: 'array', items: schema } } };
    expect((await toolOf(withContent(whole, { description: 'The pets.' }))).description).toBe('Adds.');
  });

  test('of parts without names are refused, unless there is another way', async () => {
    const list = { schema: { type: 'array', items: { type: 'string', format: 'binary' } } };
    const refused = await reportOf(
      aDocument({
        paths: {
          '/a': { get: { operationId: 'a' } },
          ...(withContent({ 'multipart/form-data': list }, { required: true })['paths'] as object),
        },
      }),
    );
    expect([refused.outcome, refused.reason]).toEqual([
      'refused',
      'its body is multipart with parts that have no names, which cannot be sent',
    ]);
    const optional = await reportOf(withContent({ 'multipart/form-data': list }));
    expect([optional.outcome, optional.notes]).toEqual([
      'tool',
      ['its body is multipart with parts that have no names; it is called without one'],
    ]);
    const both = await reportOf(withContent({ 'multipart/form-data': list, 'application/json': { schema } }));
    expect(both.outcome).toBe('tool');
  });
});

describe('lists within lists of Swagger 2.0', () => {
  const lists = (place: string, format: string, inner: Json): Json => ({
    name: 'a',
    in: place,
    required: true,
    type: 'array',
    collectionFormat: format,
    items: { type: 'array', ...inner },
  });
  const document = (parameter: Json, path = '/books'): Json => ({
    swagger: '2.0',
    info: { title: 'Pets', version: '1' },
    paths: { [path]: { post: { operationId: 'get', parameters: [parameter] } } },
  });
  const arrived = async (
    parameter: Json,
    a: unknown,
    path?: string,
  ): Promise<(typeof api.arrived)[number] | undefined> => {
    await (await registryOf(document(parameter, path))).executeTool({ name: 'get', arguments: { a } });
    return api.arrived.at(-1);
  };
  const csv = { items: { type: 'string' } };
  const deep = {
    collectionFormat: 'ssv',
    items: { type: 'array', collectionFormat: 'tsv', items: { type: 'integer' } },
  };

  test('are joined as each of them says', async () => {
    const given = [['a', 'b'], ['c']];
    expect((await arrived(lists('query', 'pipes', csv), given))?.line).toBe('POST /books?a=a%2Cb%7Cc');
    expect((await arrived(lists('query', 'multi', csv), given))?.line).toBe('POST /books?a=a%2Cb&a=c');
    expect(
      (await arrived(lists('path', 'csv', { ...csv, collectionFormat: 'pipes' }), given, '/x/{a}'))?.line,
    ).toBe('POST /x/a%7Cb,c');
    expect((await arrived(lists('header', 'pipes', csv), given))?.headers['a']).toBe('a,b|c');
    expect((await arrived(lists('formData', 'pipes', csv), given))?.body).toBe('a=a%2Cb%7Cc');
    expect((await arrived(lists('query', 'csv', deep), [[[1, 2], [3]], [[4]]]))?.line).toBe(
      'POST /books?a=1%092%203,4',
    );
  });
});

const TOO_EXPENSIVE =
  ' takes too many steps to validate, because its schema nests alternatives. Nest it less deeply, or send fewer elements';

describe('alternatives within alternatives', () => {
  const count = 12;
  const kinds = Array.from({ length: count }, (_, index) => `K${index}`);
  const ref = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });
  const node = (): Json => ({ type: 'object', properties: { kind: { type: 'string' }, child: ref('Node') } });
  const document = withOperation(
    {
      operationId: 'add',
      requestBody: {
        required: true,
        content: { 'application/json': { schema: { type: 'object', properties: { node: ref('Node') } } } },
      },
    },
    {
      components: {
        schemas: {
          Node: { oneOf: kinds.map(ref), discriminator: { propertyName: 'kind' } },
          ...Object.fromEntries(kinds.map((kind) => [kind, node()])),
        },
      },
    },
    ['post', '/pets'],
  );
  const nested = (depth: number, kind: unknown): Json => {
    let value: Json = { kind };
    for (let level = 0; level < depth; level += 1) value = { kind: 'K11', child: value };
    return { node: value };
  };

  test('are checked, and complain of each thing once', async () => {
    const tool = await toolOf(document);
    expect(await check(tool, nested(2, 'K3'))).toEqual([]);
    const issues = await check(tool, nested(2, 5));
    expect(issues[0]).toBe('node.child.child.kind must be string');
    expect(new Set(issues).size).toBe(issues.length);
  });

  test('are checked to the end, however deep they are', async () => {
    const tool = await toolOf(document);
    expect(await check(tool, nested(100, 'K3'))).toEqual([]);
    const deep = `node.${'child.'.repeat(100)}kind`;
    expect((await check(tool, nested(100, 5)))[0]).toBe(`${deep} must be string`);
    // The next call is validated as usual.
    expect(await check(tool, nested(1, 5))).not.toEqual([]);
  });

  test('are refused with everything beside them where that would take for ever', async () => {
    const closed = { ...node(), unevaluatedProperties: false };
    const schema = {
      type: 'object',
      properties: { node: ref('Node'), mode: { type: 'string', enum: ['safe'] } },
    };
    const requestBody = { required: true, content: { 'application/json': { schema } } };
    const tool = await toolOf(
      withOperation(
        { operationId: 'add', requestBody },
        {
          openapi: '3.1.0',
          components: {
            schemas: {
              Node: { oneOf: kinds.map(ref) },
              ...Object.fromEntries(kinds.map((kind) => [kind, closed])),
            },
          },
        },
        ['post', '/pets'],
      ),
    );
    expect(await check(tool, { ...nested(2, 'K3'), mode: 'safe' })).toEqual([]);
    expect(await check(tool, { ...nested(2, 'K3'), mode: 'danger' })).toEqual([
      'mode must be equal to one of the allowed values',
    ]);
    expect(await check(tool, { ...nested(60, 5), mode: 'danger' })).toEqual([TOO_EXPENSIVE]);
    expect(await check(tool, { ...nested(1, 'K3'), mode: 'safe' })).toEqual([]);
  });

  test('a long value is no reason to refuse it', async () => {
    const schema = { type: 'object', properties: { nodes: { type: 'array', items: ref('Node') } } };
    const { paths: _paths, ...rest } = document;
    const post = {
      operationId: 'add',
      requestBody: { required: true, content: { 'application/json': { schema } } },
    };
    const tool = await toolOf({ ...rest, paths: { '/pets': { post } } });
    const nodes = Array.from({ length: 3000 }, () => ({ kind: 'K11' }));
    expect(await check(tool, { nodes: [...nodes, { kind: 5 }] })).not.toEqual([]);
  });
});
