import type { Clock } from './clock.ts';

/** Options of the circuit breaker of a server. */
export interface BreakerOptions {
  /** Number of consecutive failures that open the circuit breaker. Default: 5. */
  readonly failures?: number;
  /** Time that the circuit breaker stays open, in milliseconds; after it, one request probes the server. Default: 5,000. */
  readonly restMs?: number;
}

/** Circuit breaker: stops requests to a failing server, so that callers fail immediately and the server can recover. */
export class CircuitBreaker {
  readonly #clock: Clock;
  readonly #failures: number;
  readonly #restMs: number;
  #inARow = 0;
  /** Time from which the next request may probe the server; undefined while the breaker is closed. */
  #openUntil: number | undefined;

  constructor(clock: Clock, { failures = 5, restMs = 5000 }: BreakerOptions = {}) {
    this.#clock = clock;
    this.#failures = failures;
    this.#restMs = restMs;
  }

  /** Milliseconds until the next request may be sent; 0 if it may be sent now, undefined while the breaker is closed. */
  waitMs(): number | undefined {
    return this.#openUntil === undefined ? undefined : Math.max(0, this.#openUntil - this.#clock.now());
  }

  /** Registers a request that is sent. Its outcome must be reported; a request without an outcome calls the returned function. */
  enter(): () => void {
    if (this.#openUntil === undefined) return () => {};
    // This request is the probe; all others wait until it ends, or for another interval.
    const until = this.#clock.now() + this.#restMs;
    this.#openUntil = until;
    return () => {
      if (this.#openUntil === until) this.#openUntil = this.#clock.now();
    };
  }

  /** The server may be available again: while the breaker is open, the next request probes it without a further wait. */
  wake(): void {
    if (this.#openUntil !== undefined) this.#openUntil = this.#clock.now();
  }

  succeeded(): void {
    this.#inARow = 0;
    this.#openUntil = undefined;
  }

  failed(): void {
    this.#inARow += 1;
    // defence: rest-for-a-failing-server
    if (this.#inARow >= this.#failures) this.#openUntil = this.#clock.now() + this.#restMs;
  }
}
