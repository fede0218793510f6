/** `toolwright/redis`: the stores on Redis, for several nodes. Works with the packages `redis` and `ioredis`, 5 or newer. */
export { RedisConnection } from './stores/redis/connection/redis-connection.ts';
export type { RedisConnectionOptions } from './stores/redis/connection/redis-connection.ts';
export type { IoredisClient, NodeRedisClient, RedisClient } from './stores/redis/connection/redis-client.ts';
export { RedisCacheStore } from './stores/redis/redis-cache-store.ts';
export type { RedisCacheOptions } from './stores/redis/redis-cache-store.ts';
export { RedisConfirmationStore } from './stores/redis/redis-confirmation-store.ts';
export { RedisEventBus } from './stores/redis/redis-event-bus.ts';
export type { RedisEventBusOptions } from './stores/redis/redis-event-bus.ts';
export { RedisEventStore } from './stores/redis/redis-event-store.ts';
export type { RedisEventStoreOptions } from './stores/redis/redis-event-store.ts';
export { RedisRateLimitStore } from './stores/redis/redis-rate-limit-store.ts';
export type { RedisRateLimitOptions } from './stores/redis/redis-rate-limit-store.ts';
export { RedisStateStore } from './stores/redis/redis-state-store.ts';
export { redisStores } from './stores/redis/redis-stores.ts';
export type { RedisStores, RedisStoresOptions } from './stores/redis/redis-stores.ts';
export { RedisTaskStore } from './stores/redis/redis-task-store.ts';
export type { RedisTaskOptions } from './stores/redis/redis-task-store.ts';
