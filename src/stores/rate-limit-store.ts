import { assertOptions, CLOCK, wholeNumber } from '../errors/options/rules.ts';
import type { Rules } from '../errors/options/rules.ts';
import type { Clock } from '../base/time/clock.ts';
import { systemClock } from '../base/time/clock.ts';
import { RateWindows } from './rate-windows.ts';

/** Rate limit: number of calls in a window. */
export interface RateLimit {
  /** Maximum number of calls in a window. */
  readonly limit: number;
  /** Length of a window, in milliseconds. */
  readonly perMs: number;
}

/** Result of counting a call. */
export type RateDecision =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly retryAfterMs: number };

/** Store of rate limits. Default: in memory. Implement it to share limits between machines. */
export interface RateLimitStore {
  /** Counts one call of the key and returns whether it is within the limit. */
  consume(key: string, rate: RateLimit): RateDecision | Promise<RateDecision>;
}

/** Options of {@link MemoryRateLimitStore}. */
export interface MemoryRateLimitOptions {
  /** Maximum number of callers whose calls are counted. Default: 10,000. */
  readonly maxKeys?: number;
  readonly clock?: Clock;
}

const ALLOWED: RateDecision = { allowed: true };

const OPTIONS: Rules<keyof MemoryRateLimitOptions> = {
  maxKeys: wholeNumber(0),
  clock: CLOCK,
};

/**
 * In-memory rate limit store. A window starts with a caller's first call: exactly `limit` calls are allowed in it, and the retry time is
 * the rest of the window.
 *
 * At most `maxKeys` callers are kept. Blocked callers are dropped last, so they cannot reset their window by flooding the store with other
 * keys. A caller that is not blocked may be dropped and then starts a new window; while all kept callers are blocked, new ones displace
 * each other. If callers can invent keys, limit the keys.
 */
export class MemoryRateLimitStore implements RateLimitStore {
  readonly #windows: RateWindows;
  readonly #clock: Clock;

  constructor(options: MemoryRateLimitOptions = {}) {
    assertOptions('MemoryRateLimitStore', options, OPTIONS);
    this.#windows = new RateWindows(options.maxKeys ?? 10_000);
    this.#clock = options.clock ?? systemClock;
  }

  consume(key: string, rate: RateLimit): RateDecision {
    // defence: windows-in-monotonic-time
    const now = this.#clock.now();
    const { count, endsAt } = this.#windows.count(key, rate, now);
    return count <= rate.limit ? ALLOWED : { allowed: false, retryAfterMs: endsAt - now };
  }
}
