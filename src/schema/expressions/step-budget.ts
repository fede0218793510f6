import { MAX_CHECK_STEPS } from '../../pattern-judge/judge-pattern.ts';
import type { Steps } from '../../pattern-judge/judge-pattern.ts';

/**
 * Counts what the patterns of one check may take at the worst. A bound for each text is not enough: a message has many texts. What counts
 * is the number of steps, not a clock: the same value gets the same result everywhere.
 */
export class StepBudget {
  readonly #steps: ReadonlyMap<string, Steps>;
  #left = MAX_CHECK_STEPS;
  #exceededBy: string | undefined;

  /** `steps`: by the source of the expression. Those that are not listed are not counted. */
  constructor(steps: ReadonlyMap<string, Steps>) {
    this.#steps = steps;
  }

  /** The expression for which there were too few steps left. */
  get exceededBy(): string | undefined {
    return this.#exceededBy;
  }

  /** To be called before each check. */
  begin(): void {
    this.#left = MAX_CHECK_STEPS;
    this.#exceededBy = undefined;
  }

  /** Counts one match. False when there are too few steps left; then there are none for any other. */
  // defence: budget-of-steps
  mayTry(source: string, length: number): boolean {
    if (this.#exceededBy !== undefined) return false;
    this.#left -= this.#steps.get(source)?.(length) ?? 0;
    if (this.#left < 0) this.#exceededBy = source;
    return this.#left >= 0;
  }
}
