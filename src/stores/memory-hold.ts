import type { Clock } from './clock.ts';
import { SMALL_BYTES } from './memory-budget.ts';
import type { MemoryAccount } from './memory-budget.ts';

/** The longest that a handler which ignores its deadline keeps the memory of its arguments counted. */
const ABANDONED_MS = 600_000;

/** The memory of one request: counted until the request is answered, and until a handler that goes on after that has settled. */
export class MemoryHold {
  readonly #account: MemoryAccount;
  readonly #clock: Clock;
  #bytes: number;
  #holders = 1;
  #cancelTimer: (() => void) | undefined;

  private constructor(account: MemoryAccount, bytes: number, clock: Clock) {
    this.#account = account;
    this.#bytes = bytes;
    this.#clock = clock;
  }

  /** Undefined when there is no room. */
  static take(account: MemoryAccount, bytes: number, clock: Clock): MemoryHold | undefined {
    return account.take(bytes) ? new MemoryHold(account, bytes, clock) : undefined;
  }

  /** Whether it is worth following a handler beyond its response. */
  get isLarge(): boolean {
    return this.#bytes > SMALL_BYTES;
  }

  /** Less of it is kept than was received. */
  shrinkTo(bytes: number): void {
    if (bytes >= this.#bytes) return;
    this.#account.give(this.#bytes - bytes);
    this.#bytes = bytes;
  }

  /** The request is answered. */
  release(): void {
    if (this.#leave()) return;
    // A handler that never settles must not count for ever: nobody can tell whether it still uses anything.
    this.#cancelTimer = this.#clock.schedule(() => this.#free(), ABANDONED_MS, true);
  }

  /** Counts until `work` has settled as well. */
  follow(work: PromiseLike<unknown>): void {
    this.#holders += 1;
    const settle = (): void => void this.#leave();
    work.then(settle, settle);
  }

  #leave(): boolean {
    this.#holders -= 1;
    if (this.#holders === 0) this.#free();
    return this.#holders <= 0;
  }

  #free(): void {
    if (this.#holders < 0) return;
    this.#holders = -1;
    this.#cancelTimer?.();
    this.#account.give(this.#bytes);
  }
}
