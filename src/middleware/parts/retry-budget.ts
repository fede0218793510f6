import { numberFrom } from '../../errors/options/rules.ts';
import type { Rules } from '../../errors/options/rules.ts';

/** How many retries there may be. */
export interface RetryBudgetOptions {
  /** What each first attempt adds: 0.1 allows one retry for ten calls in the long run. Default: 0.1. */
  readonly ratio?: number;
  /** How many retries can be saved up; so many are there at the start. Default: 10. */
  readonly reserve?: number;
}

export const RETRY_BUDGET_RULES: Rules<keyof RetryBudgetOptions> = {
  ratio: numberFrom(0, 1),
  reserve: numberFrom(0, 1_000_000),
};

/** Tokens are counted in thousandths: ten times a tenth is not one in floating point. */
const TOKEN = 1000;

/** A bucket of tokens that every first attempt fills a little and every retry takes one from: retries cannot multiply the load. */
export class RetryBudget {
  readonly #earned: number;
  readonly #most: number;
  #tokens: number;

  constructor({ ratio = 0.1, reserve = 10 }: RetryBudgetOptions = {}) {
    this.#earned = Math.round(ratio * TOKEN);
    this.#most = Math.round(reserve * TOKEN);
    this.#tokens = this.#most;
  }

  /** A call has come. */
  earn(): void {
    this.#tokens = Math.min(this.#most, this.#tokens + this.#earned);
  }

  /** Takes a token; false when none is left. */
  take(): boolean {
    // defence: budget-of-retries
    if (this.#tokens < TOKEN) return false;
    this.#tokens -= TOKEN;
    return true;
  }
}
