import type { PlanCall } from '../http/operation.ts';
import { withFormats } from '../money/format-amount.ts';
import { listTransactions, loadParts, toTransactionBase } from './transaction.ts';
import type { Filter, PartRow, TransactionRow } from './transaction.ts';

interface Match {
  readonly column: 'category_id' | 'payee_id';
  readonly id: string;
}

/** Transactions of a category or payee, and in place of split transactions the parts that match. */
export function listHybrids(call: PlanCall, filter: Filter, { column, id }: Match): object[] {
  const parts = loadParts(call.database, call.plan.id);
  return listTransactions(call.database, call.plan.id, filter).flatMap((row) => {
    const matching = (parts.get(row.id) ?? []).filter((part) => part[column] === id);
    const own = row[column] === id ? [toHybrid(row, undefined, call)] : [];
    return [...own, ...matching.map((part) => toHybrid(row, part, call))];
  });
}

function toHybrid(row: TransactionRow, part: PartRow | undefined, { plan }: PlanCall): object {
  const category = part === undefined ? row.category_name : part.category_name;
  const base = toTransactionBase(row);
  const amounts = {
    ...base,
    ...(part && {
      id: part.id,
      amount: part.amount,
      memo: part.memo,
      payee_id: part.payee_id ?? row.payee_id,
      category_id: part.category_id,
      transfer_account_id: part.transfer_account_id,
      transfer_transaction_id: part.transfer_transaction_id,
    }),
  };
  return {
    ...withFormats(amounts, ['amount'], plan.currency_format),
    type: part === undefined ? 'transaction' : 'subtransaction',
    parent_transaction_id: part === undefined ? null : row.id,
    account_name: row.account_name,
    payee_name: part?.payee_name ?? row.payee_name,
    // The document does not allow null here.
    ...(category !== null && { category_name: category }),
  };
}
