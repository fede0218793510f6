import type { AccountRow } from '../accounts/account.ts';
import type { PlanCall } from '../http/operation.ts';
import { assertImportIdFree } from './import-id.ts';
import { isInternalTransfer } from './references.ts';
import { findTransaction } from './transaction.ts';

type Place = Pick<PlanCall, 'database' | 'plan'>;

/** One side of a transfer: a transaction, or a part of a split one. */
export interface Side {
  readonly table: 'transactions' | 'subtransactions';
  readonly id: string;
  /** The transaction itself, or the one that the part belongs to. */
  readonly transactionId: string;
  readonly account: AccountRow;
  readonly date: string;
  readonly amount: number;
  readonly memo: string | null;
  readonly approved: boolean;
  /** The other account, or undefined if this is not a transfer any more. */
  readonly target: AccountRow | undefined;
  readonly counterpartId: string | null;
}

/** Creates, changes or deletes the counterpart of a transaction in the other account, so that both show one transfer. */
export function syncCounterpart(place: Place & Pick<PlanCall, 'newId'>, side: Side): void {
  const { database, plan } = place;
  if (side.target === undefined) {
    if (side.counterpartId !== null) markDeleted(place, side.counterpartId);
    database.update(side.table, side.id, { transfer_account_id: null, transfer_transaction_id: null });
    return;
  }
  const shared = {
    account_id: side.target.id,
    date: side.date,
    amount: -side.amount + 0,
    payee_id: side.account.transfer_payee_id,
    transfer_account_id: side.account.id,
    transfer_transaction_id: side.transactionId,
    knowledge: plan.knowledge,
  };
  const id = side.counterpartId ?? place.newId();
  const known =
    side.counterpartId === null ? undefined : findTransaction(database, plan.id, side.counterpartId);
  if (known === undefined) {
    const row = { memo: side.memo, cleared: 'uncleared', approved: side.approved };
    database.insert('transactions', { id, plan_id: plan.id, ...shared, ...row });
  } else {
    if (known.account_id !== side.target.id) assertImportIdFree(place, side.target.id, known.import_id);
    const category_id = isInternalTransfer(side.account, side.target) ? null : known.category_id;
    database.update('transactions', id, { ...shared, category_id });
  }
  database.update(side.table, side.id, { transfer_account_id: side.target.id, transfer_transaction_id: id });
}

/** Deletes a transaction with its parts, and the counterparts of all transfers in it. */
export function deleteTransaction(place: Place, id: string): void {
  const { database, plan } = place;
  const row = findTransaction(database, plan.id, id);
  if (row === undefined) return;
  markDeleted(place, id);
  const parts = database.all<{ transfer_transaction_id: string | null }>(
    'SELECT transfer_transaction_id FROM subtransactions WHERE transaction_id = ?',
    id,
  );
  for (const { transfer_transaction_id: counterpart } of parts) {
    if (counterpart !== null) markDeleted(place, counterpart);
  }
  if (row.transfer_transaction_id === null) return;
  if (isCounterpartOfPart(place, id)) releasePart(place, id, row.transfer_transaction_id);
  else markDeleted(place, row.transfer_transaction_id);
}

/** Whether the other side of a transaction is a part of a split one, which fixes its date, amount and accounts. */
export function isCounterpartOfPart({ database, plan }: Place, id: string): boolean {
  const sql =
    'SELECT 1 FROM subtransactions WHERE plan_id = ? AND transfer_transaction_id = ? AND deleted = 0';
  return database.first(sql, plan.id, id) !== undefined;
}

function markDeleted({ database, plan }: Place, id: string): void {
  database.update('transactions', id, { deleted: 1, knowledge: plan.knowledge });
  database.run('UPDATE subtransactions SET deleted = 1 WHERE transaction_id = ?', id);
}

/** A part stays when its counterpart is deleted: the amount of the split transaction must not change. */
function releasePart({ database, plan }: Place, counterpart: string, transactionId: string): void {
  database.run(
    `UPDATE subtransactions SET payee_id = NULL, transfer_account_id = NULL, transfer_transaction_id = NULL
     WHERE plan_id = ? AND transfer_transaction_id = ?`,
    plan.id,
    counterpart,
  );
  database.update('transactions', transactionId, { knowledge: plan.knowledge });
}
