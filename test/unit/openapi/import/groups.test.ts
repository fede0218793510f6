import { describe, expect, test } from 'vitest';
import type { McpTool } from '../../../../src/index.ts';
import { OpenAPIServer } from '../../../../src/openapi.ts';
import { CLIENTS, connectDirectly } from '../../../support/served-clients.ts';
import { aDocument, useApi } from './support.ts';
import type { Json } from './support.ts';

const api = useApi();

const LONG_TAG = 'users.mailFolders.messages.attachments.uploadSessions.inferenceX';
const LONG_ID = 'users.mailFolders.childFolders.messages.attachments.createUploadS';

/** A tag of 64 characters with an operation of 64. */
const LONG = aDocument({
  paths: {
    '/users/{id}': {
      get: {
        operationId: LONG_ID.replaceAll('.', '_').slice(0, 64),
        tags: [LONG_TAG],
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      },
    },
  },
});

/** One tag, and more than 100,000 characters of operations. */
function large(count: number): Json {
  const paths = Object.fromEntries(
    Array.from({ length: count }, (_, index): [string, Json] => [
      `/things/${index}`,
      {
        get: {
          operationId: `get_${index}`,
          tags: ['things'],
          description: `Reads thing ${index}. ${'Things have much to say. '.repeat(20)}`,
          parameters: [
            {
              name: `filter_${index}`,
              in: 'query',
              schema: { type: 'string', description: 'x'.repeat(300) },
            },
          ],
        },
      },
    ]),
  );
  const other = { get: { operationId: 'other', tags: ['things_2'] } };
  return aDocument({
    paths: { ...paths, '/other': other },
    tags: [{ name: 'things', description: 'All things.' }],
  });
}

function load(document: Json, options: Json = {}): Promise<OpenAPIServer> {
  return OpenAPIServer.load({
    document,
    exposure: 'grouped',
    openapi: api.options,
    ...options,
  });
}

const actionsOf = ({ inputSchema }: McpTool): readonly string[] =>
  (inputSchema['properties'] as { action: { enum: readonly string[] } }).action.enum;

describe.each(CLIENTS)('groups of operations, for $client', ({ client: name }) => {
  test('a group and an operation with the longest names are served, the operation with a hash at its end', async () => {
    await using server = await load(LONG);
    await using client = await connectDirectly(name, server);
    const { tools } = await client.official.listTools();
    expect(tools.map((tool) => [tool.name, actionsOf(tool)])).toEqual([
      [
        'users_mailFolders_messages_attachments_uploadSessions_inferenceX',
        ['users_mailFolders_childFolders_messages_attachments_k1x12is'],
      ],
    ]);
    const [action] = actionsOf(tools[0] as McpTool);
    const result = await client.official.callTool({ name: tools[0]?.name, arguments: { action, id: '7' } });
    expect(result.isError).toBeUndefined();
    expect(api.arrived.at(-1)?.line).toBe('GET /users/7');
  });

  test('a large group is several tools, and every operation is in one of them', async () => {
    await using server = await load(large(300));
    await using client = await connectDirectly(name, server);
    const { tools } = await client.official.listTools();
    expect(tools.map((tool) => tool.name)).toEqual(['things', 'things_3', 'things_4', 'things_2']);
    expect(tools.map(({ description = '' }) => description.slice(0, 25))).toEqual([
      'All things. Part 1 of 3. ',
      'All things. Part 2 of 3. ',
      'All things. Part 3 of 3. ',
      'Operations of things_2. A',
    ]);
    const all = tools.flatMap(actionsOf);
    expect(all).toEqual([...Array.from({ length: 300 }, (_, index) => `get_${index}`), 'other']);
    expect(Math.max(...tools.map((tool) => JSON.stringify(tool).length))).toBeLessThan(110_000);
    const last = { name: 'things_4', arguments: { action: 'get_299', filter_299: 'a' } };
    expect((await client.official.callTool(last)).isError).toBeUndefined();
    expect(api.arrived.at(-1)?.line).toBe('GET /things/299?filter_299=a');
  });
});

test('an operation that comes at the end moves no other one to another group', async () => {
  const groupsOf = async (count: number): Promise<Map<string, string>> => {
    await using server = await load(large(count));
    return new Map(
      (server.tools?.listTools() ?? []).flatMap((tool) =>
        actionsOf(tool).map((action) => [action, tool.name]),
      ),
    );
  };
  const [before, after] = [await groupsOf(250), await groupsOf(251)];
  expect([...before].filter(([action, group]) => after.get(action) !== group)).toEqual([]);
  expect(after.size).toBe(before.size + 1);
});
