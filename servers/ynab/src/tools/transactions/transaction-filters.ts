import * as z from 'zod';
import type { ToolContext } from 'toolwright';
import type { Subtransaction, Transaction } from '../../api/entities.ts';
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

/** The transactions of the budget, the first date that is selected, and a function that selects the matching ones, newest first. */
export async function loadTransactions(
  filters: TransactionFilters,
  context: ToolContext<BudgetContext>,
  budgetId: string,
): Promise<{
  readonly since: string;
  readonly loaded: Loaded<Transaction>;
  readonly select: () => Loaded<Transaction>;
}> {
  // An unknown id would otherwise look like an account without transactions.
  if (filters.account_id !== undefined) await context.budgets.account(budgetId, filters.account_id);
  if (filters.category_id !== undefined) await context.budgets.category(budgetId, filters.category_id);
  const since = filters.since_date ?? yearBefore(context.today);
  const loaded = await context.budgets.transactions(budgetId, since);
  const accounts = filters.type === 'uncategorized' ? (await context.budgets.accounts(budgetId)).items : [];
  const tracking = new Set(accounts.filter(({ on_budget: isOn }) => !isOn).map(({ id }) => id));
  const isSelected = (transaction: Transaction): boolean =>
    transaction.date >= since && matches(transaction, filters, tracking);
  const select = (): Loaded<Transaction> => ({
    ...loaded,
    items: loaded.items.filter(isSelected).toSorted(newestFirst),
  });
  return { since, loaded, select };
}

function newestFirst(a: Transaction, b: Transaction): number {
  if (a.date !== b.date) return a.date < b.date ? 1 : -1;
  return a.id < b.id ? -1 : 1;
}

/** `tracking`: the accounts outside of the budget, whose transactions have no category. */
function matches(
  transaction: Transaction,
  filters: TransactionFilters,
  tracking: ReadonlySet<string>,
): boolean {
  const { account_id: account, category_id: category, type, cleared } = filters;
  if (account !== undefined && transaction.account_id !== account) return false;
  if (cleared !== undefined && transaction.cleared !== cleared) return false;
  if (type === 'unapproved' && transaction.approved) return false;
  if (type === 'uncategorized' && (tracking.has(transaction.account_id) || !lacksCategory(transaction)))
    return false;
  return category === undefined || categoriesOf(transaction).includes(category);
}

function categoriesOf(transaction: Transaction): readonly (string | null | undefined)[] {
  return [transaction.category_id, ...partsOf(transaction).map(({ category_id: part }) => part)];
}

function partsOf({ subtransactions }: Transaction): readonly Subtransaction[] {
  return subtransactions.filter(({ deleted }) => !deleted);
}

/** Whether a transaction, or a part of a split, still needs a category. */
function lacksCategory(transaction: Transaction): boolean {
  const parts = partsOf(transaction);
  return (parts.length === 0 ? [transaction] : parts).some(isUncategorized);
}

/** Transfers between accounts of the budget need no category. */
function isUncategorized({
  category_id: id,
  category_name: name,
  transfer_account_id: other,
}: Subtransaction | Transaction): boolean {
  return name === 'Uncategorized' || (typeof id !== 'string' && typeof other !== 'string');
}
