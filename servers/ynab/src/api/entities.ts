import type { CurrencyFormat } from '../money/currency-format.ts';

/** The parts of the API's entities that this server reads. Amounts are integers of milliunits. Names are those of the API. */

export interface User {
  readonly id: string;
}

/** The API calls a budget a plan. */
export interface Budget {
  readonly id: string;
  readonly name: string;
  readonly last_modified_on?: string;
  readonly first_month?: string;
  readonly last_month?: string;
  readonly currency_format?: CurrencyFormat | null;
}

export interface Account {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly on_budget: boolean;
  readonly closed: boolean;
  readonly note?: string | null;
  readonly balance: number;
  readonly cleared_balance: number;
  readonly uncleared_balance: number;
  readonly transfer_payee_id: string | null;
  readonly last_reconciled_at?: string | null;
  readonly deleted: boolean;
}

export interface Category {
  readonly id: string;
  readonly category_group_id: string;
  readonly category_group_name?: string;
  readonly name: string;
  readonly hidden: boolean;
  readonly note?: string | null;
  readonly budgeted: number;
  readonly activity: number;
  readonly balance: number;
  readonly goal_type?: string | null;
  readonly goal_target?: number | null;
  readonly goal_target_date?: string | null;
  readonly goal_percentage_complete?: number | null;
  readonly goal_under_funded?: number | null;
  readonly deleted: boolean;
}

export interface CategoryGroup {
  readonly id: string;
  readonly name: string;
  readonly hidden: boolean;
  readonly deleted: boolean;
  readonly categories: readonly Category[];
}

export interface Payee {
  readonly id: string;
  readonly name: string;
  readonly transfer_account_id?: string | null;
  readonly deleted: boolean;
}

export interface Month {
  readonly month: string;
  readonly note?: string | null;
  readonly income: number;
  readonly budgeted: number;
  readonly activity: number;
  readonly to_be_budgeted: number;
  readonly age_of_money?: number | null;
  readonly deleted: boolean;
}

export interface MonthDetail extends Month {
  readonly categories: readonly Category[];
}

export type Cleared = 'cleared' | 'uncleared' | 'reconciled';

export interface Subtransaction {
  readonly id: string;
  readonly transaction_id: string;
  readonly amount: number;
  readonly memo?: string | null;
  readonly payee_id?: string | null;
  readonly payee_name?: string | null;
  readonly category_id?: string | null;
  readonly category_name?: string | null;
  readonly transfer_account_id?: string | null;
  readonly deleted: boolean;
}

export interface Transaction {
  readonly id: string;
  readonly date: string;
  readonly amount: number;
  readonly memo?: string | null;
  readonly cleared: Cleared;
  readonly approved: boolean;
  readonly flag_color?: string | null;
  readonly account_id: string;
  readonly account_name: string;
  readonly payee_id?: string | null;
  readonly payee_name?: string | null;
  readonly category_id?: string | null;
  readonly category_name?: string | null;
  readonly transfer_account_id?: string | null;
  readonly transfer_transaction_id?: string | null;
  readonly import_id?: string | null;
  readonly deleted: boolean;
  readonly subtransactions: readonly Subtransaction[];
}

export interface ScheduledTransaction {
  readonly id: string;
  readonly date_first: string;
  readonly date_next: string;
  readonly frequency: string;
  readonly amount: number;
  readonly memo?: string | null;
  readonly flag_color?: string | null;
  readonly account_id: string;
  readonly account_name: string;
  readonly payee_id?: string | null;
  readonly payee_name?: string | null;
  readonly category_id?: string | null;
  readonly category_name?: string | null;
  readonly deleted: boolean;
  readonly subtransactions: readonly Subtransaction[];
}
