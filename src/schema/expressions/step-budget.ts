import { MAX_CHECK_STEPS } from '../../pattern-judge/judge-pattern.ts';
import type { Steps } from '../../pattern-judge/judge-pattern.ts';

/**
 * Counts the worst-case steps of all patterns in one check. A bound per string is not enough, because a message has many strings. Steps are
 * counted instead of time, so that the same value gets the same result everywhere.
 */
export class StepBudget {
  readonly #steps: ReadonlyMap<string, Steps>;
  #left = MAX_CHECK_STEPS;
  #exceededBy: string | undefined;

  /** `steps`: cost functions by the source of the expression. Expressions that are not listed are not counted. */
  constructor(steps: ReadonlyMap<string, Steps>) {
    this.#steps = steps;
  }

  /** The expression that exceeded the budget. */
  get exceededBy(): string | undefined {
    return this.#exceededBy;
  }

  /** Resets the budget. Call it before each check. */
  begin(): void {
    this.#left = MAX_CHECK_STEPS;
    this.#exceededBy = undefined;
  }

  /** Counts one match. Returns false if too few steps are left; after that it is false for all matches. */
  // defence: budget-of-steps
  mayTry(source: string, length: number): boolean {
    if (this.#exceededBy !== undefined) return false;
    this.#left -= this.#steps.get(source)?.(length) ?? 0;
    if (this.#left < 0) this.#exceededBy = source;
    return this.#left >= 0;
  }
}
