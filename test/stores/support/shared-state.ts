import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe } from 'vitest';
import { RedisRateLimitStore, RedisStateStore } from '../../../src/redis.ts';
import { MemoryRateLimitStore, MemoryStateStore } from '../../../src/stores.ts';
import type { RateLimitStore, StateStore } from '../../../src/stores.ts';
import { RedisServer } from '../../support/redis-server.ts';
import { CLIENTS } from './faulty-redis.ts';
import { connectTo } from './redis-versions.ts';
import { openStores, sqlitePath } from './sqlite-file.ts';

/** The stores of one node. */
export interface NodeStores {
  readonly state: StateStore;
  readonly rateLimits: RateLimitStore;
}

/** Opens the stores of two nodes that share their state. */
export type OpenNodes = () => readonly [NodeStores, NodeStores];

/** Runs tests with two nodes on every version of the stores: in memory, in a file, and in Redis through each client. */
export function describeSharedState(define: (open: OpenNodes) => void): void {
  describe('memory', () => {
    define(() => {
      const stores = { state: new MemoryStateStore(), rateLimits: new MemoryRateLimitStore() };
      return [stores, stores];
    });
  });
  describe('SQLite', () => {
    define(() => {
      const path = sqlitePath();
      return [openStores(path), openStores(path)];
    });
  });
  describe('Redis', () => {
    const given = process.env['REDIS_URL'];
    let server: RedisServer | undefined;
    beforeAll(async () => {
      if (given === undefined) server = await RedisServer.start();
    });
    afterAll(() => server?.stop());
    describe.each(Object.entries(CLIENTS))('%s', (_name, toClient) => {
      define(() => {
        const prefix = `test:${randomUUID()}`;
        const open = (): NodeStores => {
          const connection = connectTo(toClient(given ?? server?.url ?? ''), { prefix });
          return {
            state: new RedisStateStore(connection),
            rateLimits: new RedisRateLimitStore(connection),
          };
        };
        return [open(), open()];
      });
    });
  });
}
