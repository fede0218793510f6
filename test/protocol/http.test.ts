import { describe, expect } from 'vitest';
import { createServer } from '../../src/index.ts';
import { toFetchHandler } from '../../src/fetch.ts';
import { serveHttp } from '../../src/http.ts';
import { requirement } from './requirement.ts';
import { within } from './support/inbox.ts';
import { openSession } from './support/legacy-http.ts';
import { eventsOf, JSON_HEADERS, messagesOf, modernRequest } from './support/raw-http.ts';
import { accept, initializeMessage, modernMessage, notification } from './support/rpc.ts';
import { startHttp } from './support/sample.ts';

const VERSION = { 'MCP-Protocol-Version': '2026-07-28' };

describe('accepted requests', () => {
  requirement('http:post-only', 'GET and DELETE are 405 for 2026-07-28', async () => {
    await using sample = await startHttp();
    for (const method of ['GET', 'DELETE']) {
      const headers = { Accept: 'text/event-stream', ...VERSION };
      const { status, headers: answered, json } = await sample.http.send({ method, headers });
      expect([status, answered.allow, json.error?.code]).toEqual([405, 'POST', -32600]);
    }
    await using bare = await startHttp({}, { sessions: false });
    const { status, headers } = await bare.http.send({ method: 'GET', headers: VERSION });
    expect([status, headers.allow]).toEqual([405, 'POST']);
  });

  requirement('http:methods', 'other methods of HTTP are 405', async () => {
    await using sample = await startHttp();
    for (const method of ['PUT', 'PATCH', 'HEAD', 'OPTIONS']) {
      const { status, headers } = await sample.http.send({ method, headers: JSON_HEADERS });
      expect([method, status, headers.allow]).toEqual([method, 405, 'POST, GET, DELETE']);
    }
  });

  requirement('http:notification', 'a notification is 202 without a body', async () => {
    await using sample = await startHttp();
    for (const method of ['notifications/cancelled', 'notifications/of/an/extension']) {
      const body = notification(method, { requestId: 1 });
      const { status, text } = await sample.http.send({ headers: { ...JSON_HEADERS, ...VERSION }, body });
      expect([status, text]).toEqual([202, '']);
    }
  });

  requirement('http:one-message', 'responses and batches are 400', async () => {
    await using sample = await startHttp();
    const response = { jsonrpc: '2.0', id: 1, result: {} };
    for (const body of [response, [modernMessage('tools/list')], [notification('x')]]) {
      const answer = await sample.http.send({ headers: { ...JSON_HEADERS, ...VERSION }, body });
      expect([answer.status, answer.json.error?.code]).toEqual([400, -32600]);
      expect(answer.json).not.toHaveProperty('id');
    }
  });

  requirement('http:accept', 'a POST must accept both kinds of answer, else 406', async () => {
    await using sample = await startHttp();
    for (const Accept of ['application/json', 'text/event-stream', 'text/html', 'application/*']) {
      const request = modernRequest(modernMessage('tools/list'), { Accept });
      const { status, json } = await sample.http.send(request);
      expect([Accept, status, json.error?.code]).toEqual([Accept, 406, -32600]);
      const legacy = await sample.http.send({
        headers: { ...JSON_HEADERS, Accept },
        body: initializeMessage('2025-11-25'),
      });
      expect(legacy.status).toBe(406);
    }
  });

  requirement('http:accept:wildcards', 'wildcards, parameters and no Accept at all will do', async () => {
    await using sample = await startHttp();
    for (const Accept of [
      '*/*',
      'text/event-stream, application/json',
      'application/json;q=0.9, text/event-stream;q=0.1',
      'APPLICATION/JSON, Text/*',
      undefined,
    ]) {
      const request = modernRequest(modernMessage('tools/list'), { Accept });
      expect([Accept, (await sample.http.send(request)).status]).toEqual([Accept, 200]);
    }
  });

  requirement('http:content-type', 'a body that is not declared as JSON is 415', async () => {
    await using sample = await startHttp();
    const send = async (type: string | undefined): Promise<number> =>
      (await sample.http.send(modernRequest(modernMessage('tools/list'), { 'Content-Type': type }))).status;
    for (const type of [undefined, '', 'text/plain', 'application/jsonp', 'text/plain; application/json'])
      expect([type, await send(type)]).toEqual([type, 415]);
    for (const type of ['application/json; charset=utf-8', 'Application/JSON', 'application/json ;x=y'])
      expect([type, await send(type)]).toEqual([type, 200]);
  });

  requirement('http:content-encoding', 'a compressed body is 415', async () => {
    await using sample = await startHttp();
    const request = modernRequest(modernMessage('tools/list'), { 'Content-Encoding': 'gzip' });
    expect((await sample.http.send(request)).status).toBe(415);
  });

  requirement('http:too-large', 'a body that is too large is 413, with and without a length', async () => {
    await using sample = await startHttp({ limits: { maxMessageBytes: 2000 } });
    const message = modernMessage('tools/call', { name: 'echo', arguments: { text: 'x'.repeat(3000) } });
    const request = modernRequest(message);
    const sized = await sample.http.send(request);
    expect([sized.status, sized.json.error?.code, sized.headers.connection]).toEqual([413, -32600, 'close']);
    const chunked = await sample.http.send({
      ...request,
      headers: { ...request.headers, 'Transfer-Encoding': 'chunked' },
    });
    expect(chunked.status).toBe(413);
    expect((await sample.http.modern('server/discover')).status).toBe(200);
  });

  requirement('http:path', 'other paths are 404', async () => {
    await using sample = await startHttp();
    for (const path of ['/', '/mcp/', '/other', '/mcp/../other']) {
      const request = { ...modernRequest(modernMessage('tools/list')), path };
      expect([path, (await sample.http.send(request)).status]).toEqual([path, 404]);
    }
    const query = { ...modernRequest(modernMessage('tools/list')), path: '/mcp?x=y' };
    expect((await sample.http.send(query)).status).toBe(200);
  });

  requirement(
    ['http:session-header-ignored', 'http:last-event-id-ignored'],
    'a session id and an event id are ignored, and none are given out',
    async () => {
      await using sample = await startHttp();
      const message = modernMessage('tools/call', { name: 'count' }, { meta: { progressToken: 1 } });
      const request = modernRequest(message, { 'Mcp-Session-Id': 'none', 'Last-Event-ID': 'none_1' });
      const response = await sample.http.send(request);
      expect(response.status).toBe(200);
      expect(response.headers).not.toHaveProperty('mcp-session-id');
      const events = eventsOf(response);
      expect(events).toHaveLength(4);
      for (const event of events) expect(Object.keys(event)).toEqual(['data']);
    },
  );
});

describe('responses', () => {
  requirement('http:plain-json', 'without interim messages the answer is one JSON object', async () => {
    await using sample = await startHttp();
    const modern = await sample.http.modern('tools/call', { name: 'primes' });
    expect([modern.status, modern.headers['content-type']]).toEqual([200, 'application/json']);
    expect(modern.json.result?.structuredContent).toEqual([2, 3, 5]);
    const session = await openSession(sample.http);
    const legacy = await session.post({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    expect([legacy.status, legacy.headers['content-type']]).toEqual([200, 'application/json']);
  });

  requirement(
    ['http:stream', 'http:stream:headers'],
    'with interim messages the answer is a stream that the response ends',
    async () => {
      await using sample = await startHttp();
      const meta = { progressToken: 'p' };
      const response = await sample.http.modern('tools/call', { name: 'count' }, { id: 9, meta });
      expect(response.status).toBe(200);
      expect(response.headers).toMatchObject({
        'content-type': 'text/event-stream',
        'x-accel-buffering': 'no',
        'cache-control': 'no-store, no-transform',
      });
      const messages = messagesOf(response);
      expect(messages.map(({ id, method }) => id ?? method)).toEqual([
        'notifications/progress',
        'notifications/progress',
        'notifications/progress',
        9,
      ]);
    },
  );

  requirement('http:stream:keep-alive', 'quiet streams show that they are alive, in both eras', async () => {
    await using sample = await startHttp({}, { keepAliveMs: 5000 });
    const opening = sample.http.open(modernRequest(modernMessage('tools/call', { name: 'wait' })));
    await sample.gate.started.next();
    sample.clock.advance(5000);
    const stream = await opening;
    expect(await stream.events.next()).toEqual({ comment: 'alive' });
    sample.clock.advance(5000);
    expect(await stream.events.next()).toEqual({ comment: 'alive' });
    sample.gate.open();
    expect((await stream.nextMessage()).result?.resultType).toBe('complete');

    const session = await openSession(sample.http, { version: '2025-06-18' });
    const listening = await session.listen();
    sample.clock.advance(5000);
    expect(await listening.events.next()).toEqual({ comment: 'alive' });
  });

  requirement(
    'http:stream:no-requests',
    'a question is a result, never a request on the stream',
    async () => {
      await using sample = await startHttp();
      const capabilities = { elicitation: {}, sampling: {}, roots: {} };
      for (const name of ['greet', 'ask_all', 'two_rounds']) {
        const { json } = await sample.http.modern('tools/call', { name }, { capabilities });
        expect(json).not.toHaveProperty('method');
        expect(json.result?.resultType).toBe('input_required');
      }
    },
  );

  requirement('http:cancel-by-disconnect', 'a client that hangs up takes its request back', async () => {
    await using sample = await startHttp();
    const quiet = sample.http.begin(
      modernRequest(modernMessage('tools/call', { name: 'wait', arguments: { name: 'quiet' } })),
    );
    expect(await sample.gate.started.next()).toBe('quiet');
    quiet.destroy();
    expect(await sample.gate.stopped.next()).toBe('quiet');

    const message = modernMessage(
      'tools/call',
      { name: 'wait', arguments: { name: 'loud', isLoud: true } },
      { meta: { progressToken: 1 } },
    );
    const stream = await sample.http.open(modernRequest(message));
    await stream.events.next();
    stream.close();
    expect(await sample.gate.stopped.next()).toBe('loud');
  });

  requirement('http:domain-errors', 'errors of a method itself are 200', async () => {
    await using sample = await startHttp();
    const requests: [string, object][] = [
      ['tools/call', { name: 'no_such' }],
      ['prompts/get', { name: 'no_such' }],
      ['resources/read', { uri: 'docs://none' }],
      ['tools/list', { cursor: '!' }],
      [
        'tools/call',
        { name: 'greet', inputResponses: { user_name: accept({ name: 'A' }) }, requestState: 'x' },
      ],
    ];
    for (const [method, params] of requests) {
      const { status, json } = await sample.http.modern(method, params, {
        capabilities: { elicitation: {} },
      });
      expect([method, status, json.error?.code]).toEqual([method, 200, -32602]);
    }
  });

  requirement('http:closing', 'a server that closes answers what it has and turns others away', async () => {
    await using sample = await startHttp();
    const handler = toFetchHandler(sample.server);
    const send = async (name: string): Promise<Response> => {
      const { headers, body } = modernRequest(modernMessage('tools/call', { name }));
      return handler(
        new Request('http://localhost/mcp', {
          method: 'POST',
          headers: headers as Record<string, string>,
          body: JSON.stringify(body),
        }),
      );
    };
    const waiting = send('wait');
    await sample.gate.started.next();
    const closing = handler.close();
    const late = await within(send('primes'), 'the answer to who comes late');
    expect([late.status, late.headers.get('retry-after')]).toEqual([503, '5']);
    sample.gate.open();
    const answer = (await (await within(waiting, 'the answer')).json()) as { result: { content: object[] } };
    expect(answer.result.content).toEqual([{ type: 'text', text: 'went on' }]);
    await closing;
  });

  requirement('http:loopback', 'nobody else is served unless hosts are named', async () => {
    const server = createServer({ name: 'x', version: '1' });
    await using running = await serveHttp(server, { port: 0 });
    expect(running.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
    await expect(serveHttp(server, { port: 0, host: '0.0.0.0' })).rejects.toThrow(/allowedHosts/);
  });
});
