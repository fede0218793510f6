import type { Clock } from '../../../base/time/clock.ts';
import { withinTime } from '../../../base/time/within-time.ts';

/** Counts running requests, so that a shutdown can wait for them. */
export class OpenRequests {
  #count = 0;
  #waiting: (() => void)[] = [];

  get count(): number {
    return this.#count;
  }

  enter(): void {
    this.#count += 1;
  }

  leave(): void {
    this.#count -= 1;
    if (this.#count > 0 || this.#waiting.length === 0) return;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  /** Waits until no request runs, or the timeout has passed. */
  // defence: drain-of-requests
  drain(clock: Clock, timeoutMs: number): Promise<void> {
    if (this.#count === 0) return Promise.resolve();
    const ended = new Promise<void>((resolve) => this.#waiting.push(resolve));
    return withinTime(ended, { clock, ms: timeoutMs }).catch(() => {});
  }
}
