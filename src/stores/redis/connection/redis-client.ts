import { DefinitionError } from '../../../errors/errors.ts';
import { describeValue } from '../../../errors/options/wrong-value.ts';
import { createIoredisDriver, isIoredis } from './ioredis-driver.ts';
import { createNodeRedisDriver, isNodeRedis } from './node-redis-driver.ts';
import type { RedisDriver } from './redis-driver.ts';

/** A client of the package `redis`: of `createClient` or `createCluster`. */
export interface NodeRedisClient {
  readonly isOpen: boolean;
  duplicate(...overrides: never[]): unknown;
  sendCommand(...command: never[]): PromiseLike<unknown>;
}

/** A client of the package `ioredis`: a `Redis` or a `Cluster`. */
export interface IoredisClient {
  readonly status: string;
  duplicate(...overrides: never[]): unknown;
  call(...command: never[]): PromiseLike<unknown>;
}

/** A client of `redis` or `ioredis`, 5 or newer. It names the server and its credentials; the stores open connections of their own. */
export type RedisClient = NodeRedisClient | IoredisClient;

/** Opens connections to the server of a client. */
export interface RedisDialler {
  readonly isCluster: boolean;
  open(): RedisDriver;
}

/** Recognizes the client by its methods: neither package is loaded here. */
export function toDialler(client: unknown): RedisDialler {
  if (isIoredis(client))
    return { isCluster: client.isCluster === true, open: () => createIoredisDriver(client) };
  if (isNodeRedis(client))
    return { isCluster: client.getSlotRandomNode !== undefined, open: () => createNodeRedisDriver(client) };
  throw new DefinitionError(
    `RedisConnection: client must be a client of "redis" (createClient, createCluster) or "ioredis" (Redis, Cluster), version 5 or newer; received ${describeValue(client)}.`,
    {
      reason: 'wrong-value',
      option: 'client',
      expected: 'a client of "redis" or "ioredis"',
      received: describeValue(client),
    },
  );
}
