import { DefinitionError } from '../errors/errors.ts';
import { endsOneCall } from '../errors/ends-one-call.ts';
import { assertValues, numberFrom } from '../errors/options/rules.ts';
import { isObject } from '../base/is-object.ts';
import { isPromiseLike } from '../base/maybe-promise.ts';
import type { MaybePromise } from '../base/maybe-promise.ts';
import type { Rules } from '../errors/options/rules.ts';
import { MemoryCacheStore } from './cache-store.ts';
import type { CacheClaims, CacheStore, LoadedValue } from './cache-store.ts';
import { claimLoad, claimNow } from './claimed-load.ts';
import type { HeldClaim } from './claimed-load.ts';
import type { Clock } from '../base/time/clock.ts';
import { systemClock, wallTimeOf } from '../base/time/clock.ts';
import { SharedLoads } from './shared-loads.ts';

/** Cache of handlers, available as `context.cache`. */
export interface CacheHelpers {
  /** Returns the value, or undefined if it is not cached or has expired. */
  get<TValue>(key: string): Promise<TValue | undefined>;
  /** Caches a value. */
  set(key: string, value: unknown, options?: CacheTime): Promise<void>;
  delete(key: string): Promise<void>;
  /** Deletes all keys with the prefix; pending loads of such keys are not cached. */
  deleteByPrefix(prefix: string): Promise<void>;
  /**
   * Returns the cached value, or loads and caches it. Concurrent callers of one key share one load for at most a minute; then the next
   * caller starts another. If the call that loads is cancelled, the next waiting call loads. A failed load is not cached. With `staleMs`,
   * an expired value is returned immediately while one load refreshes it.
   */
  wrap<TValue>(key: string, load: () => TValue | Promise<TValue>, options?: CacheTime): Promise<TValue>;
  /**
   * Counts since the start, for all callers. `hits`: values returned without an own load; `staleHits`: hits of expired values. The last
   * three are those of the store, if it provides them.
   */
  stats(): Promise<{
    readonly hits: number;
    readonly staleHits: number;
    readonly misses: number;
    readonly failedRefreshes: number;
    readonly entries?: number;
    readonly bytes?: number;
    readonly evictions?: number;
  }>;
}

/** Lifetime of a cached value. */
export interface CacheTime {
  /** Lifetime in milliseconds. Default: 300,000 (5 minutes). */
  readonly ttlMs?: number;
  /** Time after expiry in which `wrap` returns the old value while it is refreshed, and while refreshing fails, in milliseconds. Default: 0. */
  readonly staleMs?: number;
}

const DEFAULT_TTL_MS = 300_000;
const TIMES: Rules<keyof CacheTime> = { ttlMs: numberFrom(0), staleMs: numberFrom(0) };

/** Key of the expiry time of values with `staleMs`. In wall time: stores are shared between machines. */
const FRESH_UNTIL = 'toolwright/freshUntil';

/** Value stored under a key. */
interface Found {
  readonly value: unknown;
  readonly isStale: boolean;
}

/** Creates the cache helpers for a store. Concurrent loads are shared within this object only. */
export function createCacheHelpers(store: CacheStore, clock: Clock = systemClock): CacheHelpers {
  return new StoredCache(store, clock);
}

/** Whether the values are in the memory of this process alone. Unknown helpers of an application count as shared. */
export function isCachedInMemory(cache: CacheHelpers): boolean {
  return cache instanceof StoredCache && cache.isInMemory;
}

/** Methods are arrow functions, so that they can be destructured. */
class StoredCache implements CacheHelpers {
  readonly #store: CacheStore;
  readonly #clock: Clock;
  readonly #loads: SharedLoads;
  readonly #counts = { hits: 0, staleHits: 0, misses: 0, failedRefreshes: 0 };

  constructor(store: CacheStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
    this.#loads = new SharedLoads(clock);
  }

  get isInMemory(): boolean {
    return this.#store instanceof MemoryCacheStore;
  }

  readonly get = async <TValue>(key: string): Promise<TValue | undefined> => {
    const found = await this.#find(key);
    const isHit = found?.isStale === false;
    this.#counts[isHit ? 'hits' : 'misses'] += 1;
    return isHit ? (found.value as TValue) : undefined;
  };

  readonly set = async (key: string, value: unknown, options: CacheTime = {}): Promise<void> => {
    assertValues('cache', options, TIMES);
    this.#loads.forget(key);
    await this.#keep(key, value, options);
  };

  readonly delete = async (key: string): Promise<void> => {
    this.#loads.forget(key);
    await this.#store.delete(key);
  };

  readonly deleteByPrefix = async (prefix: string): Promise<void> => {
    if (this.#store.deleteByPrefix === undefined) throw new DefinitionError(NO_PREFIXES, { option: 'cache' });
    this.#loads.forgetAll(prefix);
    await this.#store.deleteByPrefix(prefix);
  };

  readonly wrap = async <TValue>(
    key: string,
    create: () => TValue | Promise<TValue>,
    options: CacheTime = {},
  ): Promise<TValue> => {
    assertValues('cache', options, TIMES);
    const found = (options.staleMs ?? 0) > 0 ? await this.#find(key) : undefined;
    if (found !== undefined) return this.#serve(found, key, { create, options }) as TValue;
    for (;;) {
      const running = this.#loads.find(key);
      if (running === undefined) return (await this.#load(key, create, options)) as TValue;
      try {
        const value = (await running) as TValue;
        this.#counts.hits += 1;
        return value;
      } catch (error) {
        // Only the loading call was cancelled: the first waiting call takes over.
        if (!endsOneCall(error)) throw error;
      }
    }
  };

  readonly stats: CacheHelpers['stats'] = async () => ({
    ...this.#counts,
    ...(await this.#store.stats?.()),
  });

  /** A store in memory returns a value at once: a promise for it would be a large part of the cost of a hit. */
  #find(key: string): MaybePromise<Found | undefined> {
    const stored = this.#store.get(key);
    return isPromiseLike(stored)
      ? Promise.resolve(stored).then((value) => this.#toFound(value))
      : this.#toFound(stored);
  }

  #toFound(stored: unknown): Found | undefined {
    if (stored === undefined) return undefined;
    const freshUntil = isObject(stored) ? stored[FRESH_UNTIL] : undefined;
    if (typeof freshUntil !== 'number') return { value: stored, isStale: false };
    const { value } = stored as { readonly value: unknown };
    return { value, isStale: freshUntil <= wallTimeOf(this.#clock) };
  }

  async #keep(key: string, given: unknown, options: CacheTime): Promise<void> {
    const { value, ttlMs } = this.#toStored(given, options);
    return this.#store.set(key, value, ttlMs);
  }

  #toStored(value: unknown, { ttlMs = DEFAULT_TTL_MS, staleMs = 0 }: CacheTime): LoadedValue {
    if (staleMs <= 0) return { value, ttlMs };
    return { value: { [FRESH_UNTIL]: wallTimeOf(this.#clock) + ttlMs, value }, ttlMs: ttlMs + staleMs };
  }

  /** Returns the cached value, also an expired one, which is then refreshed in the background, once. */
  #serve({ value, isStale }: Found, key: string, { create, options }: Loading): unknown {
    this.#counts.hits += 1;
    if (!isStale) return value;
    this.#counts.staleHits += 1;
    if (this.#loads.find(key) === undefined && !this.#loads.isFull) this.#refresh(key, create, options);
    return value;
  }

  #load(key: string, create: () => unknown, options: CacheTime): Promise<unknown> {
    const { claims } = this.#store;
    return this.#loads.start(key, async (isCurrent) => {
      if (claims !== undefined) return this.#loadClaimed(claims, key, { create, options, isCurrent });
      const found = await this.#find(key);
      const isHit = found?.isStale === false;
      this.#counts[isHit ? 'hits' : 'misses'] += 1;
      return isHit ? found.value : this.#renew(key, isCurrent, { create, options });
    });
  }

  /** Loads a value that no other machine loads, or takes the one that another machine has loaded. */
  async #loadClaimed(
    claims: CacheClaims,
    key: string,
    { isCurrent, ...loading }: ClaimedLoading,
  ): Promise<unknown> {
    const load = await claimLoad(claims, key, {
      clock: this.#clock,
      isUsable: (stored) => this.#toFound(stored)?.isStale === false,
    });
    this.#counts[load.kind === 'found' ? 'hits' : 'misses'] += 1;
    if (load.kind === 'found') return this.#toFound(load.value)?.value;
    if (load.kind === 'alone') return loading.create();
    return this.#renewClaimed(load.claim, loading, isCurrent);
  }

  async #renewClaimed(
    claim: HeldClaim,
    { create, options }: Loading,
    isCurrent: () => boolean,
  ): Promise<unknown> {
    try {
      const value: unknown = await create();
      if (value !== undefined && isCurrent()) await claim.end(this.#toStored(value, options));
      return value;
    } finally {
      await claim.end();
    }
  }

  /** Loads in the background: the caller already has the old value, so failures are not reported to it. */
  #refresh(key: string, create: () => unknown, options: CacheTime): void {
    this.#loads
      .start(key, (isCurrent) => this.#renewOnce(key, isCurrent, { create, options }))
      .catch(() => (this.#counts.failedRefreshes += 1));
  }

  /** Refreshes a value, unless another machine does. */
  async #renewOnce(key: string, isCurrent: () => boolean, loading: Loading): Promise<unknown> {
    const { claims } = this.#store;
    if (claims === undefined) return this.#renew(key, isCurrent, loading);
    const claim = await claimNow(claims, key, this.#clock);
    return claim === undefined ? undefined : this.#renewClaimed(claim, loading, isCurrent);
  }

  async #renew(key: string, isCurrent: () => boolean, { create, options }: Loading): Promise<unknown> {
    const value: unknown = await create();
    // A key that was set or deleted during the load is not overwritten.
    if (value !== undefined && isCurrent()) await this.#keep(key, value, options);
    return value;
  }
}

interface Loading {
  readonly create: () => unknown;
  readonly options: CacheTime;
}

interface ClaimedLoading extends Loading {
  readonly isCurrent: () => boolean;
}

const NO_PREFIXES =
  'cache: deleteByPrefix needs a store with a method deleteByPrefix(prefix). Add it to your CacheStore.';
