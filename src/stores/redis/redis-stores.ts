import { RedisConnection } from './connection/redis-connection.ts';
import type { RedisConnectionOptions } from './connection/redis-connection.ts';
import type { RedisClient } from './connection/redis-client.ts';
import { RedisCacheStore } from './redis-cache-store.ts';
import { RedisConfirmationStore } from './redis-confirmation-store.ts';
import { RedisEventBus } from './redis-event-bus.ts';
import { RedisEventStore } from './redis-event-store.ts';
import { RedisRateLimitStore } from './redis-rate-limit-store.ts';
import type { RedisRateLimitOptions } from './redis-rate-limit-store.ts';
import { RedisStateStore } from './redis-state-store.ts';
import { RedisTaskStore } from './redis-task-store.ts';

/** Options of {@link redisStores}. */
export interface RedisStoresOptions extends RedisConnectionOptions, RedisRateLimitOptions {}

/** The stores of {@link redisStores}. */
export interface RedisStores {
  readonly connection: RedisConnection;
  /** For the option `cache`. */
  readonly cache: RedisCacheStore;
  /** For the option `rateLimitStore`. */
  readonly rateLimits: RedisRateLimitStore;
  /** For the option `confirmationStore`. */
  readonly confirmations: RedisConfirmationStore;
  /** For the options `stateStore` and `sessions.shared`. */
  readonly state: RedisStateStore;
  /** For the option `taskStore`. */
  readonly tasks: RedisTaskStore;
  /** For the option `eventBus`. */
  readonly eventBus: RedisEventBus;
  /** For the option `sessions.eventStore`. */
  readonly events: RedisEventStore;
  /** Closes the connections, which keep the process running. The client that was passed is not closed. */
  close(): void;
}

/**
 * All stores on one Redis, over one connection. Pass a client of `redis` or `ioredis`; it names the server and its credentials. The stores
 * open connections of their own: one for commands and one for events.
 *
 * @example
 * const stores = redisStores(createClient({ url: 'redis://127.0.0.1:6379' }), { nodes: 3 });
 * const server = createServer({ name: 'shop', version: '1.0.0', rateLimitStore: stores.rateLimits, cache: stores.cache });
 */
export function redisStores(
  client: RedisClient,
  { nodes, ...options }: RedisStoresOptions = {},
): RedisStores {
  const connection = new RedisConnection(client, options);
  const eventBus = new RedisEventBus(connection);
  return {
    connection,
    cache: new RedisCacheStore(connection),
    rateLimits: new RedisRateLimitStore(connection, nodes === undefined ? {} : { nodes }),
    confirmations: new RedisConfirmationStore(connection),
    state: new RedisStateStore(connection),
    tasks: new RedisTaskStore(connection),
    eventBus,
    events: new RedisEventStore(connection),
    close: () => {
      eventBus.close();
      connection.close();
    },
  };
}
