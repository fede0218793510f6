import type { ErrorObject } from 'ajv/dist/2020.js';

/** Minimum number of steps of a check. */
export const MIN_CHECK_STEPS = 20_000;
/** Additional steps per value in the checked value; a long string counts as one value per 64 characters. */
export const CHECK_STEPS_PER_VALUE = 20;

/** Number of references after which a check caches its results: for shorter checks the cache costs more than it saves. */
const LONG = 500;

/** Maximum number of errors of a check; it stops there. A small value with a few hundred required members has fewer. */
export const MAX_ERRORS = 10_000;

/** A string of up to 2 ** 6 characters is one step. */
const STEP_BITS = 6;

/**
 * Counts the steps of a check. Nested alternatives visit the same members again with every level, so that a small value can take a very
 * long time. Steps are counted instead of time, so that the same value gets the same result everywhere.
 */
export class CheckBudget {
  readonly #exhausted = new Error('the budget of a check is exhausted');
  readonly #stopped = new Error('a check has found too many errors');
  #value: unknown;
  #left = 0;
  #isExtended = false;
  #references = 0;
  #known = new Map<unknown, Map<unknown, ErrorObject[]>>();

  /** Runs a check; stops it if it takes too many steps for its value or finds too many errors. */
  run<TResult>(value: unknown, check: (value: unknown) => TResult): TResult | 'exhausted' | 'stopped' {
    this.#value = value;
    this.#left = MIN_CHECK_STEPS;
    this.#isExtended = false;
    this.#references = 0;
    try {
      return check(value);
    } catch (error) {
      if (error === this.#exhausted) return 'exhausted';
      if (error === this.#stopped) return 'stopped';
      throw error;
    } finally {
      this.#value = undefined;
      if (this.#known.size > 0) this.#known = new Map();
    }
  }

  /** Counts steps. Throws when none are left. */
  spend(steps: number): void {
    // defence: steps-of-a-check
    this.#left -= steps;
    if (this.#left < 0) this.#extend();
  }

  /** Stops the check because it has found too many errors. They may be those of an alternative while another one is valid. */
  stop(): never {
    // Many steps for few values mean nested alternatives, whose errors explain nothing.
    const spent = MIN_CHECK_STEPS - this.#left;
    const isExpensive = this.#isExtended || spent > CHECK_STEPS_PER_VALUE * countValues(this.#value);
    throw isExpensive ? this.#exhausted : this.#stopped;
  }

  /** Cached errors of this validator by object; undefined while the check is short. */
  knownOf(validator: unknown): Map<unknown, ErrorObject[]> | undefined {
    this.#references += 1;
    // defence: memory-of-a-long-check
    if (this.#references < LONG) return undefined;
    let known = this.#known.get(validator);
    if (known === undefined) this.#known.set(validator, (known = new Map()));
    return known;
  }

  /** The size of the value is only needed when the minimum number of steps is used up. */
  #extend(): void {
    if (!this.#isExtended) {
      this.#isExtended = true;
      this.#left += CHECK_STEPS_PER_VALUE * countValues(this.#value);
    }
    if (this.#left < 0) throw this.#exhausted;
  }
}

/** Number of steps of a string. */
export function stepsOf(text: string): number {
  return 1 + (text.length >> STEP_BITS);
}

function countValues(value: unknown): number {
  let count = 0;
  // The array grows during the iteration.
  const waiting: unknown[] = [value];
  for (const each of waiting) {
    count += typeof each === 'string' ? stepsOf(each) : 1;
    if (typeof each === 'object' && each !== null)
      for (const member of Object.values(each)) waiting.push(member);
  }
  return count;
}
