import { ToolError } from 'toolwright';
import type { Completer } from 'toolwright';
import type { BudgetContext } from './context.ts';
import type { BudgetReader } from './data/budget-reader.ts';

/** At most this many values are sent. */
const MAX_VALUES = 100;

type BudgetCompleter = Completer<BudgetContext>;

type Compare = (a: string, b: string) => number;

const alphabetical: Compare = (a, b) => a.localeCompare(b);

/** Values that contain the text, those that begin with it first, each in the given order. */
function rank(values: Iterable<string>, typed: string, compare = alphabetical): readonly string[] {
  const wanted = typed.toLowerCase();
  const found = [...new Set(values)].filter((value) => value.toLowerCase().includes(wanted));
  const place = (value: string): number => (value.toLowerCase().startsWith(wanted) ? 0 : 1);
  return found.toSorted((a, b) => place(a) - place(b) || compare(a, b)).slice(0, MAX_VALUES);
}

export const completeBudgetName: BudgetCompleter = async (typed, { context }) =>
  rank(
    (await context.budgets.budgets()).map(({ name }) => name),
    typed,
  );

export const completeBudgetId: BudgetCompleter = async (typed, { context }) =>
  rank(['default', 'last-used', ...(await context.budgets.budgets()).map(({ id }) => id)], typed);

export const completeAccountName = inBudget(async (budgets, id) =>
  (await budgets.accounts(id)).items.filter(({ closed }) => !closed).map(({ name }) => name),
);

export const completeAccountId = inBudget(async (budgets, id) =>
  (await budgets.accounts(id)).items.map((account) => account.id),
);

export const completeCategory = inBudget(async (budgets, id) =>
  (await budgets.categories(id)).items
    .flatMap(({ categories }) => categories)
    .filter(({ hidden }) => !hidden)
    .map(({ name }) => name),
);

export const completePayee = inBudget(async (budgets, id) =>
  (await budgets.payees(id)).items.map(({ name }) => name),
);

/** Newest first, because the latest months are used most. */
export const completeMonth = inBudget(
  async (budgets, id) => (await budgets.months(id)).items.map(({ month }) => month),
  (a, b) => alphabetical(b, a),
);

/** Completes values of a budget; an unknown one has none. */
function inBudget(
  list: (budgets: BudgetReader, budgetId: string) => Promise<readonly string[]>,
  compare?: Compare,
): BudgetCompleter {
  return async (typed, { context, arguments: chosen }) => {
    const id = await findBudgetId(context, chosen);
    return id === undefined ? [] : rank(await list(context.budgets, id), typed, compare);
  };
}

/** The budget that the user has chosen in another argument, by id or name, else the default one. */
async function findBudgetId(
  { owner, budgets, configuredBudgetId }: BudgetContext,
  { budget_id: chosen, budget_name: name }: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
  const all = await budgets.budgets();
  if (!chosen && name) return all.find((budget) => budget.name === name)?.id;
  try {
    const standard = owner.defaultBudgetId ?? configuredBudgetId ?? all[0]?.id ?? 'last-used';
    return (await budgets.choose(chosen || standard)).id;
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}
