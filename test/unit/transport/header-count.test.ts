import { createServer as createHttpServer } from 'node:http';
import type { RequestListener } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { createServer } from '../../../src/index.ts';
import type { ToolwrightServer } from '../../../src/index.ts';
import { toFetchHandler } from '../../../src/fetch.ts';
import { toNodeHandler } from '../../../src/http.ts';

const server = (): ToolwrightServer => createServer({ name: 'small', version: '1.0.0', tools: [] });

/** The statuses of requests with so many headers, from a separate server. */
async function statusesOf(
  maxHeadersCount: number | undefined,
  counts: readonly number[],
  listener: RequestListener = toNodeHandler(server(), { healthPath: '/health' }),
): Promise<number[]> {
  const http = createHttpServer(listener);
  if (maxHeadersCount !== undefined) http.maxHeadersCount = maxHeadersCount;
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  const found: number[] = [];
  for (const count of counts) found.push(await askHealth(port, count));
  http.closeAllConnections();
  await new Promise((resolve) => http.close(resolve));
  return found;
}

/** A web-standard handler on `node:http`, as adapters of frameworks call it. */
function adapted(): RequestListener {
  const handle = toFetchHandler(server(), { healthPath: '/health' });
  return (message, response) => {
    const headers = message.headers as Record<string, string>;
    const replying = handle(new Request('http://localhost/health', { headers }));
    void replying.then(({ status }) => response.writeHead(status).end());
  };
}

/** The first header is the host; the last is a forbidden origin. */
async function askHealth(port: number, count: number): Promise<number> {
  const socket = connect(port, '127.0.0.1');
  const fields = [`Host: 127.0.0.1:${port}`, ...Array.from({ length: count - 2 }, () => 'a:')];
  socket.write(`GET /health HTTP/1.1\r\n${fields.join('\r\n')}\r\nOrigin: http://evil.example\r\n\r\n`);
  const text = await new Promise<string>((resolve) => {
    socket.once('data', (chunk: Buffer) => resolve(chunk.toString('latin1')));
  });
  socket.destroy();
  return Number(text.slice(9, 12));
}

describe('a request with more headers than are looked at is refused', () => {
  test('whatever the server in front of the handler keeps of them', async () => {
    expect(await statusesOf(undefined, [200, 201, 2000, 2001, 2500])).toEqual([403, 431, 431, 431, 431]);
    expect(await statusesOf(50, [49, 50, 51, 201, 2500])).toEqual([403, 431, 431, 431, 431]);
    expect(await statusesOf(0, [200, 201, 2500])).toEqual([403, 431, 431]);
    expect(await statusesOf(200, [199, 200, 201])).toEqual([403, 431, 431]);
  });

  test('in front of a web-standard handler as well', async () => {
    const found = await statusesOf(undefined, [100, 999, 1000, 1001, 1500, 2500], adapted());
    expect(found).toEqual([403, 403, 431, 431, 431, 431]);
  });

  test('where several of one name arrive as one', async () => {
    const handle = toFetchHandler(server(), { healthPath: '/health' });
    const ask = async (headers: Headers): Promise<number> => {
      const { status } = await handle(new Request('http://localhost/health', { headers }));
      return status;
    };
    const different = (count: number): Headers =>
      new Headers(Array.from({ length: count }, (_, index): [string, string] => [`x-${index}`, '']));
    const alike = (name: string, count: number): Headers =>
      new Headers(Array.from({ length: count }, (): [string, string] => [name, 'a']));
    expect(await ask(different(200))).toBe(200);
    expect(await ask(different(201))).toBe(431);
    expect(await ask(alike('x', 999))).toBe(200);
    expect(await ask(alike('x', 1000))).toBe(431);
    expect(await ask(alike('cookie', 1000))).toBe(431);
    // A long value with many commas is one header.
    expect(await ask(new Headers({ 'mcp-param-text': 'one, two, '.repeat(400) }))).toBe(200);
  });
});
