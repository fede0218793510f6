import { expect } from 'vitest';
import { requirement } from './requirement.ts';
import { JSON_HEADERS } from './support/raw-http.ts';
import type { RawResponse, RawStream } from './support/raw-http.ts';
import { initializeMessage, legacyMessage, notification, textOf } from './support/rpc.ts';
import type { RpcMessage } from './support/rpc.ts';
import { startHttp } from './support/sample.ts';
import type { HttpSample } from './support/sample.ts';

/** A client of the two endpoints. */
interface SseClient {
  readonly stream: RawStream;
  readonly path: string;
  post(body: unknown): Promise<RawResponse>;
  next(): Promise<RpcMessage>;
}

async function connect(
  { http }: HttpSample,
  { streamPath = '/sse', headers = {} }: { streamPath?: string; headers?: Record<string, string> } = {},
): Promise<SseClient> {
  const stream = await http.open({
    method: 'GET',
    path: streamPath,
    headers: { Accept: 'text/event-stream', ...headers },
  });
  const first = await stream.events.next();
  expect(first.event).toBe('endpoint');
  const path = String(first.data);
  return {
    stream,
    path,
    post: (body) => http.send({ path, headers: { 'Content-Type': 'application/json', ...headers }, body }),
    next: async () => {
      const { event, data } = await stream.events.next();
      expect(event).toBe('message');
      return JSON.parse(String(data)) as RpcMessage;
    },
  };
}

requirement('sse:endpoint', 'the stream begins by saying where to post', async () => {
  await using sample = await startHttp({}, { sse: true });
  const { stream, path } = await connect(sample);
  expect([stream.status, stream.headers['content-type']]).toEqual([200, 'text/event-stream']);
  expect(path).toMatch(/^\/messages\?sessionId=[\w-]{16,}$/);
  expect((await connect(sample)).path).not.toBe(path);
  await using moved = await startHttp({}, { sse: { streamPath: '/events', messagePath: '/inbox' } });
  expect((await connect(moved, { streamPath: '/events' })).path).toMatch(/^\/inbox\?sessionId=/);
});

requirement('sse:messages', 'posts are accepted and answered on the stream', async () => {
  await using sample = await startHttp({}, { sse: true });
  const client = await connect(sample);
  const accepted = await client.post(initializeMessage('2024-11-05', { roots: {}, sampling: {} }));
  expect(accepted.status).toBe(202);
  expect((await client.next()).result).toMatchObject({
    protocolVersion: '2024-11-05',
    serverInfo: { name: 'sample' },
  });
  expect((await client.post(notification('notifications/initialized'))).status).toBe(202);
  await client.post(legacyMessage('tools/call', { name: 'add', arguments: { a: 1, b: 2 } }, 'sum'));
  expect(await client.next()).toMatchObject({ id: 'sum', result: { content: [{ text: '{"sum":3}' }] } });
  await client.post(legacyMessage('tools/call', { name: 'ask_client' }, 'ask'));
  const questions = [await client.next(), await client.next()];
  expect(questions.map(({ method }) => method)).toEqual(['sampling/createMessage', 'roots/list']);
  const results = [
    { role: 'assistant', content: { type: 'text', text: 'Paris' }, model: 'm' },
    { roots: [] },
  ];
  for (const [index, { id }] of questions.entries())
    await client.post({ jsonrpc: '2.0', id, result: results[index] });
  expect(textOf(await client.next())).toBe('[{"type":"text","text":"Paris"},[]]');
  sample.server.prompts?.addPrompt({ name: 'extra', template: 'x' });
  expect((await client.next()).method).toBe('notifications/prompts/list_changed');
  expect((await client.post('{')).status).toBe(202);
  expect((await client.next()).error?.code).toBe(-32700);
});

requirement('sse:errors', 'what cannot be served is answered with its status', async () => {
  const authenticate = ({ headers }: { headers: { get(name: string): string | null } }): { id: string } => ({
    id: headers.get('x-user') ?? 'nobody',
  });
  await using sample = await startHttp({ limits: { maxMessageBytes: 2000 } }, { sse: true, authenticate });
  const { http } = sample;
  const client = await connect(sample, { headers: { 'X-User': 'alice' } });
  const send = async (path: string, headers: Record<string, string>, body: unknown): Promise<number> =>
    (await http.send({ path, headers, body })).status;
  const ping = legacyMessage('ping');
  const alice = { ...JSON_HEADERS, 'X-User': 'alice' };
  expect(await send('/messages?sessionId=none', alice, ping)).toBe(404);
  expect(await send('/messages', alice, ping)).toBe(404);
  expect(await send(client.path, { ...alice, 'X-User': 'mallory' }, ping)).toBe(404);
  expect(await send(client.path, { ...alice, 'Content-Type': 'text/plain' }, ping)).toBe(415);
  expect(await send(client.path, alice, 'x'.repeat(3000))).toBe(413);
  expect(await send('/sse', alice, ping)).toBe(405);
  const get = async (path: string, accept: string): Promise<number> =>
    (await http.send({ method: 'GET', path, headers: { Accept: accept } })).status;
  expect(await get('/sse', 'application/json')).toBe(406);
  expect(await get(client.path, 'text/event-stream')).toBe(405);
  expect(await send(client.path, { ...alice, Origin: 'http://evil.example.com' }, ping)).toBe(403);
  expect(await send(client.path, alice, ping)).toBe(202);
  expect((await client.next()).result).toEqual({});
});

requirement('sse:off', 'nobody is there unless asked for', async () => {
  await using sample = await startHttp();
  for (const [method, path] of [
    ['GET', '/sse'],
    ['POST', '/messages?sessionId=x'],
  ] as const) {
    const { status } = await sample.http.send({ method, path, headers: JSON_HEADERS });
    expect([path, status]).toEqual([path, 404]);
  }
});

requirement('sse:disconnect', 'a client that hangs up ends what runs for it', async () => {
  await using sample = await startHttp({}, { sse: true });
  const client = await connect(sample);
  await client.post(initializeMessage('2024-11-05'));
  await client.next();
  await client.post(legacyMessage('tools/call', { name: 'wait' }));
  await sample.gate.started.next();
  client.stream.close();
  expect(await sample.gate.stopped.next()).toBe('wait');
  expect((await client.post(legacyMessage('ping'))).status).toBe(404);
  const other = await connect(sample);
  await sample.shutDown();
  await other.stream.events.ended;
});
