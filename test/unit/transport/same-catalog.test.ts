import { expect, test } from 'vitest';
import * as z from 'zod';
import { toFetchHandler } from '../../../src/fetch.ts';
import { createServer, defineTool } from '../../../src/index.ts';
import type { ServerOptions, ToolwrightServer } from '../../../src/index.ts';
import { MemoryStateStore } from '../../../src/stores.ts';
import type { StateStore } from '../../../src/stores.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { recordLog } from '../../support/log-recorder.ts';
import { until } from '../../support/until.ts';

const tool = (name: string): ReturnType<typeof defineTool> =>
  defineTool({ name, description: name, inputSchema: z.object({}), handler: () => name });

/** A store of another machine, which can fail and hang. */
class Shared implements StateStore {
  readonly clock = new FakeClock();
  mode: 'fails' | 'hangs' | 'works' = 'works';
  commands = 0;
  readonly #store = new MemoryStateStore({ clock: this.clock });

  get: StateStore['get'] = (...given) => this.#run(() => this.#store.get(...given));
  set: StateStore['set'] = (...given) => this.#run(() => this.#store.set(...given));
  take: StateStore['take'] = (...given) => this.#run(() => this.#store.take(...given));
  delete: StateStore['delete'] = (...given) => this.#run(() => this.#store.delete(...given));

  async #run<TResult>(run: () => TResult): Promise<TResult> {
    this.commands += 1;
    if (this.mode === 'fails') throw new Error('the store is gone');
    if (this.mode === 'hangs') await new Promise(() => {});
    return run();
  }
}

interface Node {
  readonly server: ToolwrightServer;
  /** Status and body of a readiness check, without the hash; of a probe by address if there is a host. */
  readonly check: (host?: string) => Promise<string>;
  readonly log: () => string[];
  /** The metric of `/health`; undefined if the response has none. */
  readonly differences: (host?: string) => Promise<unknown>;
}

function startNode(
  store: Shared,
  tools: readonly string[],
  { requireSameCatalog = true, ...options }: Partial<ServerOptions> & { requireSameCatalog?: boolean } = {},
): Node {
  const { logger, entries } = recordLog();
  const server = createServer({
    name: 'shop',
    version: '1',
    tools: tools.map(tool),
    stateStore: store,
    clock: store.clock,
    logger,
    ...options,
  });
  const handle = toFetchHandler(server, { readyPath: '/readyz', healthPath: '/health', requireSameCatalog });
  return {
    server,
    check: async (host = 'localhost') => {
      const response = await handle(new Request(`http://${host}/readyz`));
      const { catalog: _, ...body } = (await response.json()) as Record<string, unknown>;
      return `${response.status} ${JSON.stringify(body)}`;
    },
    differences: async (host = 'localhost') => {
      const response = await handle(new Request(`http://${host}/health`));
      return ((await response.json()) as Record<string, unknown>)['catalogDifferences'];
    },
    log: () => entries.map(({ level, message }) => `${level} ${message}`),
  };
}

const READY = '200 {"status":"ok","sameCatalog":true}';
const DIFFERENT = '503 {"status":"different-catalog","sameCatalog":false}';
const UNKNOWN = '503 {"status":"unknown-catalog"}';
const WARNING = 'warning the catalog of this node differs from that of other nodes with the same store';

/** Longer than a result is used, and shorter than a hash is stored. */
const NEXT_MS = 6000;

test('a node whose catalog differs is not ready until the last node with the other catalog is gone', async () => {
  const store = new Shared();
  const [one, two, other] = [
    startNode(store, ['a', 'b']),
    startNode(store, ['b', 'a']),
    startNode(store, ['a']),
  ];
  expect(await Promise.all([one.check(), two.check()])).toEqual([READY, READY]);
  expect([await other.check(), await other.check('10.1.2.3')]).toEqual([
    DIFFERENT,
    '503 {"status":"different-catalog"}',
  ]);
  for (let left = 11; left > 0; left -= 1) {
    store.clock.advance(NEXT_MS);
    expect([await two.check(), await other.check()]).toEqual([READY, DIFFERENT]);
  }
  store.clock.advance(NEXT_MS);
  expect(await other.check()).toBe(DIFFERENT);
  store.clock.advance(60_000);
  expect(await other.check()).toBe(READY);
  expect(await one.check()).toBe(DIFFERENT);
  expect([one.log(), two.log(), other.log()]).toEqual([
    [WARNING],
    [],
    [WARNING, 'info the catalog of this node is the same as that of the other nodes again'],
  ]);
});

test('a different catalog is reported and logged once, and only requireSameCatalog makes the node not ready', async () => {
  const store = new Shared();
  await startNode(store, ['a']).check();
  const other = startNode(store, ['b'], { requireSameCatalog: false });
  const reported = '200 {"status":"ok","sameCatalog":false}';
  expect([await other.check(), await other.check('10.1.2.3')]).toEqual([reported, '200 {"status":"ok"}']);
  store.clock.advance(NEXT_MS);
  expect(await other.check()).toBe(reported);
  expect(other.log()).toEqual([WARNING]);
});

test('/health has the number of comparisons that found another catalog', async () => {
  const store = new Shared();
  const [one, other] = [startNode(store, ['a']), startNode(store, ['b'])];
  expect([await one.differences(), await other.differences()]).toEqual([0, 0]);
  // The second check uses the result of the first one.
  for (const each of [one, other, other]) await each.check();
  store.clock.advance(NEXT_MS);
  await other.check();
  expect([await one.differences(), await other.differences()]).toEqual([0, 2]);
  expect(await other.differences('10.1.2.3')).toBe(undefined);
  const alone = startNode(store, ['b'], { stateStore: new MemoryStateStore(), requireSameCatalog: false });
  expect(await alone.differences()).toBe(undefined);
});

test('nodes that change while they run are ready when all of them have changed', async () => {
  const store = new Shared();
  const nodes = [startNode(store, ['a']), startNode(store, ['a'])] as const;
  const checks = (): Promise<string[]> => Promise.all(nodes.map(({ check }) => check()));
  expect(await checks()).toEqual([READY, READY]);
  nodes[0].server.registerTool(tool('b'));
  expect(await nodes[0].check()).toBe(READY);
  store.clock.advance(NEXT_MS);
  expect(await checks()).toEqual([READY, DIFFERENT]);
  nodes[1].server.registerTool(tool('b'));
  expect(await checks()).toEqual([READY, READY]);
});

test('servers of other names, and stores in memory, are not compared', async () => {
  const store = new Shared();
  expect(await startNode(store, ['a']).check()).toBe(READY);
  expect(await startNode(store, ['b'], { name: 'other' }).check()).toBe(READY);
  const alone = startNode(store, ['b'], { stateStore: new MemoryStateStore(), requireSameCatalog: false });
  expect(await alone.check()).toBe('200 {"status":"ok"}');
  expect(() => startNode(store, [], { stateStore: new MemoryStateStore() })).toThrow(
    'HTTP: requireSameCatalog needs a store that all nodes share. Set stateStore of createServer, for example to the state of redisStores.',
  );
});

test('while the store fails, the last result holds; without one, the node is not ready', async () => {
  const store = new Shared();
  const node = startNode(store, ['a']);
  expect(await node.check()).toBe(READY);
  store.mode = 'fails';
  store.clock.advance(NEXT_MS);
  const [late, relaxed] = [startNode(store, ['a']), startNode(store, ['a'], { requireSameCatalog: false })];
  expect([await node.check(), await late.check(), await relaxed.check()]).toEqual([
    READY,
    UNKNOWN,
    '200 {"status":"ok"}',
  ]);
  node.server.registerTool(tool('b'));
  expect(await node.check()).toBe(UNKNOWN);
  store.mode = 'works';
  store.clock.advance(NEXT_MS);
  expect([await node.check(), await late.check()]).toEqual([READY, DIFFERENT]);
  expect(node.log()).toEqual(['warning the catalogs of the nodes cannot be compared']);
});

test('a store that hangs is given up, and is asked once for all checks of five seconds', async () => {
  const store = new Shared();
  const node = startNode(store, ['a']);
  await Promise.all([node.check(), node.check(), node.check('10.1.2.3')]);
  await node.check();
  // One look, two writes: the first claims the place, the second renews it.
  expect(store.commands).toBe(3);
  store.mode = 'hangs';
  store.clock.advance(NEXT_MS);
  const checked = node.check();
  await until(
    () => store.clock.pending,
    (timers) => timers === 1,
  );
  store.clock.advance(500);
  expect(await checked).toBe(READY);
});
