import type { AccountRow } from '../accounts/account.ts';
import { badRequest } from '../http/api-error.ts';
import type { PlanCall } from '../http/operation.ts';
import { findPayee } from '../payees/payee.ts';
import { assertImportIdFree } from './import-id.ts';
import { findTransferTarget, getBodyAccount, resolveCategory, resolvePayee } from './references.ts';
import { loadParts } from './transaction.ts';
import type { TransactionRow } from './transaction.ts';
import { assertPartsSum, assertPastDate } from './transaction-fields.ts';
import type { NewTransaction, PartFields, TransactionChanges } from './transaction-fields.ts';
import { isCounterpartOfPart, syncCounterpart } from './transfers.ts';

type Place = Pick<PlanCall, 'database' | 'plan' | 'today' | 'newId'>;

/** Adds a transaction with its parts and the counterparts of its transfers, and returns its id. The `import_id` must be free. */
export function insertTransaction(place: Place, fields: NewTransaction): string {
  const { database, plan, today } = place;
  assertPastDate(fields.date, today);
  const account = getBodyAccount(place, fields.account_id);
  const payee = resolvePayee(place, fields) ?? null;
  const target = findTransferTarget(place, account, payee);
  const parts = fields.subtransactions ?? [];
  const id = place.newId();
  const category = resolveCategory(place, fields.category_id, { account, target, current: null });
  const importId = fields.import_id ?? null;
  assertSplit(parts, fields.amount, target);
  database.insert('transactions', {
    id,
    plan_id: plan.id,
    account_id: account.id,
    date: fields.date,
    amount: fields.amount,
    memo: fields.memo ?? null,
    cleared: fields.cleared ?? 'uncleared',
    approved: fields.approved ?? false,
    flag_color: fields.flag_color || null,
    payee_id: payee?.id ?? null,
    category_id: parts.length > 0 ? null : category,
    import_id: importId,
    import_payee_name: importId === null ? null : (fields.payee_name ?? null),
    split: parts.length > 0,
    knowledge: plan.knowledge,
  });
  syncTransfers(place, { id, account, target, payeeId: payee?.id ?? null }, parts);
  return id;
}

/** Changes a transaction. The date, amount and category of a split one stay, as do those of the counterpart of a part. */
export function updateTransaction(place: Place, current: TransactionRow, fields: TransactionChanges): void {
  const { database, plan, today } = place;
  const parts = fields.subtransactions ?? [];
  if (current.split === 1 && parts.length > 0)
    throw badRequest('subtransactions of an existing split transaction cannot be changed');
  const fixed = isCounterpartOfPart(place, current.id);
  const account = getBodyAccount(place, (fixed ? undefined : fields.account_id) ?? current.account_id);
  if (account.id !== current.account_id) assertImportIdFree(place, account.id, current.import_id);
  const given = fixed ? undefined : resolvePayee(place, fields);
  const payeeId = given === undefined ? current.payee_id : (given?.id ?? null);
  const payee = payeeId === null ? null : (given ?? findPayee(database, plan.id, payeeId));
  const target = findTransferTarget(place, account, payee);
  const keeps = current.split === 1 || fixed;
  const amount = keeps ? current.amount : (fields.amount ?? current.amount);
  const category =
    keeps && current.split === 1
      ? null
      : resolveCategory(place, fields.category_id, { account, target, current: current.category_id });
  if (!keeps && fields.date !== undefined) assertPastDate(fields.date, today);
  assertSplit(parts, amount, current.split === 1 || parts.length > 0 ? target : undefined);
  if (current.split === 1 && target !== undefined) throw splitTransfer();
  database.update('transactions', current.id, {
    account_id: account.id,
    date: keeps ? current.date : (fields.date ?? current.date),
    amount,
    memo: fields.memo === undefined ? current.memo : fields.memo,
    cleared: fields.cleared ?? current.cleared,
    approved: fields.approved ?? current.approved,
    flag_color: fields.flag_color === undefined ? current.flag_color : fields.flag_color || null,
    payee_id: payeeId,
    category_id: parts.length > 0 ? null : category,
    split: current.split === 1 || parts.length > 0,
    knowledge: plan.knowledge,
  });
  if (!fixed) syncTransfers(place, { id: current.id, account, target, payeeId }, parts);
}

function splitTransfer(): Error {
  return badRequest(
    'A split transaction cannot be a transfer itself: give its subtransactions the transfer payee',
  );
}

function assertSplit(parts: readonly PartFields[], amount: number, target: AccountRow | undefined): void {
  if (parts.length === 0) return;
  assertPartsSum(parts, amount);
  if (target !== undefined) throw splitTransfer();
}

interface Saved {
  readonly id: string;
  readonly account: AccountRow;
  readonly target: AccountRow | undefined;
  readonly payeeId: string | null;
}

/** Adds new parts, then brings the counterparts of the transaction and of all its parts up to date. */
function syncTransfers(place: Place, saved: Saved, parts: readonly PartFields[]): void {
  const { database, plan } = place;
  for (const part of parts) insertPart(place, saved, part);
  const row = database.first<
    Pick<TransactionRow, 'date' | 'amount' | 'memo' | 'approved' | 'transfer_transaction_id'>
  >('SELECT date, amount, memo, approved, transfer_transaction_id FROM transactions WHERE id = ?', saved.id);
  if (row === undefined) return;
  const side = {
    transactionId: saved.id,
    account: saved.account,
    date: row.date,
    approved: row.approved === 1,
  };
  if (saved.target !== undefined || row.transfer_transaction_id !== null) {
    const { amount, memo, transfer_transaction_id: counterpartId } = row;
    syncCounterpart(place, {
      ...side,
      table: 'transactions',
      id: saved.id,
      amount,
      memo,
      target: saved.target,
      counterpartId,
    });
  }
  for (const part of loadParts(database, plan.id, saved.id).get(saved.id) ?? []) {
    const payee = part.payee_id === null ? null : findPayee(database, plan.id, part.payee_id);
    const target = findTransferTarget(place, saved.account, payee);
    if (target === undefined) continue;
    const { id, amount, memo, transfer_transaction_id: counterpartId } = part;
    syncCounterpart(place, { ...side, table: 'subtransactions', id, amount, memo, target, counterpartId });
  }
}

function insertPart(place: Place, { id, account }: Saved, part: PartFields): void {
  const payee = resolvePayee(place, part) ?? null;
  const target = findTransferTarget(place, account, payee);
  place.database.insert('subtransactions', {
    id: place.newId(),
    plan_id: place.plan.id,
    transaction_id: id,
    amount: part.amount,
    memo: part.memo ?? null,
    payee_id: payee?.id ?? null,
    category_id: resolveCategory(place, part.category_id, { account, target, current: null }),
  });
}
