import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { RedisConnection } from '../../src/redis.ts';
import type { RedisRateLimitStore } from '../../src/redis.ts';
import { FaultProxy } from '../support/fault-proxy.ts';
import type { LogEntry } from '../support/log-recorder.ts';
import { RedisServer } from '../support/redis-server.ts';
import { until } from '../support/until.ts';
import { CLIENTS, openNode } from './support/faulty-redis.ts';

/** Ten calls for both nodes: five for this one without Redis. */
const RATE = { limit: 10, perMs: 600_000 };

/** Replies within 250 ms, and the time that a busy machine needs. */
const SLOW_MS = 240;
const ANSWERED_MS = 1000;

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

  /** Calls one after the other; returns how many were allowed, and how long each took. */
  async function call(times: number): Promise<{ allowed: number; took: number[] }> {
    const took: number[] = [];
    let allowed = 0;
    for (let index = 0; index < times; index += 1) {
      const before = performance.now();
      if ((await limits.consume('ada', RATE)).allowed) allowed += 1;
      took.push(performance.now() - before);
    }
    return { allowed, took };
  }

  /** Waits until the limit is shared again: it was not used up, unlike the local one. */
  async function expectRecovery(): Promise<void> {
    const back = await until(
      () => limits.consume('ada', RATE),
      ({ allowed }) => allowed,
      10_000,
    );
    expect(back.allowed).toBe(true);
    expect(entries.map(({ message }) => message)).toEqual([
      'Redis is not available; fallbacks are in use',
      'Redis is available again',
    ]);
  }

  test('a killed server: the local share of the limit, at once, and the shared limit after a restart', async () => {
    await server.kill();
    const { allowed, took } = await call(100);
    expect(allowed).toBe(5);
    expect(took.filter((ms) => ms >= SLOW_MS).length).toBeLessThanOrEqual(5);
    await server.restart();
    await expectRecovery();
  });

  test('a frozen server: at most five calls wait for their timeout, then none', async () => {
    server.freeze();
    onTestFinished(() => server.thaw());
    const { allowed, took } = await call(200);
    expect(allowed).toBe(5);
    expect(took.filter((ms) => ms >= SLOW_MS)).toHaveLength(5);
    expect(Math.max(...took)).toBeLessThan(ANSWERED_MS);
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
    expect(performance.now() - before).toBeLessThan(ANSWERED_MS);
    expect(decisions.filter(({ allowed }) => allowed)).toHaveLength(5);
  });

  test.each([
    ['latency', { kind: 'latency', ms: 500 }],
    ['half-open connections', { kind: 'half-open' }],
    ['resets', { kind: 'reset' }],
    ['one byte per second', { kind: 'trickle' }],
  ] as const)('%s: the local share of the limit, in time', async (_fault, fault) => {
    proxy.set(fault);
    const { allowed, took } = await call(100);
    expect(allowed).toBe(5);
    expect(took.filter((ms) => ms >= SLOW_MS).length).toBeLessThanOrEqual(5);
    expect(Math.max(...took)).toBeLessThan(ANSWERED_MS);
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
