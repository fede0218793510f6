import type { Database } from '../database/database.ts';
import type { Plan } from './plan.ts';

export function toPlanSummary(database: Database, plan: Plan) {
  const range = database.first<{ first: string; last: string }>(
    'SELECT MIN(month) AS first, MAX(month) AS last FROM months WHERE plan_id = ?',
    plan.id,
  );
  return {
    id: plan.id,
    name: plan.name,
    last_modified_on: plan.modified_at,
    first_month: range?.first,
    last_month: range?.last,
    date_format: plan.date_format,
    currency_format: plan.currency_format,
  };
}
