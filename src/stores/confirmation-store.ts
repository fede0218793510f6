import type { MaybePromise } from '../schema/validated.ts';
import type { Clock } from './clock.ts';
import { systemClock } from './clock.ts';

/** Where confirmations wait to be used. In memory by default; a shared store for several machines has the same two methods. */
export interface ConfirmationStore {
  /** Keeps what a token stands for. */
  put(token: string, binding: string, ttlMs: number): MaybePromise<void>;
  /** Takes it out: of two callers that ask at the same time, one gets it. Undefined when there is none, or no more. */
  take(token: string): MaybePromise<string | undefined>;
}

/** Options of {@link MemoryConfirmationStore}. */
export interface MemoryConfirmationOptions {
  /** How many confirmations may wait; the oldest goes first. Default: 10,000. */
  readonly maxWaiting?: number;
  readonly clock?: Clock;
}

/** Keeps confirmations in this process. One that was displaced is refused like one that has expired. */
export class MemoryConfirmationStore implements ConfirmationStore {
  readonly #waiting = new Map<string, { readonly binding: string; readonly expiresAt: number }>();
  readonly #maxWaiting: number;
  readonly #clock: Clock;

  constructor(options: MemoryConfirmationOptions = {}) {
    this.#maxWaiting = options.maxWaiting ?? 10_000;
    this.#clock = options.clock ?? systemClock;
  }

  get size(): number {
    return this.#waiting.size;
  }

  put(token: string, binding: string, ttlMs: number): void {
    this.#waiting.set(token, { binding, expiresAt: this.#clock.now() + ttlMs });
    for (const oldest of this.#waiting.keys()) {
      if (this.#waiting.size <= this.#maxWaiting) break;
      this.#waiting.delete(oldest);
    }
  }

  take(token: string): string | undefined {
    const found = this.#waiting.get(token);
    this.#waiting.delete(token);
    return found === undefined || found.expiresAt <= this.#clock.now() ? undefined : found.binding;
  }
}
