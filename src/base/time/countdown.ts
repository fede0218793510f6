import type { Clock } from './clock.ts';

/** A timer that can be paused. */
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

  /** Starts or resumes. */
  start(): void {
    this.#startedAt = this.#clock.now();
    // defence: timer-of-a-call
    this.#cancel = this.#clock.schedule(this.#onEnd, this.#leftMs);
  }

  /** Pauses until it is started again. */
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
