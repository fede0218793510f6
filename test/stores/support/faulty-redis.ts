import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { createClient } from 'redis';
import { onTestFinished } from 'vitest';
import { redisStores } from '../../../src/redis.ts';
import type { RedisClient, RedisStores, RedisStoresOptions } from '../../../src/redis.ts';
import { recordLog } from '../../support/log-recorder.ts';
import type { LogEntry } from '../../support/log-recorder.ts';
import { until } from '../../support/until.ts';

/** Clients of both packages, by their names. */
export const CLIENTS: Readonly<Record<string, (url: string) => RedisClient>> = {
  ioredis: (url) => new Redis(url, { lazyConnect: true }),
  redis: (url) => createClient({ url }),
};

/** The stores of one node with the default timeout, and what it logged. */
export interface Node extends RedisStores {
  readonly entries: readonly LogEntry[];
}

/** Opens the stores of a node and waits for their connection. They are closed with the test. Default of `timeoutMs`: that of the library. */
export async function openNode(
  name: string,
  port: number,
  { prefix = `test:${randomUUID()}`, ...options }: Pick<RedisStoresOptions, 'prefix' | 'timeoutMs'> = {},
): Promise<Node> {
  const { logger, entries } = recordLog();
  const client = CLIENTS[name]?.(`redis://127.0.0.1:${port}`) as RedisClient;
  const stores = redisStores(client, { prefix, ...options, logger });
  onTestFinished(() => stores.close());
  await until(
    () => stores.connection.send('k', ['PING']).catch(() => 'not yet'),
    (reply) => reply === 'PONG',
  );
  return { ...stores, entries };
}
