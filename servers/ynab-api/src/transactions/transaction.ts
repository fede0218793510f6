import type { Database } from '../database/database.ts';
import type { PlanCall } from '../http/operation.ts';
import { withFormats } from '../money/format-amount.ts';

/** The columns of a transaction. */
export interface TransactionRow {
  readonly id: string;
  readonly account_id: string;
  readonly date: string;
  readonly amount: number;
  readonly memo: string | null;
  readonly cleared: string;
  readonly approved: number;
  readonly flag_color: string | null;
  readonly payee_id: string | null;
  readonly category_id: string | null;
  readonly transfer_account_id: string | null;
  readonly transfer_transaction_id: string | null;
  readonly import_id: string | null;
  readonly import_payee_name: string | null;
  readonly split: number;
  readonly deleted: number;
  readonly account_name: string;
  readonly payee_name: string | null;
  readonly category_name: string | null;
}

/** The columns of a part of a split transaction. */
export interface PartRow {
  readonly id: string;
  readonly transaction_id: string;
  readonly amount: number;
  readonly memo: string | null;
  readonly payee_id: string | null;
  readonly payee_name: string | null;
  readonly category_id: string | null;
  readonly category_name: string | null;
  readonly transfer_account_id: string | null;
  readonly transfer_transaction_id: string | null;
  readonly deleted: number;
}

export interface Filter {
  /** Only transactions that have changed since this knowledge, also deleted ones. */
  readonly since?: number | undefined;
  readonly from?: string | undefined;
  readonly until?: string | undefined;
  readonly type?: 'uncategorized' | 'unapproved' | undefined;
  readonly accountId?: string | undefined;
  readonly id?: string | undefined;
}

/** True for a row `x` that should have a category and has none; `a` is its account, `o` the other account of a transfer. */
const lacksCategory = (x: 't' | 's'): string =>
  `(${x}.category_id IS NULL AND a.on_budget = 1 AND COALESCE(o.on_budget, 0) = 0)`;

const SELECT = `
  SELECT t.id, t.account_id, t.date, t.amount, t.memo, t.cleared, t.approved, t.flag_color, t.payee_id, t.category_id,
    t.transfer_account_id, t.transfer_transaction_id, t.import_id, t.import_payee_name, t.split, t.deleted,
    a.name AS account_name, p.name AS payee_name,
    CASE WHEN t.split THEN 'Split' WHEN ${lacksCategory('t')} THEN 'Uncategorized' ELSE c.name END AS category_name
  FROM transactions t
  JOIN accounts a ON a.id = t.account_id
  LEFT JOIN accounts o ON o.id = t.transfer_account_id
  LEFT JOIN payees p ON p.id = t.payee_id
  LEFT JOIN categories c ON c.id = t.category_id`;

const UNCATEGORIZED = `(t.split = 0 AND ${lacksCategory('t')}) OR EXISTS (
  SELECT 1 FROM subtransactions s LEFT JOIN accounts o ON o.id = s.transfer_account_id
  WHERE s.transaction_id = t.id AND ${lacksCategory('s')})`;

/** Transactions by date. With an id, the index of ids is used. A filter by type does not hide deleted ones, which a delta must contain. */
export function listTransactions(database: Database, planId: string, filter: Filter): TransactionRow[] {
  return database.all<TransactionRow>(
    `${SELECT}
     WHERE t.plan_id = ?1 AND ((?2 IS NULL AND t.deleted = 0) OR t.knowledge > ?2)
       AND (?3 IS NULL OR t.date >= ?3) AND (?4 IS NULL OR t.date <= ?4)
       AND (?5 IS NULL OR t.account_id = ?5) AND ${filter.id === undefined ? '?6 IS NULL' : 't.id = ?6'}
       AND (?7 IS NULL OR t.deleted = 1 OR (?7 = 'unapproved' AND t.approved = 0) OR (?7 = 'uncategorized' AND (${UNCATEGORIZED})))
     ORDER BY t.date, t.rowid`,
    planId,
    filter.since ?? null,
    filter.from ?? null,
    filter.until ?? null,
    filter.accountId ?? null,
    filter.id ?? null,
    filter.type ?? null,
  );
}

/** A transaction that is not deleted. */
export function findTransaction(database: Database, planId: string, id: string): TransactionRow | undefined {
  return listTransactions(database, planId, { id: id.toLowerCase() })[0];
}

/** The parts by transaction: of one transaction, or of all. */
export function loadParts(
  database: Database,
  planId: string,
  id: string | null = null,
): Map<string, PartRow[]> {
  const rows = database.all<PartRow>(
    `SELECT s.id, s.transaction_id, s.amount, s.memo, s.payee_id, p.name AS payee_name, s.category_id,
       CASE WHEN ${lacksCategory('s')} THEN 'Uncategorized' ELSE c.name END AS category_name,
       s.transfer_account_id, s.transfer_transaction_id, s.deleted
     FROM subtransactions s
     JOIN transactions t ON t.id = s.transaction_id
     JOIN accounts a ON a.id = t.account_id
     LEFT JOIN accounts o ON o.id = s.transfer_account_id
     LEFT JOIN payees p ON p.id = s.payee_id
     LEFT JOIN categories c ON c.id = s.category_id
     WHERE s.plan_id = ?1 AND ${id === null ? '?2 IS NULL' : 's.transaction_id = ?2'} ORDER BY s.rowid`,
    planId,
    id,
  );
  const parts = new Map<string, PartRow[]>();
  for (const row of rows) {
    const list = parts.get(row.transaction_id);
    if (list === undefined) parts.set(row.transaction_id, [row]);
    else list.push(row);
  }
  return parts;
}

/** The transaction without names and formatted amounts, as in the export of a plan. */
export function toTransactionBase(row: TransactionRow) {
  return {
    id: row.id,
    date: row.date,
    amount: row.amount,
    memo: row.memo,
    cleared: row.cleared,
    approved: row.approved === 1,
    flag_color: row.flag_color,
    flag_name: null,
    account_id: row.account_id,
    payee_id: row.payee_id,
    category_id: row.category_id,
    transfer_account_id: row.transfer_account_id,
    transfer_transaction_id: row.transfer_transaction_id,
    matched_transaction_id: null,
    import_id: row.import_id,
    import_payee_name: row.import_payee_name,
    import_payee_name_original: row.import_payee_name,
    debt_transaction_type: null,
    deleted: row.deleted === 1,
  };
}

export function toPartBase(row: PartRow) {
  return { ...row, deleted: row.deleted === 1 };
}

type Rendering = Pick<PlanCall, 'plan'>;

export function toTransactionDetail(
  row: TransactionRow,
  parts: readonly PartRow[],
  { plan }: Rendering,
): object {
  return {
    ...withFormats(toTransactionBase(row), ['amount'], plan.currency_format),
    account_name: row.account_name,
    payee_name: row.payee_name,
    category_name: row.category_name,
    subtransactions: parts.map((part) => withFormats(toPartBase(part), ['amount'], plan.currency_format)),
  };
}
