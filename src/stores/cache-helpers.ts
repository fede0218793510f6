import { endsOneCall } from '../errors/ends-one-call.ts';
import type { CacheStore } from './cache-store.ts';
import type { Clock } from '../base/time/clock.ts';
import { systemClock } from '../base/time/clock.ts';

/** What handlers see as `context.cache`. */
export interface CacheHelpers {
  get<TValue>(key: string): Promise<TValue | undefined>;
  set(key: string, value: unknown, options?: CacheTime): Promise<void>;
  delete(key: string): Promise<void>;
  /**
   * The cached value, or what `load` gives. Callers that ask for one key at the same time share one load, for a minute: after that
   * it counts as lost, and the next caller starts another. When the call that loads is cancelled, the next that waits loads. A load that
   * fails is not cached.
   */
  wrap<TValue>(key: string, load: () => TValue | Promise<TValue>, options?: CacheTime): Promise<TValue>;
}

/** How long a value may be used. */
export interface CacheTime {
  /** Default: five minutes. */
  readonly ttlMs?: number;
}

const DEFAULT_TTL_MS = 300_000;

/** Later callers do not wait for a load that takes longer: it may never end. */
const MAX_SHARED_MS = 60_000;
/** So many loads are shared at once. Others run for their caller alone, and what they give is not cached. */
const MAX_SHARED = 1000;

interface Load {
  readonly result: Promise<unknown>;
  readonly startedAt: number;
}

/** The helpers for one store. Loads under way are shared within this object only. */
export function createCacheHelpers(store: CacheStore, clock: Clock = systemClock): CacheHelpers {
  /** In the order in which the loads started. */
  const loading = new Map<string, Load>();
  const isLost = ({ startedAt }: Load): boolean => clock.now() - startedAt >= MAX_SHARED_MS;
  const share = (key: string, load: Load): void => {
    loading.delete(key);
    for (const [other, running] of loading) {
      if (!isLost(running)) break;
      loading.delete(other);
    }
    if (loading.size < MAX_SHARED) loading.set(key, load);
  };
  const start = (key: string, create: () => unknown, ttlMs: number): Load => {
    const run = async (): Promise<unknown> => {
      try {
        const cached: unknown = await store.get(key);
        if (cached !== undefined) return cached;
        const value: unknown = await create();
        // Whoever has set or deleted the key in the meantime knows better than a load that began before.
        if (value !== undefined && loading.get(key) === load) await store.set(key, value, ttlMs);
        return value;
      } finally {
        if (loading.get(key) === load) loading.delete(key);
      }
    };
    // Started in a later turn, so that `load` is there when it is asked for.
    const load = { result: Promise.resolve().then(run), startedAt: clock.now() };
    share(key, load);
    return load;
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
    wrap: async <TValue>(key: string, create: () => TValue | Promise<TValue>, options?: CacheTime) => {
      for (;;) {
        const running = loading.get(key);
        if (running === undefined || isLost(running))
          return (await start(key, create, options?.ttlMs ?? DEFAULT_TTL_MS).result) as TValue;
        try {
          return (await running.result) as TValue;
        } catch (error) {
          // Only the call that loaded was cancelled: the first of those that wait takes over.
          if (!endsOneCall(error)) throw error;
        }
      }
    },
  };
}
