import { once } from 'node:events';
import * as z from 'zod';
import { describe, expect, onTestFinished, test } from 'vitest';
import { refuse, toFetchHandler } from '../../src/fetch.ts';
import type { Principal } from '../../src/index.ts';
import { defineResource, defineTool } from '../../src/index.ts';
import { MemoryEventBus } from '../../src/stores.ts';
import type { EventStore } from '../../src/stores/event-store.ts';
import { Inbox, within } from '../protocol/support/inbox.ts';
import { openSession } from '../protocol/support/legacy-http.ts';
import { Doorkeeper, mount, stall, toWebRequest, turns, until } from '../protocol/support/mounted.ts';
import type { Mounted } from '../protocol/support/mounted.ts';
import { JSON_HEADERS, modernRequest } from '../protocol/support/raw-http.ts';
import type { RawResponse, RawStream } from '../protocol/support/raw-http.ts';
import { initializeMessage, legacyMessage, modernMessage } from '../protocol/support/rpc.ts';
import type { RpcMessage } from '../protocol/support/rpc.ts';
import { startSample } from '../protocol/support/sample.ts';
import { unknownTool } from '../support/refused.ts';

const NOTHING = z.object({});
const STREAM = { Accept: 'text/event-stream' };
const ANN = { 'X-User': 'ann' };
const HELD = { ...ANN, 'X-Hold': 'ann' };

const secretTool = defineTool({
  name: 'secret',
  description: 'Only for some',
  inputSchema: NOTHING,
  scopes: ['admin'],
  handler: () => 'the secret',
});

const largeTool = defineTool({
  name: 'large',
  description: 'Says a lot',
  inputSchema: NOTHING,
  handler: () => 'x'.repeat(2_000_000),
});

/** A client of the two endpoints of 2024-11-05. */
interface SsePeer {
  readonly stream: RawStream;
  post(body: unknown, headers?: Readonly<Record<string, string>>): Promise<RawResponse>;
  next(): Promise<RpcMessage>;
}

async function openSse({ http }: Mounted, headers: Readonly<Record<string, string>> = {}): Promise<SsePeer> {
  const stream = await http.open({ method: 'GET', path: '/sse', headers: { ...STREAM, ...headers } });
  const path = String((await stream.events.next()).data);
  return {
    stream,
    post: (body, own = headers) => http.send({ path, headers: { ...JSON_HEADERS, ...own }, body }),
    next: () => stream.nextMessage(),
  };
}

describe('a client that hangs up while it is being identified', () => {
  test('leaves a session that is not busy for ever', async () => {
    const door = new Doorkeeper();
    const sessions = { maxSessionsPerCaller: 1, idleMs: 1000 };
    await using sample = await mount({}, { sessions, authenticate: door.authenticate });
    const { http, responses, clock } = sample;
    const session = await openSession(http, { headers: ANN });
    await responses.next();
    await responses.next();
    const listening = http.begin({ method: 'GET', headers: { ...STREAM, ...session.headers, ...HELD } });
    await door.held.next();
    const response = await responses.next();
    const closed = once(response, 'close');
    listening.destroy();
    await closed;
    door.open();
    const message = { headers: { ...JSON_HEADERS, ...ANN }, body: initializeMessage('2025-11-25') };
    expect((await http.send(message)).status).toBe(503);
    clock.advance(1001);
    expect((await http.send(message)).status).toBe(200);
    expect((await session.post(legacyMessage('ping'))).status).toBe(404);
  });

  test('leaves no subscription of 2026-07-28 behind', async () => {
    const door = new Doorkeeper();
    const eventBus = new MemoryEventBus();
    const { server } = startSample({ eventBus });
    const handle = toFetchHandler(server, { authenticate: door.authenticate });
    const message = modernMessage('subscriptions/listen', { notifications: { toolsListChanged: true } });
    const aborting = new AbortController();
    const over = handle(toWebRequest(modernRequest(message, HELD), aborting.signal));
    await door.held.next();
    aborting.abort();
    door.open();
    await over;
    expect(eventBus.size).toBe(0);
  });

  test('leaves no client of 2024-11-05 behind', async () => {
    const door = new Doorkeeper();
    await using sample = await mount({}, { sse: { maxClients: 1 }, authenticate: door.authenticate });
    const { http, responses } = sample;
    const opening = http.begin({ method: 'GET', path: '/sse', headers: { ...STREAM, ...HELD } });
    await door.held.next();
    const closed = once(await responses.next(), 'close');
    opening.destroy();
    await closed;
    door.open();
    const { stream } = await openSse(sample, ANN);
    expect(stream.status).toBe(200);
  });

  test('has its task tool not begin as if it were still there', async () => {
    const door = new Doorkeeper();
    const begun: string[] = [];
    const tool = defineTool({
      name: 'job',
      description: 'A task',
      inputSchema: z.object({ name: z.string() }),
      task: { support: 'optional', start: 'handler' },
      handler: ({ input, context }) => {
        begun.push(`${input.name} ${context.signal.aborted ? 'aborted' : 'wanted'}`);
        return 'done';
      },
    });
    const { server } = startSample({ tools: [tool] });
    const handle = toFetchHandler(server, { authenticate: door.authenticate });
    const call = (name: string, headers: Record<string, string>, signal?: AbortSignal): Promise<Response> => {
      const params = { name: 'job', arguments: { name } };
      const capabilities = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
      return handle(
        toWebRequest(modernRequest(modernMessage('tools/call', params, { capabilities }), headers), signal),
      );
    };
    const aborting = new AbortController();
    void call('first', HELD, aborting.signal);
    await door.held.next();
    aborting.abort();
    door.open();
    expect((await call('second', ANN)).status).toBe(200);
    await turns();
    expect(begun).toEqual(['second wanted']);
  });
});

describe('an event store', () => {
  const store = (drop: EventStore['drop']): EventStore => ({
    append: (stream) => `${stream}_0`,
    after: () => [],
    drop,
  });

  test.each([
    ['rejects', () => Promise.reject(new Error('store down'))],
    [
      'throws',
      () => {
        throw new Error('store down');
      },
    ],
  ] as const)('whose drop %s does not keep a client from leaving', async (_how, drop) => {
    const unhandled: unknown[] = [];
    const keep = (error: unknown): void => void unhandled.push(error);
    process.on('unhandledRejection', keep);
    onTestFinished(() => void process.off('unhandledRejection', keep));
    await using sample = await mount({}, { sessions: { eventStore: store(drop) } });
    const session = await openSession(sample.http);
    expect((await session.leave()).status).toBe(204);
    expect((await sample.http.modern('tools/list')).status).toBe(200);
    expect(unhandled).toEqual([]);
  });

  test('that never answers does not keep a client from its answer', async () => {
    const never = (): Promise<never> => new Promise(() => {});
    const eventStore: EventStore = { append: never, after: never, drop: never };
    await using sample = await mount({}, { sessions: { eventStore } });
    const session = await openSession(sample.http);
    const texts: string[] = [];
    await sample.settle(async () => {
      const params = { name: 'count', _meta: { progressToken: 'p' } };
      texts.push((await session.post(legacyMessage('tools/call', params, 'call'))).text);
    });
    expect(texts.join('')).toContain('"id":"call","result":{"content":[{"type":"text","text":"counted"}]');
  });

  test('in memory keeps a response of more than 1,048,576 characters for a client that resumes', async () => {
    const began = new Inbox<() => void>('calls that began');
    const tool = defineTool({
      name: 'huge',
      description: 'Says a lot, later',
      inputSchema: NOTHING,
      handler: async ({ context }) => {
        await context.progress(1);
        await new Promise<void>((resolve) => began.push(resolve));
        return 'y'.repeat(1_500_000);
      },
    });
    await using sample = await mount({ tools: [tool] });
    const { http, responses } = sample;
    const session = await openSession(http);
    await responses.next();
    await responses.next();
    const params = { name: 'huge', _meta: { progressToken: 1 } };
    const stream = await session.open(legacyMessage('tools/call', params, 'call'));
    expect((await stream.events.next()).retry).toBe('1000');
    const { id, data } = await stream.events.next();
    expect(data).toContain('notifications/progress');
    const closed = once(await responses.next(), 'close');
    const goOn = await began.next();
    stream.close();
    await closed;
    goOn();
    const back = await session.listen(id);
    const answer = await back.nextMessage();
    expect(answer.id).toBe('call');
    expect(String(answer.result?.content?.[0]?.['text']).length).toBe(1_500_000);
  });
});

test('a task store that never answers has refused the task', async () => {
  const asked = new Inbox<string>('tasks to keep');
  const never = (): Promise<never> => new Promise(() => {});
  const put = (): Promise<never> => {
    asked.push('put');
    return never();
  };
  await using sample = await mount({ taskStore: { put, get: never, delete: never } });
  const capabilities = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
  const answering = sample.http.modern('tools/call', { name: 'slow' }, { id: 7, capabilities });
  await asked.next();
  await turns();
  sample.clock.advance(5000);
  const { json } = await answering;
  expect(json).toEqual({ jsonrpc: '2.0', id: 7, error: { code: -32603, message: 'Internal error' } });
});

describe('authenticate', () => {
  test('that gives an object which cannot be looked at refuses one request, not all', async () => {
    let isBroken = true;
    const authenticate = async (): Promise<Principal> => {
      if (!isBroken) return { id: 'ann' };
      isBroken = false;
      return {
        get id(): string {
          throw new Error('no id today');
        },
      };
    };
    await using sample = await mount({}, { authenticate });
    const refused = await sample.http.modern('tools/list');
    expect(refused.status).toBe(503);
    expect(refused.json.error?.message).toBe('The request could not be authenticated now. Try again later.');
    expect((await sample.http.modern('tools/list')).status).toBe(200);
  });

  test('that refuses with a header which cannot be sent has the request answered with 500', async () => {
    const { server } = startSample();
    const authenticate = (): ReturnType<typeof refuse> => refuse({ headers: { 'x-reason': 'a\nb' } });
    const handle = toFetchHandler(server, { authenticate });
    const response = await within(
      handle(toWebRequest(modernRequest(modernMessage('tools/list')))),
      'an answer to a refused request',
    );
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({
      jsonrpc: '2.0',
      error: { code: -32603, message: 'Internal error' },
    });
  });
});

describe('the endpoints of 2024-11-05', () => {
  test('serve each message as who sent it, not as who listens', async () => {
    const door = new Doorkeeper();
    await using sample = await mount({ tools: [secretTool] }, { sse: true, authenticate: door.authenticate });
    const admin = { ...ANN, 'X-Scopes': 'admin' };
    const peer = await openSse(sample, admin);
    await peer.post(initializeMessage('2024-11-05'));
    await peer.next();
    const call = { name: 'secret', arguments: {} };
    await peer.post(legacyMessage('tools/call', call, 'allowed'));
    expect(await peer.next()).toMatchObject({ id: 'allowed', result: { content: [{ text: 'the secret' }] } });
    expect((await peer.post(legacyMessage('tools/call', call, 'refused'), ANN)).status).toBe(202);
    const refused = await peer.next();
    expect(refused.id).toBe('refused');
    expect(refused.error?.message).toBe(unknownTool('secret').message);
    expect(refused.result).toBeUndefined();
  });

  test('let a client go that does not read', async () => {
    await using sample = await mount({ tools: [largeTool] }, { sse: true });
    const { http, port, responses } = sample;
    const socket = await stall(port, '/sse', STREAM);
    const response = await responses.next();
    const closed = once(response, 'close');
    socket.resume();
    const [first] = (await once(socket, 'data')) as [Buffer];
    socket.pause();
    const path = /data: (?<path>\S+)/.exec(String(first))?.groups?.['path'] ?? '';
    const post = async (body: object): Promise<number> =>
      (await http.send({ path, headers: JSON_HEADERS, body })).status;
    expect(await post(initializeMessage('2024-11-05'))).toBe(202);
    for (let sent = 0; sent < 20; sent += 1) {
      const status = await post(legacyMessage('tools/call', { name: 'large' }));
      if (status === 404) break;
    }
    await within(closed, 'the end of the connection');
    expect(await post(legacyMessage('ping'))).toBe(404);
    socket.destroy();
  });

  test('serve no messages of 2026-07-28', async () => {
    await using sample = await mount({}, { sse: true });
    const peer = await openSse(sample);
    const call = { name: 'add', arguments: { a: 1, b: 2 } };
    expect((await peer.post(modernMessage('tools/call', call, { id: 'new' }))).status).toBe(202);
    const answer = await peer.next();
    expect(answer).toMatchObject({ id: 'new', error: { code: -32600 } });
    expect(answer.error?.message).toMatch(/^Invalid request: send initialize first/);
  });
});

describe('a session', () => {
  test('whose client does not read can be taken over immediately, and expires without a client', async () => {
    const began = new Inbox<() => void>('calls that began');
    const ended = new Inbox<string>('calls that ended');
    const flood = defineTool({
      name: 'flood',
      description: 'Writes a lot to the log',
      inputSchema: NOTHING,
      handler: async ({ context }) => {
        await new Promise<void>((resolve) => began.push(resolve));
        for (let sent = 0; sent < 30; sent += 1) await context.sendLog('error', 'z'.repeat(1_000_000));
        ended.push('flood');
        return 'done';
      },
    });
    await using sample = await mount({ tools: [flood] }, { sessions: { idleMs: 1000 } });
    const { http, port, responses, clock } = sample;
    const session = await openSession(http);
    await responses.next();
    await responses.next();
    const socket = await stall(port, '/mcp', { ...STREAM, ...session.headers });
    const stalled = await responses.next();
    const calling = http.begin(session.toPost(legacyMessage('tools/call', { name: 'flood' })));
    const goOn = await began.next();
    const closed = once(await responses.next(), 'close');
    calling.destroy();
    await closed;
    goOn();
    await until(() => stalled.writableNeedDrain, 'a client that is behind');
    const cut = once(stalled, 'close');
    const second = await session.listen();
    expect((await second.events.next()).retry).toBe('1000');
    await within(cut, 'the end of the connection that was not read');
    await ended.next();
    const secondClosed = once(await responses.next(), 'close');
    second.close();
    await secondClosed;
    clock.advance(1001);
    expect((await session.post(legacyMessage('ping'))).status).toBe(404);
    socket.destroy();
  });

  test('hears nothing of a resource that its caller may not read any more', async () => {
    const door = new Doorkeeper();
    const resources = [
      defineResource({ uri: 'docs://secret', name: 'secret', text: 's', scopes: ['admin'] }),
      defineResource({ uri: 'docs://public', name: 'public', text: 'p' }),
    ];
    await using sample = await mount({ resources }, { authenticate: door.authenticate });
    const { http, server } = sample;
    const session = await openSession(http, { headers: { ...ANN, 'X-Scopes': 'admin' } });
    const stream = await session.listen();
    expect((await stream.events.next()).retry).toBe('1000');
    for (const uri of ['docs://secret', 'docs://public'])
      expect((await session.request('resources/subscribe', { uri })).result).toEqual({});
    server.resources?.notifyUpdated('docs://secret');
    expect((await stream.nextMessage()).params).toEqual({ uri: 'docs://secret' });
    const poorer = { headers: { ...JSON_HEADERS, ...session.headers, 'X-Scopes': '' } };
    expect((await http.send({ ...poorer, body: legacyMessage('ping') })).status).toBe(200);
    server.resources?.notifyUpdated('docs://secret');
    server.resources?.notifyUpdated('docs://public');
    expect((await stream.nextMessage()).params).toEqual({ uri: 'docs://public' });
  });
});
