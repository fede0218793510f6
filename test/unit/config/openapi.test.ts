import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { CONFIG_SCHEMA } from '../../../src/config.ts';
import type { ConfiguredServer, OpenApiEntry } from '../../../src/config.ts';
import { LOCAL, petsDocument } from './openapi-support.ts';
import { call, useScratch } from './support.ts';

const { folder, write, load, upstream } = useScratch();

const names = ({ server }: ConfiguredServer): unknown => server.tools?.listTools().map(({ name }) => name);

/** The texts of a tool result. */
async function said(configured: ConfiguredServer, name: string, args: object = {}): Promise<unknown> {
  const { content } = (await call(configured, name, args)) as { content: { text?: string }[] };
  return content.map(({ text }) => text);
}

describe('an OpenAPI document of a configuration', () => {
  test('becomes tools, with the options beside it', async () => {
    const { origin, seen } = await upstream({ body: '[{"name":"Rex"}]' });
    write('api/pets.json', petsDocument());
    const configured = await load(
      'c.yaml',
      `${LOCAL}openapi:
  document: ./api/pets.json
  baseUrl: ${origin}/v2
  excludeTags: [admin]
  credentials: { api_key: k-123456 }
  headers: { X-Team: blue }
  overrides:
    listPets:
      description: Lists all pets
      arguments: { tenant: { fixed: acme }, limit: { name: most, default: 5 } }
    POST /pets: { name: create, annotations: { destructiveHint: true } }
`,
    );
    expect(names(configured)).toEqual(['listPets', 'create', 'getPet']);
    const [list, create] = configured.server.tools?.listTools() ?? [];
    expect(list).toMatchObject({
      description: 'Lists all pets',
      inputSchema: { properties: { most: { type: 'integer', default: 5 } } },
    });
    expect(create).toMatchObject({ annotations: { destructiveHint: true } });
    expect(await said(configured, 'listPets')).toEqual(['[{"name":"Rex"}]']);
    expect(seen).toMatchObject([
      {
        method: 'GET',
        url: '/v2/pets?limit=5&tenant=acme',
        headers: { 'x-key': 'k-123456', 'x-team': 'blue' },
      },
    ]);
  });

  test('is grouped by its tags where groups are wanted, unless it says something else', async () => {
    write('pets.json', petsDocument());
    const start = 'name: demo\nexposure: grouped\nopenapi: { document: pets.json';
    expect(names(await load('c.yaml', `${start} }\n`))).toEqual(['pets', 'admin']);
    expect(names(await load('d.yaml', `${start}, groupBy: none }\n`))).toEqual([
      'listPets',
      'addPet',
      'getPet',
      'health',
    ]);
  });

  test('has groups with a line for each operation where that is wanted, by auto as well', async () => {
    write('pets.json', petsDocument());
    const openapi = 'groupedSchemas: brief\nopenapi: { document: pets.json }\n';
    const { server } = await load('e.yaml', `name: demo\nexposure: grouped\n${openapi}`);
    expect(server.tools?.listTools()[0]?.description).toContain('\n- addPet(');
    expect(names(await load('f.yaml', `name: demo\nexposure: auto\n${openapi}`))).toContain('pets_addPet');
  });

  test('is listed before other tools, and several have names of their own', async () => {
    const { origin, seen } = await upstream();
    write('pets.json', petsDocument());
    write(
      'tools.mjs',
      'export default { name: "last", description: "L", inputSchema: { type: "object" }, handler: () => 1 };',
    );
    const configured = await load(
      'c.yaml',
      `${LOCAL}extraTools: [{ module: ./tools.mjs }]
tools: [{ name: ask, description: Asks, http: { url: '${origin}/ask' } }]
openapi:
  - { document: pets.json, baseUrl: '${origin}/cats', namespace: cats, includeTools: [listPets], credentials: { api_key: cat-key } }
  - { document: pets.json, baseUrl: '${origin}/dogs', namespace: dogs, includeMethods: [GET], excludePaths: [/health], credentials: { api_key: dog-key } }
`,
    );
    expect(names(configured)).toEqual(['cats_listPets', 'dogs_listPets', 'dogs_getPet', 'ask', 'last']);
    await call(configured, 'dogs_getPet', { id: '7' });
    await call(configured, 'cats_listPets');
    await call(configured, 'ask');
    expect(seen.map(({ url, headers }) => [url, headers['x-key']])).toEqual([
      ['/dogs/pets/7', 'dog-key'],
      ['/cats/pets', 'cat-key'],
      ['/ask', undefined],
    ]);
    expect(configured.openapi.map(({ title, operations }) => [title, operations.length])).toEqual([
      ['Pets', 4],
      ['Pets', 4],
    ]);
  });

  test('is fetched from a URL, with its headers, as far as the file allows private addresses', async () => {
    const { origin, seen } = await upstream({ body: petsDocument({ servers: [{ url: '/v3' }] }) });
    const configured = await load(
      'c.yaml',
      `${LOCAL}openapi: { document: '${origin}/docs/openapi.json', documentHeaders: { Authorization: Bearer doc-token } }
`,
    );
    expect(seen).toMatchObject([
      { url: '/docs/openapi.json', headers: { authorization: 'Bearer doc-token' } },
    ]);
    await call(configured, 'listPets');
    expect(seen[1]).toMatchObject({ url: '/v3/pets' });
    expect(seen[1]?.headers).not.toHaveProperty('authorization');
  });

  test('gives resources by its route maps', async () => {
    const { origin } = await upstream({ body: '{"id":7}' });
    write('pets.json', petsDocument());
    const configured = await load(
      'c.yaml',
      `${LOCAL}resources: [{ uri: 'docs://manual', name: manual, text: Read me }]
openapi:
  document: pets.json
  baseUrl: ${origin}
  namespace: zoo
  routeMaps:
    - { methods: [GET], path: '/pets/*', kind: resource-template }
    - { tags: [admin], kind: resource, override: { title: Health } }
    - { methods: [POST], kind: none }
`,
    );
    expect(names(configured)).toEqual(['zoo_listPets']);
    expect(configured.server.resources?.getAllResources()).toMatchObject([
      { uri: 'openapi://zoo/health', title: 'Health' },
      { uri: 'docs://manual' },
    ]);
    expect(await configured.server.resources?.readResource({ uri: 'openapi://zoo/pets/7' })).toMatchObject({
      value: { contents: [{ text: '{"id":7}' }] },
    });
    expect(configured.openapi[0]?.operations.map(({ key, outcome }) => [key, outcome])).toEqual([
      ['GET /pets', 'tool'],
      ['POST /pets', 'left-out'],
      ['GET /pets/{id}', 'resource-template'],
      ['GET /health', 'resource'],
    ]);
  });

  test('without resources and without others gives a server that has none', async () => {
    write('pets.json', petsDocument());
    const { server } = await load('c.yaml', 'name: demo\nopenapi: { document: pets.json }\n');
    expect([server.tools?.size, server.resources, server.prompts]).toEqual([4, undefined, undefined]);
  });

  test('is grouped, or called through three tools', async () => {
    const { origin, seen } = await upstream();
    write('pets.json', petsDocument());
    const settings = `document: pets.json, baseUrl: '${origin}'`;
    const configured = await load(
      'c.yaml',
      `${LOCAL}openapi: [{ ${settings}, groupBy: tag, namespace: zoo }, { ${settings}, mode: dynamic }]\n`,
    );
    expect(names(configured)).toEqual([
      'zoo_pets',
      'zoo_admin',
      'list-api-endpoints',
      'get-api-endpoint-schema',
      'invoke-api-endpoint',
    ]);
    await call(configured, 'zoo_pets', { action: 'getPet', id: 'a' });
    await call(configured, 'invoke-api-endpoint', { endpoint: 'getPet', params: { id: 'b' } });
    expect(seen.map(({ url }) => url)).toEqual(['/pets/a', '/pets/b']);
  });

  test('is changed by overlays and refers to files, all from the folder of the file; each is told of before it is read', async () => {
    const paths = { '/pets/{id}': { $ref: '../shared/pet.yaml' } };
    write('api/pets.json', petsDocument({ paths }));
    write(
      'shared/pet.yaml',
      'get: { operationId: getPet, parameters: [{ name: id, in: path, required: true, schema: { type: string } }], responses: {} }',
    );
    write(
      'over/lay.yaml',
      "overlay: 1.0.0\ninfo: { title: O, version: '1' }\nactions: [{ target: $.info, update: { title: Cats } }]",
    );
    const { loadConfig } = await import('../../../src/config.ts');
    const file = write(
      'c.json',
      JSON.stringify({
        name: 'demo',
        openapi: [
          { document: 'api/pets.json', overlays: ['./over/lay.yaml'], references: { roots: ['shared'] } },
        ],
      }),
    );
    const read: string[] = [];
    await using configured = await loadConfig(file, { onFile: (each) => read.push(each) });
    expect(configured.openapi[0]?.title).toBe('Cats');
    expect(names(configured)).toEqual(['getPet']);
    const files = ['api/pets.json', 'over/lay.yaml', 'shared/pet.yaml'].map((each) => `${folder()}/${each}`);
    expect(read).toEqual([file, ...files]);
    const failed: string[] = [];
    const wrong = write('d.yaml', 'name: demo\nopenapi: { document: none.yaml }\n');
    await expect(loadConfig(wrong, { onFile: (each) => failed.push(each) })).rejects.toThrow(
      'File not found',
    );
    expect(failed).toEqual([wrong, `${folder()}/none.yaml`]);
  });

  test('gets tokens with client credentials', async () => {
    const { origin, seen } = await upstream({
      body: '{"access_token":"token-123","token_type":"Bearer","expires_in":3600}',
    });
    const flows = { clientCredentials: { tokenUrl: 'https://id.example/token', scopes: {} } };
    const components = { securitySchemes: { oauth: { type: 'oauth2', flows } } };
    write('pets.json', petsDocument({ components, security: [{ oauth: ['pets:read'] }] }));
    const configured = await load(
      'c.yaml',
      `${LOCAL}openapi:
  document: pets.json
  baseUrl: ${origin}
  credentials:
    oauth: { clientId: me, clientSecret: '\${env:SECRET}', tokenUrl: '${origin}/token', audience: zoo }
`,
      { SECRET: 'hunter2-secret' },
    );
    await call(configured, 'listPets');
    expect(seen.map(({ url, headers, body }) => [url, headers.authorization, body])).toEqual([
      [
        '/token',
        `Basic ${Buffer.from('me:hunter2-secret').toString('base64')}`,
        'grant_type=client_credentials&scope=pets%3Aread&audience=zoo',
      ],
      ['/pets', 'Bearer token-123', ''],
    ]);
  });
});

test('answers of an API may be longer than others, unless the file says otherwise', async () => {
  const { origin } = await upstream({ type: 'text/plain', body: 'a'.repeat(2_000_000) });
  write('pets.json', petsDocument());
  const openapi = `openapi: { document: pets.json, baseUrl: '${origin}' }\n`;
  const configured = await load('c.yaml', `${LOCAL}${openapi}`);
  expect(await said(configured, 'listPets')).toEqual([
    'a'.repeat(50_000),
    expect.stringContaining('50,000 of 2,000,000'),
  ]);
  const limited = await load(
    'd.yaml',
    `name: demo\noutbound: { allowPrivate: ['127.0.0.1'], maxResponseBytes: 1000 }\n${openapi}`,
  );
  expect(await said(limited, 'listPets')).toEqual([expect.stringContaining('1000 bytes')]);
});

describe('in a file of code, an entry', () => {
  test('may have functions, and shares the client of the file', async () => {
    const { origin, seen } = await upstream();
    write('pets.json', petsDocument());
    const configured = await load(
      'c.mjs',
      `export default {
        name: 'demo',
        outbound: { allowPrivate: ['127.0.0.1'] },
        openapi: [{
          document: './pets.json',
          baseUrl: '${origin}',
          filter: ({ method }) => method === 'GET',
          authProvider: { getAuthHeaders: () => ({ 'x-key': 'from-code' }) },
        }],
      };`,
    );
    expect(names(configured)).toEqual(['listPets', 'getPet', 'health']);
    await call(configured, 'health');
    expect(seen).toMatchObject([{ url: '/health', headers: { 'x-key': 'from-code' } }]);
  });
});

describe('the schema of an entry', () => {
  const validate = new Ajv2020({ allErrors: true }).compile(CONFIG_SCHEMA);

  test.each([
    { document: 'a.yaml' },
    [
      {
        document: '${env:DIR}/a.yaml',
        mode: '${env:MODE}',
        stripHtml: '${env:FLAG}',
        namespace: '${env:NS}',
      },
    ],
    [{ document: 'a', maxNameLength: '${env:N}', credentials: { a: '${env:A}', b: { token: '${env:B}' } } }],
    [{ document: 'a', overrides: { a: { kind: '${env:KIND}', arguments: { b: { fixed: ['${env:C}'] } } } } }],
    [{ document: 'a', routeMaps: [{ kind: 'none', override: { confirm: 'preview' } }] }],
  ])('takes %o', (openapi) => {
    expect([validate({ name: 'demo', openapi }), validate.errors]).toEqual([true, null]);
  });

  test.each([
    'a.yaml',
    {},
    { document: 5 },
    [{ document: 'a', unknown: 1 }],
    [{ document: 'a', mode: 'some' }],
    [{ document: 'a', credentials: { a: { b: 'c' } } }],
    [{ document: 'a', overrides: { a: { nam: 'b' } } }],
    [{ document: 'a', routeMaps: [{ path: '/a' }] }],
  ])('refuses %o', (openapi) => {
    expect(validate({ name: 'demo', openapi })).toBe(false);
  });

  /** Every option: the compiler rejects a missing one. */
  const OPTIONS: Record<keyof OpenApiEntry, 'code' | 'data'> = {
    document: 'data',
    overlays: 'data',
    documentHeaders: 'data',
    references: 'data',
    limits: 'data',
    baseUrl: 'data',
    serverVariables: 'data',
    namespace: 'data',
    maxNameLength: 'data',
    abbreviate: 'data',
    argumentNames: 'data',
    maxDescription: 'data',
    maxArgumentDescription: 'data',
    maxSchemaChars: 'data',
    stripHtml: 'data',
    mode: 'data',
    groupBy: 'data',
    includeTools: 'data',
    includeTags: 'data',
    includeOperations: 'data',
    includeMethods: 'data',
    includeResources: 'data',
    excludeTags: 'data',
    excludeTools: 'data',
    excludeOperations: 'data',
    excludePaths: 'data',
    includeDeprecated: 'data',
    routeMaps: 'data',
    overrides: 'data',
    credentials: 'data',
    headers: 'data',
    origins: 'data',
    outputSchemas: 'data',
    preferredBodies: 'data',
    allowSlashes: 'data',
    redirects: 'data',
    validate: 'data',
    maxResponseChars: 'data',
    maxBinaryBytes: 'data',
    authProvider: 'code',
    clock: 'code',
    cwd: 'code',
    filter: 'code',
    jsonSchemaCompiler: 'code',
    describeFinding: 'code',
    onDrift: 'code',
    outbound: 'code',
    override: 'code',
    readFile: 'code',
  };

  test('has every option that data can say', () => {
    const expected = Object.entries(OPTIONS).filter(([, kind]) => kind === 'data');
    expect(Object.keys(CONFIG_SCHEMA.$defs?.['openapiDocument']?.properties ?? {})).toEqual(
      expected.map(([name]) => name),
    );
  });
});
