import { numberFrom } from '../../errors/options/rules.ts';
import type { Rules } from '../../errors/options/rules.ts';

/** Options of a retry budget. */
export interface RetryBudgetOptions {
  /** Tokens that each first attempt adds: 0.1 allows one retry per ten calls in the long run. Default: 0.1. */
  readonly ratio?: number;
  /** Maximum number of saved retries, also the initial number. Default: 10. */
  readonly reserve?: number;
}

export const RETRY_BUDGET_RULES: Rules<keyof RetryBudgetOptions> = {
  ratio: numberFrom(0, 1),
  reserve: numberFrom(0, 1_000_000),
};

/** Tokens are counted in thousandths, because ten times 0.1 is not 1 in floating point. */
const TOKEN = 1000;

/** A token bucket: each first attempt adds a fraction, each retry takes one token. Keeps retries from multiplying the load. */
export class RetryBudget {
  readonly #earned: number;
  readonly #most: number;
  #tokens: number;

  constructor({ ratio = 0.1, reserve = 10 }: RetryBudgetOptions = {}) {
    this.#earned = Math.round(ratio * TOKEN);
    this.#most = Math.round(reserve * TOKEN);
    this.#tokens = this.#most;
  }

  /** Adds tokens for a first attempt. */
  earn(): void {
    this.#tokens = Math.min(this.#most, this.#tokens + this.#earned);
  }

  /** Takes a token; false if none is left. */
  take(): boolean {
    // defence: budget-of-retries
    if (this.#tokens < TOKEN) return false;
    this.#tokens -= TOKEN;
    return true;
  }
}
