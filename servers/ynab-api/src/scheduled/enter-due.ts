import type { PlanCall } from '../http/operation.ts';
import { insertTransaction } from '../transactions/save-transaction.ts';
import { newTransaction } from '../transactions/transaction-fields.ts';
import { findNextDate } from './next-date.ts';
import { listScheduled, listScheduledParts } from './scheduled-transaction.ts';

/** Enters the scheduled transactions that are due, unapproved, and moves them to their next date. One that does not repeat is deleted. */
export function enterDue(call: Pick<PlanCall, 'database' | 'plan' | 'today' | 'newId'>): void {
  const { database, plan, today } = call;
  const parts = listScheduledParts(database, plan.id);
  for (const row of listScheduled(database, plan.id)) {
    const { id, account_id, amount, memo, payee_id, category_id, flag_color } = row;
    const subtransactions = parts.filter((part) => part.scheduled_transaction_id === id);
    let next: string | undefined = row.date_next;
    for (; next !== undefined && next <= today; next = findNextDate(next, row.frequency, row.date_first)) {
      const fields = { account_id, amount, memo, payee_id, category_id, flag_color, subtransactions };
      insertTransaction({ ...call, today: next }, newTransaction({ ...fields, date: next }, 'transaction'));
    }
    if (next === row.date_next) continue;
    const changes = next === undefined ? { deleted: 1 } : { date_next: next };
    database.update('scheduled_transactions', id, { ...changes, knowledge: plan.knowledge });
    if (next === undefined)
      database.run('UPDATE scheduled_subtransactions SET deleted = 1 WHERE scheduled_transaction_id = ?', id);
  }
}
