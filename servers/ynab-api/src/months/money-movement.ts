import type { PlanCall } from '../http/operation.ts';
import { withFormats } from '../money/format-amount.ts';

/** The movements of money between categories; null is Ready to Assign. Of all months, or of one. */
export function listMovements({ database, plan }: PlanCall, month: string | null = null): object[] {
  const rows = database.all<{ amount: number }>(
    `SELECT id, month, moved_at, note, money_movement_group_id, performed_by_user_id, from_category_id, to_category_id, amount
     FROM money_movements WHERE plan_id = ?1 AND (?2 IS NULL OR month = ?2) ORDER BY moved_at, rowid`,
    plan.id,
    month,
  );
  return rows.map((row) => withFormats(row, ['amount'], plan.currency_format));
}

export function listMovementGroups({ database, plan }: PlanCall, month: string | null = null): object[] {
  return database.all<object>(
    `SELECT id, group_created_at, month, note, performed_by_user_id
     FROM money_movement_groups WHERE plan_id = ?1 AND (?2 IS NULL OR month = ?2) ORDER BY group_created_at, rowid`,
    plan.id,
    month,
  );
}
