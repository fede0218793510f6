import type { LedgerTransaction } from '../../src/matching/ledger-transaction.ts';
import type { BankRow } from '../../src/statement/statement.ts';

/** A transaction of the account `account-1`. */
export function transaction(
  id: string,
  fields: Partial<LedgerTransaction> & Pick<LedgerTransaction, 'amount' | 'date'>,
): LedgerTransaction {
  return { id, account_id: 'account-1', cleared: 'uncleared', approved: true, payee_name: null, ...fields };
}

/** A row of a statement. */
export function bankRow(
  ...[row, date, amount, description = '']: readonly [number, string, number, string?]
): BankRow {
  return { row, date, amount, description };
}
