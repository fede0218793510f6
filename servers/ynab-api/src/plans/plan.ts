import type { Database } from '../database/database.ts';
import { resourceNotFound } from '../http/api-error.ts';
import type { CurrencyFormat } from '../money/format-amount.ts';
import type { User } from './user.ts';

/** A plan: the API's name of a budget. */
export interface Plan {
  readonly id: string;
  readonly name: string;
  readonly date_format: { readonly format: string };
  readonly currency_format: CurrencyFormat;
  /** The server knowledge: grows by one with each change. */
  readonly knowledge: number;
  readonly modified_at: string;
  readonly settled_on: string;
}

type PlanRow = { readonly [K in keyof Plan]: Plan[K] extends object ? string : Plan[K] };

const SELECT = 'SELECT id, name, date_format, currency_format, knowledge, modified_at, settled_on FROM plans';

function toPlan(row: PlanRow): Plan {
  // Both columns were written by this server from values of these types.
  return {
    ...row,
    date_format: JSON.parse(row.date_format) as Plan['date_format'],
    currency_format: JSON.parse(row.currency_format) as CurrencyFormat,
  };
}

export function listPlans(database: Database, user: User): Plan[] {
  return database.all<PlanRow>(`${SELECT} WHERE user_id = ? ORDER BY rowid`, user.id).map(toPlan);
}

/** The plan of a path: an id, `default` or `last-used`. Plans of other users do not exist. */
export function getPlan(database: Database, user: User, id: string): Plan {
  const named: Record<string, string | null> = {
    default: user.default_plan_id,
    'last-used': user.last_plan_id,
  };
  const row = database.first<PlanRow>(
    `${SELECT} WHERE id = ? AND user_id = ?`,
    Object.hasOwn(named, id) ? (named[id] ?? null) : id.toLowerCase(),
    user.id,
  );
  if (row === undefined) throw resourceNotFound();
  return toPlan(row);
}

/** Begins a change: the plan with the next knowledge. */
export function beginChange(database: Database, plan: Plan, now: number): Plan {
  const changed = { ...plan, knowledge: plan.knowledge + 1, modified_at: new Date(now).toISOString() };
  database.update('plans', plan.id, { knowledge: changed.knowledge, modified_at: changed.modified_at });
  return changed;
}
