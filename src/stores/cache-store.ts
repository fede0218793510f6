import type { MaybePromise } from '../schema/validated.ts';
import type { Clock } from './clock.ts';
import { systemClock } from './clock.ts';

/** Where cached values live. In memory by default; a shared store for several machines has the same three methods. */
export interface CacheStore {
  get(key: string): MaybePromise<unknown>;
  set(key: string, value: unknown, ttlMs: number): MaybePromise<void>;
  delete(key: string): MaybePromise<void>;
}

/** Options of {@link MemoryCacheStore}. */
export interface MemoryCacheOptions {
  /** How many entries are kept; the one unused for longest goes first. Default: 1,000. */
  readonly maxEntries?: number;
  readonly clock?: Clock;
}

/**
 * A bounded cache in this process: least recently used goes first, expired entries are never handed out.
 *
 * @example
 * const registry = new ToolRegistry({ cache: new MemoryCacheStore({ maxEntries: 10_000 }) });
 */
export class MemoryCacheStore implements CacheStore {
  readonly #entries = new Map<string, { readonly value: unknown; readonly expiresAt: number }>();
  readonly #maxEntries: number;
  readonly #clock: Clock;

  constructor(options: MemoryCacheOptions = {}) {
    this.#maxEntries = options.maxEntries ?? 1000;
    this.#clock = options.clock ?? systemClock;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): unknown {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    if (entry.expiresAt <= this.#clock.now()) return undefined;
    // A Map keeps the order of insertion: putting the entry back makes it the most recently used.
    this.#entries.set(key, entry);
    return entry.value;
  }

  set(key: string, value: unknown, ttlMs: number): void {
    this.#entries.delete(key);
    this.#entries.set(key, { value, expiresAt: this.#clock.now() + ttlMs });
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#maxEntries) break;
      this.#entries.delete(oldest);
    }
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }
}
