import type { Database } from '../database/database.ts';
import { toMonth } from '../dates/dates.ts';
import { settle } from '../months/settle.ts';
import { enterDue } from '../scheduled/enter-due.ts';
import { beginChange } from './plan.ts';
import type { Plan } from './plan.ts';

interface Moment {
  readonly database: Database;
  readonly now: number;
  readonly today: string;
  readonly newId: () => string;
}

/** Brings a plan to the date of a request: enters due scheduled transactions and adds the months that have begun. Runs in a transaction. */
export function catchUp({ database, now, today, newId }: Moment, plan: Plan): Plan {
  const changed = { ...beginChange(database, plan, now), settled_on: today };
  enterDue({ database, plan: changed, today, newId });
  // The amounts of a category in a response are those of the current month.
  if (toMonth(today) !== toMonth(plan.settled_on))
    database.run('UPDATE categories SET knowledge = ? WHERE plan_id = ?', changed.knowledge, plan.id);
  database.update('plans', plan.id, { settled_on: today });
  settle({ database, plan: changed, today });
  return changed;
}
