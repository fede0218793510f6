import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { finished } from 'node:stream/promises';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { createServer, defineTool } from '../../src/index.ts';
import type { ToolwrightServer } from '../../src/index.ts';
import { serveHttp } from '../../src/http.ts';
import { serveStdio } from '../../src/stdio.ts';
import { meta } from '../support/raw-client.ts';
import { unknownTool } from '../support/refused.ts';

interface Hanging {
  readonly server: ToolwrightServer;
  /** Resolves when the tool has begun. */
  readonly begun: Promise<void>;
}

/** A server whose only tool never ends by itself. */
function createHanging(): Hanging {
  let begin: () => void = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const hang = defineTool({
    name: 'hang',
    description: 'Never ends',
    inputSchema: z.object({}),
    handler: () => {
      begin();
      return new Promise(() => {});
    },
  });
  return { begun, server: createServer({ name: 's', version: '1', tools: [hang] }) };
}

const toCall = (name: string): RequestInit => ({
  method: 'POST',
  headers: {
    'content-type': 'application/json',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': name,
  },
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, _meta: meta() } }),
});

test('a server whose health is watched goes on serving until the watchers know that it closes', async () => {
  const { server, begun } = createHanging();
  const running = await serveHttp(server, { port: 0, drainMs: 300, readyDelayMs: 3000 });
  const health = new URL('/health', running.url);
  expect((await fetch(health)).status).toBe(200);
  const answering = fetch(running.url, toCall('hang'));
  await begun;
  const closed = running.close();
  const told = await fetch(health);
  expect([told.status, told.headers.get('connection'), await told.json()]).toMatchObject([
    503,
    'close',
    { status: 'closing' },
  ]);
  const late = await fetch(running.url, toCall('unknown'));
  expect([late.status, late.headers.get('connection'), await late.json()]).toEqual([
    200,
    'close',
    { jsonrpc: '2.0', id: 1, error: unknownTool('unknown') },
  ]);
  expect((await answering).status).toBe(503);
  await closed;
  await expect(fetch(running.url)).rejects.toThrow('fetch failed');
});

test('a server without health checks closes immediately, and responds to all requests it has read', async () => {
  const { server, begun } = createHanging();
  const running = await serveHttp(server, { port: 0, drainMs: 300 });
  const answering = fetch(running.url, toCall('hang'));
  await begun;
  const closed = running.close();
  await expect(fetch(running.url, toCall('hang'))).rejects.toThrow('fetch failed');
  expect((await answering).status).toBe(503);
  await closed;
});

/** A connection that the server has accepted. */
async function open(url: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  await once(socket, 'connect');
  // Connections are accepted in the order in which they were made.
  await fetch(new URL('/healthz', url));
  return socket;
}

const ASK = 'GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';

test('a server whose health is watched responds to the first and to later requests of connections that it has accepted', async () => {
  const { server } = createHanging();
  const running = await serveHttp(server, { port: 0, readyDelayMs: 1 });
  const [fresh, used] = [await open(running.url), await open(running.url)];
  used.write(ASK);
  await once(used, 'data');
  const closed = running.close();
  while ((await fetch(running.url).catch(() => undefined)) !== undefined);
  const responses = [fresh, used].map((socket) => text(socket));
  for (const socket of [fresh, used]) socket.write(ASK);
  for (const response of await Promise.all(responses)) expect(response).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  await closed;
});

test('a client that reads slowly gets the whole response while the server closes', async () => {
  const large = defineTool({
    name: 'large',
    description: 'Returns 20 MB',
    inputSchema: z.object({}),
    maxResultBytes: 30_000_000,
    handler: () => 'x'.repeat(20_000_000),
  });
  const server = createServer({ name: 's', version: '1', tools: [large] });
  const running = await serveHttp(server, { port: 0 });
  const response = await fetch(running.url, toCall('large'));
  const closed = running.close();
  await expect(fetch(running.url)).rejects.toThrow('fetch failed');
  expect((await response.text()).length).toBe(Number(response.headers.get('content-length')));
  await closed;
});

describe('a call that does not end while its transport closes is answered with why', () => {
  test('over HTTP without sessions', async () => {
    const { server, begun } = createHanging();
    const running = await serveHttp(server, { port: 0, sessions: false, drainMs: 50 });
    const answering = fetch(running.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 5, method: 'tools/call', params: { name: 'hang' } }),
    });
    await begun;
    await running.close();
    const response = await answering;
    expect([response.status, await response.json()]).toEqual([
      503,
      { jsonrpc: '2.0', id: 5, error: { code: -32603, message: 'The server is closing.' } },
    ]);
  });

  test('over the two endpoints of 2024-11-05', async () => {
    const { server, begun } = createHanging();
    const running = await serveHttp(server, { port: 0, sse: true, drainMs: 50 });
    const client = new ClientV1({ name: 'c', version: '1' });
    await client.connect(new SSEClientTransport(new URL('/sse', running.url)));
    const refused = expect(client.callTool({ name: 'hang' })).rejects.toMatchObject({
      code: -32603,
      message: 'MCP error -32603: The server is closing.',
    });
    await begun;
    await running.close();
    await refused;
    await client.close();
  });

  test('on standard input and output, in both eras', async () => {
    const { server, begun } = createHanging();
    const [input, output] = [new PassThrough(), new PassThrough()];
    let printed = '';
    output.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    const running = serveStdio(server, { input, output, drainMs: 20 });
    const send = (message: object): void =>
      void input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {} } });
    send({ id: 2, method: 'tools/call', params: { name: 'hang' } });
    send({ id: 3, method: 'tools/call', params: { name: 'hang', _meta: meta() } });
    await begun;
    input.end();
    await running.closed;
    output.end();
    await finished(output);
    const lines = printed.trim().split('\n').slice(1);
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(
      expect.arrayContaining([
        { jsonrpc: '2.0', id: 2, error: { code: -32603, message: 'The input ended.' } },
        { jsonrpc: '2.0', id: 3, error: { code: -32603, message: 'The input ended.' } },
      ]),
    );
  });
});
