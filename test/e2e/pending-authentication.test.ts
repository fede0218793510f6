import { createServer as createHttpServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { HttpOptions } from '../../src/http.ts';
import { toNodeHandler } from '../../src/http.ts';
import { createServer } from '../../src/index.ts';
import { within } from '../protocol/support/inbox.ts';
import { until } from '../protocol/support/mounted.ts';
import { modernRequest } from '../protocol/support/raw-http.ts';
import { modernMessage } from '../protocol/support/rpc.ts';

interface Slow {
  readonly port: number;
  readonly messages: readonly IncomingMessage[];
  /** Number of calls of `authenticate` for a slow client. */
  readonly asked: () => number;
  readonly admit: () => void;
}

/** A server whose `authenticate` waits for `admit`, except for the token "quick". */
async function startSlow(options: HttpOptions = {}): Promise<Slow> {
  let admit: () => void = () => {};
  const admitted = new Promise<void>((resolve) => {
    admit = resolve;
  });
  const messages: IncomingMessage[] = [];
  let asked = 0;
  const handle = toNodeHandler(createServer({ name: 'slow', version: '1.0.0', tools: [] }), {
    ...options,
    authenticate: ({ headers }) => {
      if (headers.get('authorization') === 'Bearer quick') return { id: 'quick' };
      asked += 1;
      return admitted.then(() => ({ id: 'slow' }));
    },
  });
  const http = createHttpServer((request, response) => {
    messages.push(request);
    handle(request, response);
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    await handle.close(0);
    http.closeAllConnections();
    http.close();
  });
  return { port: (http.address() as AddressInfo).port, messages, asked: () => asked, admit };
}

const LIST = modernMessage('tools/list');

function list(port: number, headers: Record<string, string> = {}): Promise<Response> {
  const request = modernRequest(LIST);
  return fetch(`http://127.0.0.1:${port}/`, {
    method: 'POST',
    headers: { ...(request.headers as Record<string, string>), ...headers },
    body: JSON.stringify(request.body),
  });
}

/** Turns of the event loop of the server: as many requests with immediate responses. */
async function turns(port: number): Promise<void> {
  for (let count = 0; count < 5; count += 1)
    await (await list(port, { authorization: 'Bearer quick' })).text();
}

test('no more than maxInFlight + maxWaiting requests are authenticated at a time', async () => {
  const { port, asked, admit } = await startSlow({ maxInFlight: 2, maxWaiting: 1 });
  const waiting = [1, 2, 3].map(() => list(port));
  await until(() => asked() === 3, 'three calls of authenticate');
  const refused = await within(list(port), 'the fourth request');
  expect([refused.status, refused.headers.get('retry-after'), asked()]).toEqual([503, '1', 3]);
  expect(await refused.json()).toMatchObject({
    error: {
      message: 'The server is busy: too many requests are being authenticated. Try again later.',
    },
  });
  admit();
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200, 200]);
  expect((await list(port)).status).toBe(200);
});

test('nothing of a body is read while authenticate is pending, and all of it afterwards', async () => {
  const { port, messages, asked, admit } = await startSlow();
  const { headers } = modernRequest(LIST);
  const body = `${JSON.stringify(LIST)}${' '.repeat(200_000)}`;
  const fields = Object.entries({ ...headers, host: 'localhost', 'content-length': String(body.length) });
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  const answered = new Promise<string>((resolve) => {
    socket.on('data', (chunk: Buffer) => resolve(chunk.toString()));
  });
  socket.write(`POST / HTTP/1.1\r\n${fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`);
  await until(() => asked() === 1, 'a call of authenticate');
  await new Promise((resolve) => socket.write(body, resolve));
  await turns(port);
  expect(messages[0]?.readableLength).toBe(0);
  admit();
  expect((await within(answered, 'the response')).split('\r\n')[0]).toBe('HTTP/1.1 200 OK');
});
