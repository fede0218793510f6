import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { createServer, createTool, defineTool, ToolRegistry } from '../../../src/index.ts';
import { MemoryEventBus } from '../../../src/stores.ts';
import type { Caller, ServerOptions, ToolwrightServer } from '../../../src/index.ts';
import type { ServerEvent } from '../../../src/stores.ts';
import { RawClient } from '../../support/raw-client.ts';

const admin: Caller = { principal: { id: 'ada', scopes: ['admin'] } };
const guest: Caller = { principal: { id: 'eve', scopes: [] } };

const base = { name: 's', version: '1' };

// oxlint-disable-next-line typescript/explicit-function-return-type -- the type is the definition
const tool = (name: string, scopes: string[] = []) =>
  defineTool({ name, description: 'Does it', scopes, inputSchema: z.object({}), handler: () => 1 });

interface Listener {
  readonly caller: string;
  /** The changed lists that it was notified of since the previous call, in order. */
  readonly told: () => Promise<string[]>;
}

/** A client of the latest revision and one of an earlier revision, for an admin and for a guest. */
async function listenAll(server: ToolwrightServer): Promise<Listener[]> {
  const listeners: Listener[] = [];
  for (const [caller, who] of [['admin', admin] as const, ['guest', guest] as const]) {
    const modern = new RawClient(server, who);
    const notifications = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };
    void modern.modern('subscriptions/listen', { notifications });
    await modern.next(({ method }) => method === 'notifications/subscriptions/acknowledged');
    const legacy = new RawClient(server, who);
    await legacy.initialize();
    await legacy.request('ping');
    for (const [client, ping] of [
      [modern, () => modern.modern('server/discover')],
      [legacy, () => legacy.request('ping')],
    ] as const) {
      client.received.splice(0);
      const told = async (): Promise<string[]> => {
        // Earlier notifications arrive before this response.
        await ping();
        const lists = client.received.splice(0).flatMap(({ method }) => method ?? []);
        return lists.map((method) => method.replace(/^notifications\/(\w+)\/list_changed$/, '$1'));
      };
      listeners.push({ caller, told });
    }
  }
  return listeners;
}

/** Notifications of both clients of each caller, which must be equal. */
async function told(listeners: readonly Listener[]): Promise<Record<string, string[]>> {
  const heard: Record<string, string[]> = {};
  for (const { caller, told: ask } of listeners) {
    const lists = await ask();
    expect(lists).toEqual(heard[caller] ?? lists);
    heard[caller] = lists;
  }
  return heard;
}

function start(options: Partial<ServerOptions> = {}): ToolwrightServer {
  return createServer({
    ...base,
    tools: [tool('open')],
    prompts: [{ name: 'open', template: 'Open' }],
    resources: [
      { uri: 'docs://open', name: 'open', text: 'Open' },
      { uriTemplate: 'docs://open/{id}', name: 'open', contentProvider: () => null },
    ],
    ...options,
  });
}

describe('hidden changes', () => {
  test('are not announced', async () => {
    const server = start();
    const listeners = await listenAll(server);
    const scopes = ['admin'];
    const changes: [kind: string, change: () => unknown][] = [
      ['tools', () => server.registerTool(tool('secret', scopes))],
      ['tools', () => server.unregisterTool('secret')],
      ['prompts', () => server.registerPrompt({ name: 'secret', template: 'S', scopes })],
      ['prompts', () => server.unregisterPrompt('secret')],
      ['resources', () => server.registerResource({ uri: 'docs://secret', name: 's', text: 's', scopes })],
      ['resources', () => server.unregisterResource('docs://secret')],
      [
        'resources',
        () =>
          server.registerResource({
            uriTemplate: 'docs://secret/{id}',
            name: 's',
            scopes,
            contentProvider: () => null,
          }),
      ],
      ['resources', () => server.unregisterResource('docs://secret/{id}')],
    ];
    for (const [kind, change] of changes) {
      change();
      expect(await told(listeners)).toEqual({ admin: [kind], guest: [] });
    }
  });

  test('a change that all callers see is announced to all', async () => {
    const server = start();
    const listeners = await listenAll(server);
    server.registerTool(tool('more'));
    expect(await told(listeners)).toEqual({ admin: ['tools'], guest: ['tools'] });
    server.registerPrompt({ name: 'more', template: 'More' });
    expect(await told(listeners)).toEqual({ admin: ['prompts'], guest: ['prompts'] });
    server.unregisterResource('docs://open/{id}');
    expect(await told(listeners)).toEqual({ admin: ['resources'], guest: ['resources'] });
  });

  test('an action of a grouped tool is announced to callers who see the action, not to all who see the tool', async () => {
    const registry = new ToolRegistry().register(
      createTool('users').action({ name: 'list', description: 'Lists', handler: () => 1 }),
    );
    const server = start({ tools: registry });
    const listeners = await listenAll(server);
    const more = createTool('users').action({ name: 'ban', scopes: ['admin'], handler: () => 1 });
    registry.register(more, { merge: true });
    expect(await told(listeners)).toEqual({ admin: ['tools'], guest: [] });
  });

  test('holds for what is mounted, what is served by a surface with a policy, and what gets middleware', async () => {
    const child = new ToolRegistry().register(tool('open'));
    const registry = new ToolRegistry().register(tool('first'));
    registry.mount('child', child);
    const surface = registry.surface({ policy: { exclude: ['internal'] } });
    const server = start({ tools: surface });
    const listeners = await listenAll(server);
    registry.use(({ next }) => next());
    child.use(({ next }) => next());
    child.register(tool('secret', ['admin']));
    expect(await told(listeners)).toEqual({ admin: ['tools'], guest: [] });
    registry.register({ ...tool('internal'), tags: ['internal'] });
    expect(await told(listeners)).toEqual({ admin: [], guest: [] });
    child.register(tool('more'));
    expect(await told(listeners)).toEqual({ admin: ['tools'], guest: ['tools'] });
  });

  test('a tool that is registered again with other scopes is announced to callers whose list has changed', async () => {
    const registry = new ToolRegistry().registerAll([tool('a'), tool('b', ['admin'])]);
    const server = start({ tools: registry });
    const listeners = await listenAll(server);
    registry.unregister('b');
    registry.register(tool('b'));
    expect(await told(listeners)).toEqual({ admin: ['tools'], guest: ['tools'] });
  });
});

describe('a list that stays the same', () => {
  test('a change that is undone in the same turn is not announced, and several changes are announced once', async () => {
    const server = start();
    const listeners = await listenAll(server);
    server.registerTool(tool('short'));
    server.unregisterTool('short');
    expect(await told(listeners)).toEqual({ admin: [], guest: [] });
    for (let count = 0; count < 100; count += 1) server.registerTool(tool(`many_${count}`));
    expect(await told(listeners)).toEqual({ admin: ['tools'], guest: ['tools'] });
  });

  test('with the search exposure, which always lists the same three tools, nothing is announced', async () => {
    const registry = new ToolRegistry({ exposure: 'search' }).register(tool('a'));
    const server = start({ tools: registry });
    const listeners = await listenAll(server);
    registry.register(tool('b'));
    expect(await told(listeners)).toEqual({ admin: [], guest: [] });
  });

  test('an automatic exposure is told of what each caller sees', async () => {
    const registry = new ToolRegistry({ exposure: 'auto', tokenBudget: 150 }).register(tool('a'));
    const server = start({ tools: registry });
    const listeners = await listenAll(server);
    registry.register({ ...tool('b', ['admin']), description: 'Long words '.repeat(80) });
    // The admin's list has switched to search; the guest's list has not changed.
    expect(await told(listeners)).toEqual({ admin: ['tools'], guest: [] });
  });
});

describe('changes that are announced', () => {
  test('go to all: what a policy knows has changed', async () => {
    const eventBus = new MemoryEventBus();
    const server = start({ eventBus });
    const listeners = await listenAll(server);
    for (const kind of ['tools', 'prompts', 'resources'] as const) {
      eventBus.publish({ kind });
      expect(await told(listeners)).toEqual({ admin: [kind], guest: [kind] });
      server.announceChange(kind);
      expect(await told(listeners)).toEqual({ admin: [kind], guest: [kind] });
    }
  });

  test('a policy that hides something else by now is asked as it is now, before and after', async () => {
    let open: string[] = ['open'];
    const server = start({ policy: ({ name }) => open.includes(name) || name.includes('docs') });
    const listeners = await listenAll(server);
    open = ['open', 'shown'];
    server.registerTool(tool('hidden'));
    expect(await told(listeners)).toEqual({ admin: [], guest: [] });
    server.registerTool(tool('shown'));
    expect(await told(listeners)).toEqual({ admin: ['tools'], guest: ['tools'] });
  });

  test('a bus that carries events later, and those of other machines, tells each change of a list once', async () => {
    const carried: ServerEvent[] = [];
    const inner = new MemoryEventBus();
    const eventBus = {
      publish: (event: ServerEvent) => void carried.push(JSON.parse(JSON.stringify(event))),
      subscribe: (listener: (event: ServerEvent) => void) => inner.subscribe(listener),
    };
    const server = start({ eventBus });
    const listeners = await listenAll(server);
    server.registerTool(tool('secret', ['admin']));
    server.registerTool(tool('more'));
    expect(await told(listeners)).toEqual({ admin: [], guest: [] });
    for (const event of carried) inner.publish(event);
    expect(await told(listeners)).toEqual({ admin: ['tools'], guest: ['tools'] });
    // Another machine registered a tool that this one already has.
    inner.publish({ kind: 'tools', cause: 'catalog' });
    expect(await told(listeners)).toEqual({ admin: [], guest: [] });
  });
});
