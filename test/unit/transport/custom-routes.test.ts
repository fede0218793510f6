import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { createServer } from '../../../src/index.ts';
import { toFetchHandler } from '../../../src/fetch.ts';
import { serveHttp } from '../../../src/http.ts';
import type { ServeHttpOptions } from '../../../src/http.ts';
import { servedOf } from '../../../src/server/served-of.ts';

const base = { name: 'notes <b>', version: '1.2.3', description: 'Keeps "notes" & more' };

async function serve(options: ServeHttpOptions = {}): Promise<{
  get: (path: string, init?: RequestInit) => Promise<Response>;
  url: string;
  [Symbol.asyncDispose](): Promise<void>;
}> {
  const server = createServer({ ...base, tools: [] });
  const running = await serveHttp(server, { port: 0, drainMs: 0, readyDelayMs: 0, ...options });
  return {
    url: running.url,
    get: (path, init) => fetch(new URL(path, running.url), init),
    [Symbol.asyncDispose]: async () => {
      await running.close();
      await server.close();
    },
  };
}

describe('routes beside the endpoint', () => {
  const routes = {
    'GET /version': () => new Response('1.0.0'),
    'POST /hook': async (request: Request) => {
      const { event } = (await request.json()) as { event: string };
      const headers = new Headers({ 'x-event': event });
      headers.append('set-cookie', 'a=1');
      headers.append('set-cookie', 'b=2');
      return Response.json(
        { event, url: request.url, token: request.headers.get('authorization') },
        { headers },
      );
    },
    'GET /gone': () => new Response(null, { status: 204 }),
    'GET /bytes': () => new Response(new Uint8Array([0, 255, 128])),
    'GET /broken': () => {
      throw new Error('no');
    },
  };

  test('get web-standard requests, and what they return is sent', async () => {
    await using running = await serve({ routes });
    const version = await running.get('/version?full=1');
    expect([version.status, version.headers.get('content-type'), await version.text()]).toEqual([
      200,
      'text/plain;charset=UTF-8',
      '1.0.0',
    ]);
    const hook = await running.get('/hook', {
      method: 'POST',
      headers: { authorization: 'Bearer t' },
      body: '{"event":"push"}',
    });
    expect(hook.headers.get('x-event')).toBe('push');
    expect(hook.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(await hook.json()).toEqual({
      event: 'push',
      url: new URL('/hook', running.url).href,
      token: 'Bearer t',
    });
    expect((await running.get('/gone')).status).toBe(204);
    expect(new Uint8Array(await (await running.get('/bytes')).arrayBuffer())).toEqual(
      new Uint8Array([0, 255, 128]),
    );
    const head = await running.get('/version', { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  test('take and give any bytes, in pieces where they come in pieces', async () => {
    const bytes = new Uint8Array([0, 255, 128, 10]);
    const own = {
      'POST /echo': async (request: Request) => new Response(await request.arrayBuffer()),
      'GET /pieces': () =>
        new Response(
          new ReadableStream<Uint8Array>({
            start: (controller) => {
              for (const part of ['one ', 'two ', 'three'])
                controller.enqueue(new TextEncoder().encode(part));
              controller.close();
            },
          }),
          {
            headers: [
              ['set-cookie', 'a=1'],
              ['set-cookie', 'b=2'],
            ],
          },
        ),
      'GET /half': () => {
        let count = 0;
        return new Response(
          new ReadableStream<Uint8Array>({
            pull: (controller) => {
              count += 1;
              if (count === 3) controller.error(new Error('the disk is gone'));
              else controller.enqueue(new Uint8Array(10));
            },
          }),
        );
      },
    };
    await using running = await serve({ routes: own });
    await using server = createServer({ ...base, tools: [] });
    const handle = toFetchHandler(server, { path: '/mcp', routes: own });
    const faces = [
      running.get,
      (path: string, init?: RequestInit) => handle(new Request(`http://localhost${path}`, init)),
    ];
    for (const get of faces) {
      const echo = await get('/echo', { method: 'POST', body: bytes });
      expect(new Uint8Array(await echo.arrayBuffer())).toEqual(bytes);
      const pieces = await get('/pieces');
      expect([await pieces.text(), pieces.headers.getSetCookie()]).toEqual(['one two three', ['a=1', 'b=2']]);
      await expect((await get('/half')).arrayBuffer()).rejects.toThrow();
    }
    expect((await running.get('/echo', { method: 'POST', body: bytes })).headers.get('content-length')).toBe(
      '4',
    );
    await handle.close(0);
  });

  test('wait for their readers, and what was not read counts as memory of the server', async () => {
    const piece = new Uint8Array(1_000_000);
    let given = 0;
    let isCancelled = false;
    const endless = (): Response =>
      new Response(
        new ReadableStream<Uint8Array>({
          pull: (controller) => {
            given += 1;
            controller.enqueue(piece);
          },
          cancel: () => {
            isCancelled = true;
          },
        }),
      );
    await using server = createServer({ ...base, tools: [], limits: { maxMemoryBytes: 40_000_000 } });
    await using running = await serveHttp(server, {
      port: 0,
      drainMs: 0,
      readyDelayMs: 0,
      routes: { 'GET /endless': endless },
    });
    const { memory } = servedOf(server);
    const socket = connect(running.port, '127.0.0.1');
    socket.write('GET /endless HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
    await once(socket, 'readable');
    const until = async (isSo: () => boolean): Promise<void> => {
      while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
    };
    // The kernel accepts some of it; then nothing more is requested.
    await until(() => memory.usedBytes > 0);
    const before = given;
    for (let turn = 0; turn < 1000; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(given).toBe(before);
    expect(memory.usedBytes).toBeLessThan(5_000_000);
    socket.destroy();
    await until(() => isCancelled && memory.usedBytes === 0);
  });

  test('whose bodies do not fit into the memory are refused', async () => {
    await using server = createServer({ ...base, tools: [], limits: { maxMemoryBytes: 1_000_000 } });
    const handle = toFetchHandler(server, {
      path: '/mcp',
      routes: { 'POST /echo': async (request) => new Response(await request.arrayBuffer()) },
    });
    const body = new Uint8Array(900_000);
    const post = (): Promise<Response> =>
      handle(new Request('http://localhost/echo', { method: 'POST', body }));
    expect((await post()).status).toBe(503);
    expect(servedOf(server).memory.usedBytes).toBe(0);
    await handle.close(0);
  });

  test('other methods, other paths, broken handlers and long bodies are told so', async () => {
    await using running = await serve({ routes });
    const wrong = await running.get('/hook');
    expect([wrong.status, await wrong.text()]).toEqual([
      404,
      '{"jsonrpc":"2.0","error":{"code":-32600,"message":"Not found: \\"/hook\\". The MCP endpoint is /mcp."}}',
    ]);
    expect((await running.get('/other')).status).toBe(404);
    expect((await running.get('/broken')).status).toBe(500);
    const long = await running
      .get('/hook', { method: 'POST', body: 'x'.repeat(5_000_000) })
      .catch(() => undefined);
    expect([413, undefined]).toContain(long?.status);
  });

  test('are behind the checks of host and origin', async () => {
    let calls = 0;
    await using server = createServer({ ...base, tools: [] });
    const handle = toFetchHandler(server, {
      path: '/mcp',
      routes: {
        'GET /secret': () => {
          calls += 1;
          return new Response('secret');
        },
      },
    });
    const statusOf = async (url: string, headers: Record<string, string> = {}): Promise<number> =>
      (await handle(new Request(url, { headers }))).status;
    expect(await statusOf('http://evil.example/secret')).toBe(403);
    expect(await statusOf('http://localhost/secret', { origin: 'http://evil.example' })).toBe(403);
    expect(calls).toBe(0);
    expect(await statusOf('http://localhost/secret')).toBe(200);
    await handle.close(0);
  });

  test.each([
    [{ version: () => new Response() }, 'routes: invalid key "version": expected a method and a path'],
    [
      { 'GET version': () => new Response() },
      'routes: invalid key "GET version": expected a method and a path',
    ],
    [{ 'GET /a': 'text' }, 'routes: the handler of "GET /a" must be a function'],
    [{ 'GET /mcp': () => new Response() }, 'routes: "/mcp" is already the MCP endpoint. Use another path.'],
    [
      { 'GET /health': () => new Response() },
      'routes: "/health" is already the health route. Use another path.',
    ],
  ])('that cannot be meant are refused: %o', async (given, message) => {
    await expect(serve({ routes: given as never })).rejects.toThrow(message);
  });
});

describe('the landing page', () => {
  test('tells what the server is and how clients connect, and nothing of the request', async () => {
    await using running = await serve();
    const response = await running.get('/?<script>alert(1)</script>', { headers: { 'x-echo': '<script>' } });
    const html = await response.text();
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    );
    expect(html).toContain('<h1>notes &lt;b&gt; <small>1.2.3</small></h1>');
    expect(html).toContain('<p>Keeps &quot;notes&quot; &amp; more</p>');
    expect(html).toContain(`<code>${running.url}</code>`);
    expect(html.match(/<h2>.*?<\/h2>/g)).toEqual([
      '<h2>Claude Code</h2>',
      '<h2>Claude Desktop</h2>',
      '<h2>Codex</h2>',
      '<h2>Cursor</h2>',
      '<h2>VS Code</h2>',
    ]);
    expect(html).not.toContain('<script');
  });

  test('can be replaced, and turned off; elsewhere than on this machine it is off', async () => {
    await using own = await serve({ routes: { 'GET /': () => new Response('mine') } });
    expect(await (await own.get('/')).text()).toBe('mine');
    await using off = await serve({ landingPage: false });
    expect((await off.get('/')).status).toBe(404);
    await using named = await serve({ host: '127.0.0.2', allowedHosts: ['127.0.0.2'] });
    expect((await named.get('/')).status).toBe(404);
    await using root = await serve({ path: '/' });
    expect((await root.get('/')).status).toBe(400);
  });
});
