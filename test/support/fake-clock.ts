import type { Clock } from '../../src/base/time/clock.ts';

/** A clock that only moves with `advance`. */
export class FakeClock implements Clock {
  #now = 1_000_000;
  #timers: { readonly at: number; readonly callback: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  schedule(callback: () => void, delayMs: number): () => void {
    const timer = { at: this.#now + delayMs, callback };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((entry) => entry !== timer);
    };
  }

  /** Number of pending timers. */
  get pending(): number {
    return this.#timers.length;
  }

  /** Moves the clock and runs due timers. */
  advance(ms: number): void {
    this.#now += ms;
    const due = this.#timers.filter((timer) => timer.at <= this.#now);
    this.#timers = this.#timers.filter((timer) => timer.at > this.#now);
    for (const timer of due) timer.callback();
  }
}
