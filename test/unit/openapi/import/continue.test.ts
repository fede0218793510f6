import { describe, expect, test } from 'vitest';
import type { McpCallToolResult, McpTool } from '../../../../src/index.ts';
import { OpenAPIServer } from '../../../../src/openapi.ts';
import type { OpenApiServerOptions } from '../../../../src/openapi.ts';
import { CLIENTS, connectDirectly } from '../../../support/served-clients.ts';
import type { ServedClient } from '../../../support/served-clients.ts';
import { aDocument, useApi } from './support.ts';
import type { Json } from './support.ts';

const api = useApi();

const ITEMS = Array.from({ length: 40 }, (_, index) => `item ${index} ${'x'.repeat(100)}`);

const DOCUMENT = aDocument({
  paths: {
    '/items/{kind}': {
      get: {
        operationId: 'listItems',
        tags: ['items'],
        parameters: [{ name: 'kind', in: 'path', required: true, schema: { type: 'string' } }],
        responses: {
          200: { description: 'Items', content: { 'application/json': { schema: { type: 'array' } } } },
        },
      },
    },
  },
});

function load(options: Partial<OpenApiServerOptions>): Promise<OpenAPIServer> {
  api.answer = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(ITEMS) };
  return OpenAPIServer.load({
    document: DOCUMENT as never,
    openapi: { ...api.options, maxResponseChars: 1000 },
    ...options,
  } as never);
}

/** The arguments of a client that enforces schemas: the listed ones. */
function listed(args: Json, inputSchema: unknown): Json {
  const { properties } = inputSchema as { properties: Json };
  return Object.fromEntries(Object.entries(args).filter(([name]) => Object.hasOwn(properties, name)));
}

const tokenOf = (result: McpCallToolResult): unknown => result._meta?.['toolwright/continue'];
const textOf = ({ content: [block] }: McpCallToolResult): string =>
  block?.type === 'text' ? block.text : '';

/** A call of the only operation, and of the next part, with listed arguments only. */
type Calls = (client: ServedClient, args: Json) => Promise<McpCallToolResult>;

const direct =
  (name: string, more: Json = {}): Calls =>
  async (client, args) => {
    const { tools } = await client.official.listTools();
    const tool = tools.find((each) => each.name === name) as McpTool;
    return client.official.callTool({ name, arguments: listed({ ...more, ...args }, tool.inputSchema) });
  };

const described: Calls = async (client, args) => {
  const result = await client.official.callTool({
    name: 'describe_tool',
    arguments: { names: ['listItems'] },
  });
  const { tools } = JSON.parse(textOf(result)) as { tools: McpTool[] };
  const given = listed(args, tools[0]?.inputSchema);
  return client.official.callTool({ name: 'call_tool', arguments: { name: 'listItems', arguments: given } });
};

const WAYS: readonly [string, Partial<OpenApiServerOptions>, Calls][] = [
  ['flat', { exposure: 'flat' }, direct('listItems')],
  ['grouped', { exposure: 'grouped' }, direct('items', { action: 'listItems' })],
  [
    'grouped and brief',
    { exposure: 'grouped', groupedSchemas: 'brief' },
    direct('items', { action: 'listItems' }),
  ],
  ['search', { exposure: 'search' }, described],
];

describe.each(CLIENTS)('the rest of a long result, for $client', ({ client: name }) => {
  test.each(WAYS)('is had with arguments that are listed alone: %s', async (_title, options, call) => {
    await using server = await load(options);
    await using client = await connectDirectly(name, server);
    const first = await call(client, { kind: 'all' });
    expect(textOf(first)).toContain('item 0 ');
    const second = await call(client, { kind: 'all', continue_from: tokenOf(first) });
    expect([second.isError, textOf(second).includes('item 0 '), textOf(second).includes('item ')]).toEqual([
      undefined,
      false,
      true,
    ]);
  });
});

test('an empty continue_from is none: clients that send every argument send it', async () => {
  await using server = await load({ exposure: 'flat' });
  const call = async (next: unknown): Promise<McpCallToolResult | undefined> =>
    server.tools?.executeTool({ name: 'listItems', arguments: { kind: 'all', continue_from: next } });
  const requests = api.arrived.length;
  expect((await call(''))?.isError).toBeUndefined();
  expect(api.arrived.slice(requests).map(({ line }) => line)).toEqual(['GET /items/all']);
  expect(textOf((await call(7)) as McpCallToolResult)).toContain(
    'continue_from: must be the string from an earlier result',
  );
});
