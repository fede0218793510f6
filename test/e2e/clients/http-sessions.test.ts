import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveHttp } from '../../../src/http.ts';
import type { RunningHttp } from '../../../src/http.ts';
import { createScenarioServer } from '../../fixtures/scenario-server.ts';
import { EventReader, RawSession } from '../../support/raw-http.ts';
import type { Json } from '../../support/raw-peer.ts';
import { connectOverHttp, createClient } from '../../support/served-clients.ts';

const server = createScenarioServer();
let running: RunningHttp;
beforeAll(async () => {
  running = await serveHttp(server, { port: 0, sse: true });
});
afterAll(async () => {
  await running.close();
  await server.close();
});

const CHANGED = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' };
const textOf = (message: Json | undefined): unknown =>
  (message?.['result'] as { content: { text: string }[] } | undefined)?.content[0]?.text;

describe('a session over HTTP', () => {
  test('tells on its own stream what belongs to no request', async () => {
    const session = await RawSession.open(running.url);
    const events = await session.listen();
    await session.call('add_tool');
    expect((await events.nextMessage())?.message).toEqual(CHANGED);
    await session.call('remove_tool');
    expect((await events.nextMessage())?.message).toEqual(CHANGED);
    await events.cancel();
    await session.delete();
  });

  test('tells on one stream only, that of the client that listened last', async () => {
    const session = await RawSession.open(running.url);
    const first = await session.listen();
    await first.next();
    const second = await session.listen();
    expect(await first.nextMessage()).toBeUndefined();
    await session.call('add_tool');
    expect((await second.nextMessage())?.message).toEqual(CHANGED);
    await session.call('remove_tool');
    await second.cancel();
    await session.delete();
  });

  test('ends when the client deletes it: streams end, and further requests are rejected', async () => {
    const session = await RawSession.open(running.url);
    const events = await session.listen();
    expect((await session.delete()).status).toBe(204);
    expect(await events.nextMessage()).toBeUndefined();
    expect((await session.delete()).status).toBe(404);
    expect((await session.listen()).status).toBe(404);
    const response = await session.call('echo', { text: 'a' });
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({
      jsonrpc: '2.0',
      error: {
        code: -32001,
        message: 'Session not found: it has ended or does not exist. Send initialize to start a new one.',
      },
    });
  });

  test('is ended by the official client', async () => {
    const client = createClient('v2 legacy');
    const transport = new StreamableHTTPClientTransport(new URL(running.url));
    await client.connect(transport);
    const id = transport.sessionId;
    await transport.terminateSession();
    const headers = { 'mcp-session-id': id ?? '', accept: 'text/event-stream' };
    expect((await fetch(running.url, { headers })).status).toBe(404);
    await client.close();
  });

  test('needs a session id for everything but the beginning', async () => {
    const response = await fetch(running.url, { headers: { accept: 'text/event-stream' } });
    expect(response.status).toBe(400);
  });

  test('cancels what still runs when it ends', async () => {
    const session = await RawSession.open(running.url);
    const key = crypto.randomUUID();
    const hanging = new EventReader(await session.call('hang', { key }));
    expect((await hanging.nextMessage())?.message).toMatchObject({ method: 'notifications/progress' });
    await session.delete();
    await using other = await connectOverHttp('v2 pinned', running.url);
    expect(await other.callText('await_stop', { key })).toBe('AbortError');
  });
});

describe('a client that resumes with the id of the last event', () => {
  test('gets the rest of an answer, in order and once', async () => {
    const session = await RawSession.open(running.url);
    const key = crypto.randomUUID();
    const before = new EventReader(await session.call('count_up', { key }));
    const first = await before.nextMessage();
    expect(first?.message).toMatchObject({ params: { progress: 1 } });
    await before.cancel();
    await session.call('go_on', { key });
    const after = await session.listen(first?.id);
    const messages: (Json | undefined)[] = [];
    for (let left = 3; left > 0; left -= 1) messages.push((await after.nextMessage())?.message);
    expect(messages.slice(0, 2)).toMatchObject([{ params: { progress: 2 } }, { params: { progress: 3 } }]);
    expect(textOf(messages[2])).toBe('counted');
    // No more events.
    expect(await after.next()).toBeUndefined();
    await session.delete();
  });

  test('gets an answer that it had seen nothing of but its beginning', async () => {
    const session = await RawSession.open(running.url);
    const key = crypto.randomUUID();
    const before = new EventReader(await session.call('let_go', { key }));
    const primed = await before.next();
    expect(primed).toEqual({ id: expect.any(String) as string, retry: '1000', data: '' });
    // The server closes the stream.
    expect(await before.next()).toBeUndefined();
    await session.call('go_on', { key });
    const after = await session.listen(primed?.id);
    expect(textOf((await after.nextMessage())?.message)).toBe('gone on');
    expect(await after.next()).toBeUndefined();
    await session.delete();
  });

  test('gets what it missed while it did not listen', async () => {
    const session = await RawSession.open(running.url);
    const before = await session.listen();
    const primed = await before.next();
    await before.cancel();
    await session.call('add_tool');
    await session.call('remove_tool');
    const after = await session.listen(primed?.id);
    expect((await after.nextMessage())?.message).toEqual(CHANGED);
    const second = await after.nextMessage();
    expect(second?.message).toEqual(CHANGED);
    await after.cancel();
    // And not twice.
    const last = await session.listen(second?.id);
    await session.call('add_prompt');
    expect((await last.nextMessage())?.message['method']).toBe('notifications/prompts/list_changed');
    await last.cancel();
    await session.delete();
  });

  test('gets nothing of the streams of another session', async () => {
    const [mine, other] = [await RawSession.open(running.url), await RawSession.open(running.url)];
    const key = crypto.randomUUID();
    const before = new EventReader(await mine.call('count_up', { key }));
    const seen = await before.nextMessage();
    const stolen = await other.listen(seen?.id);
    await other.call('add_tool');
    expect((await stolen.nextMessage())?.message).toEqual(CHANGED);
    await other.call('remove_tool');
    await mine.call('go_on', { key });
    for (let left = 2; left > 0; left -= 1) await before.nextMessage();
    expect(textOf((await before.nextMessage())?.message)).toBe('counted');
    await stolen.cancel();
    await Promise.all([mine.delete(), other.delete()]);
  });
});

describe('a client of 2024-11-05 with its two endpoints', () => {
  test('is served everything that its revision has', async () => {
    const client = createClient('v1');
    client.answers.elicit = () => ({ action: 'accept', content: { name: 'Rex' } });
    await client.connect(new SSEClientTransport(new URL('/sse', running.url)));
    expect((await client.listTools()).map(({ name }) => name)).toContain('echo');
    expect(await client.callText('echo', { text: 'over two endpoints' })).toBe('over two endpoints');
    expect((await client.callTool('name_pet')).structuredContent).toMatchObject({ content: { name: 'Rex' } });
    const heard = client.next('notifications/tools/list_changed');
    await client.callText('add_tool');
    await heard;
    await client.callText('remove_tool');
    await client.close();
  });

  test('cancels what still runs when it hangs up', async () => {
    const client = new Client({ name: 'old', version: '1' });
    await client.connect(new SSEClientTransport(new URL('/sse', running.url)));
    const key = crypto.randomUUID();
    const started = new Promise<void>((resolve) => {
      const params = { name: 'hang', arguments: { key } };
      client.callTool(params, undefined, { onprogress: () => resolve() }).catch(() => {});
    });
    await started;
    await client.close();
    await using other = await connectOverHttp('v2 pinned', running.url);
    expect(await other.callText('await_stop', { key })).toBe('AbortError');
  });
});

describe('a server without sessions', () => {
  test.each(['v1', 'v2 legacy'] as const)('serves the %s client, but cannot ask it', async (name) => {
    await using stateless = await serveHttp(server, { port: 0, sessions: false });
    await using client = await connectOverHttp(name, stateless.url);
    expect(await client.callText('echo', { text: 'a' })).toBe('a');
    expect(await client.callText('ask_if_possible')).toBe('nobody to ask');
    expect((await fetch(stateless.url, { headers: { accept: 'text/event-stream' } })).status).toBe(405);
  });
});
