import { listAccounts, toAccountBase } from '../accounts/account.ts';
import { listCategories, listGroups, toCategoryBase, toGroup } from '../categories/category.ts';
import { toMonth } from '../dates/dates.ts';
import type { PlanCall } from '../http/operation.ts';
import { listMonthRows, toMonthBase } from '../months/month.ts';
import { listLocations, toLocation } from '../payees/payee-location.ts';
import { listPayees, toPayee } from '../payees/payee.ts';
import {
  listScheduled,
  listScheduledParts,
  toScheduledBase,
  toScheduledPartBase,
} from '../scheduled/scheduled-transaction.ts';
import { listTransactions, loadParts, toPartBase, toTransactionBase } from '../transactions/transaction.ts';
import { toPlanSummary } from './plan-summary.ts';

/** A plan with all of its entities, or with those that have changed since a knowledge. */
export function exportPlan(call: PlanCall, since: number | undefined): object {
  const { database, plan, today } = call;
  const { id } = plan;
  const categories = listCategories(database, { planId: id, month: toMonth(today) }, since);
  return {
    ...toPlanSummary(database, plan),
    accounts: listAccounts(database, id, since).map(toAccountBase),
    payees: listPayees(database, id, since).map(toPayee),
    payee_locations: listLocations(database, id, since).map(toLocation),
    category_groups: listGroups(database, id, since).map(toGroup),
    categories: categories.map(toCategoryBase),
    months: listMonthRows(database, id, hasChangedCategory(call, since) ? -1 : since).map((row) =>
      toMonthBase(row, call),
    ),
    ...exportTransactions(call, since),
  };
}

/** The months show the names and goals of all categories. */
function hasChangedCategory({ database, plan }: PlanCall, since: number | undefined): boolean {
  const sql = 'SELECT 1 FROM categories WHERE plan_id = ? AND knowledge > ? LIMIT 1';
  return since !== undefined && database.first(sql, plan.id, since) !== undefined;
}

function exportTransactions({ database, plan }: PlanCall, since: number | undefined): object {
  const transactions = listTransactions(database, plan.id, { since });
  const parts = loadParts(database, plan.id);
  const scheduled = listScheduled(database, plan.id, { since });
  const ids = new Set(scheduled.map(({ id }) => id));
  return {
    transactions: transactions.map(toTransactionBase),
    subtransactions: transactions.flatMap(({ id }) => parts.get(id) ?? []).map(toPartBase),
    scheduled_transactions: scheduled.map(toScheduledBase),
    scheduled_subtransactions: listScheduledParts(database, plan.id)
      .filter((part) => ids.has(part.scheduled_transaction_id))
      .map(toScheduledPartBase),
  };
}
