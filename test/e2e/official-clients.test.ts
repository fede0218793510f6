import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { ToolRegistry } from '../../src/index.ts';
import { connect, connectPair, SDK_CLIENTS, SDK_SERVERS } from '../support/sdk.ts';
import type { CallOptions, Connection } from '../support/sdk.ts';
import { unknownTool } from '../support/refused.ts';

/** A registry with one tool for each feature that a client can notice. */
function sampleRegistry(): { registry: ToolRegistry; aborted: Promise<unknown>; started: Promise<void> } {
  let noteAbort: (reason: unknown) => void = () => {};
  let noteStart: () => void = () => {};
  const aborted = new Promise<unknown>((resolve) => (noteAbort = resolve));
  const started = new Promise<void>((resolve) => (noteStart = resolve));
  const registry = new ToolRegistry({ name: 'sample' })
    .register({
      name: 'add',
      title: 'Add',
      description: 'Adds two numbers',
      inputSchema: z.object({ a: z.number(), b: z.number().default(1) }),
      outputSchema: z.object({ sum: z.number() }),
      annotations: { readOnlyHint: true },
      category: 'Maths',
      handler: ({ input }) => ({ sum: input.a + input.b }),
    })
    .register({
      name: 'primes',
      description: 'Some primes: an output schema whose root is no object',
      inputSchema: z.object({}),
      outputSchema: z.array(z.number()),
      handler: () => [2, 3, 5],
    })
    .register({
      name: 'count',
      description: 'Reports progress',
      inputSchema: z.object({ to: z.number() }),
      handler: async ({ input, context }) => {
        for (let step = 1; step <= input.to; step += 1)
          await context.progress(step, input.to, `step ${step}`);
        return 'counted';
      },
    })
    .register({
      name: 'hang',
      description: 'Never ends by itself',
      inputSchema: z.object({}),
      handler: ({ context }) => {
        noteStart();
        return new Promise((_resolve, reject) => {
          context.signal.addEventListener('abort', () => {
            noteAbort(context.signal.reason);
            reject(new Error('stopped'));
          });
        });
      },
    })
    .register({
      name: 'fail',
      description: 'Throws',
      inputSchema: z.object({}),
      handler: () => {
        throw new Error('internal detail');
      },
    })
    .register({
      name: 'bigint',
      description: 'Cannot be sent',
      inputSchema: z.object({}),
      handler: () => ({ n: 1n }),
    });
  return { registry, aborted, started };
}

const silent = { debug() {}, info() {}, warning() {}, error() {} };

const pairs = Object.keys(SDK_SERVERS).flatMap((server) =>
  Object.keys(SDK_CLIENTS).map((client) => ({ server, client })),
);

describe.each(pairs)('a registry on the official $server, called by the official $client', (names) => {
  const open = async (): Promise<Connection & ReturnType<typeof sampleRegistry>> => {
    const sample = sampleRegistry();
    return { ...(await connect(sample.registry, names)), ...sample };
  };

  test('lists its tools in order, complete', async () => {
    await using connection = await open();
    const { tools } = await connection.client.listTools();
    expect(tools.map((tool) => tool.name)).toEqual(['add', 'primes', 'count', 'hang', 'fail', 'bigint']);
    expect(tools[0]).toMatchObject({
      name: 'add',
      title: 'Add',
      description: 'Adds two numbers',
      inputSchema: {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        properties: { a: { type: 'number' }, b: { default: 1, type: 'number' } },
        required: ['a'],
      },
      outputSchema: { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] },
      annotations: { readOnlyHint: true },
      _meta: { 'toolwright/category': 'Maths' },
    });
  });

  test('answers a call with structured content and text', async () => {
    await using connection = await open();
    await connection.client.listTools();
    const result = await connection.client.callTool('add', { a: 2 });
    expect(result.content).toEqual([{ type: 'text', text: '{"sum":3}' }]);
    expect(result.structuredContent).toEqual({ sum: 3 });
    expect(result.isError).toBeUndefined();
  });

  test('wraps an output that is no object for this protocol version, in list and call alike', async () => {
    await using connection = await open();
    const { tools } = await connection.client.listTools();
    expect(tools[1]?.outputSchema).toMatchObject({
      type: 'object',
      properties: { result: { type: 'array', items: { type: 'number' } } },
      required: ['result'],
    });
    expect((await connection.client.callTool('primes')).structuredContent).toEqual({ result: [2, 3, 5] });
  });

  test('answers bad input as a result that names the field', async () => {
    await using connection = await open();
    await connection.client.listTools();
    const result = await connection.client.callTool('add', { a: 'two' });
    expect(result.isError).toBe(true);
    expect(result.content).toEqual([
      {
        type: 'text',
        text: 'Invalid arguments for tool \'add\'.\n- a: Invalid input: expected number, received string (expected: number; received: "two" (string))',
      },
    ]);
  });

  test('answers an unknown tool with -32602', async () => {
    await using connection = await open();
    await expect(connection.client.callTool('subtract', {})).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(new RegExp(`${unknownTool('subtract').message}$`)) as string,
    });
  });

  test('reports progress to a caller who asks', async () => {
    await using connection = await open();
    const seen: unknown[] = [];
    const options: CallOptions = { onprogress: (update) => seen.push(update) };
    await connection.client.callTool('count', { to: 2 }, options);
    expect(seen).toEqual([
      { progress: 1, total: 2, message: 'step 1' },
      { progress: 2, total: 2, message: 'step 2' },
    ]);
  });

  test('carries a cancellation to the handler', async () => {
    await using connection = await open();
    const controller = new AbortController();
    const call = connection.client.callTool('hang', {}, { signal: controller.signal });
    await connection.started;
    controller.abort('enough');
    await expect(call).rejects.toThrow();
    expect(String(await connection.aborted)).toContain('enough');
  });

  test('answers failures and values that cannot be sent, and goes on', async () => {
    const sample = sampleRegistry();
    const registry = new ToolRegistry({ logger: silent }).registerAll(sample.registry.getToolDefinitions());
    await using connection = await connect(registry, names);
    const failed = await connection.client.callTool('fail');
    expect(failed.isError).toBe(true);
    expect(JSON.stringify(failed)).not.toContain('internal detail');
    expect((await connection.client.callTool('bigint')).isError).toBe(true);
    expect((await connection.client.callTool('add', { a: 1 })).structuredContent).toEqual({ sum: 2 });
  });

  test('tells the client when tools come and go', async () => {
    await using connection = await open();
    const heard = connection.client.nextListChange();
    connection.registry.unregister('bigint');
    await heard;
    expect((await connection.client.listTools()).tools).toHaveLength(5);
  });

  test('gives bad input as -32602 where the registry says so', async () => {
    const registry = new ToolRegistry({ invalidArguments: 'protocol-error' });
    registry.registerAll(sampleRegistry().registry.getToolDefinitions());
    await using connection = await connect(registry, names);
    await expect(connection.client.callTool('add', { a: 'two' })).rejects.toMatchObject({ code: -32602 });
  });

  test('is gone after detach: the server answers as if it had never been there', async () => {
    await using connection = await open();
    connection.detach();
    connection.detach();
    await expect(connection.client.callTool('add', { a: 1 })).rejects.toMatchObject({ code: -32601 });
    await expect(connection.client.listTools()).rejects.toMatchObject({ code: -32601 });
  });
});

describe.each(Object.keys(SDK_CLIENTS))(
  'an McpServer with tools of its own, called by the official %s',
  (clientName) => {
    const servers: [string, () => Promise<{ server: Parameters<typeof connectPair>[0]; native: string }>][] =
      [
        [
          'v1',
          async () => {
            const { McpServer } = await import('@modelcontextprotocol/sdk/server/mcp.js');
            const server = new McpServer({ name: 's', version: '1' });
            server.registerTool('native', { description: 'N', inputSchema: { a: z.number() } }, () => ({
              content: [{ type: 'text', text: 'native' }],
            }));
            return { server, native: 'native' };
          },
        ],
        [
          'v2',
          async () => {
            const { McpServer } = await import('@modelcontextprotocol/server');
            const server = new McpServer({ name: 's', version: '1' });
            server.registerTool(
              'native',
              { description: 'N', inputSchema: z.object({ a: z.number() }) },
              () => ({
                content: [{ type: 'text', text: 'native' }],
              }),
            );
            return { server: server, native: 'native' };
          },
        ],
      ];

    test.each(servers)(
      '%s: answers from the registry while attached, and as before after detach',
      async (_name, create) => {
        const { server } = await create();
        const detach = sampleRegistry().registry.attachToServer(server);
        const client = SDK_CLIENTS[clientName]?.();
        if (client === undefined) throw new Error('no such client');
        await connectPair(server, client);
        try {
          expect((await client.listTools()).tools).toHaveLength(6);
          expect((await client.callTool('add', { a: 1 })).structuredContent).toEqual({ sum: 2 });
          detach();
          expect((await client.listTools()).tools.map((tool) => tool.name)).toEqual(['native']);
          expect((await client.callTool('native', { a: 1 })).content).toEqual([
            { type: 'text', text: 'native' },
          ]);
        } finally {
          await client.close();
        }
      },
    );
  },
);
