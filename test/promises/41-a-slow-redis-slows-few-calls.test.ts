/**
 * Redis that is frozen, slow, half open, or lost again and again: calls that need no Redis are served, the others get the response of their
 * fallback, and only few of them wait for Redis.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect } from 'vitest';
import { textOf } from '../protocol/support/rpc.ts';
import { FaultProxy } from '../support/fault-proxy.ts';
import type { Fault } from '../support/fault-proxy.ts';
import { RedisServer } from '../support/redis-server.ts';
import { answerIn } from './support/http-caller.ts';
import type { Ended } from './support/http-caller.ts';
import { Nodes } from './support/nodes.ts';
import { patienceFor, until, within } from './support/patience.ts';
import { isLong, promise } from './support/promise.ts';
import type { TokenClient } from './support/token-client.ts';
import type { Weakness } from './support/weaken.ts';

const CALLS = isLong ? 500 : 100;
const FROZEN_MS = isLong ? 10_000 : 0;
const PATIENCE_MS = 30_000;
/** Commands that fail before none is sent any more; then one for each time that the circuit breaker was open. */
const FAILURES = 5;
const REST_MS = 5000;
/** A connection that is established again is tried without a wait; attempts to connect are at least this far apart. */
const RECONNECT_MS = 250;

let redis: RedisServer;
beforeAll(async () => {
  redis = await RedisServer.start();
});
afterAll(() => redis.stop());

/** One node, its proxy to Redis, and its client. */
interface Node {
  readonly proxy: FaultProxy;
  readonly client: TokenClient;
}

/** Nodes of one process, each behind a proxy of its own. */
async function withNodes(
  count: number,
  without: readonly Weakness[],
  use: (nodes: readonly Node[]) => Promise<void>,
): Promise<void> {
  const proxies = await Promise.all(Array.from({ length: count }, () => FaultProxy.start(redis.port)));
  try {
    const nodes = await Nodes.start(proxies, { without, isApart: false, env: { PREFIX: randomUUID() } });
    await use(proxies.map((proxy, node) => ({ proxy, client: nodes.client(node) })));
  } finally {
    await Promise.all(proxies.map((proxy) => proxy.stop()));
  }
}

interface Calls {
  readonly texts: readonly string[];
  readonly tookMs: readonly number[];
}

/** Calls of a tool, one after the other. */
async function call(client: TokenClient, name: string, count: number, patienceMs: number): Promise<Calls> {
  const texts: string[] = [];
  const tookMs: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const before = performance.now();
    const ended: Ended = await within(client.call(name), patienceMs, `calls of ${name} without an answer`);
    tookMs.push(performance.now() - before);
    texts.push(ended.status === 200 ? textOf(answerIn(ended) ?? {}) : `${ended.status} ${ended.loss ?? ''}`);
  }
  return { texts, tookMs };
}

function p99({ tookMs }: Calls): number {
  return tookMs.toSorted((one, other) => one - other)[Math.floor(tookMs.length * 0.99)] ?? 0;
}

/** Waits until the stores use Redis again. */
async function expectRecovery({ client }: Node): Promise<void> {
  const startedAt = performance.now();
  await until(
    async () => {
      const text = textOf(answerIn(await client.call('keep', { text: 'x' })) ?? {});
      return !text.includes('not available');
    },
    PATIENCE_MS,
    'the use of Redis after it',
  );
  if (isLong) expect(performance.now() - startedAt, 'time to recover').toBeLessThanOrEqual(5000);
}

/** Calls with and without Redis at the same time, during a fault. */
async function expectFewSlow(node: Node, fault: Fault, without: readonly Weakness[]): Promise<void> {
  const times = { ms: PATIENCE_MS, weakMs: 1000 };
  const patienceMs = patienceFor(without, ['timeout-of-a-promise'], times);
  const count = without.length > 0 ? 12 : CALLS;
  const idle = isLong ? await call(node.client, 'plain', CALLS, patienceMs) : undefined;
  node.proxy.set(fault);
  const before = node.proxy.sentScripts;
  const startedAt = performance.now();
  const [limited, plain] = await Promise.all([
    call(node.client, 'limited', count, patienceMs),
    call(node.client, 'plain', count, patienceMs),
  ]);
  const passedMs = performance.now() - startedAt;
  const restMs = fault.kind === 'half-open' ? REST_MS : RECONNECT_MS;
  expect(
    node.proxy.sentScripts - before,
    `commands that were sent to a Redis with the fault ${fault.kind}`,
  ).toBeLessThanOrEqual(FAILURES + 1 + Math.floor(passedMs / restMs));
  expect(new Set(plain.texts), 'calls that need no Redis').toEqual(new Set(['plain']));
  const allowed = limited.texts.filter((text) => text === 'allowed');
  expect(allowed.length, 'calls that were allowed').toBe(10);
  expect(
    limited.texts.filter((text) => text !== 'allowed' && !text.startsWith("'limited' was called too often.")),
    'other responses',
  ).toEqual([]);
  if (idle !== undefined) {
    expect(Math.max(...limited.tookMs), 'the slowest call with a fallback').toBeLessThanOrEqual(300);
    expect(p99(plain), 'the p99 latency of calls that need no Redis').toBeLessThanOrEqual(
      Math.max(2 * p99(idle), 20),
    );
  }
  node.proxy.set({ kind: 'none' });
  await expectRecovery(node);
}

const FAULTS: readonly Fault[] = [
  { kind: 'half-open' },
  { kind: 'latency', ms: 500 },
  { kind: 'trickle' },
  { kind: 'reset' },
];

async function check(without: readonly Weakness[]): Promise<void> {
  const faults = without.length > 0 ? FAULTS.slice(0, 1) : FAULTS;
  await withNodes(faults.length, without, async (nodes) => {
    const run = (node: Node, index: number): Promise<void> =>
      expectFewSlow(node, faults[index] as Fault, without);
    // The long form measures times: one node after the other.
    if (isLong) for (const [index, node] of nodes.entries()) await run(node, index);
    else await Promise.all(nodes.map(run));
  });
}

/** Redis is stopped as a process, then its connections are lost again and again. */
async function expectEveryAnswer(without: readonly Weakness[]): Promise<void> {
  await withNodes(1, without, async (nodes) => {
    const [node] = nodes as [Node];
    redis.freeze();
    try {
      const thawAt = performance.now() + FROZEN_MS;
      do {
        const { texts } = await call(node.client, 'wrapped', 20, PATIENCE_MS);
        expect(
          texts.filter((text) => !text.startsWith('load ')),
          'responses while Redis is stopped',
        ).toEqual([]);
      } while (performance.now() < thawAt);
    } finally {
      redis.thaw();
    }
    await expectRecovery(node);
    for (let round = 0; round < (isLong ? 50 : 5); round += 1) {
      node.proxy.set({ kind: round % 2 === 0 ? 'reset' : 'none' });
      const { texts } = await call(node.client, 'wrapped', 5, PATIENCE_MS);
      expect(
        texts.filter((text) => !text.startsWith('load ')),
        'responses while connections are lost',
      ).toEqual([]);
      await sleep(isLong ? 100 : 0);
    }
    node.proxy.set({ kind: 'none' });
    await expectRecovery(node);
  });
}

promise('a slow Redis slows few calls', {
  checks: {
    'while Redis is frozen, slow or gone': check,
    'while Redis is stopped, and while its connections are lost again and again': expectEveryAnswer,
  },
  timeoutMs: isLong ? 600_000 : 180_000,
  switches: [
    {
      defence: 'a rest for a failing Redis',
      off: [{ module: 'base/time/circuit-breaker.js', defence: 'rest-for-a-failing-server' }],
      red: /commands that were sent to a Redis/,
    },
    {
      defence: 'timeouts of commands',
      off: [
        {
          module: 'base/time/within-time.js',
          defence: 'timeout-of-a-promise',
          by: '() => {}',
        },
      ],
      red: /calls of limited without an answer/,
    },
  ],
});
