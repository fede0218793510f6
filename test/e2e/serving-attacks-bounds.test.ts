import { request as sendRequest } from 'node:http';
import type { IncomingMessage } from 'node:http';
import * as z from 'zod';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { toFetchHandler } from '../../src/fetch.ts';
import type { HttpOptions } from '../../src/fetch.ts';
import { toNodeHandler } from '../../src/http.ts';
import { defineResourceTemplate, defineTool } from '../../src/index.ts';
import type { AnyToolDefinition } from '../../src/index.ts';
import { within } from '../protocol/support/inbox.ts';
import { openSession } from '../protocol/support/legacy-http.ts';
import { mount, toWebRequest, turns } from '../protocol/support/mounted.ts';
import { JSON_HEADERS, modernRequest } from '../protocol/support/raw-http.ts';
import { accept, legacyMessage, modernMessage, textOf } from '../protocol/support/rpc.ts';
import { startSample } from '../protocol/support/sample.ts';

const NOTHING = z.object({});
const LOGS = { 'io.modelcontextprotocol/logLevel': 'debug' };

describe('closing with calls that still run', () => {
  const CLOSED = { code: -32603, message: 'The server is closing.' };

  test('answers a call of 2026-07-28 behind node:http with 503', async () => {
    await using sample = await mount();
    const answering = sample.http.modern('tools/call', { name: 'wait' }, { id: 'call' });
    await sample.gate.started.next();
    await sample.settle(() => sample.handle.close(50));
    const { status, json } = await answering;
    expect([status, json]).toEqual([503, { jsonrpc: '2.0', id: 'call', error: CLOSED }]);
    expect(await sample.gate.stopped.next()).toBe('wait');
  });

  test('answers a call of 2026-07-28 behind a web-standard handler with 503', async () => {
    const sample = startSample();
    const handle = toFetchHandler(sample.server);
    const message = modernMessage('tools/call', { name: 'wait' }, { id: 'call' });
    const answering = handle(toWebRequest(modernRequest(message)));
    await sample.gate.started.next();
    await sample.settle(() => handle.close(50));
    const response = await within(answering, 'the answer of a call that was cut off');
    expect([response.status, await response.json()]).toEqual([
      503,
      { jsonrpc: '2.0', id: 'call', error: CLOSED },
    ]);
  });

  test('answers a call of a session with an error', async () => {
    await using sample = await mount();
    const session = await openSession(sample.http);
    const answering = session.post(legacyMessage('tools/call', { name: 'wait' }, 'call'));
    await sample.gate.started.next();
    await sample.settle(() => sample.handle.close(50));
    expect((await answering).json).toEqual({ jsonrpc: '2.0', id: 'call', error: CLOSED });
  });

  test('waits for a slow reader until it has everything', async () => {
    const tool = defineTool({
      name: 'huge',
      description: 'Says a lot',
      inputSchema: NOTHING,
      handler: () => 'x'.repeat(12_000_000),
    });
    await using sample = await mount({ tools: [tool], maxResultBytes: 20_000_000 });
    const { headers, body } = modernRequest(modernMessage('tools/call', { name: 'huge' }));
    const message = await new Promise<IncomingMessage>((resolve, reject) => {
      const options = { host: '127.0.0.1', port: sample.port, method: 'POST', agent: false };
      sendRequest({ ...options, headers: headers as Record<string, string> }, resolve)
        .on('error', reject)
        .end(JSON.stringify(body));
    });
    const response = await sample.responses.next();
    let isClosed = false;
    const closing = sample.handle.close(10_000).then(() => {
      isClosed = true;
    });
    await turns();
    expect([response.writableEnded, response.writableFinished, isClosed]).toEqual([true, false, false]);
    let bytes = 0;
    for await (const chunk of message) bytes += (chunk as Buffer).length;
    await within(closing, 'the end');
    expect(isClosed).toBe(true);
    expect(bytes).toBe(Number(message.headers['content-length']));
    expect(bytes).toBeGreaterThan(12_000_000);
  });
});

describe('state that a client keeps between rounds', () => {
  const form = z.object({ name: z.string() });
  const asking = (name: string): AnyToolDefinition =>
    defineTool({
      name,
      description: 'Asks for a name',
      inputSchema: z.object({ values: z.array(z.number()).default([]) }),
      handler: async ({ context }) => {
        const answer = await context.ask('name', { message: 'Who?', schema: form });
        return `${name} for ${JSON.stringify(answer)}`;
      },
    });
  const capabilities = { elicitation: {} };

  test('is good for one tool, also where the arguments have no canonical form', async () => {
    // Serialized in full, each has 21 characters: the arguments are longer than the maximum of a message.
    const values = `[${Array.from({ length: 300 }, () => '1e20').join(',')}]`;
    await using sample = await mount({
      tools: [asking('read'), asking('erase')],
      limits: { maxMessageBytes: 4000 },
    });
    const call = async (name: string, more: object): ReturnType<typeof sample.http.send> => {
      const message = modernMessage(
        'tools/call',
        { name, arguments: { values: 'VALUES' }, ...more },
        { capabilities },
      );
      return sample.http.send({
        ...modernRequest(message),
        body: JSON.stringify(message).replace('"VALUES"', values),
      });
    };
    const { requestState } = (await call('read', {})).json.result ?? {};
    expect(requestState).toMatch(/^v2\./);
    const more = { requestState, inputResponses: { name: accept({ name: 'Ann' }) } };
    const refused = (await call('erase', more)).json;
    expect(refused.result).toBeUndefined();
    expect(refused.error?.code).toBe(-32602);
    expect(refused.error?.message).toMatch(/^Invalid params: requestState is not valid for this request/);
    expect(textOf((await call('read', more)).json)).toMatch(/^read for /);
  });

  test('is not decoded when it is longer than anything that was given out', async () => {
    await using sample = await mount({ tools: [asking('read')] });
    const decode = vi.spyOn(globalThis, 'atob');
    onTestFinished(() => decode.mockRestore());
    const long = 'A'.repeat(4_000_000);
    const state = await sample.http.modern('tools/call', {
      name: 'read',
      requestState: `v2.AAAAAAAA.${long}`,
    });
    expect(state.json.error?.code).toBe(-32602);
    expect(state.text.length).toBeLessThan(1000);
    const list = await sample.http.modern('tools/list', { cursor: long });
    expect(list.json.error?.code).toBe(-32602);
    expect(list.text.length).toBeLessThan(1000);
    expect(decode.mock.calls.filter(([text]) => text.length > 1000)).toEqual([]);
  });

  test('remembers an answer whose check takes time while another question is still open', async () => {
    const checked = z.object({
      name: z.string().refine(async (value) => {
        await turns(3);
        return value !== '';
      }),
    });
    const tool = defineTool({
      name: 'both',
      description: 'Asks for two names at once',
      inputSchema: NOTHING,
      handler: async ({ context }) => {
        const answers = await Promise.all([
          context.ask('first', { message: 'First?', schema: checked }),
          context.ask('second', { message: 'Second?', schema: checked }),
        ]);
        return JSON.stringify(
          answers.map((answer) => (answer.action === 'accept' ? answer.content.name : '')),
        );
      },
    });
    await using sample = await mount({ tools: [tool] });
    const call = async (more: object): Promise<Awaited<ReturnType<typeof sample.http.modern>>['json']> =>
      (await sample.http.modern('tools/call', { name: 'both', ...more }, { capabilities })).json;
    const start = (await call({})).result;
    expect(Object.keys(start?.inputRequests ?? {}).toSorted()).toEqual(['first', 'second']);
    const inputResponses = { first: accept({ name: 'Ann' }) };
    const next = (await call({ inputResponses, requestState: start?.requestState })).result;
    expect(Object.keys(next?.inputRequests ?? {})).toEqual(['second']);
    const last = { inputResponses: { second: accept({ name: 'Bob' }) }, requestState: next?.requestState };
    expect(textOf(await call(last))).toBe('["Ann","Bob"]');
  });
});

describe('a message', () => {
  test('that the application has parsed is bounded like any other', async () => {
    await using sample = await mount({}, { parse: (text) => JSON.parse(text) as unknown });
    const call = async (args: string): Promise<readonly [number, string | undefined]> => {
      const message = modernMessage('tools/call', { name: 'add', arguments: 'ARGUMENTS' });
      const body = JSON.stringify(message).replace('"ARGUMENTS"', args);
      const { status, json } = await sample.http.send({ ...modernRequest(message), body });
      return [status, json.error?.message];
    };
    expect(await call('{"a":1,"b":2}')).toEqual([200, undefined]);
    expect(await call(`{"a":1,"b":2,"c":${'['.repeat(200)}${']'.repeat(200)}}`)).toEqual([
      400,
      'Invalid message: it is nested deeper than 128 levels.',
    ]);
    expect(await call('{"a":1,"b":2,"__proto__":{"isAdmin":true}}')).toEqual([
      400,
      'Invalid message: it has the key "__proto__".',
    ]);
  });

  test('says each of its parts once, whatever else it says', async () => {
    await using sample = await mount();
    const session = await openSession(sample.http, { version: '2025-03-26' });
    const junk = Array.from({ length: 16 }, (_, index) => `"k${index}":0`).join(',');
    const twice = '"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/list"';
    for (const body of [
      `{${junk},${twice}}`,
      `[{${twice}}]`,
      ` [{"jsonrpc":"2.0","method":"x"},{${twice}}]`,
    ]) {
      const { status, json } = await session.post(body);
      expect([status, json.error?.message]).toEqual([400, 'Invalid message: it has the key "method" twice.']);
    }
    const once = '"jsonrpc":"2.0","id":1,"method":"ping"';
    expect((await session.post(`[{${once}}]`)).text).toBe('[{"jsonrpc":"2.0","id":1,"result":{}}]');
  });

  test('with an address longer than 8192 characters is refused without an echo', async () => {
    const resources = [
      defineResourceTemplate({ uriTemplate: 'notes://{id}', name: 'note', contentProvider: () => 'text' }),
    ];
    await using sample = await mount({ resources });
    const session = await openSession(sample.http);
    const [fits, long] = [8192, 8193].map((length) => 'notes://'.padEnd(length, 'n'));
    expect((await session.request('resources/subscribe', { uri: fits })).result).toEqual({});
    const error = {
      code: -32602,
      message: 'Invalid params: uri must be a string of at most 8192 characters.',
    };
    for (const method of ['resources/subscribe', 'resources/unsubscribe', 'resources/read'])
      expect((await session.request(method, { uri: long })).error).toEqual(error);
    const listening = modernMessage('subscriptions/listen', {
      notifications: { resourceSubscriptions: ['notes://1', long] },
    });
    const stream = await sample.http.open(modernRequest(listening));
    expect((await stream.nextMessage()).params?.['notifications']).toEqual({
      resourceSubscriptions: ['notes://1'],
    });
  });

  test('to a whole URL must name the host that its header names', async () => {
    await using sample = await mount();
    const request = modernRequest(modernMessage('tools/list'));
    const send = async (path: string): Promise<number> =>
      (await sample.http.send({ ...request, path, headers: { ...JSON_HEADERS, ...request.headers } })).status;
    expect(await send('http://evil.example.com/mcp')).toBe(400);
    expect(await send(`http://127.0.0.1:${sample.port}/mcp`)).toBe(200);
  });
});

describe('a reader of a web-standard response', () => {
  test('a late reader resolves all pending writes', async () => {
    const tool = defineTool({
      name: 'write',
      description: 'Writes three large messages at once',
      inputSchema: NOTHING,
      handler: async ({ context }) => {
        const text = 'x'.repeat(100_000);
        await Promise.all([
          context.progress(1, 3, text),
          context.sendLog('error', text),
          context.sendLog('error', text),
          context.sendLog('error', text),
        ]);
        return 'written';
      },
    });
    const { server } = startSample({ tools: [tool] });
    const handle = toFetchHandler(server);
    const meta = { ...LOGS, progressToken: 1 };
    const message = modernMessage('tools/call', { name: 'write' }, { id: 'call', meta });
    const response = await handle(toWebRequest(modernRequest(message)));
    const text = await within(response.text(), 'the end of the response');
    const messages = text.split('\n\n').filter((event) => event !== '');
    expect(messages.map((event) => event.length > 100_000)).toEqual([true, true, true, true, false]);
    expect(messages[4]).toMatch(/^data: \{"jsonrpc":"2.0","id":"call","result":.*"text":"written"/);
  });

  test('progress for a client that does not read is not queued', async () => {
    const tool = defineTool({
      name: 'report',
      description: 'Reports without waiting',
      inputSchema: NOTHING,
      handler: ({ context }) => {
        for (let step = 1; step <= 5000; step += 1) void context.progress(step, 5000, 'x'.repeat(1000));
        return 'reported';
      },
    });
    const { server } = startSample({ tools: [tool] });
    const handle = toFetchHandler(server);
    const message = modernMessage('tools/call', { name: 'report' }, { meta: { progressToken: 1 } });
    const response = await handle(toWebRequest(modernRequest(message)));
    const text = await within(response.text(), 'the end of the response');
    const messages = text.split('\n\n').filter((event) => event.includes('notifications/progress'));
    expect(messages.length).toBeGreaterThan(10);
    expect(messages.length).toBeLessThan(100);
    expect(text.slice(-200)).toContain('"text":"reported"');
  });
});

test('fifty clients that listen make Node warn of nothing', async () => {
  const warnings: string[] = [];
  const keep = ({ name }: Error): void => void warnings.push(name);
  process.on('warning', keep);
  onTestFinished(() => void process.off('warning', keep));
  await using sample = await mount();
  const listening = { notifications: { toolsListChanged: true } };
  const streams = await Promise.all(
    Array.from({ length: 50 }, () =>
      sample.http.open(modernRequest(modernMessage('subscriptions/listen', listening))),
    ),
  );
  for (const stream of streams)
    expect((await stream.nextMessage()).method).toBe('notifications/subscriptions/acknowledged');
  await turns();
  expect(warnings).toEqual([]);
});

describe('options of HTTP', () => {
  test.each([
    [{ keepAliveMs: 0 }, 'keepAliveMs must be an integer from 1 to 2147483647; received 0.'],
    [
      { sessions: { idleMs: Number.NaN } },
      'sessions.idleMs must be an integer from 1 to 2147483647; received NaN.',
    ],
    [
      { sessions: { idelMs: 1 } },
      'Unknown option "sessions.idelMs" of HTTP. Did you mean "idleMs"? Options: maxSessions, maxSessionsPerCaller, idleMs, eventStore, shared, lifetimeMs.',
    ],
    [
      { sse: { maxClient: 1 } },
      'Unknown option "sse.maxClient" of HTTP. Did you mean "maxClients"? Options: streamPath, messagePath, maxClients.',
    ],
  ])('that would not hold are refused: %j', (options, message) => {
    const { server } = startSample();
    const given = options as HttpOptions;
    for (const toHandler of [() => toNodeHandler(server, given), () => toFetchHandler(server, given)])
      expect(toHandler).toThrow(message);
  });
});
