import type { CacheStore } from './cache-store.ts';

/** What handlers see as `context.cache`. */
export interface CacheHelpers {
  get<TValue>(key: string): Promise<TValue | undefined>;
  set(key: string, value: unknown, options?: CacheTime): Promise<void>;
  delete(key: string): Promise<void>;
  /**
   * The cached value, or what `load` gives. Callers that ask for one key at the same time share one load; a load that fails is
   * not cached.
   */
  wrap<TValue>(key: string, load: () => TValue | Promise<TValue>, options?: CacheTime): Promise<TValue>;
}

/** How long a value may be used. */
export interface CacheTime {
  /** Default: five minutes. */
  readonly ttlMs?: number;
}

const DEFAULT_TTL_MS = 300_000;

/** The helpers for one store. Loads under way are shared within this object only. */
export function createCacheHelpers(store: CacheStore): CacheHelpers {
  const loading = new Map<string, Promise<unknown>>();
  const load = (key: string, create: () => unknown, ttlMs: number): Promise<unknown> => {
    const run = async (): Promise<unknown> => {
      try {
        const cached: unknown = await store.get(key);
        if (cached !== undefined) return cached;
        const value: unknown = await create();
        // Whoever has set or deleted the key in the meantime knows better than a load that began before.
        if (value !== undefined && loading.get(key) === pending) await store.set(key, value, ttlMs);
        return value;
      } finally {
        if (loading.get(key) === pending) loading.delete(key);
      }
    };
    // Started in a later turn, so that `pending` is there when it is asked for.
    const pending = Promise.resolve().then(run);
    loading.set(key, pending);
    return pending;
  };
  return {
    get: async <TValue>(key: string) => (await store.get(key)) as TValue | undefined,
    set: async (key, value, options) => {
      loading.delete(key);
      await store.set(key, value, options?.ttlMs ?? DEFAULT_TTL_MS);
    },
    delete: async (key) => {
      loading.delete(key);
      await store.delete(key);
    },
    wrap: async <TValue>(key: string, create: () => TValue | Promise<TValue>, options?: CacheTime) =>
      (await (loading.get(key) ?? load(key, create, options?.ttlMs ?? DEFAULT_TTL_MS))) as TValue,
  };
}
