import type { MaybePromise } from '../../../base/maybe-promise.ts';
import type { Clock } from '../../../base/time/clock.ts';
import type { HttpSink } from '../message/http-message.ts';

/** How much is done at a time. */
export interface AdmissionLimits {
  /** Requests that are answered at the same time. */
  readonly maxInFlight: number;
  /** Of one caller; nobody in particular is many. */
  readonly maxInFlightPerCaller: number;
  /** Requests that wait for others to be answered. */
  readonly maxWaiting: number;
  /** How long one waits. */
  readonly maxWaitMs: number;
}

interface Waiting {
  readonly owner: string | undefined;
  readonly begin: () => void;
}

/**
 * Lets in as many requests as can be answered at a time. A few more wait; the rest are told at once to come back later: a server that
 * takes everything in answers nobody in time.
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

  /**
   * Whether the request may be answered now; false when it has to come back later. Who came in must leave. `owner` is undefined for
   * anonymous callers.
   */
  enter(owner: string | undefined, client?: Pick<HttpSink, 'onClose'>): MaybePromise<boolean> {
    if (this.#hasRoom(owner)) {
      this.#add(owner);
      return true;
    }
    return this.#mayWait(owner) ? this.#wait(owner, client) : false;
  }

  /** Of the places to wait, one caller gets a quarter: it may be waiting only for itself. */
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

  /** Comes in again, however many there are: a call that goes on after it had waited for its client. */
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

  /** Below zero for a moment where a call ends while it asks its client: it leaves for the second time before it comes in again. */
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
      // Whoever has gone takes nobody the place.
      // defence: look-at-who-has-gone
      client?.onClose(() => {
        if (!this.#waiting.delete(waiting)) return;
        cancelTimer();
        resolve(false);
      });
    });
  }

  /** Whoever has used up its own share does not hold up those behind it. */
  #callNext(): void {
    for (const waiting of this.#waiting) {
      if (!this.#hasRoom(waiting.owner)) continue;
      this.#waiting.delete(waiting);
      waiting.begin();
      return;
    }
  }
}
