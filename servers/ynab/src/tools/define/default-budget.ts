import { DefaultArgumentResolutionError } from 'toolwright';
import type { ResolverCall } from 'toolwright';
import type { BudgetContext } from '../../context.ts';
import { describeBudgets } from '../../data/describe-budgets.ts';

/** The budget of calls without `budget_id`, and the reason why it is used. */
export interface DefaultBudget {
  readonly id: string;
  readonly source: 'set_default_budget' | 'YNAB_DEFAULT_BUDGET_ID' | 'only_budget';
}

/** The default of this caller, the configured one, or the only budget there is. Budgets are loaded only if neither default is set. */
export async function findDefaultBudget({
  owner,
  budgets,
  configuredBudgetId,
}: BudgetContext): Promise<DefaultBudget | undefined> {
  if (owner.defaultBudgetId !== undefined) return { id: owner.defaultBudgetId, source: 'set_default_budget' };
  if (configuredBudgetId !== undefined) return { id: configuredBudgetId, source: 'YNAB_DEFAULT_BUDGET_ID' };
  const [only, ...others] = await budgets.budgets();
  return only === undefined || others.length > 0 ? undefined : { id: only.id, source: 'only_budget' };
}

/** Supplies `budget_id`. */
async function resolveBudgetId({
  rawArguments,
  context,
}: ResolverCall<BudgetContext>): Promise<{ budget_id?: string }> {
  if (rawArguments['budget_id'] !== undefined) return {};
  const found = await findDefaultBudget(context);
  if (found !== undefined) return { budget_id: found.id };
  const all = await context.budgets.budgets();
  throw new DefaultArgumentResolutionError(
    all.length === 0
      ? 'This account has no budgets. Create one in YNAB first.'
      : `budget_id is required: there are ${all.length} budgets and no default. Budgets: ${describeBudgets(all)}. Pass budget_id, or call set_default_budget.`,
  );
}

/** The members of a tool definition that make `budget_id` optional. */
export const DEFAULT_BUDGET = {
  resolvedArguments: ['budget_id'],
  defaultArgumentResolver: resolveBudgetId,
} as const;
