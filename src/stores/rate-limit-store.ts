import type { Clock } from './clock.ts';
import { systemClock } from './clock.ts';

/** How many calls a caller has in a window. */
export interface RateLimit {
  readonly limit: number;
  readonly perMs: number;
}

/** Whether one more call is allowed. */
export type RateDecision =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly retryAfterMs: number };

/** Counts calls. In memory by default; a shared store for several machines has the same method. */
export interface RateLimitStore {
  /** Counts one call for the key and says whether it is within the limit. */
  consume(key: string, rate: RateLimit): RateDecision | Promise<RateDecision>;
}

/** Options of {@link MemoryRateLimitStore}. */
export interface MemoryRateLimitOptions {
  /** How many callers are remembered. Default: 10,000. */
  readonly maxKeys?: number;
  readonly clock?: Clock;
}

const ALLOWED: RateDecision = { allowed: true };

interface RateWindow {
  readonly endsAt: number;
  count: number;
}

/**
 * Counts calls in this process, in windows that start with a caller's first call: exactly `limit` calls are allowed in each, and
 * the time to wait is what is left of the window.
 */
export class MemoryRateLimitStore implements RateLimitStore {
  readonly #windows = new Map<string, RateWindow>();
  readonly #maxKeys: number;
  readonly #clock: Clock;

  constructor(options: MemoryRateLimitOptions = {}) {
    this.#maxKeys = options.maxKeys ?? 10_000;
    this.#clock = options.clock ?? systemClock;
  }

  consume(key: string, { limit, perMs }: RateLimit): RateDecision {
    const now = this.#clock.now();
    let window = this.#windows.get(key);
    if (window === undefined || window.endsAt <= now) {
      // Deleted first, so that the order of the Map stays the order in which windows end.
      this.#windows.delete(key);
      window = { endsAt: now + perMs, count: 0 };
      this.#windows.set(key, window);
      if (this.#windows.size > this.#maxKeys) this.#forgetOldest();
    }
    window.count += 1;
    return window.count <= limit ? ALLOWED : { allowed: false, retryAfterMs: window.endsAt - now };
  }

  #forgetOldest(): void {
    for (const key of this.#windows.keys()) {
      this.#windows.delete(key);
      return;
    }
  }
}
