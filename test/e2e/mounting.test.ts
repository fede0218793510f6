import { once } from 'node:events';
import { createServer as createHttpServer, request as sendRequest } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import express from 'express';
import type { Express } from 'express';
import Fastify from 'fastify';
import { Hono } from 'hono';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toFetchHandler } from '../../src/fetch.ts';
import { toNodeHandler } from '../../src/http.ts';
import type { NodeHandler } from '../../src/http.ts';
import { createScenarioServer } from '../fixtures/scenario-server.ts';
import { recordLog } from '../support/log-recorder.ts';
import { EventReader } from '../support/raw-http.ts';
import { envelope } from '../support/raw-peer.ts';
import { CLIENTS, connectOverHttp } from '../support/served-clients.ts';

/** An application that listens on a port. */
interface Running {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** Applications with a server under /mcp and a route of their own under /hello. */
const APPLICATIONS: Readonly<Record<string, () => Promise<Running>>> = {
  'node:http': () => {
    const handle = toNodeHandler(createScenarioServer());
    return listen((request, response) => {
      if (request.url === '/hello') response.end('Hello!');
      else handle(request, response);
    }, handle);
  },
  Express: () => {
    const handle = toNodeHandler(createScenarioServer());
    return listen(withHello(express().all('/mcp', handle)), handle);
  },
  'Express with a router': () => {
    const handle = toNodeHandler(createScenarioServer());
    return listen(withHello(express().use('/mcp', handle)), handle);
  },
  'Express behind express.json()': () => {
    const handle = toNodeHandler(createScenarioServer());
    return listen(withHello(express().use(express.json()).all('/mcp', handle)), handle);
  },
  'Express behind express.text()': () => {
    const handle = toNodeHandler(createScenarioServer());
    const reading = express.text({ type: 'application/json' });
    return listen(withHello(express().use(reading).all('/mcp', handle)), handle);
  },
  Fastify: async () => {
    const handle = toNodeHandler(createScenarioServer());
    const app = Fastify();
    app.get('/hello', () => 'Hello!');
    app.all('/mcp', (request, reply) => {
      reply.hijack();
      handle(request.raw, reply.raw, request.body);
    });
    return {
      url: await app.listen({ port: 0, host: '127.0.0.1' }),
      close: closer(handle, () => app.close()),
    };
  },
  'Fastify that leaves bodies alone': async () => {
    const handle = toNodeHandler(createScenarioServer());
    const app = Fastify();
    app.get('/hello', () => 'Hello!');
    // In a scope of its own, so that the other routes keep their parsers.
    await app.register(async (scope) => {
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
      scope.all('/mcp', (request, reply) => {
        reply.hijack();
        handle(request.raw, reply.raw);
      });
    });
    return {
      url: await app.listen({ port: 0, host: '127.0.0.1' }),
      close: closer(handle, () => app.close()),
    };
  },
  'Hono on @hono/node-server': async () => {
    const handle = toFetchHandler(createScenarioServer());
    const app = new Hono();
    app.get('/hello', (context) => context.text('Hello!'));
    app.all('/mcp', (context) => handle(context.req.raw));
    const http = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }) as Server;
    await once(http, 'listening');
    return { url: urlOf(http), close: closer(handle, () => stop(http)) };
  },
};

function withHello(app: Express): Express {
  return app.get('/hello', (_request, response) => void response.send('Hello!'));
}

async function listen(listener: RequestListener, handle: NodeHandler): Promise<Running> {
  const http = createHttpServer(listener).listen(0, '127.0.0.1');
  await once(http, 'listening');
  return { url: urlOf(http), close: closer(handle, () => stop(http)) };
}

function urlOf(http: Server): string {
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
}

async function stop(http: Server): Promise<void> {
  http.closeAllConnections();
  await new Promise((resolve) => http.close(resolve));
}

function closer(handle: { close(): Promise<void> }, stop: () => Promise<unknown>): () => Promise<void> {
  return async () => {
    await handle.close();
    await stop();
  };
}

describe.each(Object.entries(APPLICATIONS))('a server in %s', (_name, start) => {
  let running: Running;
  beforeAll(async () => {
    running = await start();
  });
  afterAll(() => running.close());

  test.each(CLIENTS)('serves the $client client', async ({ client: name, era }) => {
    await using client = await connectOverHttp(name, `${running.url}/mcp`);
    client.answers.elicit = () => ({ action: 'accept', content: { name: 'Rex' } });
    expect(await client.callText('echo', { text: 'Grüße' })).toBe('Grüße');
    expect((await client.callTool('name_pet')).structuredContent).toMatchObject({ content: { name: 'Rex' } });
    if (era === 'modern') await client.listen({ toolsListChanged: true });
    const heard = client.next('notifications/tools/list_changed');
    await client.callText('add_tool');
    await heard;
    await client.callText('remove_tool');
  });

  test.each(CLIENTS)('stops what the $client client takes back', async ({ client: name }) => {
    await using client = await connectOverHttp(name, `${running.url}/mcp`);
    const key = crypto.randomUUID();
    const controller = new AbortController();
    const options = { signal: controller.signal, onprogress: () => controller.abort(new Error('enough')) };
    await expect(client.callTool('hang', { key }, options)).rejects.toThrow('enough');
    expect(await client.callText('await_stop', { key })).toBe('AbortError');
  });

  test('leaves the other routes alone', async () => {
    expect(await (await fetch(`${running.url}/hello`)).text()).toBe('Hello!');
    expect((await fetch(`${running.url}/elsewhere`)).status).toBe(_name === 'node:http' ? 400 : 404);
  });

  test('is not there for other hosts', async () => {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const headers = { host: 'evil.example', 'content-type': 'application/json' };
      sendRequest(`${running.url}/mcp`, { method: 'POST', headers })
        .on('response', (response) => resolve(response.resume().statusCode))
        .on('error', reject)
        .end('{}');
    });
    expect(status).toBe(403);
  });
});

describe('a server in Hono without a port', () => {
  const server = createScenarioServer();
  const handle = toFetchHandler(server);
  const app = new Hono().all('/mcp', (context) => handle(context.req.raw));
  afterAll(async () => {
    await handle.close();
    await server.close();
  });

  /** A call of 2026-07-28. */
  function call(name: string, args: object): Response | Promise<Response> {
    const params = { name, arguments: args, _meta: { ...envelope({}), progressToken: 1 } };
    return app.request('/mcp', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': name,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    });
  }

  test('answers app.request()', async () => {
    const response = await call('echo', { text: 'no port' });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ id: 1, result: { content: [{ text: 'no port' }] } });
  });

  test('stops when the client does not read the response any more', async () => {
    const key = crypto.randomUUID();
    const events = new EventReader(await call('hang', { key }));
    expect((await events.nextMessage())?.message).toMatchObject({ method: 'notifications/progress' });
    await events.cancel();
    const stopped = await call('await_stop', { key });
    expect(await stopped.json()).toMatchObject({ result: { content: [{ text: 'AbortError' }] } });
  });
});

describe('a body that was read and is nowhere to be found', () => {
  test('is refused at once behind toNodeHandler, and the log says why', async () => {
    const { logger, entries } = recordLog();
    const handle = toNodeHandler(createScenarioServer({ logger }));
    const app = Fastify();
    app.all('/mcp', async (request, reply) => {
      // After any wait of the application: by then the request has ended.
      if (!request.raw.closed) await once(request.raw, 'close');
      reply.hijack();
      handle(request.raw, reply.raw);
    });
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    const response = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({
      jsonrpc: '2.0',
      error: { code: -32603, message: 'Internal error' },
    });
    expect(JSON.stringify(entries)).toContain('pass it as the third argument');
    await closer(handle, () => app.close())();
  });

  test('is refused at once behind toFetchHandler, and the log says why', async () => {
    const { logger, entries } = recordLog();
    const handle = toFetchHandler(createScenarioServer({ logger }));
    const app = new Hono();
    app.all('/mcp', async (context) => {
      await context.req.text();
      return handle(context.req.raw);
    });
    const headers = { 'content-type': 'application/json' };
    const response = await app.request('/mcp', { method: 'POST', headers, body: '{}' });
    expect(response.status).toBe(500);
    expect(JSON.stringify(entries)).toContain('Pass a clone of the request to the handler.');
    await handle.close();
  });
});
