import type { LedgerTransaction } from '../matching/ledger-transaction.ts';
import type { SignConvention, SignDecision } from '../matching/sign-convention.ts';
import type { Strictness } from '../matching/score.ts';
import type { CurrencyFormat } from '../money/currency-format.ts';
import type { BankRow, RowError } from '../statement/statement.ts';

/** The account of a reconciliation, with the names of the API. */
export interface ReconciledAccount {
  readonly id: string;
  readonly type: string;
  /** Milliunits. */
  readonly cleared_balance: number;
}

export interface ReconciliationInput {
  readonly rows: readonly BankRow[];
  readonly transactions: readonly LedgerTransaction[];
  readonly account: ReconciledAccount;
  /** Milliunits, with the sign that the budget gives the balance: debts are negative. */
  readonly statementBalance: number;
  /** The date of the last row if it is undefined. Later rows are left out. */
  readonly statementEndDate?: string | undefined;
  readonly toleranceDays: number;
  readonly strictness: Strictness;
  readonly sign: SignConvention;
  /** From the detected format of the statement. */
  readonly hasExplicitSigns?: boolean | undefined;
  readonly csvErrors: readonly RowError[];
  readonly currency: CurrencyFormat;
}

/** A row of the statement and its transaction. */
export interface Match {
  readonly bank: BankRow;
  readonly transaction: LedgerTransaction;
  readonly score: number;
  readonly days_apart: number;
  readonly payee_similarity: number;
}

/** An offer that a person decides on: one transaction, or combinations of two or three that add up to the row. */
export type Suggestion =
  | (Match & {
      readonly kind: 'transaction';
      /** Other transactions with the amount that no row has; best first. */
      readonly alternatives: readonly Match[];
    })
  | {
      readonly kind: 'combination';
      readonly bank: BankRow;
      readonly combinations: readonly {
        readonly transactions: readonly LedgerTransaction[];
        readonly days_apart: number;
      }[];
    };

export interface UnmatchedRow {
  readonly bank: BankRow;
  /** The id of the transaction that would be created; the same in every run. */
  readonly import_id: string;
}

export interface Balance {
  /** Balances at the end of the statement, in milliunits. */
  readonly bank: number;
  readonly cleared: number;
  /** `bank` minus `cleared`. */
  readonly difference: number;
  readonly direction: 'balanced' | 'bank_higher' | 'ynab_higher';
}

export interface Insight {
  readonly type: 'anomaly' | 'balance_gap' | 'csv_errors' | 'near_match' | 'repeat_amount';
  readonly severity: 'critical' | 'info' | 'warning';
  readonly message: string;
  /** Numbers of rows of the statement. */
  readonly rows: readonly number[];
  readonly transaction_ids: readonly string[];
}

/** Arguments of `create_transaction` for a row of the statement. */
export interface CreateArguments {
  readonly account_id: string;
  readonly amount_milliunits: number;
  readonly date: string;
  readonly payee_name?: string;
  readonly cleared: 'cleared';
  readonly import_id: string;
}

export interface ClearedArguments {
  readonly transaction_id: string;
  readonly cleared: 'cleared' | 'uncleared';
}

/** A call that a person may want to make, with complete arguments. */
export type Recommendation = { readonly message: string; readonly priority: 'high' | 'low' | 'medium' } & (
  | {
      readonly type: 'create_transaction';
      readonly tool: 'create_transaction';
      readonly arguments: CreateArguments;
    }
  | {
      readonly type: 'update_cleared';
      readonly tool: 'update_transaction';
      readonly arguments: ClearedArguments;
    }
  | {
      readonly type: 'review_duplicate';
      readonly tool: 'get_transaction';
      readonly arguments: { readonly transaction_id: string };
    }
  | {
      readonly type: 'manual_review';
      readonly tool: 'update_transaction';
      readonly arguments: ClearedArguments;
    }
  | {
      readonly type: 'manual_review';
      readonly tool: 'update_transactions';
      readonly arguments: {
        readonly transactions: readonly { readonly id: string; readonly cleared: 'cleared' }[];
      };
    }
);

export interface Summary {
  readonly account_id: string;
  /** Dates of the first row and of the end; null if the statement has no rows and no end. */
  readonly statement_start: string | null;
  readonly statement_end: string | null;
  readonly bank_rows: number;
  /** Rows that were left out because they are later than the end. */
  readonly rows_after_end: number;
  readonly matched: number;
  readonly suggested: number;
  readonly unmatched_bank: number;
  readonly unmatched_ynab: number;
  readonly csv_errors: number;
  readonly sign: SignDecision;
}

/** The comparison of a statement with an account. Each row is in one of matches, suggestions and unmatched rows. All amounts are milliunits. */
export interface ReconciliationFacts {
  readonly summary: Summary;
  readonly balance: Balance;
  readonly matches: readonly Match[];
  readonly suggestions: readonly Suggestion[];
  readonly unmatched_bank: readonly UnmatchedRow[];
  /** Transactions of the period of the statement that have no row. */
  readonly unmatched_ynab: readonly LedgerTransaction[];
}

export interface ReconciliationAnalysis extends ReconciliationFacts {
  readonly insights: readonly Insight[];
  readonly recommendations: readonly Recommendation[];
  readonly next_steps: readonly string[];
}
