import type { Database } from '../database/database.ts';
import type { PlanCall } from '../http/operation.ts';

export interface PayeeRow {
  readonly id: string;
  readonly name: string;
  readonly transfer_account_id: string | null;
}

const SELECT = 'SELECT id, name, transfer_account_id FROM payees';

export function listPayees(database: Database, planId: string, since = -1): PayeeRow[] {
  return database.all<PayeeRow>(
    `${SELECT} WHERE plan_id = ? AND knowledge > ? ORDER BY rowid`,
    planId,
    since,
  );
}

export function findPayee(database: Database, planId: string, id: string): PayeeRow | undefined {
  return database.first<PayeeRow>(`${SELECT} WHERE plan_id = ? AND id = ?`, planId, id.toLowerCase());
}

/** The payee with a name, whatever its case. */
export function findPayeeByName(database: Database, planId: string, name: string): PayeeRow | undefined {
  return database.first<PayeeRow>(
    `${SELECT} WHERE plan_id = ? AND name = ? COLLATE NOCASE ORDER BY rowid LIMIT 1`,
    planId,
    name.trim(),
  );
}

export function insertPayee(place: Pick<PlanCall, 'database' | 'plan' | 'newId'>, name: string): PayeeRow {
  const payee = { id: place.newId(), name: name.trim(), transfer_account_id: null };
  const { database, plan } = place;
  database.insert('payees', { ...payee, plan_id: plan.id, knowledge: plan.knowledge });
  return payee;
}

export function toPayee({ id, name, transfer_account_id }: PayeeRow): object {
  return { id, name, transfer_account_id, deleted: false };
}
