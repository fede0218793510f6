import { stravaError } from '../strava-error.ts';
import type { StravaLimits } from '../strava-settings.ts';

const QUARTER_MS = 15 * 60_000;
const DAY_MS = 86_400_000;

interface Window {
  readonly name: string;
  readonly lengthMs: number;
  readonly limit: number;
  /** Number of the period since 1970 that `used` counts. */
  period: number;
  used: number;
}

/** Counts requests in the periods of Strava: quarters of an hour of the clock, and days of UTC. */
export class RequestQuota {
  readonly #windows: readonly [Window, Window];
  readonly #now: () => number;

  constructor({ quarterHour, day }: StravaLimits, now: () => number) {
    for (const [name, value] of Object.entries({ quarterHour, day })) {
      if (Number.isInteger(value) && value > 0) continue;
      throw new RangeError(
        `Invalid limit of Strava requests "${name}": ${value}. Use a whole number from 1.`,
      );
    }
    this.#now = now;
    this.#windows = [
      { name: 'in 15 minutes', lengthMs: QUARTER_MS, limit: quarterHour, period: 0, used: 0 },
      { name: 'a day', lengthMs: DAY_MS, limit: day, period: 0, used: 0 },
    ];
  }

  /** Counts one request, or throws an error with the time of the next one. */
  take(): void {
    this.#startPeriods();
    const full = this.#windows.findLast(({ used, limit }) => used >= limit);
    if (full !== undefined) throw this.#exceeded(full);
    for (const window of this.#windows) window.used += 1;
  }

  /** Usage that Strava reports: other processes may share the application. Counts are only raised. */
  report(usage: readonly [number, number]): void {
    this.#startPeriods();
    for (const [index, window] of this.#windows.entries()) {
      window.used = Math.max(window.used, usage[index] ?? 0);
    }
  }

  /** Error for a request that Strava refused with 429; no more are sent in this period. */
  refuse(isDayFull: boolean): Error {
    this.#startPeriods();
    const [quarter, day] = this.#windows;
    const full = isDayFull ? day : quarter;
    full.used = Math.max(full.used, full.limit);
    return this.#exceeded(full);
  }

  remaining(): { readonly quarterHour: number; readonly day: number } {
    this.#startPeriods();
    const [quarter, day] = this.#windows;
    return { quarterHour: Math.max(0, quarter.limit - quarter.used), day: Math.max(0, day.limit - day.used) };
  }

  #startPeriods(): void {
    const now = this.#now();
    for (const window of this.#windows) {
      const period = Math.floor(now / window.lengthMs);
      if (period === window.period) continue;
      window.period = period;
      window.used = 0;
    }
  }

  #exceeded({ name, limit, period, lengthMs }: Window): Error {
    const retryAt = (period + 1) * lengthMs;
    const time = new Date(retryAt).toISOString();
    return stravaError(
      'rate-limited',
      `The limit of ${limit} Strava requests ${name} is used up. The next request is possible at ${time}.`,
      { retryAt },
    );
  }
}
