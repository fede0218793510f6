import { systemClock, wallTimeOf } from '../../base/time/clock.ts';
import type { Clock } from '../../base/time/clock.ts';
import { onAbort } from '../../base/time/on-abort.ts';
import { CallRefusedError, DefinitionError } from '../../errors/errors.ts';
import { assertOptions, CLOCK, FUNCTION, MAX_TIMER_MS, wholeNumber } from '../../errors/options/rules.ts';
import type { Rules } from '../../errors/options/rules.ts';
import type { Principal } from '../../middleware/context.ts';

/** A request that is about to be sent. */
export interface LimitedRequest {
  readonly url: URL | string;
  /** Cancels the wait. */
  readonly signal?: AbortSignal | null | undefined;
  /** The caller of the tool that sends the request, if known. */
  readonly principal?: Principal | undefined;
  readonly accessToken?: string | undefined;
}

/** Options of {@link RequestLimiter}. Set `limit` and `perMs`, or `maxConcurrent`, or all three. */
export interface RequestLimiterOptions {
  /** Maximum number of requests in any period of `perMs`. Default: no limit. */
  readonly limit?: number;
  /** Length of the period for `limit`, in milliseconds. */
  readonly perMs?: number;
  /** Maximum number of concurrent requests. Default: no limit. */
  readonly maxConcurrent?: number;
  /** Maximum number of waiting requests; others are rejected. Default: 100. */
  readonly maxWaiting?: number;
  /** A request that would wait longer for `limit`, in milliseconds, is rejected immediately. Default: 10,000. */
  readonly maxWaitMs?: number;
  /** Key of a request; requests with the same key share a limit. Default: the origin of the URL. */
  readonly by?: (request: LimitedRequest) => string;
  /** Default: `systemClock`. */
  readonly clock?: Clock;
}

const OPTIONS: Rules<keyof RequestLimiterOptions> = {
  limit: wholeNumber(1, 1_000_000),
  perMs: wholeNumber(1, MAX_TIMER_MS),
  maxConcurrent: wholeNumber(1),
  maxWaiting: wholeNumber(0),
  maxWaitMs: wholeNumber(0, MAX_TIMER_MS),
  by: FUNCTION,
  clock: CLOCK,
};

/** State of one key. */
interface Lane {
  /** Send times of the requests, in order. */
  readonly times: number[];
  /** Index in `times` of the first request within the last `perMs`. */
  first: number;
  running: number;
  /** Start functions of the waiting requests, in order of arrival. */
  readonly waiting: Set<() => void>;
  cancelTimer?: (() => void) | undefined;
}

const createLane = (): Lane => ({ times: [], first: 0, running: 0, waiting: new Set() });

/** Maximum number of keys. */
const MAX_KEYS = 10_000;

/**
 * Limits outbound requests: their number per period and the number of concurrent ones. It counts each request, not each call
 * of a tool. Requests over the limit wait in order; those that would wait too long are rejected with `UPSTREAM_LIMITED`.
 *
 * @example
 * const limiter = new RequestLimiter({ limit: 200, perMs: 3_600_000 });
 * const api = await fromOpenAPI('budget.yaml', { outbound: { limiter } });
 * const response = await limiter.fetch('https://api.example.com/rates', { signal: context.signal });
 */
export class RequestLimiter {
  readonly #limit: number;
  readonly #perMs: number;
  readonly #maxConcurrent: number;
  readonly #maxWaiting: number;
  readonly #maxWaitMs: number;
  readonly #by: (request: LimitedRequest) => string;
  readonly #clock: Clock;
  readonly #lanes = new Map<string, Lane>();

  constructor(options: RequestLimiterOptions) {
    assertOptions('RequestLimiter', options, OPTIONS);
    const { limit, perMs, maxConcurrent } = options;
    if ((limit === undefined) !== (perMs === undefined) || (limit ?? maxConcurrent) === undefined)
      throw new DefinitionError('RequestLimiter: set limit together with perMs, or maxConcurrent.', {
        option: perMs === undefined ? 'perMs' : 'limit',
      });
    this.#limit = limit ?? Infinity;
    this.#perMs = perMs ?? 0;
    this.#maxConcurrent = maxConcurrent ?? Infinity;
    this.#maxWaiting = options.maxWaiting ?? 100;
    this.#maxWaitMs = options.maxWaitMs ?? 10_000;
    this.#by = options.by ?? (({ url }) => new URL(url).origin);
    this.#clock = options.clock ?? systemClock;
  }

  /**
   * `fetch` within the limit. A request counts as concurrent until its response headers arrive; redirects that `fetch` follows are not
   * counted.
   */
  readonly fetch: typeof globalThis.fetch = (input, init) => {
    const request = input instanceof Request ? input : undefined;
    const url = request?.url ?? (input as URL | string);
    return this.run({ url, signal: init?.signal ?? request?.signal }, () => fetch(input, init));
  };

  /** Runs `send` as soon as the request may be sent. For clients other than `fetch`; each call counts as one request. */
  async run<TResult>(request: LimitedRequest, send: () => Promise<TResult>): Promise<TResult> {
    const { signal } = request;
    signal?.throwIfAborted();
    const lane = this.#laneOf(request);
    // Requests are started in order of arrival.
    if (lane.waiting.size === 0 && this.#isFree(lane)) return this.#start(lane, send);
    this.#assertRoom(lane, request);
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        offAbort?.();
        lane.waiting.delete(start);
      };
      const start = (): void => {
        leave();
        this.#start(lane, send).then(resolve, reject);
      };
      const abort = (): void => {
        leave();
        this.#next(lane);
        // oxlint-disable-next-line prefer-promise-reject-errors -- as `fetch` does
        reject(signal?.reason);
      };
      const offAbort = signal && onAbort(signal, abort);
      lane.waiting.add(start);
      this.#next(lane);
    });
  }

  /**
   * State of the limit that applies to a request. `resetAt`: the time when the oldest request no longer counts, in milliseconds since 1970.
   */
  status(request: LimitedRequest): {
    readonly remaining: number;
    readonly resetAt: number | undefined;
    readonly running: number;
    readonly waiting: number;
  } {
    const lane = this.#lanes.get(this.#by(request)) ?? createLane();
    const { running, waiting } = lane;
    const now = this.#clock.now();
    const counted = this.#countOf(lane, now);
    const oldest = lane.times[lane.first];
    return {
      remaining: this.#limit - counted,
      resetAt: oldest === undefined ? undefined : wallTimeOf(this.#clock) + oldest + this.#perMs - now,
      running,
      waiting: waiting.size,
    };
  }

  #isFree(lane: Lane): boolean {
    return lane.running < this.#maxConcurrent && this.#waitOf(lane, 0) <= 0;
  }

  /** Milliseconds that a request waits for the limit with this many requests before it. */
  #waitOf(lane: Lane, before: number): number {
    const now = this.#clock.now();
    const excess = this.#countOf(lane, now) + before - this.#limit;
    if (excess < 0) return 0;
    const periods = 1 + Math.floor(excess / this.#limit);
    return (lane.times[lane.first + (excess % this.#limit)] ?? now) + periods * this.#perMs - now;
  }

  /** Number of requests that count. Expired ones are removed in batches, once they are half of the array: `shift` copies it each time. */
  #countOf(lane: Lane, now: number): number {
    const { times } = lane;
    while (lane.first < times.length && (times[lane.first] ?? now) + this.#perMs <= now) lane.first += 1;
    if (lane.first * 2 >= times.length) {
      times.splice(0, lane.first);
      lane.first = 0;
    }
    return times.length - lane.first;
  }

  #assertRoom(lane: Lane, { url }: LimitedRequest): void {
    const waitMs = this.#waitOf(lane, lane.waiting.size);
    if (waitMs <= this.#maxWaitMs && lane.waiting.size < this.#maxWaiting) return;
    const { origin } = new URL(url);
    const isUsedUp = waitMs > this.#maxWaitMs;
    const message = isUsedUp
      ? `The rate limit of ${this.#limit} requests in ${this.#perMs / 1000} s to ${origin} is exceeded. Try again in ${Math.ceil(waitMs / 1000)} s.`
      : `Too many requests to ${origin} are waiting already. Try again in a moment.`;
    throw new CallRefusedError('UPSTREAM_LIMITED', message, isUsedUp ? { retryAfterMs: waitMs } : {});
  }

  #start<TResult>(lane: Lane, send: () => Promise<TResult>): Promise<TResult> {
    lane.running += 1;
    if (this.#limit !== Infinity) lane.times.push(this.#clock.now());
    // Through an async function, so that a `send` that throws synchronously is counted off too.
    const running = (async () => send())();
    const release = (): void => {
      lane.running -= 1;
      this.#next(lane);
    };
    running.then(release, release);
    return running;
  }

  /** Starts the waiting requests that may be sent, and schedules itself for the next one. */
  #next(lane: Lane): void {
    lane.cancelTimer?.();
    lane.cancelTimer = undefined;
    for (const start of lane.waiting) {
      if (!this.#isFree(lane)) break;
      start();
    }
    // Otherwise the end of a running request starts the next one.
    if (lane.waiting.size > 0 && lane.running < this.#maxConcurrent)
      lane.cancelTimer = this.#clock.schedule(() => this.#next(lane), this.#waitOf(lane, 0));
  }

  #laneOf(request: LimitedRequest): Lane {
    const key = this.#by(request);
    const known = this.#lanes.get(key);
    if (known !== undefined) return known;
    if (this.#lanes.size >= MAX_KEYS) this.#makeRoom(request);
    const lane = createLane();
    this.#lanes.set(key, lane);
    return lane;
  }

  /**
   * Removes a key without counted, running or waiting requests; rejects a new key if there is none to remove. So new keys cannot lift a
   * limit.
   */
  #makeRoom({ url }: LimitedRequest): void {
    const now = this.#clock.now();
    for (const [key, lane] of this.#lanes) {
      if (lane.running > 0 || lane.waiting.size > 0 || this.#countOf(lane, now) > 0) continue;
      this.#lanes.delete(key);
      return;
    }
    const message = `Too many keys share the limit of requests to ${new URL(url).origin}. Try again later.`;
    throw new CallRefusedError('UPSTREAM_LIMITED', message);
  }
}
