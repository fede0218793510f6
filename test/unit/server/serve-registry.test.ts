import { PassThrough } from 'node:stream';
import { Client } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { connectInMemory, createServer, ToolRegistry } from '../../../src/index.ts';
import { toFetchHandler } from '../../../src/fetch.ts';
import { serveHttp } from '../../../src/http.ts';
import { serveStdio } from '../../../src/stdio.ts';
import { toServed } from '../../../src/server/to-served.ts';
import { connectTestClient } from '../../../src/testing.ts';
import { FakeClock } from '../../support/fake-clock.ts';

function createRegistry(): ToolRegistry {
  return new ToolRegistry({ name: 'calculator' }).register({
    name: 'double',
    description: 'Doubles',
    inputSchema: { n: z.number() },
    handler: ({ input }) => input.n * 2,
  });
}

const DISCOVER = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
};

test('serveStdio takes a registry: the server has its name', async () => {
  const input = new PassThrough();
  const output = new PassThrough();
  const running = serveStdio(createRegistry(), { input, output });
  input.end(`${JSON.stringify(DISCOVER)}\n`);
  await running.closed;
  const { result } = JSON.parse(String(output.read())) as { result: object };
  expect(result).toMatchObject({
    serverInfo: { name: 'calculator', version: '0.0.0' },
    capabilities: { tools: {} },
  });
});

test('serveHttp and toFetchHandler take a registry', async () => {
  const running = await serveHttp(createRegistry(), { port: 0 });
  const request = {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify(DISCOVER),
  };
  try {
    expect(await (await fetch(running.url, request)).text()).toContain('"name":"calculator"');
    const handle = toFetchHandler(createRegistry());
    const response = await handle(
      new Request(running.url, { ...request, headers: { ...request.headers, host: '127.0.0.1' } }),
    );
    expect(await response.text()).toContain('"name":"calculator"');
    await handle.close(0);
  } finally {
    await running.close();
  }
});

test('connectInMemory takes a registry or a surface, and follows what it gains', async () => {
  for (const served of [createRegistry(), createRegistry().surface({ exposure: 'flat' })]) {
    const client = new Client({ name: 'c', version: '1' });
    await client.connect(connectInMemory(served));
    expect((await client.callTool({ name: 'double', arguments: { n: 4 } })).content).toEqual([
      { type: 'text', text: '8' },
    ]);
    await client.close();
  }
});

test('connectTestClient takes a server, of definitions, of a registry or of a surface', async () => {
  const registry = createRegistry();
  const base = { name: 's', version: '1' };
  for (const tools of [registry, registry.surface({ exposure: 'flat' })]) {
    const client = connectTestClient(createServer({ ...base, tools }));
    expect((await client.callTool('double', { n: 21 })).text).toBe('42');
    await client.close();
  }
  const inline = createServer({
    ...base,
    createContext: () => ({ factor: 3 }),
    tools: [
      {
        name: 'multiply',
        description: 'Multiplies',
        inputSchema: { n: z.number() },
        handler: ({ input, context }) => input.n * context.factor,
      },
    ],
  });
  expect((await connectTestClient(inline).callTool('multiply', { n: 2 })).text).toBe('6');
});

test('a registry that is served as it is has its own settings, and so has its server', async () => {
  const clock = new FakeClock();
  const rateLimit = { limit: 1, perMs: 1000 };
  const registry = new ToolRegistry({ name: 'calculator', clock, rateLimit }).register({
    name: 'ping',
    description: 'Pings',
    inputSchema: {},
    handler: () => 'pong',
  });
  expect(toServed(registry).clock).toBe(clock);
  const client = new Client({ name: 'c', version: '1' });
  await client.connect(connectInMemory(registry));
  expect((await client.callTool({ name: 'ping' })).isError).toBeUndefined();
  // Counted together with calls in this process.
  expect((await registry.executeTool({ name: 'ping' })).isError).toBe(true);
  await client.close();
});

test('missing parts of a server, and values that are not servers, are rejected', async () => {
  await expect(connectTestClient(createServer({ name: 's', version: '1' })).listTools()).rejects.toThrow(
    'Missing tools: the connected server has none. Add them: createServer({ …, tools: […] }).',
  );
  expect(() => connectInMemory({} as never)).toThrow(
    'Invalid server: expected a server, a ToolRegistry or a surface. Create a server: createServer({ name, version, tools }).',
  );
});
