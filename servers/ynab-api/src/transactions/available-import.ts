import type { PlanCall } from '../http/operation.ts';
import { hasImportId } from './import-id.ts';
import { insertTransaction } from './save-transaction.ts';
import { newTransaction } from './transaction-fields.ts';

interface AvailableRow {
  readonly id: string;
  readonly account_id: string;
  readonly date: string;
  readonly amount: number;
  readonly payee_name: string;
}

/** Imports the transactions that the banks of the linked accounts offer, and returns their ids. */
export function importAvailable(call: PlanCall): string[] {
  const { database, plan } = call;
  const rows = database.all<AvailableRow>(
    'SELECT id, account_id, date, amount, payee_name FROM available_imports WHERE plan_id = ? AND date <= ? ORDER BY date, rowid',
    plan.id,
    call.today,
  );
  return rows.map((row) => {
    const { account_id, date, amount, payee_name } = row;
    database.run('DELETE FROM available_imports WHERE id = ?', row.id);
    const transaction = {
      account_id,
      date,
      amount,
      payee_name,
      cleared: 'cleared',
      import_id: toImportId(call, row),
    };
    return insertTransaction(call, newTransaction(transaction, 'transaction'));
  });
}

/** `YNAB:[milliunit_amount]:[iso_date]:[occurrence]`, with the first occurrence that is free. */
function toImportId(call: PlanCall, { account_id, amount, date }: AvailableRow): string {
  let occurrence = 1;
  while (hasImportId(call, account_id, `YNAB:${amount}:${date}:${occurrence}`)) occurrence += 1;
  return `YNAB:${amount}:${date}:${occurrence}`;
}
