import { DefaultArgumentResolutionError } from 'toolwright';
import type { ResolverCall } from 'toolwright';
import type { BudgetContext } from '../context.ts';
import { describeBudgets } from '../data/describe-budgets.ts';

/** Supplies `budget_id`: the default of this caller, the configured one, or the only budget there is. */
async function resolveBudgetId({
  rawArguments,
  context,
}: ResolverCall<BudgetContext>): Promise<{ budget_id?: string }> {
  if (rawArguments['budget_id'] !== undefined) return {};
  const { owner, budgets, configuredBudgetId } = context;
  const chosen = owner.defaultBudgetId ?? configuredBudgetId;
  if (chosen !== undefined) return { budget_id: chosen };
  const all = await budgets.budgets();
  const [only, ...others] = all;
  if (only !== undefined && others.length === 0) return { budget_id: only.id };
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
