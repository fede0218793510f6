/**
 * Changes of lists that nodes announce over Redis. Each of 150 clients, 50 at each node, is notified after the last change, also after Redis was
 * killed and restarted in the middle, with and without its data.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import { RedisServer } from '../support/redis-server.ts';
import { Chance, SEED } from './support/chance.ts';
import { answerIn } from './support/http-caller.ts';
import { Listener } from './support/listener.ts';
import { Nodes } from './support/nodes.ts';
import { patienceFor, until } from './support/patience.ts';
import { isLong, promise } from './support/promise.ts';
import type { Weakness } from './support/weaken.ts';

const LISTENERS = 50;
const CHANGES = 200;
const DOWN_MS = isLong ? 3000 : 0;
const PATIENCE_MS = 30_000;
const PATIENCE = { ms: PATIENCE_MS, weakMs: 700 };
const LISTS = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };

type Kind = 'tools' | 'prompts' | 'resources';

/** Nodes and their listeners, in the order of the nodes. */
interface Running {
  readonly redis: RedisServer;
  readonly nodes: Nodes;
  readonly listeners: readonly (readonly Listener[])[];
  readonly all: readonly Listener[];
  /** Waits until all these listeners were notified of a kind more often than before; returns the time that it took. */
  readonly hear: (
    kind: Kind,
    before: ReadonlyMap<Listener, number>,
    patienceMs: number,
    what: string,
  ) => Promise<number>;
}

async function start(without: readonly Weakness[], isDurable: boolean): Promise<Running> {
  const redis = await RedisServer.start({ isDurable });
  onTestFinished(() => redis.stop());
  const nodes = await Nodes.start([redis, redis, redis], { without, env: { PREFIX: randomUUID() } });
  const count = without.length > 0 ? 3 : LISTENERS;
  const listeners = await Promise.all(
    nodes.ports.map((_, node) =>
      Promise.all(
        Array.from({ length: count }, (__, index) =>
          Listener.open(nodes.client(node, `user-${index}`), LISTS, `${node}-${index}`),
        ),
      ),
    ),
  );
  const hear: Running['hear'] = async (kind, before, patienceMs, what) => {
    const startedAt = performance.now();
    const missing = (): number =>
      [...before].filter(([listener, count_]) => listener.count(kind) <= count_).length;
    await until(() => missing() === 0, patienceMs, what);
    return performance.now() - startedAt;
  };
  return { redis, nodes, listeners, all: listeners.flat(), hear };
}

function countsOf(listeners: readonly Listener[], kind: Kind): ReadonlyMap<Listener, number> {
  return new Map(listeners.map((listener) => [listener, listener.count(kind)]));
}

/** Announces changes at a node until the clients of all nodes are notified: then each node reads the events of the others. */
async function connect({ nodes, all }: Running, patienceMs: number): Promise<void> {
  const before = countsOf(all, 'tools');
  for (const node of nodes.ports.keys())
    await until(
      async () => {
        await nodes.announce(node);
        return [...before].every(([listener, count]) => listener.count('tools') > count);
      },
      patienceMs,
      'changes of another node',
    );
}

async function expectAllHear(without: readonly Weakness[]): Promise<void> {
  const running = await start(without, true);
  const { redis, nodes, listeners, all, hear } = running;
  await connect(running, patienceFor(without, ['events-of-other-nodes'], PATIENCE));
  const chance = new Chance();
  const announce = async (count: number): Promise<void> => {
    for (let change = 0; change < count; change += 1) await nodes.announce(chance.below(3));
  };
  await announce(CHANGES * 0.4);
  // Announced once, while Redis is down.
  const elsewhere = [...(listeners[1] ?? []), ...(listeners[2] ?? [])];
  const before = countsOf(elsewhere, 'resources');
  await redis.kill();
  await announce(CHANGES * 0.2);
  await nodes.announce(0, 'resources');
  await sleep(DOWN_MS);
  await redis.restart();
  await hear(
    'resources',
    before,
    patienceFor(without, ['events-that-are-published-later'], PATIENCE),
    `a change that was announced while Redis was down (seed ${SEED})`,
  );
  await announce(CHANGES * 0.4);
  await nodes.register('last');
  // The last change is announced by one node only.
  const last = countsOf(all, 'prompts');
  await nodes.announce(1, 'prompts');
  const took = await hear('prompts', last, PATIENCE_MS, `the last change (seed ${SEED})`);
  if (isLong) expect(took, 'time after the last change').toBeLessThanOrEqual(2000);
  expect(
    all.filter(({ isInOrder }) => !isInOrder).map(({ id }) => id),
    'streams without their acknowledgement first, or with another id',
  ).toEqual([]);
  const lists = await Promise.all(
    nodes.ports.map(
      async (_, node) => answerIn(await nodes.client(node).modern('tools/list'))?.result?.tools,
    ),
  );
  for (const tools of lists) {
    expect(
      tools?.map(({ name }) => name),
      'the tools of a node',
    ).toContain('last');
    expect(JSON.stringify(tools), 'the list of a node').toBe(JSON.stringify(lists[0]));
  }
}

/** After Redis has lost its data, nobody knows which changes were missed: every client is notified. */
async function expectAllHearAfterLoss(without: readonly Weakness[]): Promise<void> {
  const running = await start(without, false);
  const { redis, all, hear } = running;
  await connect(running, PATIENCE_MS);
  const before = (['tools', 'prompts', 'resources'] as const).map(
    (kind) => [kind, countsOf(all, kind)] as const,
  );
  await redis.kill();
  await redis.restart();
  const patienceMs = patienceFor(without, ['lists-after-a-gap'], PATIENCE);
  for (const [kind, counts] of before)
    await hear(kind, counts, patienceMs, `${kind} after Redis has lost its data`);
}

const LOSS = 'after Redis has lost its data, every client is notified';

promise('list changes reach everyone', {
  checks: {
    '200 changes at three nodes, with Redis down in the middle': expectAllHear,
    [LOSS]: expectAllHearAfterLoss,
  },
  timeoutMs: 120_000,
  switches: [
    {
      defence: 'events of other nodes',
      off: [{ module: 'stores/redis/redis-event-bus.js', defence: 'events-of-other-nodes' }],
      red: /changes of another node/,
    },
    {
      defence: 'events that are published later',
      off: [{ module: 'stores/redis/redis-event-bus.js', defence: 'events-that-are-published-later' }],
      red: /a change that was announced while Redis was down/,
    },
    {
      defence: 'an announcement after a gap',
      off: [{ module: 'stores/redis/redis-event-bus.js', defence: 'lists-after-a-gap' }],
      check: LOSS,
      red: /after Redis has lost its data/,
    },
  ],
});
