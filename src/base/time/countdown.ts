import type { Clock } from './clock.ts';

/** Calls back after a time that can stand still in between. */
export class Countdown {
  readonly #clock: Clock;
  readonly #onEnd: () => void;
  #leftMs: number;
  #startedAt = 0;
  #cancel: (() => void) | undefined;

  constructor(clock: Clock, ms: number, onEnd: () => void) {
    this.#clock = clock;
    this.#leftMs = ms;
    this.#onEnd = onEnd;
  }

  /** Begins, or goes on. */
  start(): void {
    this.#startedAt = this.#clock.now();
    // defence: timer-of-a-call
    this.#cancel = this.#clock.schedule(this.#onEnd, this.#leftMs);
  }

  /** Stands still until it is started again. */
  // defence: pause-of-a-deadline
  pause(): void {
    if (this.#cancel === undefined) return;
    this.cancel();
    this.#leftMs = Math.max(1, this.#leftMs - (this.#clock.now() - this.#startedAt));
  }

  cancel(): void {
    // defence: end-of-a-timer
    this.#cancel?.();
    this.#cancel = undefined;
  }
}
