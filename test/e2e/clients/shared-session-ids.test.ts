import { describe, expect, test } from 'vitest';
import { serveHttp } from '../../../src/http.ts';
import { createServer, KeyRing } from '../../../src/index.ts';
import { MemoryEventBus, MemoryEventStore, MemoryStateStore } from '../../../src/stores.ts';
import type { StateStore } from '../../../src/stores.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { RawSession } from '../../support/raw-http.ts';
import { SECRET, SharedNodes } from '../../support/shared-nodes.ts';

const NOT_FOUND = {
  jsonrpc: '2.0',
  error: {
    code: -32001,
    message: 'Session not found: it has ended or does not exist. Send initialize to start a new one.',
  },
};

/** Status and body of a call. */
async function outcomeOf(session: RawSession): Promise<readonly [number, unknown]> {
  const response = await session.call('echo', { text: 'a' });
  return [response.status, response.status === 200 ? 'served' : await response.json()];
}

const SERVED = [200, 'served'];

describe('the id of a shared session', () => {
  test('is served by nodes that have never seen it, and stores nothing', async () => {
    await using nodes = await SharedNodes.start(3);
    const session = await RawSession.open(nodes.urlOf(0));
    const stored = nodes.state.size;
    for (const { url } of nodes.running) expect(await outcomeOf(session.at(url))).toEqual(SERVED);
    // The node that keeps the notifications.
    expect([stored, nodes.state.size]).toEqual([1, 1]);
  });

  test('has at most 2 KB, whatever the client declares, and keeps what the server asks for', async () => {
    await using nodes = await SharedNodes.start(2);
    const clients = [
      { capabilities: {}, clientInfo: { name: 'x', version: '1' } },
      {
        capabilities: {
          elicitation: { form: {}, url: {} },
          sampling: { tools: {}, context: {} },
          roots: { listChanged: true },
          experimental: Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`feature-${at}`, {}])),
        },
        clientInfo: { name: '\u0000'.repeat(256), version: '\ud800'.repeat(256) },
      },
      {
        capabilities: { elicitation: {}, extensions: { 'example.com/long': { text: '🙂'.repeat(170) } } },
        clientInfo: { name: '🙂'.repeat(128), version: '漢'.repeat(256) },
      },
      {
        capabilities: { elicitation: { form: { text: 'x'.repeat(100_000) } } },
        clientInfo: { name: '', version: '' },
      },
    ];
    const sizes: number[] = [];
    for (const client of clients) {
      const session = await RawSession.open(nodes.urlOf(0), {}, client);
      sizes.push(session.id.length);
      const response = await session.at(nodes.urlOf(1)).call('ask_if_possible');
      const asks = 'elicitation' in client.capabilities;
      expect(response.headers.get('content-type')).toBe(asks ? 'text/event-stream' : 'application/json');
      await response.body?.cancel();
    }
    expect(sizes.every((size) => size <= 2048)).toBe(true);
    // Most clients.
    expect(sizes[0]).toBeLessThan(400);
    expect(Math.max(...sizes)).toBeGreaterThan(1500);
  });

  test('does not show what it holds', async () => {
    await using nodes = await SharedNodes.start(1);
    const { id } = await RawSession.open(
      nodes.urlOf(0),
      {},
      { clientInfo: { name: 'hunter2', version: '1' } },
    );
    expect(id).toMatch(/^v2\.[\w-]{8}\.[\w-]+$/);
    expect(Buffer.from(id.slice(12), 'base64url').toString('latin1')).not.toContain('hunter2');
  });

  test('is unknown to other callers, whether a node has seen it or not', async () => {
    const authenticate = ({
      headers,
    }: {
      headers: { get(name: string): string | null };
    }): { id: string } => ({
      id: headers.get('authorization') ?? '',
    });
    await using nodes = await SharedNodes.start(2, {}, { authenticate });
    const ada = await RawSession.open(nodes.urlOf(0), { authorization: 'ada' });
    const forged = { id: `${ada.id.slice(0, -1)}${ada.id.endsWith('A') ? 'B' : 'A'}` };
    for (const { url } of nodes.running) {
      const eve = ada.at(url, { headers: { authorization: 'eve' } });
      expect(await outcomeOf(eve)).toEqual([404, NOT_FOUND]);
      expect((await eve.delete()).status).toBe(404);
      expect(await outcomeOf(ada.at(url, forged))).toEqual([404, NOT_FOUND]);
      expect(await outcomeOf(ada.at(url))).toEqual(SERVED);
    }
  });

  test('is refused with any change, and with texts that were sealed for another purpose', async () => {
    await using nodes = await SharedNodes.start(2);
    const session = await RawSession.open(nodes.urlOf(0));
    const ring = new KeyRing([SECRET]);
    const owner = JSON.stringify(['scenarios', ['anonymous']]);
    const content = JSON.stringify({
      key: 'k',
      startedAt: Date.now(),
      revision: '2025-11-25',
      client: [],
      expiresAt: 1e15,
    });
    const { id } = session;
    const wrong = [
      '',
      'a',
      id.slice(0, -4),
      `${id}A`,
      `${id}.`,
      id.toLowerCase(),
      `v2.AAAAAAAA.${id.slice(12)}`,
      `${id.slice(0, 40)}${id[40] === 'A' ? 'B' : 'A'}${id.slice(41)}`,
      'x'.repeat(5000),
      await ring.seal(content, 'request state', owner),
      await ring.seal(content, 'session', JSON.stringify(['another server', ['anonymous']])),
      await new KeyRing().seal(content, 'session', owner),
    ];
    for (const forged of wrong)
      for (const { url } of nodes.running) {
        const { status } = await session.at(url, { id: forged }).call('echo', { text: 'a' });
        expect([forged, status]).toEqual([forged, 404]);
      }
    expect(await outcomeOf(session)).toEqual(SERVED);
  });

  test('expires, also at nodes that have opened it', async () => {
    const clock = new FakeClock();
    await using nodes = await SharedNodes.start(
      2,
      { clock },
      { sessions: { lifetimeMs: 60_000, idleMs: 600_000 } },
    );
    const session = await RawSession.open(nodes.urlOf(0));
    clock.advance(59_999);
    expect(await outcomeOf(session)).toEqual(SERVED);
    clock.advance(1);
    for (const { url } of nodes.running) expect(await outcomeOf(session.at(url))).toEqual([404, NOT_FOUND]);
  });

  test('survives the memory of a node: idle time, and more sessions than a node keeps', async () => {
    const clock = new FakeClock();
    await using nodes = await SharedNodes.start(1, { clock }, { sessions: { idleMs: 1000, maxSessions: 2 } });
    const sessions: RawSession[] = [];
    for (let left = 4; left > 0; left -= 1) sessions.push(await RawSession.open(nodes.urlOf(0)));
    for (const session of [...sessions, ...sessions]) expect(await outcomeOf(session)).toEqual(SERVED);
    clock.advance(5000);
    for (const session of sessions) expect(await outcomeOf(session)).toEqual(SERVED);
  });

  test('is served with an old key until the key is removed', async () => {
    const fresh = 'the fresh secret of all nodes, of 32 characters';
    const ring = new KeyRing([SECRET]);
    await using nodes = await SharedNodes.start(2, { requestStateKeys: ring });
    const before = await RawSession.open(nodes.urlOf(0));
    ring.replace([SECRET, fresh]);
    ring.replace([fresh, SECRET]);
    const after = await RawSession.open(nodes.urlOf(0));
    for (const session of [before, after])
      expect(await outcomeOf(session.at(nodes.urlOf(1)))).toEqual(SERVED);
    ring.replace([fresh]);
    const reopened = await SharedNodes.start(1, { requestStateKeys: ring });
    expect(await outcomeOf(before.at(reopened.urlOf(0)))).toEqual([404, NOT_FOUND]);
    expect(await outcomeOf(after.at(reopened.urlOf(0)))).toEqual(SERVED);
    await reopened[Symbol.asyncDispose]();
  });

  test('is not served without the store, which knows whether the session has ended', async () => {
    const inner = new MemoryStateStore();
    let isGone = false;
    const shared: StateStore = {
      get: (owner, key) => {
        if (isGone) throw new Error('the store is gone');
        return inner.get(owner, key);
      },
      set: (...given) => inner.set(...given),
      take: (...given) => inner.take(...given),
      delete: (...given) => inner.delete(...given),
    };
    await using nodes = await SharedNodes.start(1, {}, { sessions: { shared } });
    const session = await RawSession.open(nodes.urlOf(0));
    isGone = true;
    const response = await session.call('echo', { text: 'a' });
    expect([response.status, response.headers.get('retry-after'), await response.json()]).toEqual([
      503,
      '1',
      {
        jsonrpc: '2.0',
        error: {
          code: -32603,
          message: 'The session store is unavailable. Try again later.',
          data: { code: 'BUSY' },
        },
      },
    ]);
    isGone = false;
    expect(await outcomeOf(session)).toEqual(SERVED);
  });
});

test('shared sessions need everything that nodes have to share', async () => {
  const shared = new MemoryStateStore();
  const eventStore = new MemoryEventStore();
  const eventBus = new MemoryEventBus();
  const base = { name: 'a', version: '1' };
  const refused = [
    [{ ...base, eventBus, requestStateKeys: [SECRET] }, { shared }, 'needs sessions.eventStore'],
    [{ ...base, eventBus }, { shared, eventStore }, 'needs requestStateKeys of createServer'],
    [{ ...base, requestStateKeys: [SECRET] }, { shared, eventStore }, 'needs eventBus of createServer'],
    [
      base,
      { shared: {} as never },
      'sessions.shared must be an object with the methods get, set, take, delete',
    ],
    [base, { lifetimeMs: 0 }, 'sessions.lifetimeMs must be an integer'],
  ] as const;
  for (const [options, sessions, message] of refused)
    await expect(serveHttp(createServer(options), { port: 0, sessions })).rejects.toThrow(message);
});
