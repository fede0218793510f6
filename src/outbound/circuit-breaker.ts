import type { Clock } from '../base/time/clock.ts';

/** When a server that fails is left alone. */
export interface BreakerOptions {
  /** After so many failures in a row. Default: 5. */
  readonly failures?: number;
  /** For so long; then one request may find out whether it works again. Default: 5 s. */
  readonly restMs?: number;
}

/** Leaves a server alone that fails: it is not helped by more requests, and nobody by waiting for it. */
export class CircuitBreaker {
  readonly #clock: Clock;
  readonly #failures: number;
  readonly #restMs: number;
  #inARow = 0;
  /** When the next one may try; undefined while everything is well. */
  #openUntil: number | undefined;

  constructor(clock: Clock, { failures = 5, restMs = 5000 }: BreakerOptions = {}) {
    this.#clock = clock;
    this.#failures = failures;
    this.#restMs = restMs;
  }

  /** How long the next request has to wait; 0 if it may go, and undefined while everything is well. */
  waitMs(): number | undefined {
    return this.#openUntil === undefined ? undefined : Math.max(0, this.#openUntil - this.#clock.now());
  }

  /** A request goes, which does not have to wait. It must say what became of it; one that found nothing out calls what is returned. */
  enter(): () => void {
    if (this.#openUntil === undefined) return () => {};
    // This one is the probe; all others wait until it is back, or for another interval.
    const until = this.#clock.now() + this.#restMs;
    this.#openUntil = until;
    return () => {
      if (this.#openUntil === until) this.#openUntil = this.#clock.now();
    };
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
