import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { PromptsManager, ResourcesManager } from '../../../src/index.ts';
import type { McpCallToolResult, Principal } from '../../../src/index.ts';
import { OpenAPIServer } from '../../../src/openapi.ts';
import { connectDirectly } from '../../support/served-clients.ts';
import { aDocument, useApi, withOperation } from '../openapi/import/support.ts';
import type { Json } from '../openapi/import/support.ts';
import { duplicate, refused } from '../../support/refused.ts';

const api = useApi();

const PETS = aDocument({
  paths: {
    '/pets': { get: { operationId: 'listPets', tags: ['pets'] } },
    '/photos': {
      post: {
        operationId: 'addPhoto',
        tags: ['photos'],
        requestBody: {
          required: true,
          content: {
            'multipart/form-data': {
              schema: { properties: { photo: { type: 'string', format: 'binary' } }, required: ['photo'] },
            },
          },
        },
      },
    },
  },
});

function load(options: Json = {}): Promise<OpenAPIServer> {
  return OpenAPIServer.load({
    ...('documents' in options ? {} : { document: PETS }),
    openapi: api.options,
    ...options,
  });
}

const tool = (name: string): Json => ({
  name,
  description: 'D',
  inputSchema: z.object({}),
  handler: () => name,
});

const namesOf = (server: OpenAPIServer): unknown => server.tools?.listTools().map(({ name }) => name);
const textOf = ({ content: [block] }: McpCallToolResult): string =>
  block?.type === 'text' ? block.text : '';

describe('a server of a document', () => {
  test('has the name, the version and the operations of the document', async () => {
    await using server = await load();
    expect([server.name, server.version]).toEqual(['pets', '1.2.3']);
    expect(namesOf(server)).toEqual(['listPets', 'addPhoto']);
    expect(server.reports).toMatchObject([
      { title: 'Pets', operations: [{ outcome: 'tool' }, { outcome: 'tool' }] },
    ]);
    expect([server.prompts, server.resources]).toEqual([undefined, undefined]);
    const { tools } = server;
    expect(textOf((await tools?.executeTool({ name: 'listPets', arguments: {} })) as McpCallToolResult)).toBe(
      '{"ok":true}',
    );
  });

  test('or those that were given', async () => {
    await using server = await load({ name: 'mine', version: '9' });
    expect([server.name, server.version]).toEqual(['mine', '9']);
    const nameless = withOperation({}, { info: { title: '\u5ba0\u7269', version: '' } });
    await using other = await load({ document: nameless });
    expect([other.name, other.version]).toEqual(['openapi', '0.0.0']);
  });

  test('has tools, prompts and resources beside them, behind them', async () => {
    await using server = await load({ extraTools: [tool('extra')] });
    server
      .registerTool(tool('later') as never)
      .registerPrompt({ name: 'greet', template: 'Hello' })
      .registerResource({ uri: 'a://b', name: 'b', text: 'B' });
    expect(namesOf(server)).toEqual(['listPets', 'addPhoto', 'extra', 'later']);
    expect([server.prompts?.size, server.resources?.size]).toEqual([1, 1]);
  });

  test('refuses names that operations have', async () => {
    await expect(load({ extraTools: [tool('listPets')] })).rejects.toThrow(duplicate('Tool', 'listPets'));
    await using server = await load();
    expect(() => server.registerTool(tool('addPhoto') as never)).toThrow(duplicate('Tool', 'addPhoto'));
  });

  test('is served to official clients', async () => {
    await using server = await load({ extraTools: [tool('extra')] });
    await using client = await connectDirectly('v2 auto', server);
    expect((await client.listTools()).map(({ name }) => name)).toEqual(['listPets', 'addPhoto', 'extra']);
    expect(await client.callText('listPets')).toBe('{"ok":true}');
    expect(await client.callText('extra')).toBe('extra');
  });

  test.each([
    ['flat', ['listPets', 'addPhoto']],
    ['grouped', ['pets', 'photos']],
    ['search', ['search_tools', 'describe_tool', 'call_tool']],
  ])('in exposure %s', async (exposure, expected) => {
    await using server = await load({ exposure });
    await using client = await connectDirectly('v2 auto', server);
    expect((await client.listTools()).map(({ name }) => name)).toEqual(expected);
  });
});

describe('several documents', () => {
  test('need names that differ', async () => {
    const documents = [{ document: PETS }, { document: PETS }];
    await expect(load({ documents })).rejects.toThrow(duplicate('Tool', 'listPets'));
    await using server = await load({
      documents: [
        { document: PETS, namespace: 'a', excludeOperations: ['POST'] },
        { document: PETS, namespace: 'b', baseUrl: `${api.url}/other` },
      ],
      extraTools: [tool('extra')],
    });
    expect(namesOf(server)).toEqual(['a_listPets', 'b_listPets', 'b_addPhoto', 'extra']);
    await server.tools?.executeTool({ name: 'a_listPets', arguments: {} });
    await server.tools?.executeTool({ name: 'b_listPets', arguments: {} });
    expect(api.arrived.slice(-2).map(({ line }) => line)).toEqual(['GET /pets', 'GET /other/pets']);
    expect(server.reports.length).toBe(2);
  });

  test.each<[Json, string | Error]>([
    [
      { document: undefined },
      'OpenAPIServer.load: document is required, for example { document: "petstore.yaml" }.',
    ],
    [{ documents: [] }, 'OpenAPIServer.load: document is required'],
    [{ documents: 'x' }, 'OpenAPIServer.load: document is required'],
    [
      { document: PETS, documents: [{ document: PETS }] },
      'OpenAPIServer.load: use either "document" or "documents", not both.',
    ],
    [{ tools: [] }, 'OpenAPIServer.load: unknown option "tools". Use "extraTools" for your own tools.'],
    [{ documnet: 5 }, '"documnet" is unknown'],
    [{ openapi: { baseUlr: 'x' } }, refused('baseUlr', { reason: 'unknown-option' })],
    [{ exposure: 'tree' }, 'exposure'],
  ])('%j is refused', async (options, message) => {
    await expect(load(options)).rejects.toThrow(message);
  });
});

describe('settings', () => {
  test('hold for everything that is served', async () => {
    const seen: string[] = [];
    const policy = ({ name }: { name: string }, { principal }: { principal?: Principal }): boolean => {
      seen.push(name);
      return principal?.id === 'admin';
    };
    await using server = await load({
      policy,
      prompts: [{ name: 'greet', template: 'Hello' }],
      resources: [{ uri: 'a://b', name: 'b', text: 'B' }],
    });
    server.registerResource({ uri: 'a://c', name: 'c', text: 'C' }).registerTool(tool('later') as never);
    const admin = { principal: { id: 'admin' } };
    expect([namesOf(server), server.prompts?.getAllPrompts(), server.resources?.getAllResources()]).toEqual([
      [],
      [],
      [],
    ]);
    expect(server.tools?.listTools(admin).length).toBe(3);
    expect(server.prompts?.getAllPrompts(admin).length).toBe(1);
    expect(server.resources?.getAllResources(admin).length).toBe(2);
    expect(new Set(seen)).toEqual(new Set(['listPets', 'addPhoto', 'later', 'greet', 'a://b', 'a://c']));
  });

  test('reach handlers', async () => {
    await using server = await load({
      createContext: () => ({ db: 'the db' }),
      timeoutMs: 5000,
      extraTools: [{ ...tool('extra'), handler: ({ context }: { context: { db: string } }) => context.db }],
    });
    const result = await server.tools?.executeTool({ name: 'extra', arguments: {} });
    expect(result).toEqual({ content: [{ type: 'text', text: 'the db' }] });
  });

  test('hold for managers that were made before', async () => {
    const seen: string[] = [];
    await using server = await load({
      policy: (subject: { readonly name: string }) => {
        seen.push(subject.name);
        return true;
      },
      resources: new ResourcesManager({ resources: [{ uri: 'a://b', name: 'b', text: '' }] }),
      prompts: new PromptsManager({ prompts: [{ name: 'greet', template: 'Hello' }] }),
    });
    server.prompts?.getAllPrompts();
    server.resources?.getAllResources();
    expect(seen).toEqual(['greet', 'a://b']);
  });
});

describe('a file argument', () => {
  const photo = {
    uri: 'files://cat.png',
    name: 'cat',
    blob: 'aGk=',
    mimeType: 'image/png',
    scopes: ['photos'],
  };

  async function send(
    server: OpenAPIServer,
    uri: string,
    scopes: readonly string[] = [],
  ): Promise<McpCallToolResult> {
    return (await server.tools?.executeTool({
      name: 'addPhoto',
      arguments: { photo: { uri } },
      principal: { id: 'p', scopes },
    })) as McpCallToolResult;
  }

  test('can be a resource of the same server, for those who may read it', async () => {
    await using server = await load({ resources: [photo] });
    const count = api.arrived.length;
    const refused = await send(server, 'files://cat.png');
    expect(refused.isError).toBe(true);
    expect(textOf(refused)).toContain(
      'Unknown resource "files://cat.png": only resources of this server can be sent as a file.',
    );
    expect(api.arrived.length).toBe(count);
    expect((await send(server, 'files://cat.png', ['photos'])).isError).toBeUndefined();
    const { body } = api.arrived.at(-1) ?? { body: '' };
    expect(body).toContain('filename="cat.png"');
    expect(body).toContain('Content-Type: image/png\r\n\r\nhi\r\n');
  });

  test('also one that was added later, and one that is a text', async () => {
    await using server = await load();
    server.registerResource({ uri: 'notes://a.txt?x=1', name: 'a', text: 'note' });
    expect((await send(server, 'notes://a.txt?x=1')).isError).toBeUndefined();
    expect(api.arrived.at(-1)?.body).toContain('filename="a.txt"');
    expect(api.arrived.at(-1)?.body).toContain('\r\n\r\nnote\r\n');
  });

  test('and never a file or an address of its own', async () => {
    await using server = await load({ resources: [photo] });
    for (const uri of ['file:///etc/passwd', 'http://127.0.0.1/x', '/etc/passwd'])
      expect((await send(server, uri)).isError).toBe(true);
  });

  test('is read by whoever is asked to', async () => {
    await using server = await load({
      openapi: {
        ...api.options,
        readFile: async (uri: string) => ({ bytes: Buffer.from(uri), name: 'own' }),
      },
    });
    expect((await send(server, 'x://y')).isError).toBeUndefined();
    expect(api.arrived.at(-1)?.body).toContain('\r\n\r\nx://y\r\n');
  });
});
