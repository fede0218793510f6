import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as SseClient } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import express from 'express';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { createServer } from '../../../src/index.ts';
import type { ToolwrightServer } from '../../../src/index.ts';
import { toFetchHandler } from '../../../src/fetch.ts';
import { serveHttp, toNodeHandler } from '../../../src/http.ts';
import type { AuthenticateRequest } from '../../../src/http.ts';

const MODES = ['auto', 'legacy'] as const;

/** A server whose tool returns its HTTP context. */
function start(): ToolwrightServer {
  return createServer({
    name: 's',
    version: '1',
    tools: [
      {
        name: 'look',
        description: 'Looks',
        inputSchema: z.object({}),
        handler: ({ context: { http, requestId, principal } }) => ({
          method: http?.method,
          url: http?.url,
          tenant: http?.headers.get('X-Tenant'),
          credentials: ['authorization', 'cookie', 'proxy-authorization', 'x-api-key'].filter((name) =>
            http?.headers.has(name),
          ),
          isRequest: http?.request instanceof Request,
          host: http?.host,
          hasId: ['string', 'number'].includes(typeof requestId),
          principal: principal?.id,
        }),
      },
    ],
  });
}

async function look(
  mode: (typeof MODES)[number],
  url: string,
  fetcher?: (request: Request) => Promise<Response>,
): Promise<unknown> {
  const client = new Client({ name: 'c', version: '1' }, { versionNegotiation: { mode } });
  const headers = { 'x-tenant': 'acme', authorization: 'Bearer t', cookie: 'a=b', 'x-api-key': 'k' };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers },
      ...(fetcher === undefined ? {} : { fetch: (to, init) => fetcher(new Request(to, init)) }),
    }),
  );
  const { content } = await client.callTool({ name: 'look', arguments: {} });
  await client.close();
  return JSON.parse((content as { text: string }[])[0]?.text ?? '');
}

describe.each(MODES)('context.http (%s)', (mode) => {
  test('behind fetch, with what the application hands in', async () => {
    await using server = start();
    const handle = toFetchHandler<object, { env: string }>(server, {
      authenticate: ({ request, host }) => ({ id: `${host.env} ${request.headers.get('x-tenant')}` }),
    });
    const fetcher = (request: Request): Promise<Response> => handle(request, { env: 'test' });
    expect(await look(mode, 'http://localhost/mcp?a=1', fetcher)).toEqual({
      method: 'POST',
      url: '/mcp?a=1',
      tenant: 'acme',
      credentials: [],
      isRequest: true,
      host: { env: 'test' },
      hasId: true,
      principal: 'test acme',
    });
    await handle.close(0);
  });

  test('behind Express, whose request says who its user is', async () => {
    await using server = start();
    const app = express();
    app.use((request, _response, next) => {
      Object.assign(request, { user: { id: 'ada' } });
      next();
    });
    const handle = toNodeHandler(server, {
      authenticate: ({ request }: AuthenticateRequest<express.Request & { user?: { id: string } }>) => ({
        id: request.user?.id ?? '',
      }),
    });
    app.all('/mcp', (request, response) => handle(request, response));
    const http = createHttpServer(app).listen(0, '127.0.0.1');
    await new Promise((resolve) => http.once('listening', resolve));
    const { port } = http.address() as AddressInfo;
    expect(await look(mode, `http://127.0.0.1:${port}/mcp`)).toEqual({
      method: 'POST',
      url: '/mcp',
      tenant: 'acme',
      credentials: [],
      isRequest: false,
      hasId: true,
      principal: 'ada',
    });
    await handle.close(0);
    http.closeAllConnections();
    http.close();
  });
});

test('a call within this process has neither', async () => {
  await using server = start();
  const result = await server.tools?.executeTool({ name: 'look' });
  expect(result?.content).toEqual([
    { type: 'text', text: '{"credentials":[],"isRequest":false,"hasId":false}' },
  ]);
});

test('context.http over the endpoints of 2024-11-05 is the request that the message came with', async () => {
  await using server = start();
  await using running = await serveHttp(server, { port: 0, readyDelayMs: 0, sse: true });
  const client = new SseClient({ name: 'c', version: '1' });
  const headers = { 'x-tenant': 'acme', authorization: 'Bearer t' };
  await client.connect(new SSEClientTransport(new URL('/sse', running.url), { requestInit: { headers } }));
  const { content } = await client.callTool({ name: 'look', arguments: {} });
  expect(JSON.parse((content as { text: string }[])[0]?.text ?? '')).toEqual({
    method: 'POST',
    url: expect.stringMatching(/^\/messages\?sessionId=/) as string,
    tenant: 'acme',
    credentials: [],
    isRequest: false,
    hasId: true,
  });
  await client.close();
});
