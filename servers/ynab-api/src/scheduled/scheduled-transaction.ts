import type { Database } from '../database/database.ts';
import type { PlanCall } from '../http/operation.ts';
import { withFormats } from '../money/format-amount.ts';
import type { Frequency } from './next-date.ts';

export interface ScheduledRow {
  readonly id: string;
  readonly date_first: string;
  readonly date_next: string;
  readonly frequency: Frequency;
  readonly amount: number;
  readonly memo: string | null;
  readonly flag_color: string | null;
  readonly account_id: string;
  readonly payee_id: string | null;
  readonly category_id: string | null;
  readonly transfer_account_id: string | null;
  readonly deleted: number;
  readonly account_name: string;
  readonly payee_name: string | null;
  readonly category_name: string | null;
}

export interface ScheduledPartRow {
  readonly id: string;
  readonly scheduled_transaction_id: string;
  readonly amount: number;
  readonly memo: string | null;
  readonly payee_id: string | null;
  readonly payee_name: string | null;
  readonly category_id: string | null;
  readonly category_name: string | null;
  readonly transfer_account_id: string | null;
  readonly deleted: number;
}

interface Filter {
  readonly since?: number | undefined;
  readonly id?: string | undefined;
}

export function listScheduled(
  database: Database,
  planId: string,
  { since, id }: Filter = {},
): ScheduledRow[] {
  return database.all<ScheduledRow>(
    `SELECT t.id, t.date_first, t.date_next, t.frequency, t.amount, t.memo, t.flag_color, t.account_id, t.payee_id, t.category_id,
       t.transfer_account_id, t.deleted, a.name AS account_name, p.name AS payee_name,
       CASE WHEN EXISTS (SELECT 1 FROM scheduled_subtransactions s WHERE s.scheduled_transaction_id = t.id)
         THEN 'Split' ELSE c.name END AS category_name
     FROM scheduled_transactions t
     JOIN accounts a ON a.id = t.account_id
     LEFT JOIN payees p ON p.id = t.payee_id
     LEFT JOIN categories c ON c.id = t.category_id
     WHERE t.plan_id = ?1 AND ((?2 IS NULL AND t.deleted = 0) OR t.knowledge > ?2) AND (?3 IS NULL OR t.id = ?3)
     ORDER BY t.date_next, t.rowid`,
    planId,
    since ?? null,
    id?.toLowerCase() ?? null,
  );
}

export function listScheduledParts(database: Database, planId: string): ScheduledPartRow[] {
  return database.all<ScheduledPartRow>(
    `SELECT s.id, s.scheduled_transaction_id, s.amount, s.memo, s.payee_id, p.name AS payee_name, s.category_id,
       c.name AS category_name, s.transfer_account_id, s.deleted
     FROM scheduled_subtransactions s
     LEFT JOIN payees p ON p.id = s.payee_id
     LEFT JOIN categories c ON c.id = s.category_id
     WHERE s.plan_id = ? ORDER BY s.rowid`,
    planId,
  );
}

export function toScheduledBase(row: ScheduledRow) {
  return {
    id: row.id,
    date_first: row.date_first,
    date_next: row.date_next,
    frequency: row.frequency,
    amount: row.amount,
    memo: row.memo,
    flag_color: row.flag_color,
    flag_name: null,
    account_id: row.account_id,
    payee_id: row.payee_id,
    category_id: row.category_id,
    transfer_account_id: row.transfer_account_id,
    deleted: row.deleted === 1,
  };
}

export function toScheduledPartBase(row: ScheduledPartRow) {
  return { ...row, deleted: row.deleted === 1 };
}

export function toScheduledDetails(call: PlanCall, rows: readonly ScheduledRow[]): object[] {
  const { currency_format } = call.plan;
  const parts = listScheduledParts(call.database, call.plan.id);
  return rows.map((row) => ({
    ...withFormats(toScheduledBase(row), ['amount'], currency_format),
    account_name: row.account_name,
    payee_name: row.payee_name,
    category_name: row.category_name,
    subtransactions: parts
      .filter((part) => part.scheduled_transaction_id === row.id)
      .map((part) => withFormats(toScheduledPartBase(part), ['amount'], currency_format)),
  }));
}
