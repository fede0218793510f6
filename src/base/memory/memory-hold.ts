import type { Clock } from '../time/clock.ts';
import { SMALL_BYTES } from './memory-budget.ts';
import type { MemoryAccount } from './memory-budget.ts';

/** Maximum time that a handler which ignores its deadline keeps the memory of its arguments counted. */
const ABANDONED_MS = 600_000;

/** The memory of one request: counted until the response is sent and, for large requests, until the work on it has settled. */
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

  /** Undefined if there is not enough memory. */
  static take(account: MemoryAccount, bytes: number, clock: Clock): MemoryHold | undefined {
    return account.take(bytes) ? new MemoryHold(account, bytes, clock) : undefined;
  }

  /** Adds bytes for the request, such as responses of its client. False if there is not enough memory. */
  grow(bytes: number): boolean {
    if (this.#isFreed || !this.#account.take(bytes)) return false;
    this.#bytes += bytes;
    return true;
  }

  /** Whether there is memory for bytes that are counted elsewhere. Frees other memory if necessary. */
  hasRoomFor(bytes: number): boolean {
    if (!this.#account.take(bytes)) return false;
    this.#account.give(bytes);
    return true;
  }

  /** Releases some of the bytes. */
  shrink(bytes: number): void {
    this.shrinkTo(Math.max(0, this.#bytes - bytes));
  }

  /** Reduces the counted bytes to this number. */
  shrinkTo(bytes: number): void {
    if (bytes >= this.#bytes) return;
    this.#account.give(this.#bytes - bytes);
    this.#bytes = bytes;
  }

  /** Adds work that may continue after the response: a handler that ignores its signal, a task. */
  follow(work: PromiseLike<unknown>): void {
    this.#work = this.#work === undefined ? [work] : [...this.#work, work];
  }

  /** Called when the response is sent. */
  release(): void {
    const work = this.#work;
    this.#work = undefined;
    // Small requests are not worth tracking.
    if (work === undefined || this.#bytes <= SMALL_BYTES) return this.#free();
    let running = work.length;
    const settle = (): void => {
      running -= 1;
      if (running > 0) return;
      cancelTimer();
      this.#free();
    };
    // Work that never settles must not count for ever.
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
