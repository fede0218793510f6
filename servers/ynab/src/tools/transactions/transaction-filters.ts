import * as z from 'zod';
import type { ToolContext } from 'toolwright';
import type { Transaction } from '../../api/entities.ts';
import type { BudgetContext } from '../../context.ts';
import type { Loaded } from '../../data/budget-store.ts';
import { clearedStatus, isoDate } from '../define/arguments.ts';
import { yearBefore } from '../../data/dates.ts';

/** The filters of `list_transactions` and `export_transactions`. */
export const FILTERS = {
  account_id: z.string().min(1).optional(),
  category_id: z.string().min(1).optional().describe('Also matches the parts of splits.'),
  since_date: isoDate.optional().describe('First date, YYYY-MM-DD. Default: one year ago.'),
  type: z.enum(['uncategorized', 'unapproved']).optional(),
  cleared: clearedStatus.optional(),
};

export type TransactionFilters = z.infer<z.ZodObject<typeof FILTERS>>;

/** The transactions that {@link selectTransactions} selects from, and the first date that is selected. */
export async function loadTransactions(
  filters: TransactionFilters,
  context: ToolContext<BudgetContext>,
  budgetId: string,
): Promise<{ readonly since: string; readonly loaded: Loaded<Transaction> }> {
  // An unknown id would otherwise look like an account without transactions.
  if (filters.account_id !== undefined) await context.budgets.account(budgetId, filters.account_id);
  if (filters.category_id !== undefined) await context.budgets.category(budgetId, filters.category_id);
  const since = filters.since_date ?? yearBefore(context.today);
  return { since, loaded: await context.budgets.transactions(budgetId, since) };
}

/** The matching transactions, newest first. */
export function selectTransactions(
  { items, isCached }: Loaded<Transaction>,
  filters: TransactionFilters,
  since: string,
): Loaded<Transaction> {
  const matching = items.filter((transaction) => transaction.date >= since && matches(transaction, filters));
  return { items: matching.toSorted(newestFirst), isCached };
}

export function newestFirst(a: Transaction, b: Transaction): number {
  if (a.date !== b.date) return a.date < b.date ? 1 : -1;
  return a.id < b.id ? -1 : 1;
}

function matches(transaction: Transaction, filters: TransactionFilters): boolean {
  const { account_id: account, category_id: category, type, cleared } = filters;
  if (account !== undefined && transaction.account_id !== account) return false;
  if (cleared !== undefined && transaction.cleared !== cleared) return false;
  if (type === 'unapproved' && transaction.approved) return false;
  if (type === 'uncategorized' && !isUncategorized(transaction)) return false;
  return category === undefined || categoriesOf(transaction).includes(category);
}

function categoriesOf({
  category_id: own,
  subtransactions,
}: Transaction): readonly (string | null | undefined)[] {
  return [own, ...subtransactions.filter(({ deleted }) => !deleted).map(({ category_id: part }) => part)];
}

/** Transfers between accounts of the budget need no category, and splits have those of their parts. */
function isUncategorized({
  category_id,
  category_name,
  subtransactions,
  transfer_account_id,
}: Transaction): boolean {
  if (category_name === 'Uncategorized') return true;
  return (
    (category_id === null || category_id === undefined) &&
    subtransactions.length === 0 &&
    (transfer_account_id === null || transfer_account_id === undefined)
  );
}
