import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { silentLogger } from '../../src/index.ts';
import { RedisConnection } from '../../src/redis.ts';
import type { RedisRateLimitStore } from '../../src/redis.ts';
import { BullMqTaskQueue } from '../../src/tasks.ts';
import { FaultProxy } from '../support/fault-proxy.ts';
import { recordLog } from '../support/log-recorder.ts';
import type { LogEntry } from '../support/log-recorder.ts';
import { RedisServer } from '../support/redis-server.ts';
import { until } from '../support/until.ts';
import { CLIENTS, openNode } from './support/faulty-redis.ts';

/** Ten calls for both nodes: five for this one without Redis. */
const RATE = { limit: 10, perMs: 600_000 };

/** Commands that fail before none is sent any more, and the time until the next one is tried. */
const FAILURES = 5;
const REST_MS = 5000;

describe.each(Object.keys(CLIENTS))('without Redis, %s', (name) => {
  let server: RedisServer;
  let proxy: FaultProxy;
  let entries: readonly LogEntry[];
  let connection: RedisConnection;
  let limits: RedisRateLimitStore;

  beforeAll(async () => {
    server = await RedisServer.start();
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    proxy = await FaultProxy.start(server.port);
    const node = await openNode(name, proxy.port);
    ({ entries, connection } = node);
    limits = node.rateLimits;
    onTestFinished(() => proxy.stop());
  });

  /** Calls one after the other; returns how many were allowed. Only the first ones may wait for a reply of Redis. */
  async function call(times: number): Promise<number> {
    const before = proxy.sentScripts;
    const startedAt = performance.now();
    let allowed = 0;
    for (let index = 0; index < times; index += 1)
      if ((await limits.consume('ada', RATE)).allowed) allowed += 1;
    const tried = Math.floor((performance.now() - startedAt) / REST_MS);
    expect(proxy.sentScripts - before, 'commands that were sent').toBeLessThanOrEqual(FAILURES + tried);
    return allowed;
  }

  /** Waits until the limit is shared again: it was not used up, unlike the local one. */
  async function expectRecovery(): Promise<void> {
    const back = await until(
      () => limits.consume('ada', RATE),
      ({ allowed }) => allowed,
      10_000,
    );
    expect(back.allowed).toBe(true);
    // On a busy machine, a later reply may be too late as well.
    expect(entries.map(({ message }) => message).slice(0, 2)).toEqual([
      'Redis is not available; fallbacks are in use',
      'Redis is available again',
    ]);
  }

  test('a killed server: the local share of the limit, at once, and the shared limit after a restart', async () => {
    await server.kill();
    expect(await call(100)).toBe(5);
    await server.restart();
    await expectRecovery();
  });

  test('a frozen server: at most five calls wait for their timeout, then none', async () => {
    server.freeze();
    onTestFinished(() => server.thaw());
    const before = proxy.sentScripts;
    expect(await call(200)).toBe(5);
    expect(proxy.sentScripts - before).toBeGreaterThanOrEqual(FAILURES);
    server.thaw();
    await expectRecovery();
  });

  test('a command without a reply fails with its timeout', async () => {
    server.freeze();
    onTestFinished(() => server.thaw());
    await expect(connection.send('k', ['PING'])).rejects.toThrow('Redis did not reply within 250 ms.');
  });

  test('calls that wait when the circuit breaker opens do not wait longer', async () => {
    server.freeze();
    onTestFinished(() => server.thaw());
    const before = performance.now();
    const decisions = await Promise.all(Array.from({ length: 500 }, () => limits.consume('ada', RATE)));
    expect(performance.now() - before).toBeLessThan(REST_MS);
    expect(decisions.filter(({ allowed }) => allowed)).toHaveLength(5);
  });

  test.each([
    ['latency', { kind: 'latency', ms: 500 }],
    ['half-open connections', { kind: 'half-open' }],
    ['resets', { kind: 'reset' }],
    ['one byte per second', { kind: 'trickle' }],
  ] as const)('%s: the local share of the limit, in time', async (_fault, fault) => {
    proxy.set(fault);
    expect(await call(100)).toBe(5);
    proxy.set({ kind: 'none' });
    await expectRecovery();
  });

  test('a share is at least one call, and none of a limit of zero', async () => {
    await server.kill();
    const one = { limit: 1, perMs: 600_000 };
    const decisions = [];
    for (let index = 0; index < 3; index += 1) decisions.push((await limits.consume('bob', one)).allowed);
    expect(decisions).toEqual([true, false, false]);
    expect((await limits.consume('eve', { limit: 0, perMs: 1000 })).allowed).toBe(false);
    await server.restart();
  });

  test('commands fail after close', async () => {
    connection.close();
    await expect(connection.send('k', ['PING'])).rejects.toThrow('The connection to Redis was closed.');
  });
});

test('a client of another package is rejected with the packages that work', () => {
  expect(() => new RedisConnection({} as never)).toThrow(
    'RedisConnection: client must be a client of "redis" (createClient, createCluster) or "ioredis" (Redis, Cluster), version 5 or newer; received an object.',
  );
});

test.each([
  ['a frozen server', { kind: 'half-open' }],
  ['latency', { kind: 'latency', ms: 500 }],
] as const)(
  '%s: at most five commands of a task queue wait, then none; nothing is sent later',
  async (_fault, fault) => {
    const server = await RedisServer.start();
    onTestFinished(() => server.stop());
    const proxy = await FaultProxy.start(server.port);
    onTestFinished(() => proxy.stop());
    const { logger, entries } = recordLog();
    const client = new Redis(`redis://127.0.0.1:${proxy.port}`, { lazyConnect: true });
    const queue = new BullMqTaskQueue(client, { logger });
    onTestFinished(() => queue.close());
    const claim = (taskId: string): Promise<boolean> => queue.claim('ada', taskId, 10).catch(() => false);
    expect(await until(() => claim('first'), Boolean, 10_000)).toBe(true);
    proxy.set(fault);
    const startedAt = performance.now();
    const times: number[] = [];
    for (let index = 0; index < 50; index += 1) {
      const begin = performance.now();
      expect(await claim(`lost-${index}`)).toBe(false);
      times.push(performance.now() - begin);
    }
    const tried = Math.floor((performance.now() - startedAt) / REST_MS);
    // A command that waits takes 250 ms; a busy machine may delay some others.
    expect(times.filter((ms) => ms > 200).length).toBeLessThanOrEqual(FAILURES + tried);
    expect(times.slice(0, FAILURES).every((ms) => ms > 200)).toBe(true);
    expect(entries.map(({ message }) => message)).toEqual(['the task queue cannot use Redis']);
    proxy.set({ kind: 'none' });
    expect(await until(() => claim('last'), Boolean, 10_000)).toBe(true);
    const claimed = await queue.findClaimed('ada');
    const ids = claimed.map(({ taskId }) => taskId);
    expect(ids).toEqual(expect.arrayContaining(['first', 'last']));
    // Of the others, only those that had been sent.
    expect(ids.filter((id) => id.startsWith('lost-')).length).toBeLessThanOrEqual(FAILURES + tried);
  },
);

test('commands of a task queue that never reached Redis are not executed when it is there', async () => {
  const server = await RedisServer.start();
  onTestFinished(() => server.stop());
  await server.kill();
  const client = new Redis(server.url, { lazyConnect: true });
  const queue = new BullMqTaskQueue(client, { logger: silentLogger });
  onTestFinished(() => queue.close());
  for (let index = 0; index < 3; index += 1)
    await expect(queue.claim('ada', `lost-${index}`, 10)).rejects.toMatchObject({ code: 'BUSY' });
  await server.restart();
  const claimed = (): Promise<boolean> => queue.claim('ada', 'last', 10).catch(() => false);
  expect(await until(claimed, Boolean, 10_000)).toBe(true);
  expect((await queue.findClaimed('ada')).map(({ taskId }) => taskId)).toEqual(['last']);
});
