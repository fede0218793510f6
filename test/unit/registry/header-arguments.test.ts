import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { createServer, createTool, ToolRegistry } from '../../../src/index.ts';
import type { Exposure, GroupedToolBuilder, McpTool } from '../../../src/index.ts';
import { toFetchHandler } from '../../../src/fetch.ts';

const mirrored = (name: string): z.ZodString => z.string().meta({ 'x-mcp-header': name });

/** Two actions with one argument: it is a header of `list`, but not of `purge`, and only admins see `purge`. */
function orders(purgeSchema: z.ZodObject): GroupedToolBuilder {
  return createTool('orders')
    .action({
      name: 'list',
      schema: z.object({ region: mirrored('Region').optional() }),
      handler: () => 'listed',
    })
    .action({ name: 'purge', scopes: ['admin'], schema: purgeSchema, handler: () => 'purged' });
}

interface Asked {
  readonly admin?: boolean;
  readonly tool?: string;
  readonly args: object;
  readonly headers: Readonly<Record<string, string>>;
}

interface Answered {
  readonly status: number;
  readonly code?: number;
  readonly text?: string;
}

/** Calls over HTTP, as an admin or anonymously. */
function caller(
  registry: ToolRegistry,
  { exposure = 'grouped', splitReadWrite = false }: { exposure?: Exposure; splitReadWrite?: boolean } = {},
): (asked: Asked) => Promise<Answered> {
  const server = createServer({
    name: 'shop',
    version: '1.0.0',
    tools: registry.surface({ exposure, splitReadWrite }),
  });
  const handle = toFetchHandler(server, {
    authenticate: ({ headers }) => ({
      id: 'ada',
      scopes: headers.get('authorization') === 'Bearer admin' ? ['admin'] : [],
    }),
  });
  return async ({ admin = false, tool = 'orders', args, headers }) => {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const params = { name: tool, arguments: args, _meta };
    const response = await handle(
      new Request('http://localhost/mcp', {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': 'tools/call',
          'mcp-name': tool,
          ...(admin ? { authorization: 'Bearer admin' } : {}),
          ...headers,
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
      }),
    );
    const { result, error } = (await response.json()) as {
      result?: { content: { text: string }[] };
      error?: { code: number };
    };
    return {
      status: response.status,
      ...(error === undefined ? {} : { code: error.code }),
      ...(result === undefined ? {} : { text: result.content[0]?.text ?? '' }),
    };
  };
}

const REFUSED = { status: 400, code: -32020 };
const LISTED = { status: 200, text: 'listed' };
const EU = { 'mcp-param-region': 'eu' };

describe('arguments that travel as headers are those of the tool as this caller sees it', () => {
  test('a hidden action with the same argument does not switch the check off', async () => {
    const call = caller(new ToolRegistry().register(orders(z.object({ region: z.number() }))));
    expect(await call({ args: { action: 'list', region: 'us' }, headers: EU })).toEqual(REFUSED);
    expect(await call({ args: { action: 'list', region: 'eu' }, headers: EU })).toEqual(LISTED);
    expect(await call({ args: { action: 'list', region: 'eu' }, headers: {} })).toEqual(REFUSED);
  });

  test('the arguments of hidden actions are no headers', async () => {
    const call = caller(new ToolRegistry().register(orders(z.object({ secret: mirrored('Secret') }))));
    const other = { 'mcp-param-secret': 'x', ...EU };
    expect(await call({ args: { action: 'list', region: 'eu' }, headers: other })).toEqual(LISTED);
    expect(await call({ admin: true, args: { action: 'list', region: 'eu' }, headers: other })).toEqual(
      REFUSED,
    );
  });

  test('a hidden tool has none, and answers like an unknown one', async () => {
    const hidden = createTool('orders').action({
      name: 'list',
      scopes: ['admin'],
      schema: z.object({ region: mirrored('Region') }),
      handler: () => 'listed',
    });
    for (const exposure of ['grouped', 'flat', 'auto'] as const) {
      const call = caller(new ToolRegistry().register(hidden), { exposure });
      const tool = exposure === 'grouped' ? 'orders' : 'orders_list';
      const args = { action: 'list', region: 'us' };
      const unknown = await call({ tool: 'nothing', args, headers: EU });
      expect(unknown).toEqual({ status: 200, code: -32602 });
      expect(await call({ tool, args, headers: EU })).toEqual(unknown);
      expect(await call({ admin: true, tool, args, headers: EU })).toEqual(REFUSED);
    }
  });

  test('a mounted tool and a half of a split one are checked like any other', async () => {
    const inner = new ToolRegistry().register(orders(z.object({ region: z.number() })));
    const outer = new ToolRegistry();
    outer.mount('v1', inner);
    const call = caller(outer);
    const args = { action: 'list', region: 'us' };
    expect(await call({ tool: 'v1_orders', args, headers: EU })).toEqual(REFUSED);
    const split = createTool('orders')
      .action({
        name: 'list',
        readOnly: true,
        schema: z.object({ region: mirrored('Region') }),
        handler: () => 'listed',
      })
      .action({ name: 'purge', schema: z.object({ region: z.number() }), handler: () => 'purged' });
    const callHalf = caller(new ToolRegistry().register(split), { splitReadWrite: true });
    expect(await callHalf({ tool: 'orders_read', args, headers: EU })).toEqual(REFUSED);
  });
});

test('a tool without such arguments asks the policy no more than its call does', async () => {
  let asked = 0;
  const registry = new ToolRegistry({ policy: () => (asked += 1) > 0 });
  const many = createTool('many');
  for (let index = 0; index < 50; index += 1)
    many.action({ name: `a${index}`, schema: z.object({}), handler: () => 'done' });
  const call = caller(registry.register(many).register(orders(z.object({ zone: z.number() }))));
  asked = 0;
  expect(await call({ tool: 'many', args: { action: 'a7' }, headers: {} })).toEqual({
    status: 200,
    text: 'done',
  });
  expect(asked).toBe(1);
});

describe('a grouped tool lists annotations only where clients can follow them', () => {
  const regionOf = (schema: z.ZodObject): unknown => {
    const listed: McpTool | undefined = new ToolRegistry().register(orders(schema)).findTool('orders');
    const properties = listed?.inputSchema['properties'] as Record<string, unknown> | undefined;
    return properties?.['region'];
  };

  test('on the argument, where every action that names a header means the same one', () => {
    expect(regionOf(z.object({ region: z.string() }))).toEqual({
      type: 'string',
      'x-mcp-header': 'Region',
      description: 'Required for: purge. For: list',
    });
    expect(regionOf(z.object({ region: z.string().max(2) }))).toEqual({
      type: 'string',
      'x-mcp-header': 'Region',
      anyOf: [
        { type: 'string', description: 'For: list' },
        { type: 'string', maxLength: 2, description: 'Required for: purge' },
      ],
    });
  });

  test('nowhere, where they mean different ones or other types', () => {
    expect(JSON.stringify(regionOf(z.object({ region: mirrored('Zone') })))).not.toContain('x-mcp-header');
    expect(JSON.stringify(regionOf(z.object({ region: z.number() })))).not.toContain('x-mcp-header');
  });

  test('nowhere, where two arguments would be one header', () => {
    const listed = new ToolRegistry()
      .register(orders(z.object({ zone: mirrored('region'), tenant: mirrored('Tenant') })))
      .findTool('orders');
    expect(listed?.inputSchema['properties']).toEqual({
      action: {
        type: 'string',
        enum: ['list', 'purge'],
        description: 'The action to perform.',
      },
      region: { type: 'string', description: 'For: list' },
      zone: { type: 'string', description: 'Required for: purge' },
      tenant: { type: 'string', 'x-mcp-header': 'Tenant', description: 'Required for: purge' },
    });
  });
});
