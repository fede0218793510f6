/** The seed of everything drawn here: the same in every run, another with `FAST_CHECK_SEED=7`, a new one with `FAST_CHECK_SEED=random`. */
const { FAST_CHECK_SEED: given = '20261115' } = process.env;
export const SEED: number = given === 'random' ? Math.floor(Math.random() * 2 ** 31) : Number(given);

/** Draws pseudorandom numbers from a seed. */
export class Chance {
  #state: number;

  constructor(seed: number = SEED) {
    this.#state = seed;
  }

  /** From 0 up to 1. */
  next(): number {
    this.#state = (this.#state + 0x6d_2b_79_f5) % 2 ** 32;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 up to, not including, the limit. */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  /** True with this probability. */
  happens(share: number): boolean {
    return this.next() < share;
  }

  pick<TItem>(items: readonly [TItem, ...TItem[]]): TItem {
    return items[this.below(items.length)] ?? items[0];
  }
}
