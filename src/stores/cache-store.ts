import { assertOptions, CLOCK, wholeNumber } from '../errors/options/rules.ts';
import type { Rules } from '../errors/options/rules.ts';
import type { MaybePromise } from '../base/maybe-promise.ts';
import type { Clock } from '../base/time/clock.ts';
import { systemClock } from '../base/time/clock.ts';
import { weighValue } from '../base/memory/weigh.ts';

/** Store of cached values. Default: in memory. Implement it to share a cache between machines. */
export interface CacheStore {
  /** Returns the value, or undefined if it is not cached or has expired. */
  get(key: string): MaybePromise<unknown>;
  /** Stores a value for `ttlMs` milliseconds. */
  set(key: string, value: unknown, ttlMs: number): MaybePromise<void>;
  delete(key: string): MaybePromise<void>;
  /** Deletes all keys with the prefix. Without it, `deleteByPrefix` of `context.cache` throws. */
  deleteByPrefix?(prefix: string): MaybePromise<void>;
  /** Stores a value if none is cached; otherwise returns the cached one. Atomic. Without it, two machines may replace each other's value. */
  add?(key: string, value: unknown, ttlMs: number): MaybePromise<unknown>;
  /** Claims of loads. Without them, each machine loads a missing value itself. */
  readonly claims?: CacheClaims;
  /** Statistics for `stats` of `context.cache`. `evictions`: entries deleted to make room. */
  stats?(): MaybePromise<{ readonly entries?: number; readonly bytes?: number; readonly evictions?: number }>;
}

/** Claims of loads: of several machines that miss a value, only one loads it. `token` identifies a claim. */
export interface CacheClaims {
  /** Returns the cached value. Without one, or with `isRefresh`, claims the load for `holdMs`, unless another claim is held. */
  claim(key: string, token: string, options: CacheClaimOptions): MaybePromise<CacheClaim>;
  /** Holds a claim for `holdMs` from now. False if it is not held any more: the key was set or deleted, or the time was over. */
  extend(key: string, token: string, holdMs: number): MaybePromise<boolean>;
  /** Ends a claim. Stores the loaded value, if any, unless the claim is not held any more. */
  settle(key: string, token: string, loaded?: LoadedValue): MaybePromise<void>;
}

/** Options of a claim. */
export interface CacheClaimOptions {
  readonly holdMs: number;
  /** Whether to claim the load even if a value is cached, because it is stale. */
  readonly isRefresh: boolean;
}

/** A value to cache. */
export interface LoadedValue {
  readonly value: unknown;
  readonly ttlMs: number;
}

/** Result of claiming a load. `taken`: another machine loads the value. */
export type CacheClaim =
  | { readonly kind: 'found'; readonly value: unknown }
  | { readonly kind: 'claimed' | 'taken' };

/** Options of {@link MemoryCacheStore}. */
export interface MemoryCacheOptions {
  /** Maximum number of entries; the least recently used is dropped first. Default: 1,000. */
  readonly maxEntries?: number;
  /** Maximum size of all entries in bytes, estimated; the least recently used is dropped first. Default: 67,108,864. */
  readonly maxBytes?: number;
  readonly clock?: Clock;
}

const OPTIONS: Rules<keyof MemoryCacheOptions> = {
  maxEntries: wholeNumber(0),
  maxBytes: wholeNumber(0),
  clock: CLOCK,
};

/**
 * In-memory cache store with limits: the least recently used entry is dropped first; expired entries are never returned.
 *
 * @example
 * const registry = new ToolRegistry({ cache: new MemoryCacheStore({ maxEntries: 10_000 }) });
 */
export class MemoryCacheStore implements CacheStore {
  readonly #entries = new Map<string, Entry>();
  readonly #maxEntries: number;
  readonly #maxBytes: number;
  readonly #clock: Clock;
  #bytes = 0;
  #evictions = 0;

  constructor(options: MemoryCacheOptions = {}) {
    assertOptions('MemoryCacheStore', options, OPTIONS);
    this.#maxEntries = options.maxEntries ?? 1000;
    this.#maxBytes = options.maxBytes ?? 67_108_864;
    this.#clock = options.clock ?? systemClock;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): unknown {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.delete(key);
    if (entry.expiresAt <= this.#clock.now()) return undefined;
    // A Map keeps insertion order: adding the entry again makes it the most recently used.
    this.#add(key, entry);
    return entry.value;
  }

  set(key: string, value: unknown, ttlMs: number): void {
    this.delete(key);
    const bytes = key.length + weighValue(value, new Set());
    this.#add(key, { value, expiresAt: this.#clock.now() + ttlMs, bytes });
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#maxEntries && this.#bytes <= this.#maxBytes) break;
      this.delete(oldest);
      this.#evictions += 1;
    }
  }

  delete(key: string): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0;
    this.#entries.delete(key);
  }

  deleteByPrefix(prefix: string): void {
    for (const key of this.#entries.keys()) if (key.startsWith(prefix)) this.delete(key);
  }

  /** Expired entries count until they are looked up. */
  stats(): { readonly entries: number; readonly bytes: number; readonly evictions: number } {
    return { entries: this.#entries.size, bytes: this.#bytes, evictions: this.#evictions };
  }

  #add(key: string, entry: Entry): void {
    this.#entries.set(key, entry);
    this.#bytes += entry.bytes;
  }
}

interface Entry {
  readonly value: unknown;
  readonly expiresAt: number;
  readonly bytes: number;
}
