import { expect } from 'vitest';
import * as z from 'zod';
import { defineResource, defineTool } from '../../src/index.ts';
import { requirement } from './requirement.ts';
import { modernRequest } from './support/raw-http.ts';
import type { RawStream } from './support/raw-http.ts';
import { startStdio } from './support/raw-stdio.ts';
import { modernMessage, notification } from './support/rpc.ts';
import { startHttp } from './support/sample.ts';
import type { HttpSample, Sample } from './support/sample.ts';

const ID = 'io.modelcontextprotocol/subscriptionId';

let count = 0;

/** Changes the list of tools. */
function changeTools({ server }: Sample): void {
  count += 1;
  const name = `extra_${count}`;
  server.tools?.register(
    defineTool({ name, description: 'Extra', inputSchema: z.object({}), handler: () => '' }),
  );
}

function changePrompts({ server }: Sample): void {
  count += 1;
  server.prompts?.addPrompt({ name: `extra_${count}`, template: 'Extra' });
}

function changeResources({ server }: Sample): void {
  count += 1;
  server.resources?.addResource({ uri: `docs://extra/${count}`, name: 'extra', text: 'Extra' });
}

function listen(
  { http }: HttpSample,
  notifications: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<RawStream> {
  const message = modernMessage('subscriptions/listen', { notifications }, { id: 'sub' });
  return http.open(modernRequest(message, headers));
}

const ALL = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };

requirement(
  ['listen:acknowledged', 'listen:subscription-id'],
  'what is honoured is acknowledged first, and everything carries the id',
  async () => {
    await using sample = await startHttp();
    const stream = await listen(sample, { ...ALL, resourceSubscriptions: ['docs://manual', 'docs://none'] });
    expect([stream.status, stream.headers['content-type'], stream.headers['x-accel-buffering']]).toEqual([
      200,
      'text/event-stream',
      'no',
    ]);
    expect(await stream.nextMessage()).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: { ...ALL, resourceSubscriptions: ['docs://manual'] }, _meta: { [ID]: 'sub' } },
    });
    changeTools(sample);
    expect(await stream.nextMessage()).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/tools/list_changed',
      params: { _meta: { [ID]: 'sub' } },
    });
    changePrompts(sample);
    expect(await stream.nextMessage()).toMatchObject({
      method: 'notifications/prompts/list_changed',
      params: { _meta: { [ID]: 'sub' } },
    });
    changeResources(sample);
    expect(await stream.nextMessage()).toMatchObject({
      method: 'notifications/resources/list_changed',
      params: { _meta: { [ID]: 'sub' } },
    });

    await using tools = await startHttp({ prompts: undefined, resources: undefined });
    const some = await listen(tools, { ...ALL, resourceSubscriptions: ['docs://manual'], unknown: true });
    expect((await some.nextMessage()).params?.['notifications']).toEqual({ toolsListChanged: true });
    const none = await listen(tools, { toolsListChanged: false, promptsListChanged: 1 });
    expect((await none.nextMessage()).params?.['notifications']).toEqual({});
  },
);

requirement('listen:filter', 'what was not asked for is not told', async () => {
  await using sample = await startHttp();
  const stream = await listen(sample, { promptsListChanged: true });
  await stream.nextMessage();
  changeTools(sample);
  changeResources(sample);
  sample.server.resources?.notifyUpdated('docs://manual');
  changePrompts(sample);
  expect((await stream.nextMessage()).method).toBe('notifications/prompts/list_changed');
  // Nor messages of other requests.
  const meta = { progressToken: 1, 'io.modelcontextprotocol/logLevel': 'debug' };
  await sample.http.modern('tools/call', { name: 'count' }, { meta });
  await sample.http.modern('tools/call', { name: 'log' }, { meta });
  changePrompts(sample);
  expect((await stream.nextMessage()).method).toBe('notifications/prompts/list_changed');
});

requirement('listen:resources', 'updates are told of what was named and may be read', async () => {
  const secret = defineResource({ uri: 'docs://secret', name: 'secret', text: 'psst', scopes: ['admin'] });
  const manual = defineResource({ uri: 'docs://manual', name: 'manual', text: 'Manual' });
  await using sample = await startHttp(
    { resources: [secret, manual] },
    {
      authenticate: ({ headers }) => ({ id: 'x', scopes: headers.get('x-admin') === null ? [] : ['admin'] }),
    },
  );
  const wanted = { resourceSubscriptions: ['docs://secret', 'docs://manual'] };
  const stream = await listen(sample, wanted);
  expect((await stream.nextMessage()).params?.['notifications']).toEqual({
    resourceSubscriptions: ['docs://manual'],
  });
  const admin = await listen(sample, wanted, { 'X-Admin': 'yes' });
  expect((await admin.nextMessage()).params?.['notifications']).toEqual(wanted);
  sample.server.resources?.notifyUpdated('docs://secret');
  sample.server.resources?.notifyUpdated('docs://other');
  sample.server.resources?.notifyUpdated('docs://manual');
  expect(await stream.nextMessage()).toEqual({
    jsonrpc: '2.0',
    method: 'notifications/resources/updated',
    params: { uri: 'docs://manual', _meta: { [ID]: 'sub' } },
  });
  expect((await admin.nextMessage()).params?.['uri']).toBe('docs://secret');
});

requirement('listen:several', 'several subscriptions of one client are told apart', async () => {
  await using sample = startStdio();
  const { stdio } = sample;
  const open = (id: string | number, notifications: object): Promise<unknown> =>
    stdio.modern('subscriptions/listen', { notifications }, { id });
  expect(await open(1, { toolsListChanged: true })).toMatchObject({ params: { _meta: { [ID]: 1 } } });
  expect(await open('1', { promptsListChanged: true })).toMatchObject({ params: { _meta: { [ID]: '1' } } });
  changePrompts(sample);
  expect(await stdio.next()).toMatchObject({
    method: 'notifications/prompts/list_changed',
    params: { _meta: { [ID]: '1' } },
  });
  changeTools(sample);
  expect(await stdio.next()).toMatchObject({
    method: 'notifications/tools/list_changed',
    params: { _meta: { [ID]: 1 } },
  });
  expect((await stdio.modern('tools/call', { name: 'primes' }, { id: 2 })).id).toBe(2);
});

requirement('listen:graceful-end', 'a server that closes ends subscriptions with a result', async () => {
  const ended = (id: string): object => ({
    jsonrpc: '2.0',
    id,
    result: {
      resultType: 'complete',
      _meta: {
        [ID]: id,
        'io.modelcontextprotocol/serverInfo': { name: 'sample', version: '1.2.3' },
      },
    },
  });
  await using http = await startHttp();
  const stream = await listen(http, ALL);
  await stream.nextMessage();
  await http.shutDown();
  expect(await stream.nextMessage()).toEqual(ended('sub'));
  expect(await stream.events.rest()).toEqual([]);

  await using stdio = startStdio();
  await stdio.stdio.modern('subscriptions/listen', { notifications: ALL }, { id: 'line' });
  stdio.stdio.end();
  expect(await stdio.stdio.next()).toEqual(ended('line'));
  await stdio.stdio.closed();
});

requirement(
  'listen:client-ends',
  'a client ends a subscription by hanging up or by cancelling, and hears no more',
  async () => {
    await using http = await startHttp({ limits: { maxSubscriptions: 1 } });
    const first = await listen(http, ALL);
    await first.nextMessage();
    first.close();
    await first.events.ended;
    // The slot is free as soon as the server has noticed.
    let second = await listen(http, ALL);
    for (
      let attempt = 1;
      attempt < 100 && second.headers['content-type'] === 'application/json';
      attempt += 1
    )
      second = await listen(http, ALL);
    expect((await second.nextMessage()).method).toBe('notifications/subscriptions/acknowledged');

    await using stdio = startStdio();
    await stdio.stdio.modern('subscriptions/listen', { notifications: ALL }, { id: 5 });
    stdio.stdio.write(notification('notifications/cancelled', { requestId: 5 }));
    changeTools(stdio);
    expect((await stdio.stdio.modern('tools/call', { name: 'primes' }, { id: 6 })).id).toBe(6);
    changeTools(stdio);
    expect((await stdio.stdio.modern('tools/call', { name: 'primes' }, { id: 7 })).id).toBe(7);
  },
);

requirement('listen:invalid', 'a filter that is no object is -32602', async () => {
  await using sample = await startHttp();
  for (const notifications of [undefined, null, [], 'all', true]) {
    const { status, json } = await sample.http.modern('subscriptions/listen', { notifications });
    expect([notifications, status, json.error?.code]).toEqual([notifications, 200, -32602]);
  }
});

requirement('listen:limit', 'too many subscriptions, of all or of one caller, are refused', async () => {
  await using sample = await startHttp(
    { limits: { maxSubscriptions: 4, maxSubscriptionsPerCaller: 2 } },
    { authenticate: ({ headers }) => ({ id: headers.get('x-user') ?? 'nobody' }) },
  );
  const expectRefused = async (user: string): Promise<void> => {
    const message = modernMessage('subscriptions/listen', { notifications: ALL });
    const { json } = await sample.http.send(modernRequest(message, { 'X-User': user }));
    expect([user, json.error?.code, json.error?.data]).toEqual([user, -32603, { code: 'BUSY' }]);
  };
  const expectServed = async (user: string): Promise<void> => {
    const stream = await listen(sample, ALL, { 'X-User': user });
    expect((await stream.nextMessage()).method).toBe('notifications/subscriptions/acknowledged');
  };
  await expectServed('a');
  await expectServed('a');
  await expectRefused('a');
  await expectServed('b');
  await expectServed('b');
  await expectRefused('c');
});
