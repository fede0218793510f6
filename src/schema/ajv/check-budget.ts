import type { ErrorObject } from 'ajv/dist/2020.js';

/** Steps that every check may take. */
export const MIN_CHECK_STEPS = 20_000;
/** Steps that it may take besides for each value in what is checked; a long string counts as one value per 64 characters. */
export const CHECK_STEPS_PER_VALUE = 20;

/** After so many references, a check remembers what it has found out: for most checks that would cost more than it saves. */
const LONG = 500;

/** A check that has found more errors than this ends. A small value with a few hundred required members has fewer. */
export const MAX_ERRORS = 10_000;

/** A string of up to so many characters is one step. */
const STEP_BITS = 6;

/**
 * Counts the steps of a check. Alternatives within alternatives go through the same members again with every level, so that a small value
 * can take longer than anybody waits. What counts is the number of steps, not a clock: the same value gets the same answer everywhere.
 */
export class CheckBudget {
  readonly #exhausted = new Error('the budget of a check is exhausted');
  readonly #stopped = new Error('a check has found too many errors');
  #value: unknown;
  #left = 0;
  #isExtended = false;
  #references = 0;
  #known = new Map<unknown, Map<unknown, ErrorObject[]>>();

  /** Runs a check, unless it takes more steps than its value may take, or finds too many errors. */
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

  /** Takes steps. Ends the check when there are none left. */
  spend(steps: number): void {
    // defence: steps-of-a-check
    this.#left -= steps;
    if (this.#left < 0) this.#extend();
  }

  /** Ends the check, because it has found so many errors. Those may be of an alternative that another one makes up for. */
  stop(): never {
    // Where a few values have taken many steps, alternatives contain alternatives, and their errors explain nothing.
    const spent = MIN_CHECK_STEPS - this.#left;
    const isExpensive = this.#isExtended || spent > CHECK_STEPS_PER_VALUE * countValues(this.#value);
    throw isExpensive ? this.#exhausted : this.#stopped;
  }

  /** The errors that a long check has found by this validator, by object; undefined while the check is short. */
  knownOf(validator: unknown): Map<unknown, ErrorObject[]> | undefined {
    this.#references += 1;
    // defence: memory-of-a-long-check
    if (this.#references < LONG) return undefined;
    let known = this.#known.get(validator);
    if (known === undefined) this.#known.set(validator, (known = new Map()));
    return known;
  }

  /** How large a value is only has to be known where the steps that all checks have are not enough. */
  #extend(): void {
    if (!this.#isExtended) {
      this.#isExtended = true;
      this.#left += CHECK_STEPS_PER_VALUE * countValues(this.#value);
    }
    if (this.#left < 0) throw this.#exhausted;
  }
}

/** The steps that go through a string once. */
export function stepsOf(text: string): number {
  return 1 + (text.length >> STEP_BITS);
}

function countValues(value: unknown): number {
  let count = 0;
  // The list grows while it is walked.
  const waiting: unknown[] = [value];
  for (const each of waiting) {
    count += typeof each === 'string' ? stepsOf(each) : 1;
    if (typeof each === 'object' && each !== null)
      for (const member of Object.values(each)) waiting.push(member);
  }
  return count;
}
