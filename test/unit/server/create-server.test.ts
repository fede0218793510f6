import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { createServer, defineTool, PromptsManager, ToolRegistry } from '../../../src/index.ts';
import type { ToolwrightServer } from '../../../src/index.ts';
import { serveHttp } from '../../../src/http.ts';
import { recordLog } from '../../support/log-recorder.ts';
import { RawClient } from '../../support/raw-client.ts';
import { refused } from '../../support/refused.ts';

const base = { name: 's', version: '1' } as const;
const tool = defineTool({ name: 't', description: 'T', inputSchema: z.object({}), handler: () => 'x' });

describe('createServer refuses', () => {
  test('a second object, and takes what `map` passes', () => {
    const create = createServer as (...given: unknown[]) => ToolwrightServer;
    expect(() => create(base, { instructions: 'Be brief.' })).toThrow(
      'createServer takes one object. Put all options into it: createServer({ name, version, instructions, tools }).',
    );
    expect([base].map(create)[0]?.name).toBe('s');
  });

  test('a registry among tools', () => {
    const registry = new ToolRegistry();
    for (const [given, received] of [
      [registry, 'a ToolRegistry'],
      [registry.surface(), 'a surface of a ToolRegistry'],
    ] as const)
      expect(() => createServer({ ...base, tools: [given as never, tool] })).toThrow(
        `This is ${received}, not a tool. Give it to createServer as \`tools\`, and further tools as \`extraTools\``,
      );
  });

  test.each([
    [{}, refused('name')],
    [{ name: 's' }, refused('version')],
    [{ ...base, tool: [] }, refused('tool', { reason: 'unknown-option' })],
    [{ ...base, limits: { maxDepth: 0 } }, refused('limits', { path: ['maxDepth'] })],
    [{ ...base, limits: { depth: 1 } }, refused('limits', { path: ['depth'], reason: 'unknown-option' })],
    [
      { ...base, cacheHints: { 'tools/list': { ttlMs: -1, scope: 'public' } } },
      refused('cacheHints', { path: ['tools/list'] }),
    ],
    [
      { ...base, cacheHints: { 'tools/call': { ttlMs: 1, scope: 'public' } } },
      refused('cacheHints', { path: ['tools/call'], reason: 'unknown-option' }),
    ],
    [{ ...base, requestStateKeys: ['short'] }, refused('requestStateKeys')],
    [{ ...base, requestStateTtlMs: '5' }, refused('requestStateTtlMs')],
    [{ ...base, instructions: 5 }, refused('instructions')],
    [{ ...base, icons: ['x.png'] }, refused('icons')],
    [{ ...base, eventBus: {} }, refused('eventBus')],
    [{ ...base, taskStore: {} }, refused('taskStore')],
    [{ ...base, tools: {} }, refused('tools')],
    [{ ...base, prompts: 'p' }, refused('prompts')],
    [
      { ...base, tools: [{ ...tool, scope: ['admin'] }] },
      'Unknown option "scope" of tool "t". Did you mean "scopes"?',
    ],
    [{ ...base, requestStateKeys: [] }, refused('requestStateKeys')],
  ])('%j', (options, message) => {
    expect(() => createServer(options as never)).toThrow(message);
  });

  test.each([
    [
      { flatSeparator: '-', tools: new ToolRegistry() },
      'createServer: flatSeparator applies at registration, but the tools are already registered. Pass it to new ToolRegistry.',
    ],
    [
      { slowPatterns: 'warn', tools: new ToolRegistry().surface() },
      'createServer: slowPatterns applies at registration, but the tools are already registered. Pass it to new ToolRegistry.',
    ],
    [
      { slowPatterns: 'warn', tools: [], prompts: new PromptsManager() },
      'createServer: slowPatterns applies at registration, but the prompts are already registered. Pass it to new PromptsManager.',
    ],
    [
      { exposure: 'groupd' },
      'createServer: exposure must be "grouped", "flat", "search" or "auto", or a function that chooses one; received "groupd".',
    ],
  ])('settings that come too late, or do not exist: %j', (options, message) => {
    expect(() => createServer({ ...base, tools: [], ...(options as object) })).toThrow(message);
  });
});

describe('transports refuse', () => {
  const server = createServer(base);
  test.each([
    [{ port: '3000' }, 'serveHttp: port must be an integer from 0 to 65535; received "3000".'],
    [{ drainMs: 'x' }, 'serveHttp: drainMs must be a number of milliseconds up to 2147483647; received "x".'],
    [
      { drainMs: 3e9 },
      'serveHttp: drainMs must be a number of milliseconds up to 2147483647; received 3000000000.',
    ],
    [{ host: '0.0.0.0' }, "List the host names of the server: allowedHosts: ['api.example.com']."],
    [{ allowedHosts: 'a.b' }, refused('allowedHosts')],
    [{ authenticate: true }, refused('authenticate')],
    [{ sessions: true }, refused('sessions')],
    [{ prot: 1 }, refused('prot', { reason: 'unknown-option' })],
  ])('%j', async (options, message) => {
    await expect(serveHttp(server, options as never)).rejects.toThrow(message);
  });

  test('values that are not servers, and closed servers', async () => {
    await expect(serveHttp([] as never)).rejects.toThrow(
      'Invalid server: expected a server, a ToolRegistry or a surface. Create a server: createServer({ name, version, tools }).',
    );
    const closed = createServer(base);
    await closed.close();
    await expect(serveHttp(closed, { port: 0 })).rejects.toThrow(
      'The server "s" is closed. Create a new one.',
    );
  });
});

describe('a server', () => {
  test('declares what it has', async () => {
    const capabilitiesOf = async (parts: object): Promise<unknown> =>
      (await new RawClient(createServer({ ...base, ...parts })).modern('server/discover')).result?.[
        'capabilities'
      ];
    expect(await capabilitiesOf({})).toEqual({ logging: {} });
    expect(await capabilitiesOf({ tools: [] })).toEqual({
      logging: {},
      tools: { listChanged: true },
      extensions: { 'io.modelcontextprotocol/tasks': {} },
    });
    expect(await capabilitiesOf({ prompts: [], resources: [] })).toEqual({
      logging: {},
      completions: {},
      prompts: { listChanged: true },
      resources: { listChanged: true, subscribe: true },
    });
  });

  test('describes itself with what it was given and nothing else', async () => {
    const icons = [{ src: 'https://x.example/i.png', mimeType: 'image/png' }];
    const server = createServer({
      ...base,
      title: 'S',
      websiteUrl: 'https://x.example',
      icons,
      tools: [tool],
    });
    const { result } = await new RawClient(server).initialize();
    expect(result?.['serverInfo']).toEqual({ ...base, title: 'S', websiteUrl: 'https://x.example', icons });
  });

  test('continues when its event bus throws, and logs it', () => {
    const { logger, entries } = recordLog();
    const eventBus = {
      publish: () => {
        throw new Error('down');
      },
      subscribe: () => () => {},
    };
    const server = createServer({ ...base, logger, eventBus, tools: [] });
    server.tools?.register(tool);
    return expect.poll(() => entries.map(({ message }) => message)).toEqual(['the event bus failed']);
  });

  test('does not notify callers of a resource that they may not read any more', async () => {
    let isOpen = true;
    const server = createServer({
      ...base,
      policy: ({ name }) => name !== 'test://secret' || isOpen,
      resources: [
        { uri: 'test://secret', name: 'secret', text: 's' },
        { uri: 'test://public', name: 'public', text: 'p' },
      ],
    });
    const client = new RawClient(server);
    const uris = ['test://secret', 'test://public'];
    void client.modern('subscriptions/listen', { notifications: { resourceSubscriptions: uris } });
    await client.next(({ method }) => method === 'notifications/subscriptions/acknowledged');
    isOpen = false;
    for (const uri of uris) server.resources?.notifyUpdated(uri);
    const told = await client.next(({ method }) => method === 'notifications/resources/updated');
    expect(told.params?.['uri']).toBe('test://public');
    await server.close();
  });

  test('makes a list that depends on the caller private', async () => {
    const cacheHints = { 'tools/list': { ttlMs: 5000, scope: 'public' } } as const;
    const scopeOf = async (more: object): Promise<unknown[]> => {
      const { result } = await new RawClient(createServer({ ...base, cacheHints, ...more })).modern(
        'tools/list',
      );
      return [result?.['ttlMs'], result?.['cacheScope']];
    };
    expect(await scopeOf({ tools: [tool] })).toEqual([5000, 'public']);
    expect(await scopeOf({ tools: [tool], policy: () => true })).toEqual([5000, 'private']);
    expect(await scopeOf({ tools: [{ ...tool, scopes: ['a'] }] })).toEqual([5000, 'private']);
  });

  test('makes a resource private that other callers may not read, or read differently', async () => {
    const cacheHints = { 'resources/read': { ttlMs: 5000, scope: 'public' } } as const;
    const open = { uri: 'a://open', name: 'open', text: 'open' };
    const secret = { uri: 'a://secret', name: 'secret', text: 'secret', scopes: ['admin'] };
    const staff = {
      uriTemplate: 'b://{id}',
      name: 'staff',
      scopes: ['staff'],
      contentProvider: () => 'staff',
    };
    const rest = {
      uriTemplate: 'b://{+rest}',
      name: 'rest',
      cacheHint: { ttlMs: 9, scope: 'public' },
      contentProvider: () => 'rest',
    } as const;
    const scopeOf = async (uri: string, more: object = {}): Promise<unknown> => {
      const server = createServer({ ...base, cacheHints, resources: [open, secret, staff, rest], ...more });
      const caller = { principal: { id: 'ada', scopes: ['admin'] } };
      const { result } = await new RawClient(server, caller).modern('resources/read', { uri });
      return result?.['cacheScope'];
    };
    expect(await scopeOf('a://secret')).toBe('private');
    // The same for each URI: otherwise it would reveal the hidden resource at b://1.
    for (const uri of ['a://open', 'b://1', 'b://1/2']) expect(await scopeOf(uri)).toBe('private');
    for (const uri of ['a://open', 'b://1', 'b://1/2'])
      expect(await scopeOf(uri, { resources: [open, rest] })).toBe('public');
    expect(await scopeOf('a://open', { resources: [open], policy: () => true })).toBe('private');
  });

  test('answers a completion for what it has none of like one for what it does not know', async () => {
    const withResource = createServer({ ...base, resources: [{ uri: 'a://b', name: 'b', text: '' }] });
    const argument = { name: 'x', value: '' };
    const ask = async (server: ToolwrightServer, ref: object): Promise<unknown> =>
      (await new RawClient(server).modern('completion/complete', { ref, argument })).error;
    expect(await ask(withResource, { type: 'ref/prompt', name: 'p' })).toEqual({
      code: -32602,
      message: 'Unknown prompt: p',
    });
    const withPrompt = createServer({ ...base, prompts: [{ name: 'p', template: '' }] });
    expect(await ask(withPrompt, { type: 'ref/resource', uri: 'a://b' })).toEqual({
      code: -32602,
      message: 'Resource not found: a://b',
    });
    expect(await ask(createServer({ ...base, tools: [tool] }), { type: 'ref/prompt', name: 'p' })).toEqual({
      code: -32601,
      message: 'Method not found: completion/complete',
    });
  });

  test('bounds what one client is subscribed to, by number and by length', async () => {
    const server = createServer({
      ...base,
      resources: [{ uriTemplate: 'a://{+x}', name: 'a', contentProvider: () => '' }],
    });
    const client = new RawClient(server);
    await client.request('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'c', version: '1' },
    });
    const uris = Array.from({ length: 10 }, (_, index) => `a://${index}${'x'.repeat(7995)}`);
    const refused: unknown[] = [];
    for (const uri of uris)
      refused.push((await client.request('resources/subscribe', { uri })).error?.message);
    expect(refused.slice(0, 8)).toEqual(Array(8).fill(undefined));
    expect(refused.slice(8)).toEqual(
      Array(2).fill('Too many subscriptions: at most 1024 resources, with 65536 characters in total.'),
    );
    void client.modern('subscriptions/listen', { notifications: { resourceSubscriptions: uris } });
    const { params } = await client.next(
      ({ method }) => method === 'notifications/subscriptions/acknowledged',
    );
    expect(params?.['notifications']).toEqual({ resourceSubscriptions: uris.slice(0, 8) });
    await server.close();
  });
});
