import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Cluster, Redis } from 'ioredis';
import { createClient, createCluster } from 'redis';
import { afterAll, beforeAll, describe, expect, onTestFinished } from 'vitest';
import { RedisConnection } from '../../../src/redis.ts';
import type { RedisClient, RedisConnectionOptions } from '../../../src/redis.ts';
import { recordLog } from '../../support/log-recorder.ts';
import { RedisServer } from '../../support/redis-server.ts';

/** A client of either package for a server. It is not connected: the stores open their own connections. */
const CLIENTS = {
  ioredis: (url: string) => new Redis(url, { lazyConnect: true }),
  redis: (url: string) => createClient({ url }),
  'ioredis, cluster': (url: string) => new Cluster([url], { lazyConnect: true }),
  'redis, cluster': (url: string) => createCluster({ rootNodes: [{ url }] }),
} satisfies Readonly<Record<string, (url: string) => RedisClient>>;

/** Runs tests with both clients: on a server (`REDIS_URL`, or one of its own), and on a cluster of one node. */
export function describeRedis(define: (connect: Connect) => void): void {
  describe.each(Object.keys(CLIENTS) as (keyof typeof CLIENTS)[])('%s', (name) => {
    const isCluster = name.endsWith('cluster');
    const given = isCluster ? undefined : process.env['REDIS_URL'];
    let server: RedisServer | undefined;
    beforeAll(async () => {
      if (given === undefined) server = await RedisServer.start({ isCluster });
    });
    afterAll(() => server?.stop());
    define((options) => connectTo(CLIENTS[name](given ?? server?.url ?? ''), options));
  });
}

/** Opens a connection with a prefix of its own, unless one is given, and closes it with the test. */
export type Connect = (options?: RedisConnectionOptions) => RedisConnection;

/** The same for a client. The test fails if a fallback is used. On a busy machine a reply may take longer than the default timeout. */
export function connectTo(client: RedisClient, options: RedisConnectionOptions = {}): RedisConnection {
  const { logger, entries } = recordLog();
  const connection = new RedisConnection(client, {
    prefix: `test:${randomUUID()}`,
    timeoutMs: 10_000,
    logger,
    ...options,
  });
  onTestFinished(() => {
    connection.close();
    expect(entries).toEqual([]);
  });
  return connection;
}

/** Lets time pass for Redis, which has no other clock than its own. */
export async function pass(ms: number): Promise<void> {
  await sleep(ms + 5);
}
