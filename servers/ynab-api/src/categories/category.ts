import type { Database } from '../database/database.ts';
import type { PlanCall } from '../http/operation.ts';
import { withFormats } from '../money/format-amount.ts';
import type { Role } from '../months/compute-months.ts';
import { toGoalProgress } from './goal.ts';
import type { Goal } from './goal.ts';

/** A category with its amounts in one month. */
export interface CategoryRow extends Goal {
  readonly id: string;
  readonly category_group_id: string;
  readonly category_group_name: string;
  readonly name: string;
  readonly role: Role;
  readonly hidden: number;
  readonly note: string | null;
  readonly month: string;
  readonly budgeted: number;
  readonly activity: number;
  readonly balance: number;
}

export interface GroupRow {
  readonly id: string;
  readonly name: string;
  readonly hidden: number;
  readonly internal: number;
  /** 1 for the group of the payment categories. */
  readonly payments: number;
}

const SELECT = `
  SELECT c.id, c.category_group_id, g.name AS category_group_name, c.name, c.role, c.hidden, c.note,
    c.goal_type, c.goal_target, c.goal_target_date, c.goal_needs_whole_amount, c.goal_cadence, c.goal_cadence_frequency,
    c.goal_day, c.goal_creation_month, ?2 AS month,
    COALESCE(m.budgeted, 0) AS budgeted, COALESCE(m.activity, 0) AS activity, COALESCE(m.balance, 0) AS balance
  FROM categories c
  JOIN category_groups g ON g.id = c.category_group_id
  LEFT JOIN month_categories m ON m.plan_id = ?1 AND m.month = ?2 AND m.category_id = c.id
  WHERE c.plan_id = ?1`;

/** The categories with their amounts of a month; only those that have changed since a knowledge, if it is given. */
export function listCategories(
  database: Database,
  place: { planId: string; month: string },
  since = -1,
): CategoryRow[] {
  return database.all<CategoryRow>(
    `${SELECT} AND MAX(c.knowledge, COALESCE(m.knowledge, 0)) > ?3 ORDER BY g.rowid, c.rowid`,
    place.planId,
    place.month,
    since,
  );
}

export function findCategory(
  database: Database,
  place: { planId: string; month: string },
  id: string,
): CategoryRow | undefined {
  return database.first<CategoryRow>(`${SELECT} AND c.id = ?3`, place.planId, place.month, id.toLowerCase());
}

export function listGroups(database: Database, planId: string, since = -1): GroupRow[] {
  return database.all<GroupRow>(
    'SELECT id, name, hidden, internal, payments FROM category_groups WHERE plan_id = ? AND knowledge > ? ORDER BY rowid',
    planId,
    since,
  );
}

export function toGroup({ id, name, hidden, internal }: GroupRow): object {
  return { id, name, hidden: hidden === 1, internal: internal === 1, deleted: false };
}

export function isInternal(role: Role): boolean {
  return role === 'inflow' || role === 'uncategorized';
}

/** The category without formatted amounts, as in the export of a plan. */
export function toCategoryBase(row: CategoryRow) {
  const { month: _month, role, ...columns } = row;
  return {
    ...columns,
    hidden: row.hidden === 1,
    internal: isInternal(role),
    original_category_group_id: null,
    goal_needs_whole_amount: row.goal_needs_whole_amount === null ? null : row.goal_needs_whole_amount === 1,
    goal_target_month: null,
    ...toGoalProgress(row, row),
    goal_snoozed_at: null,
    deleted: false,
  };
}

const AMOUNTS = [
  'balance',
  'activity',
  'budgeted',
  'goal_target',
  'goal_under_funded',
  'goal_overall_funded',
  'goal_overall_left',
] as const;

export function toCategory(row: CategoryRow, { plan }: Pick<PlanCall, 'plan'>): object {
  return withFormats(toCategoryBase(row), AMOUNTS, plan.currency_format);
}
