import { describe, expect } from 'vitest';
import * as z from 'zod';
import { defineTool } from '../../src/index.ts';
import { requirement } from './requirement.ts';
import { LEGACY_VERSIONS, openSession } from './support/legacy-http.ts';
import { JSON_HEADERS, modernRequest } from './support/raw-http.ts';
import type { RawResponse } from './support/raw-http.ts';
import { startStdio } from './support/raw-stdio.ts';
import type { RawStdio } from './support/raw-stdio.ts';
import { initializeMessage, legacyMessage, modernMessage, notification } from './support/rpc.ts';
import type { RpcMessage } from './support/rpc.ts';
import { startHttp } from './support/sample.ts';
import type { HttpSample, Sample } from './support/sample.ts';

function changeTools({ server }: Sample): void {
  server.tools?.register(
    defineTool({ name: 'extra', description: 'Extra', inputSchema: z.object({}), handler: () => '' }),
  );
}

function post({ http }: HttpSample, body: unknown): Promise<RawResponse> {
  return http.send({ headers: JSON_HEADERS, body });
}

describe('the handshake', () => {
  requirement('lifecycle:initialize', 'each revision is agreed on as it was asked for', async () => {
    await using sample = await startHttp({ instructions: 'Be kind.' });
    for (const version of LEGACY_VERSIONS) {
      const result = {
        protocolVersion: version,
        capabilities: {
          logging: {},
          completions: {},
          tools: { listChanged: true },
          prompts: { listChanged: true },
          resources: { listChanged: true, subscribe: true },
        },
        serverInfo: { name: 'sample', version: '1.2.3' },
        instructions: 'Be kind.',
      };
      const { status, headers, json } = await post(sample, initializeMessage(version));
      expect([status, headers['content-type']]).toEqual([200, 'application/json']);
      expect(json.result).toEqual(result);
      await using stdio = startStdio({ instructions: 'Be kind.' });
      expect((await stdio.stdio.initialize(version)).result).toEqual(result);
    }
  });

  requirement(
    'lifecycle:negotiation',
    'a version that is unknown or has no handshake is answered with the newest that has one',
    async () => {
      await using sample = await startHttp();
      for (const version of ['2026-07-28', '1.0.0', '2099-01-01', ''])
        expect((await post(sample, initializeMessage(version))).json.result?.protocolVersion).toBe(
          '2025-11-25',
        );
    },
  );

  requirement('lifecycle:invalid', 'a handshake without version or capabilities begins nothing', async () => {
    await using sample = await startHttp();
    const capabilities = {};
    for (const params of [
      undefined,
      {},
      { capabilities },
      { protocolVersion: '2025-11-25' },
      { protocolVersion: 7, capabilities },
    ]) {
      const { headers, json } = await post(sample, legacyMessage('initialize', params));
      expect([params, json.error?.code, headers['mcp-session-id']]).toEqual([params, -32602, undefined]);
    }
    await using stdio = startStdio();
    expect((await stdio.stdio.ask(legacyMessage('initialize', {}))).error?.code).toBe(-32602);
    expect((await stdio.stdio.ask(legacyMessage('tools/list'))).error?.code).toBe(-32600);
  });

  requirement('lifecycle:initialized', 'nothing is told before the client is ready', async () => {
    await using sample = startStdio();
    const { stdio } = sample;
    await stdio.ask(initializeMessage('2025-11-25'));
    changeTools(sample);
    expect((await stdio.ask(legacyMessage('ping', undefined, 'fence'))).id).toBe('fence');
    stdio.write(notification('notifications/initialized'));
    sample.server.tools?.unregister('extra');
    expect(await stdio.next()).toEqual({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
  });

  requirement('lifecycle:ping', 'ping is answered at any time', async () => {
    await using sample = startStdio();
    expect(await sample.stdio.ask(legacyMessage('ping', undefined, 1))).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: {},
    });
    await sample.stdio.initialize('2024-11-05');
    expect((await sample.stdio.ask(legacyMessage('ping', {}, 2))).result).toEqual({});
    await using http = await startHttp();
    for (const version of LEGACY_VERSIONS) {
      const session = await openSession(http.http, { version });
      expect((await session.request('ping')).result).toEqual({});
    }
  });

  requirement('lifecycle:not-begun', 'a request before the handshake is -32600', async () => {
    await using sample = startStdio();
    for (const method of ['tools/list', 'tools/call', 'logging/setLevel', 'no/such'])
      expect((await sample.stdio.ask(legacyMessage(method, {}))).error?.code).toBe(-32600);
  });

  requirement('lifecycle:anew', 'a second handshake begins anew', async () => {
    await using sample = startStdio();
    const { stdio, gate } = sample;
    await stdio.initialize('2025-03-26');
    await stdio.ask(legacyMessage('logging/setLevel', { level: 'emergency' }));
    stdio.write(legacyMessage('tools/call', { name: 'wait', arguments: { name: 'first' } }, 1));
    expect(await gate.started.next()).toBe('first');
    expect((await stdio.initialize('2025-11-25')).result?.protocolVersion).toBe('2025-11-25');
    expect(await gate.stopped.next()).toBe('first');
    // The cancelled request gets an error with the reason.
    expect((await stdio.next()).error?.message).toBe('The client sent initialize again.');
    stdio.write(legacyMessage('tools/call', { name: 'log' }, 1));
    // The log level is the default again.
    expect((await stdio.next()).method).toBe('notifications/message');
  });
});

describe('batches', () => {
  const batch = [
    legacyMessage('ping', undefined, 1),
    notification('notifications/of/no/interest'),
    legacyMessage('tools/call', { name: 'primes' }, 'two'),
    legacyMessage('no/such', undefined, 3),
    7,
  ];

  const outlineOf = (answers: unknown): unknown =>
    (answers as RpcMessage[]).map(({ id, error }) => [id, error?.code]);
  const OUTLINE = [
    [1, undefined],
    ['two', undefined],
    [3, -32601],
    [undefined, -32600],
  ];

  requirement('batches:answers', 'a batch is answered with an array', async () => {
    await using sample = await startHttp();
    const session = await openSession(sample.http, { version: '2025-03-26' });
    const { status, json } = await session.post(batch);
    expect([status, outlineOf(json)]).toEqual([200, OUTLINE]);
    const single = await session.post([legacyMessage('ping', undefined, 4)]);
    expect(single.json).toEqual([{ jsonrpc: '2.0', id: 4, result: {} }]);

    await using stdio = startStdio();
    await stdio.stdio.initialize('2025-03-26');
    expect(outlineOf(await stdio.stdio.ask(batch))).toEqual(OUTLINE);
  });

  requirement('batches:no-requests', 'a batch without requests has no answer', async () => {
    await using sample = await startHttp();
    const session = await openSession(sample.http, { version: '2025-03-26' });
    const quiet = [notification('notifications/initialized'), { jsonrpc: '2.0', id: 9, result: {} }];
    const { status, text } = await session.post(quiet);
    expect([status, text]).toEqual([202, '']);
    await using stdio = startStdio();
    await stdio.stdio.initialize('2025-03-26');
    stdio.stdio.write(quiet);
    expect((await stdio.stdio.ask(legacyMessage('ping', undefined, 'fence'))).id).toBe('fence');
  });

  requirement('batches:elsewhere', 'other revisions have no batches', async () => {
    await using sample = await startHttp();
    for (const version of ['2025-11-25', '2025-06-18', '2024-11-05']) {
      const session = await openSession(sample.http, { version });
      const { status, json } = await session.post(batch);
      expect([version, status, json.error?.code]).toEqual([version, 400, -32600]);
      await using stdio = startStdio();
      await stdio.stdio.initialize(version);
      expect((await stdio.stdio.ask(batch)).error?.code).toBe(-32600);
    }
    const modern = [modernMessage('tools/list')];
    const { headers = {} } = modernRequest(modernMessage('tools/list'));
    const { status, json } = await sample.http.send({ headers, body: modern });
    expect([status, json.error?.code]).toEqual([400, -32600]);
    await using stdio = startStdio();
    expect((await stdio.stdio.ask(modern)).error?.code).toBe(-32600);
  });

  requirement('batches:no-handshake', 'a handshake in a batch is refused', async () => {
    const handshake = [initializeMessage('2025-03-26'), legacyMessage('ping', undefined, 2)];
    await using sample = await startHttp();
    const first = await post(sample, handshake);
    expect([first.status, first.headers['mcp-session-id']]).toEqual([400, undefined]);
    const session = await openSession(sample.http, { version: '2025-03-26' });
    const again = await session.post(handshake);
    expect(again.headers).not.toHaveProperty('mcp-session-id');
    const [refused, ping] = again.json as unknown as RpcMessage[];
    expect([refused?.error?.code, ping?.result]).toEqual([-32601, {}]);

    await using stdio = startStdio();
    expect((await stdio.stdio.ask(handshake)).error?.code).toBe(-32600);
    await stdio.stdio.initialize('2025-03-26');
    await stdio.stdio.ask(legacyMessage('logging/setLevel', { level: 'emergency' }));
    const answers = (await stdio.stdio.ask(handshake)) as unknown as RpcMessage[];
    expect([answers[0]?.error?.code, answers[1]?.result]).toEqual([-32601, {}]);
    // The session is unchanged.
    const quiet = await stdio.stdio.ask(legacyMessage('tools/call', { name: 'log' }, 'quiet'));
    expect(quiet.id).toBe('quiet');
  });
});

/** The response to a request with an id that was in use: sent again until the server has released the id. */
async function reuseId(stdio: RawStdio, message: object): Promise<RpcMessage> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const answer = await stdio.ask(message);
    if (answer.error?.message.includes('is in use') !== true) return answer;
  }
  throw new Error('the id was never free again');
}

describe('cancellation', () => {
  requirement('cancel:notification', 'a cancelled request is stopped and not answered', async () => {
    await using sample = startStdio();
    const { stdio, gate } = sample;
    await stdio.initialize('2025-11-25');
    const call = { name: 'wait', arguments: { name: 'modern' } };
    stdio.write(modernMessage('tools/call', call, { id: 1 }));
    await gate.started.next();
    stdio.write(notification('notifications/cancelled', { requestId: 1, reason: 'changed my mind' }));
    expect(await gate.stopped.next()).toBe('modern');
    const next = await reuseId(stdio, modernMessage('tools/call', { name: 'primes' }, { id: 1 }));
    expect(next.result?.structuredContent).toEqual([2, 3, 5]);
    stdio.write(legacyMessage('tools/call', { name: 'wait', arguments: { name: 'legacy' } }, 'one'));
    await gate.started.next();
    stdio.write(notification('notifications/cancelled', { requestId: 'one' }));
    expect(await gate.stopped.next()).toBe('legacy');
    expect((await reuseId(stdio, legacyMessage('ping', undefined, 'one'))).result).toEqual({});

    await using http = await startHttp();
    const session = await openSession(http.http);
    const waiting = session.post(legacyMessage('tools/call', { name: 'wait' }, 7));
    await http.gate.started.next();
    const cancelled = await session.post(notification('notifications/cancelled', { requestId: 7 }));
    expect(cancelled.status).toBe(202);
    expect(await http.gate.stopped.next()).toBe('wait');
    // HTTP needs a response; it has no message.
    const answer = await waiting;
    expect([answer.status, answer.text]).toEqual([200, '']);
  });

  requirement('cancel:unknown', 'a cancellation of nothing is ignored', async () => {
    await using sample = startStdio();
    const { stdio, gate } = sample;
    await stdio.initialize('2025-11-25');
    stdio.write(modernMessage('tools/call', { name: 'wait' }, { id: 1 }));
    await gate.started.next();
    for (const params of [{ requestId: 99 }, { requestId: '1' }, { requestId: null }, {}, undefined])
      stdio.write(notification('notifications/cancelled', params));
    gate.open();
    expect((await stdio.next()).id).toBe(1);
    stdio.write(notification('notifications/cancelled', { requestId: 1 }));
    expect((await stdio.ask(legacyMessage('ping', undefined, 1))).result).toEqual({});
  });

  requirement(
    'cancel:disconnect-is-none',
    'hanging up does not take a request back before 2026-07-28',
    async () => {
      await using sample = await startHttp();
      for (const version of ['2025-11-25', '2025-06-18', '2025-03-26']) {
        const session = await openSession(sample.http, { version });
        const args = { name: version, isLoud: true };
        const stream = await session.open(
          legacyMessage('tools/call', { name: 'wait', arguments: args, _meta: { progressToken: 1 } }, 5),
        );
        await stream.events.next();
        await sample.gate.started.next();
        stream.close();
        const { headers, body } = session.toPost(legacyMessage('tools/call', { name: 'wait' }, 6));
        const quiet = sample.http.begin({ ...(headers && { headers }), body });
        await sample.gate.started.next();
        quiet.destroy();
        // The server has noticed the disconnect by now, and still works on both: their ids are in use.
        for (const id of [5, 6]) {
          const { json } = await session.post(legacyMessage('ping', undefined, id));
          expect([version, json.error?.code]).toEqual([version, -32600]);
        }
        sample.gate.open();
      }
      expect(sample.gate.stopped.size).toBe(0);
    },
  );
});
