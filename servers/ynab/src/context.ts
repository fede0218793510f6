import type { Caller } from './data/caller.ts';
import type { BudgetStore } from './data/budget-store.ts';
import type { BudgetReader } from './data/budget-reader.ts';
import type { BudgetWriter } from './data/budget-writer.ts';

/** The members that the server adds to the context of every call. */
export interface BudgetContext {
  /** The settings of the access token of this call. */
  readonly owner: Caller;
  /** The cached data of the caller. */
  readonly store: BudgetStore;
  readonly budgets: BudgetReader;
  readonly writer: BudgetWriter;
  /** `YNAB_DEFAULT_BUDGET_ID`. */
  readonly configuredBudgetId: string | undefined;
  /** Formats a value as JSON with the settings of the caller. */
  readonly toJson: (value: object) => string;
  /** The current date in UTC, `YYYY-MM-DD`. */
  readonly today: string;
}
