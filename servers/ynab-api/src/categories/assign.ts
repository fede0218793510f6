import { addMonths, monthsBetween, toMonth } from '../dates/dates.ts';
import { badRequest } from '../http/api-error.ts';
import type { PlanCall } from '../http/operation.ts';

interface Assignment {
  readonly month: string;
  readonly categoryId: string;
  readonly budgeted: number;
}

/** Bounds the number of months that a plan can have. */
const YEARS = 5;

/** Sets the assigned amount of a category in a month and records the difference as a money movement from or to Ready to Assign. */
export function assign(call: PlanCall, { month, categoryId, budgeted }: Assignment): void {
  const { database, plan, user, now, today } = call;
  if (Math.abs(monthsBetween(toMonth(today), month)) > YEARS * 12) {
    const first = addMonths(toMonth(today), -YEARS * 12);
    throw badRequest(`month must be between ${first} and ${addMonths(first, YEARS * 24)}`);
  }
  const stored = database.first<{ budgeted: number }>(
    'SELECT budgeted FROM month_categories WHERE plan_id = ? AND month = ? AND category_id = ?',
    plan.id,
    month,
    categoryId,
  );
  const moved = budgeted - (stored?.budgeted ?? 0);
  if (moved === 0) return;
  database.run(
    `INSERT INTO month_categories (plan_id, month, category_id, budgeted, activity, balance, knowledge) VALUES (?, ?, ?, ?, 0, 0, ?)
     ON CONFLICT DO UPDATE SET budgeted = excluded.budgeted, knowledge = excluded.knowledge`,
    plan.id,
    month,
    categoryId,
    budgeted,
    plan.knowledge,
  );
  database.insert('money_movements', {
    id: call.newId(),
    plan_id: plan.id,
    month,
    moved_at: new Date(now).toISOString(),
    performed_by_user_id: user.id,
    from_category_id: moved < 0 ? categoryId : null,
    to_category_id: moved > 0 ? categoryId : null,
    amount: Math.abs(moved),
  });
}
