import { describe, expect } from 'vitest';
import { requirement } from './requirement.ts';
import { openSession } from './support/legacy-http.ts';
import { JSON_HEADERS, messagesOf } from './support/raw-http.ts';
import type { RawRequest, RawResponse } from './support/raw-http.ts';
import { initializeMessage, legacyMessage, notification } from './support/rpc.ts';
import { startHttp } from './support/sample.ts';
import type { HttpSample } from './support/sample.ts';

const VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26'];

function initialize({ http }: HttpSample, headers: RawRequest['headers'] = {}): Promise<RawResponse> {
  return http.send({ headers: { ...JSON_HEADERS, ...headers }, body: initializeMessage('2025-11-25') });
}

/** One request of each kind with the same headers. */
async function statusesWith({ http }: HttpSample, headers: RawRequest['headers']): Promise<number[]> {
  const ping = { headers: { ...JSON_HEADERS, ...headers }, body: legacyMessage('ping') };
  const get = { method: 'GET', headers: { Accept: 'text/event-stream', ...headers } };
  const statuses: number[] = [(await http.send(ping)).status];
  const stream = await http.open(get);
  stream.close();
  statuses.push(stream.status, (await http.send({ method: 'DELETE', headers: { ...headers } })).status);
  return statuses;
}

describe('a session', () => {
  requirement('sessions:id', 'the handshake gives out an id that no other session has', async () => {
    await using sample = await startHttp();
    const ids = new Set<string>();
    for (let count = 0; count < 5; count += 1) {
      const id = String((await initialize(sample)).headers['mcp-session-id']);
      expect(id).toMatch(/^[\x21-\x7E]{16,}$/);
      ids.add(id);
    }
    expect(ids.size).toBe(5);
    const session = await openSession(sample.http);
    const { headers } = await session.post(legacyMessage('ping'));
    expect(headers).not.toHaveProperty('mcp-session-id');
  });

  requirement('sessions:missing', 'a request without the id is 400', async () => {
    await using sample = await startHttp();
    for (const version of VERSIONS)
      expect(await statusesWith(sample, { 'MCP-Protocol-Version': version })).toEqual([400, 400, 400]);
    const { status, json } = await sample.http.send({
      headers: JSON_HEADERS,
      body: notification('notifications/initialized'),
    });
    expect([status, json.error?.code]).toEqual([400, -32600]);
  });

  requirement('sessions:unknown', 'an unknown id is 404', async () => {
    await using sample = await startHttp();
    for (const id of ['no-such-session', '', '00000000-0000-0000-0000-000000000000'])
      expect(await statusesWith(sample, { 'Mcp-Session-Id': id })).toEqual([404, 404, 404]);
    const headers = { ...JSON_HEADERS, 'Mcp-Session-Id': 'x' };
    const told = await sample.http.send({ headers, body: notification('notifications/initialized') });
    expect([told.status, told.headers['content-type']]).toEqual([404, 'application/json']);
  });

  requirement('sessions:delete', 'a client that leaves ends its session and what runs in it', async () => {
    await using sample = await startHttp();
    for (const version of VERSIONS) {
      const session = await openSession(sample.http, { version });
      const listening = await session.listen();
      const waiting = session.post(legacyMessage('tools/call', { name: 'wait' }));
      await sample.gate.started.next();
      const left = await session.leave();
      expect([left.status, left.text]).toEqual([204, '']);
      expect(await sample.gate.stopped.next()).toBe('wait');
      await listening.events.ended;
      await waiting;
      expect(await statusesWith(sample, session.headers)).toEqual([404, 404, 404]);
    }
  });

  requirement('sessions:idle', 'a session that nobody uses ends, one that is used does not', async () => {
    await using sample = await startHttp({}, { sessions: { idleMs: 20_000 } });
    const idle = await openSession(sample.http);
    const used = await openSession(sample.http);
    const listening = await openSession(sample.http);
    const stream = await listening.listen();
    const working = await openSession(sample.http);
    const waiting = working.post(legacyMessage('tools/call', { name: 'wait' }));
    await sample.gate.started.next();
    for (let times = 0; times < 2; times += 1) {
      sample.clock.advance(19_999);
      expect((await used.post(legacyMessage('ping'))).status).toBe(200);
    }
    expect((await idle.post(legacyMessage('ping'))).status).toBe(404);
    expect((await listening.post(legacyMessage('ping'))).status).toBe(200);
    sample.gate.open();
    expect(messagesOf(await waiting).at(-1)?.result?.content).toEqual([{ type: 'text', text: 'went on' }]);
    expect((await working.post(legacyMessage('ping'))).status).toBe(200);
    stream.close();
  });

  requirement('sessions:limit', 'too many sessions are 503', async () => {
    const authenticate = ({
      headers,
    }: {
      headers: { get(name: string): string | null };
    }): { id: string } => ({
      id: headers.get('x-user') ?? 'nobody',
    });
    await using sample = await startHttp(
      {},
      { authenticate, sessions: { maxSessions: 3, maxSessionsPerCaller: 2 } },
    );
    const first = await openSession(sample.http, { headers: { 'X-User': 'a' } });
    await openSession(sample.http, { headers: { 'X-User': 'a' } });
    const own = await initialize(sample, { 'X-User': 'a' });
    expect([own.status, own.headers['retry-after'], own.json.error?.code]).toEqual([503, '60', -32600]);
    await openSession(sample.http, { headers: { 'X-User': 'b' } });
    expect((await initialize(sample, { 'X-User': 'c' })).status).toBe(503);
    await first.leave();
    expect((await initialize(sample, { 'X-User': 'c' })).status).toBe(200);
    // Its client never finished the handshake, so it is removed for a new session.
    expect((await initialize(sample, { 'X-User': 'd' })).status).toBe(200);
  });

  requirement('sessions:owner', 'the session of another caller does not exist', async () => {
    await using sample = await startHttp(
      {},
      { authenticate: ({ headers }) => ({ id: headers.get('x-user') ?? 'nobody' }) },
    );
    const session = await openSession(sample.http, { headers: { 'X-User': 'alice' } });
    const stolen = { ...session.headers, 'X-User': 'mallory' };
    expect(await statusesWith(sample, stolen)).toEqual([404, 404, 404]);
    expect((await session.post(legacyMessage('ping'))).status).toBe(200);
  });

  requirement('sessions:accepted', 'notifications and responses are 202', async () => {
    await using sample = await startHttp();
    for (const version of VERSIONS) {
      const session = await openSession(sample.http, { version });
      const accepted = [
        notification('notifications/initialized'),
        notification('notifications/roots/list_changed'),
        { jsonrpc: '2.0', id: 99, result: {} },
        { jsonrpc: '2.0', id: 99, error: { code: -1, message: 'No.' } },
      ];
      for (const body of accepted) {
        const { status, text } = await session.post(body);
        expect([status, text]).toEqual([202, '']);
      }
    }
  });
});

describe('the version in the headers', () => {
  requirement('sessions:version-header', 'an unsupported version is 400, none is fine', async () => {
    await using sample = await startHttp();
    for (const version of VERSIONS) {
      const session = await openSession(sample.http, { version });
      const wrong = { ...session.headers, 'MCP-Protocol-Version': '1999-01-01' };
      expect(await statusesWith(sample, wrong)).toEqual([400, 400, 400]);
      const { json } = await sample.http.send({
        headers: { ...JSON_HEADERS, ...wrong },
        body: legacyMessage('ping', undefined, 8),
      });
      expect(json).toMatchObject({
        id: 8,
        error: {
          code: -32022,
          data: {
            supported: ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'],
            requested: '1999-01-01',
          },
        },
      });
      expect(await statusesWith(sample, { 'Mcp-Session-Id': session.id })).toEqual([200, 200, 204]);
    }
  });
});

describe('no sessions', () => {
  requirement('sessions:none', 'each request stands for itself', async () => {
    await using sample = await startHttp({}, { sessions: false });
    const { status, headers } = await initialize(sample);
    expect([status, headers['mcp-session-id']]).toEqual([200, undefined]);
    const send = (body: unknown): Promise<RawResponse> => sample.http.send({ headers: JSON_HEADERS, body });
    expect((await send(notification('notifications/initialized'))).status).toBe(202);
    const call = legacyMessage('tools/call', { name: 'add', arguments: { a: 1, b: 2 } });
    expect((await send(call)).json.result?.structuredContent).toEqual({ sum: 3 });
    const asking = (await send(legacyMessage('tools/call', { name: 'greet' }))).json;
    expect(asking.result?.isError).toBe(true);
    for (const method of ['logging/setLevel', 'resources/subscribe']) {
      const { json } = await send(legacyMessage(method, { level: 'info', uri: 'docs://manual' }));
      expect([method, json.error?.code]).toEqual([method, -32601]);
    }
    for (const method of ['GET', 'DELETE']) {
      const answer = await sample.http.send({ method, headers: { Accept: 'text/event-stream' } });
      expect([method, answer.status, answer.headers.allow]).toEqual([method, 405, 'POST']);
    }
    expect((await sample.http.modern('server/discover')).status).toBe(200);
  });
});
