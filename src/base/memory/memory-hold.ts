import type { Clock } from '../time/clock.ts';
import { SMALL_BYTES } from './memory-budget.ts';
import type { MemoryAccount } from './memory-budget.ts';

/** The longest that a handler which ignores its deadline keeps the memory of its arguments counted. */
const ABANDONED_MS = 600_000;

/** The memory of one request: counted until the request is answered and, where it is large, until the work on it has settled. */
export class MemoryHold {
  readonly #account: MemoryAccount;
  readonly #clock: Clock;
  #bytes: number;
  #isFreed = false;
  #work: readonly PromiseLike<unknown>[] | undefined;

  private constructor(account: MemoryAccount, bytes: number, clock: Clock) {
    this.#account = account;
    this.#bytes = bytes;
    this.#clock = clock;
  }

  /** Undefined when there is no room. */
  static take(account: MemoryAccount, bytes: number, clock: Clock): MemoryHold | undefined {
    return account.take(bytes) ? new MemoryHold(account, bytes, clock) : undefined;
  }

  /** More is kept for the request: what its client has answered. False when there is no room. */
  grow(bytes: number): boolean {
    if (this.#isFreed || !this.#account.take(bytes)) return false;
    this.#bytes += bytes;
    return true;
  }

  /** Whether there is room for more, which is counted elsewhere. What can give way does. */
  hasRoomFor(bytes: number): boolean {
    if (!this.#account.take(bytes)) return false;
    this.#account.give(bytes);
    return true;
  }

  /** Less is kept again. */
  shrink(bytes: number): void {
    this.shrinkTo(Math.max(0, this.#bytes - bytes));
  }

  /** Less of it is kept than was received. */
  shrinkTo(bytes: number): void {
    if (bytes >= this.#bytes) return;
    this.#account.give(this.#bytes - bytes);
    this.#bytes = bytes;
  }

  /** Work that may go on after the request was answered: a handler that ignores its signal, a task. */
  follow(work: PromiseLike<unknown>): void {
    this.#work = this.#work === undefined ? [work] : [...this.#work, work];
  }

  /** The request is answered. */
  release(): void {
    const work = this.#work;
    this.#work = undefined;
    // What is small is not worth it.
    if (work === undefined || this.#bytes <= SMALL_BYTES) return this.#free();
    let running = work.length;
    const settle = (): void => {
      running -= 1;
      if (running > 0) return;
      cancelTimer();
      this.#free();
    };
    // Work that never settles must not count for ever: nobody can tell whether it still uses anything.
    const cancelTimer = this.#clock.schedule(() => this.#free(), ABANDONED_MS, true);
    for (const each of work) each.then(settle, settle);
  }

  #free(): void {
    if (this.#isFreed) return;
    this.#isFreed = true;
    this.#account.give(this.#bytes);
    this.#bytes = 0;
  }
}
