import { listCategories, toCategory, toCategoryBase } from '../categories/category.ts';
import type { Database } from '../database/database.ts';
import { resourceNotFound } from '../http/api-error.ts';
import type { PlanCall } from '../http/operation.ts';
import { withFormats } from '../money/format-amount.ts';

export interface MonthRow {
  readonly month: string;
  readonly note: string | null;
  readonly income: number;
  readonly budgeted: number;
  readonly activity: number;
  readonly to_be_budgeted: number;
  readonly age_of_money: number | null;
}

const SELECT = `SELECT month, note, income, budgeted, activity, to_be_budgeted, age_of_money FROM months`;

/** The months, newest first. */
export function listMonthRows(database: Database, planId: string, since = -1): MonthRow[] {
  return database.all<MonthRow>(
    `${SELECT} WHERE plan_id = ? AND knowledge > ? ORDER BY month DESC`,
    planId,
    since,
  );
}

export function getMonth(call: Pick<PlanCall, 'database' | 'plan'>, month: string): MonthRow {
  const row = call.database.first<MonthRow>(`${SELECT} WHERE plan_id = ? AND month = ?`, call.plan.id, month);
  if (row === undefined) throw resourceNotFound();
  return row;
}

const AMOUNTS = ['income', 'budgeted', 'activity', 'to_be_budgeted'] as const;

export function toMonthSummary(row: MonthRow, { plan }: Pick<PlanCall, 'plan'>): object {
  return withFormats({ ...row, deleted: false }, AMOUNTS, plan.currency_format);
}

export function toMonthDetail(row: MonthRow, call: Pick<PlanCall, 'database' | 'plan'>): object {
  const categories = listCategories(call.database, { planId: call.plan.id, month: row.month });
  return {
    ...toMonthSummary(row, call),
    categories: categories.map((category) => toCategory(category, call)),
  };
}

/** The month without formatted amounts, as in the export of a plan. */
export function toMonthBase(row: MonthRow, call: Pick<PlanCall, 'database' | 'plan'>): object {
  const categories = listCategories(call.database, { planId: call.plan.id, month: row.month });
  return { ...row, deleted: false, categories: categories.map(toCategoryBase) };
}
