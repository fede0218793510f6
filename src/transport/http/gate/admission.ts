import type { MaybePromise } from '../../../base/maybe-promise.ts';
import type { Clock } from '../../../base/time/clock.ts';
import type { HttpSink } from '../message/http-message.ts';

/** Limits of concurrent requests. */
export interface AdmissionLimits {
  /** Maximum number of concurrent requests. */
  readonly maxInFlight: number;
  /** Maximum per caller; does not apply to anonymous callers. */
  readonly maxInFlightPerCaller: number;
  /** Maximum number of queued requests. */
  readonly maxWaiting: number;
  /** Time a request is queued. */
  readonly maxWaitMs: number;
}

interface Waiting {
  readonly owner: string | undefined;
  readonly begin: () => void;
}

/**
 * Limits concurrent requests. A few more are queued; the others are rejected immediately, because a server that accepts everything
 * responds too late to all.
 */
export class Admission {
  readonly #limits: AdmissionLimits;
  readonly #clock: Clock;
  #running = 0;
  readonly #runningOf = new Map<string, number>();
  readonly #waiting = new Set<Waiting>();

  constructor(limits: AdmissionLimits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /** Resolves to true when the request may run, to false when it is rejected. Call `leave` after true. `owner` is undefined for anonymous callers. */
  enter(owner: string | undefined, client?: Pick<HttpSink, 'onClose'>): MaybePromise<boolean> {
    if (this.#hasRoom(owner)) {
      this.#add(owner);
      return true;
    }
    return this.#mayWait(owner) ? this.#wait(owner, client) : false;
  }

  /** One caller gets a quarter of the queue: it may be waiting only for its own requests. */
  #mayWait(owner: string | undefined): boolean {
    const { maxWaiting } = this.#limits;
    // defence: limit-of-waiting
    if (this.#waiting.size >= maxWaiting) return false;
    if (owner === undefined) return true;
    let own = 0;
    for (const waiting of this.#waiting) if (waiting.owner === owner) own += 1;
    return own < maxWaiting / 4;
  }

  leave(owner: string | undefined): void {
    this.#running -= 1;
    if (owner !== undefined) this.#count(owner, -1);
    if (this.#waiting.size > 0) this.#callNext();
  }

  /** Counts a call again that continues after it waited for its client, regardless of the limit. */
  resume(owner: string | undefined): void {
    this.#add(owner);
  }

  #hasRoom(owner: string | undefined): boolean {
    const { maxInFlight, maxInFlightPerCaller } = this.#limits;
    // defence: limit-in-flight
    if (this.#running >= maxInFlight) return false;
    // defence: limit-for-each-caller
    return owner === undefined || (this.#runningOf.get(owner) ?? 0) < maxInFlightPerCaller;
  }

  #add(owner: string | undefined): void {
    this.#running += 1;
    if (owner !== undefined) this.#count(owner, 1);
  }

  /** Briefly negative if a call ends while it waits for its client: it leaves twice before it resumes. */
  #count(owner: string, change: number): void {
    const running = (this.#runningOf.get(owner) ?? 0) + change;
    if (running === 0) this.#runningOf.delete(owner);
    else this.#runningOf.set(owner, running);
  }

  #wait(owner: string | undefined, client: Pick<HttpSink, 'onClose'> | undefined): Promise<boolean> {
    return new Promise((resolve) => {
      const waiting: Waiting = {
        owner,
        begin: () => {
          cancelTimer();
          this.#add(owner);
          resolve(true);
        },
      };
      // defence: end-to-waiting
      const cancelTimer = this.#clock.schedule(() => {
        this.#waiting.delete(waiting);
        resolve(false);
      }, this.#limits.maxWaitMs);
      this.#waiting.add(waiting);
      // A client that disconnects leaves the queue.
      // defence: look-at-who-has-gone
      client?.onClose(() => {
        if (!this.#waiting.delete(waiting)) return;
        cancelTimer();
        resolve(false);
      });
    });
  }

  /** Skips callers that have used up their share, so that they do not block others. */
  #callNext(): void {
    for (const waiting of this.#waiting) {
      if (!this.#hasRoom(waiting.owner)) continue;
      this.#waiting.delete(waiting);
      waiting.begin();
      return;
    }
  }
}
