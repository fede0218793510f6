import { assertOptions, CLOCK, wholeNumber } from '../errors/options/rules.ts';
import type { Rules } from '../errors/options/rules.ts';
import type { MaybePromise } from '../base/maybe-promise.ts';
import type { Clock } from '../base/time/clock.ts';
import { systemClock } from '../base/time/clock.ts';
import { Shares } from './shares.ts';

/** Store of pending confirmations. Default: in memory. Implement it to share confirmations between machines. */
export interface ConfirmationStore {
  /** Stores the binding of a token for `ttlMs`. `owner` is an opaque key of the caller: a full store drops entries of the owner that has most. */
  // oxlint-disable-next-line max-params -- stores of users implement it; the owner came later.
  put(token: string, binding: string, ttlMs: number, owner?: string): MaybePromise<void>;
  /** Returns and deletes the entry atomically: of two concurrent calls only one gets it. Undefined if it does not exist or has expired. */
  take(token: string): MaybePromise<string | undefined>;
}

/** Options of {@link MemoryConfirmationStore}. */
export interface MemoryConfirmationOptions {
  /** Maximum number of pending confirmations; the oldest of the owner that has most is dropped first. Default: 10,000. */
  readonly maxWaiting?: number;
  readonly clock?: Clock;
}

interface Waiting {
  readonly binding: string;
  readonly owner: string;
  readonly expiresAt: number;
}

const OPTIONS: Rules<keyof MemoryConfirmationOptions> = {
  maxWaiting: wholeNumber(0),
  clock: CLOCK,
};

/** In-memory confirmation store. A dropped confirmation is rejected like an expired one. */
export class MemoryConfirmationStore implements ConfirmationStore {
  readonly #waiting = new Map<string, Waiting>();
  readonly #shares = new Shares();
  readonly #maxWaiting: number;
  readonly #clock: Clock;

  constructor(options: MemoryConfirmationOptions = {}) {
    assertOptions('MemoryConfirmationStore', options, OPTIONS);
    this.#maxWaiting = options.maxWaiting ?? 10_000;
    this.#clock = options.clock ?? systemClock;
  }

  get size(): number {
    return this.#waiting.size;
  }

  // oxlint-disable-next-line max-params -- as the interface has it
  put(token: string, binding: string, ttlMs: number, owner = ''): void {
    this.#remove(token);
    this.#waiting.set(token, { binding, owner, expiresAt: this.#clock.now() + ttlMs });
    this.#shares.add(owner, token, 1);
    this.#dropExpired();
    while (this.#waiting.size > this.#maxWaiting) this.#remove(this.#shares.next());
  }

  take(token: string): string | undefined {
    const found = this.#remove(token);
    return found === undefined || found.expiresAt <= this.#clock.now() ? undefined : found.binding;
  }

  #remove(token = ''): Waiting | undefined {
    const found = this.#waiting.get(token);
    if (found === undefined) return undefined;
    // defence: confirmation-is-used-once
    this.#waiting.delete(token);
    this.#shares.remove(found.owner, token);
    return found;
  }

  /** Drops from the oldest up to the first valid one: all confirmations of one registry have the same lifetime. */
  #dropExpired(): void {
    const now = this.#clock.now();
    for (const [token, { expiresAt }] of this.#waiting) {
      if (expiresAt > now) break;
      this.#remove(token);
    }
  }
}
