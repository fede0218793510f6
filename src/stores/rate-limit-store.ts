import { assertOptions, CLOCK, wholeNumber } from '../errors/options/rules.ts';
import type { Rules } from '../errors/options/rules.ts';
import type { Clock } from '../base/time/clock.ts';
import { systemClock } from '../base/time/clock.ts';
import { RateWindows } from './rate-windows.ts';

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

const OPTIONS: Rules<keyof MemoryRateLimitOptions> = {
  maxKeys: wholeNumber(0),
  clock: CLOCK,
};

/**
 * Counts calls in this process, in windows that start with a caller's first call: exactly `limit` calls are allowed in each, and
 * the time to wait is what is left of the window.
 *
 * Only `maxKeys` callers are remembered. Callers that were refused are forgotten last, so they do not get free by flooding the
 * store with other names. What remains: a caller that was not refused yet may be forgotten and then starts anew, and while all
 * that are remembered are refused ones, newcomers displace each other. Where callers can invent names at will, the names are the
 * thing to limit.
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
    const now = this.#clock.now();
    const { count, endsAt } = this.#windows.count(key, rate, now);
    return count <= rate.limit ? ALLOWED : { allowed: false, retryAfterMs: endsAt - now };
  }
}
