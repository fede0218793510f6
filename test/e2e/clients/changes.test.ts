import { describe, expect, test } from 'vitest';
import { serveHttp } from '../../../src/http.ts';
import { createScenarioServer } from '../../fixtures/scenario-server.ts';
import {
  CLIENTS,
  COMBINATIONS,
  connectDirectly,
  connectOverHttp,
  useScenario,
} from '../../support/served-clients.ts';
import type { ServedClient } from '../../support/served-clients.ts';

const EVERYTHING = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };

/** Clients of earlier revisions are notified of changes without a subscription. */
async function listen(client: ServedClient, era: 'legacy' | 'modern'): Promise<void> {
  if (era === 'modern') await client.listen(EVERYTHING);
}

describe.each(COMBINATIONS)('the $client client over $transport', (combination) => {
  const { era } = combination;
  const open = useScenario(combination);

  if (era === 'modern') {
    test('learns what it may listen for, and stops listening', async () => {
      const subscription = await open().listen({
        ...EVERYTHING,
        resourceSubscriptions: ['scenario://nowhere'],
      });
      expect(subscription.honoredFilter).toEqual(EVERYTHING);
      await subscription.close();
      expect(await subscription.closed).toBe('local');
    });
  }

  test('hears that tools, prompts and resources came and went, and finds them', async () => {
    const client = open();
    await listen(client, era);
    for (const [call, method] of [
      ['add_tool', 'notifications/tools/list_changed'],
      ['remove_tool', 'notifications/tools/list_changed'],
      ['add_prompt', 'notifications/prompts/list_changed'],
      ['add_resource', 'notifications/resources/list_changed'],
    ] as const) {
      const heard = client.next(method);
      await client.callText(call);
      expect((await heard).method).toBe(method);
      if (method !== 'notifications/tools/list_changed') continue;
      expect((await client.listTools()).some(({ name }) => name === 'added')).toBe(call === 'add_tool');
    }
    expect((await client.listPrompts()).at(-1)?.name).toBe('added');
    expect((await client.listResources()).at(-1)?.uri).toBe('scenario://added');
  });
});

describe.each(CLIENTS)('the $client client', ({ client: name, era }) => {
  test('hears over HTTP what was changed in memory, and the other way round', async () => {
    const server = createScenarioServer();
    await using running = await serveHttp(server, { port: 0 });
    await using overHttp = await connectOverHttp(name, running.url);
    await using inMemory = await connectDirectly(name, server);
    await listen(overHttp, era);
    await listen(inMemory, era);
    const method = 'notifications/tools/list_changed';
    for (const [caller, change] of [
      [inMemory, 'add_tool'],
      [overHttp, 'remove_tool'],
    ] as const) {
      const heard = Promise.all([overHttp.next(method), inMemory.next(method)]);
      await caller.callText(change);
      expect((await heard).map((each) => each.method)).toEqual([method, method]);
    }
    await server.close();
  });
});

describe('the v1 client that turns pages while the list changes', () => {
  test.each(['echo', 'add'])('misses nothing and sees nothing twice, also when %s goes', async (gone) => {
    const server = createScenarioServer();
    await using client = await connectDirectly('v1', server);
    const first = await client.official.listTools();
    expect(first.tools.map(({ name }) => name)).toEqual(['echo', 'add']);
    server.tools?.unregister(gone);
    const second = await client.official.listTools({ cursor: first.nextCursor });
    expect(second.tools.map(({ name }) => name)).toEqual(['primes', 'print']);
    await server.close();
  });
});

describe.each(CLIENTS.filter(({ era }) => era === 'modern'))('the $client client', ({ client: name }) => {
  test('is told when the server stops telling', async () => {
    const server = createScenarioServer();
    await using running = await serveHttp(server, { port: 0 });
    await using overHttp = await connectOverHttp(name, running.url);
    await using inMemory = await connectDirectly(name, server);
    const subscriptions = await Promise.all([overHttp, inMemory].map((client) => client.listen(EVERYTHING)));
    await server.close();
    expect(await Promise.all(subscriptions.map((each) => each.closed))).toEqual(['graceful', 'graceful']);
  });
});
