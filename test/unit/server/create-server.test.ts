import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { createServer, defineTool, PromptsManager, ToolRegistry } from '../../../src/index.ts';
import type { ToolwrightServer } from '../../../src/index.ts';
import { serveHttp } from '../../../src/http.ts';
import { recordLog } from '../../support/log-recorder.ts';
import { RawClient } from '../../support/raw-client.ts';

const base = { name: 's', version: '1' } as const;
const tool = defineTool({ name: 't', description: 'T', inputSchema: z.object({}), handler: () => 'x' });

describe('createServer refuses', () => {
  test.each([
    [{}, "createServer needs a name: createServer({ name: 'notes', version: '1.0.0', … })."],
    [{ name: 's' }, 'createServer needs a version:'],
    [{ ...base, tool: [] }, 'The options of a server: "tool" is unknown. Did you mean "tools"?'],
    [
      { ...base, limits: { maxDepth: 0 } },
      'The limit "maxDepth" of a server must be a whole number from 1 on; it is 0.',
    ],
    [{ ...base, limits: { depth: 1 } }, 'The limits of a server: "depth" is unknown.'],
    [
      { ...base, cacheHints: { 'tools/list': { ttlMs: -1, scope: 'public' } } },
      'The cache hint of "tools/list" must be',
    ],
    [
      { ...base, cacheHints: { 'tools/call': { ttlMs: 1, scope: 'public' } } },
      'The cacheHints of a server: "tools/call" is unknown.',
    ],
    [
      { ...base, requestStateKeys: ['short'] },
      'requestStateKeys must be a list of secrets of at least 32 characters each.',
    ],
    [
      { ...base, requestStateTtlMs: '5' },
      'createServer: requestStateTtlMs must be a whole number of milliseconds; it is "5".',
    ],
    [{ ...base, instructions: 5 }, 'createServer: instructions must be a string.'],
    [{ ...base, icons: ['x.png'] }, 'createServer: icons must be a list of objects with a src.'],
    [{ ...base, eventBus: {} }, 'createServer: eventBus needs the methods publish, subscribe.'],
    [{ ...base, taskStore: {} }, 'createServer: taskStore needs the methods put, get, delete.'],
    [
      { ...base, tools: {} },
      'createServer: tools must be a ToolRegistry, a surface of one, or a list of definitions.',
    ],
    [{ ...base, prompts: 'p' }, 'createServer: prompts must be a PromptsManager, or a list of definitions.'],
    [
      { ...base, tools: [{ ...tool, scope: ['admin'] }] },
      'Tool "t": "scope" is unknown. Did you mean "scopes"?',
    ],
    [{ ...base, requestStateKeys: [] }, 'requestStateKeys must be a list of secrets'],
  ])('%j', (options, message) => {
    expect(() => createServer(options as never)).toThrow(message);
  });

  test.each([
    [
      { flatSeparator: '-', tools: new ToolRegistry() },
      'createServer: flatSeparator is used when tools are registered, and these were registered before. Give it to new ToolRegistry.',
    ],
    [
      { slowPatterns: 'warn', tools: new ToolRegistry().surface() },
      'createServer: slowPatterns is used when tools are registered, and these were registered before. Give it to new ToolRegistry.',
    ],
    [
      { slowPatterns: 'warn', tools: [], prompts: new PromptsManager() },
      'createServer: slowPatterns is used when prompts are registered, and these were registered before. Give it to new PromptsManager.',
    ],
    [
      { exposure: 'groupd' },
      "The option exposure must be one of 'grouped', 'flat', 'search', 'auto', or a function that chooses one; it is \"groupd\".",
    ],
  ])('settings that come too late, or do not exist: %j', (options, message) => {
    expect(() => createServer({ ...base, tools: [], ...(options as object) })).toThrow(message);
  });
});

describe('transports refuse', () => {
  const server = createServer(base);
  test.each([
    [{ port: '3000' }, 'serveHttp: port must be a whole number from 0 to 65535; it is "3000".'],
    [{ drainMs: 'x' }, 'serveHttp: drainMs must be a number of milliseconds up to 2147483647; it is "x".'],
    [
      { drainMs: 3e9 },
      'serveHttp: drainMs must be a number of milliseconds up to 2147483647; it is 3000000000.',
    ],
    [{ host: '0.0.0.0' }, "Name the hosts it is called by: allowedHosts: ['api.example.com']."],
    [{ allowedHosts: 'a.b' }, "allowedHosts must be a list: allowedHosts: ['…']."],
    [{ authenticate: true }, 'authenticate must be a function: (request) => principal or refuse().'],
    [{ sessions: true }, 'sessions must be an object of options, or false.'],
    [{ prot: 1 }, 'The options of serveHttp: "prot" is unknown.'],
  ])('%j', async (options, message) => {
    await expect(serveHttp(server, options as never)).rejects.toThrow(message);
  });

  test('what is no server, and a server that is closed', async () => {
    await expect(serveHttp([] as never)).rejects.toThrow(
      'This is neither a server made by createServer nor a ToolRegistry. Make a server: createServer({ name, version, tools }).',
    );
    const closed = createServer(base);
    await closed.close();
    await expect(serveHttp(closed, { port: 0 })).rejects.toThrow('The server "s" is closed. Make a new one.');
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

  test('goes on when its event bus throws, and says so in the log', () => {
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

  test('tells nobody of a resource that may not be read any more', async () => {
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

  test('lets nobody else keep a list that depends on who asks', async () => {
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

  test('lets nobody else keep a resource that others may not read, or read something else at', async () => {
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
    // The same for each URI: otherwise it would tell that staff reads something else at b://1, which is hidden from this caller.
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
      Array(2).fill('At most 1024 resources can be subscribed to, with 65536 characters in all.'),
    );
    void client.modern('subscriptions/listen', { notifications: { resourceSubscriptions: uris } });
    const { params } = await client.next(
      ({ method }) => method === 'notifications/subscriptions/acknowledged',
    );
    expect(params?.['notifications']).toEqual({ resourceSubscriptions: uris.slice(0, 8) });
    await server.close();
  });
});
