/** `toolwright/stores`: interfaces of stores, and the in-memory stores that are used by default. Works without Node.js. */
export { createCacheHelpers } from './stores/cache-helpers.ts';
export type { CacheTime } from './stores/cache-helpers.ts';
export { MemoryCacheStore } from './stores/cache-store.ts';
export type { CacheStore, MemoryCacheOptions } from './stores/cache-store.ts';
export { MemoryConfirmationStore } from './stores/confirmation-store.ts';
export type { ConfirmationStore, MemoryConfirmationOptions } from './stores/confirmation-store.ts';
export { MemoryEventBus } from './stores/event-bus.ts';
export type { EventBus, ServerEvent } from './stores/event-bus.ts';
export { MemoryEventStore } from './stores/event-store.ts';
export type { EventStore, MemoryEventStoreOptions, StoredEvent } from './stores/event-store.ts';
export { MemoryRateLimitStore } from './stores/rate-limit-store.ts';
export type { MemoryRateLimitOptions, RateLimitStore } from './stores/rate-limit-store.ts';
export type { RateDecision, RateLimit } from './stores/rate-limit-store.ts';
export { MemoryStateStore } from './stores/state/state-store.ts';
export type { MemoryStateOptions, StateSetOptions, StateStore } from './stores/state/state-store.ts';
export type { StateLimits } from './stores/state/state-room.ts';
export { MemoryTaskStore } from './stores/task-store.ts';
export type { TaskRecord, TaskStatus, TaskStore } from './stores/task-store.ts';
