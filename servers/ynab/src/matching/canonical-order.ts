import type { BankRow } from '../statement/statement.ts';
import type { LedgerTransaction } from './ledger-transaction.ts';

/** Rows in an order that depends on their content only, so that no result depends on the order of the file. */
export function sortRows(rows: readonly BankRow[]): BankRow[] {
  return rows.toSorted(
    (left, right) =>
      compareText(left.date, right.date) ||
      left.amount - right.amount ||
      compareText(left.description, right.description) ||
      left.row - right.row,
  );
}

/** Transactions in an order that depends on their content only, so that no result depends on the order of the API. */
export function sortTransactions<Transaction extends LedgerTransaction>(
  transactions: readonly Transaction[],
): Transaction[] {
  return transactions.toSorted(
    (left, right) =>
      compareText(left.date, right.date) ||
      left.amount - right.amount ||
      compareText(left.payee_name ?? '', right.payee_name ?? '') ||
      compareText(left.id, right.id),
  );
}

/** Compares by code units, which is the same in every locale. */
function compareText(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
