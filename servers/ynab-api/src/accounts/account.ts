import { toMonth } from '../dates/dates.ts';
import { withFormats } from '../money/format-amount.ts';
import type { PlanCall } from '../http/operation.ts';
import type { Database } from '../database/database.ts';

export interface AccountRow {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly on_budget: number;
  readonly closed: number;
  readonly note: string | null;
  readonly transfer_payee_id: string;
  readonly direct_import_linked: number;
  readonly last_reconciled_at: string | null;
  readonly balance: number;
  readonly cleared_balance: number;
}

const SELECT = `SELECT id, name, type, on_budget, closed, note, transfer_payee_id, direct_import_linked, last_reconciled_at,
  balance, cleared_balance FROM accounts`;

export function listAccounts(database: Database, planId: string, since = -1): AccountRow[] {
  return database.all<AccountRow>(
    `${SELECT} WHERE plan_id = ? AND knowledge > ? ORDER BY rowid`,
    planId,
    since,
  );
}

export function findAccount(database: Database, planId: string, id: string): AccountRow | undefined {
  return database.first<AccountRow>(`${SELECT} WHERE plan_id = ? AND id = ?`, planId, id.toLowerCase());
}

/** The account without formatted amounts, as in the export of a plan. */
export function toAccountBase(row: AccountRow) {
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    on_budget: row.on_budget === 1,
    closed: row.closed === 1,
    note: row.note,
    balance: row.balance,
    cleared_balance: row.cleared_balance,
    uncleared_balance: row.balance - row.cleared_balance,
    transfer_payee_id: row.transfer_payee_id,
    direct_import_linked: row.direct_import_linked === 1,
    direct_import_in_error: false,
    last_reconciled_at: row.last_reconciled_at,
    debt_original_balance: null,
    debt_interest_rates: {},
    debt_minimum_payments: {},
    debt_escrow_amounts: {},
    deleted: false,
  };
}

export function toAccount(row: AccountRow, { plan }: Pick<PlanCall, 'plan'>): object {
  return withFormats(
    toAccountBase(row),
    ['balance', 'cleared_balance', 'uncleared_balance'],
    plan.currency_format,
  );
}

const ON_BUDGET = new Set(['checking', 'savings', 'cash', 'creditCard']);

/** A new account with its id. */
export interface NewAccount {
  readonly id: string;
  readonly name: string;
  readonly type: string;
}

/** Adds an account with the payee that transfers to it and, for a credit card, its payment category. */
export function insertAccount(
  call: Pick<PlanCall, 'database' | 'plan' | 'today' | 'newId'>,
  account: NewAccount,
): void {
  const { database, plan, today } = call;
  const payee = call.newId();
  const { knowledge } = plan;
  database.insert('payees', {
    id: payee,
    plan_id: plan.id,
    name: `Transfer : ${account.name}`,
    transfer_account_id: account.id,
    knowledge,
  });
  database.insert('accounts', {
    ...account,
    plan_id: plan.id,
    on_budget: ON_BUDGET.has(account.type),
    transfer_payee_id: payee,
    knowledge,
  });
  if (account.type !== 'creditCard') return;
  database.run(
    `INSERT INTO categories (id, plan_id, category_group_id, name, role, payment_account_id, goal_creation_month, knowledge)
     SELECT ?, ?, id, ?, 'payment', ?, ?, ? FROM category_groups WHERE plan_id = ? AND payments = 1`,
    call.newId(),
    plan.id,
    account.name,
    account.id,
    toMonth(today),
    knowledge,
    plan.id,
  );
}
