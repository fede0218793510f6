import { defineResourceFor, defineResourceTemplateFor, ResourcesManager, ToolError } from 'toolwright';
import { ApiError } from './api/api-error.ts';
import { completeAccountId, completeBudgetId, completeMonth } from './completions.ts';
import type { BudgetContext } from './context.ts';
import type { ChosenBudget } from './data/budget-reader.ts';
import { describeAccount } from './tools/account-tools.ts';
import { describeBudget } from './tools/budget-tools.ts';
import { describeCategory } from './tools/category-tools.ts';
import { describeMonth } from './tools/month-tools.ts';

const defineResource = defineResourceFor<BudgetContext>();
const defineTemplate = defineResourceTemplateFor<BudgetContext>();

const FOR_MODELS = {
  mimeType: 'application/json',
  annotations: { audience: ['user', 'assistant'] as ('user' | 'assistant')[], priority: 0.8 },
};
const DETAIL = {
  mimeType: 'application/json',
  annotations: { audience: ['assistant'] as ('user' | 'assistant')[], priority: 0.5 },
};

const budgets = defineResource({
  uri: 'ynab://budgets',
  name: 'budgets',
  title: 'Budgets',
  description: 'All budgets.',
  ...FOR_MODELS,
  contentProvider: async ({ context }) =>
    context.toJson({ budgets: (await context.budgets.budgets()).map(describeBudget) }),
});

const user = defineResource({
  uri: 'ynab://user',
  name: 'user',
  title: 'User',
  description: 'The user of the access token.',
  ...DETAIL,
  contentProvider: async ({ context }) => context.toJson({ user: await context.budgets.user() }),
});

/** Content of a resource of a budget; null, the error for an unknown URI, if there is no such budget or entity. */
async function ofBudget(
  context: BudgetContext,
  budgetId: string,
  describe: (budget: ChosenBudget) => Promise<object>,
): Promise<string | null> {
  try {
    return context.toJson(await describe(await context.budgets.choose(budgetId)));
  } catch (error) {
    if (error instanceof ToolError || (error instanceof ApiError && error.status === 404)) return null;
    throw error;
  }
}

const budget = defineTemplate({
  uriTemplate: 'ynab://budgets/{budget_id}',
  name: 'budget',
  title: 'Budget',
  description: 'One budget.',
  ...DETAIL,
  complete: { budget_id: completeBudgetId },
  contentProvider: ({ variables, context }) =>
    ofBudget(context, variables.budget_id, async ({ listed }) => ({ budget: describeBudget(listed) })),
});

const accounts = defineTemplate({
  uriTemplate: 'ynab://budgets/{budget_id}/accounts',
  name: 'accounts',
  title: 'Accounts',
  description: 'The accounts of a budget with their balances.',
  ...FOR_MODELS,
  complete: { budget_id: completeBudgetId },
  contentProvider: ({ variables, context }) =>
    ofBudget(context, variables.budget_id, async ({ id, currency }) => {
      const { items } = await context.budgets.accounts(id);
      return { accounts: items.map((account) => describeAccount(account, currency)) };
    }),
});

const account = defineTemplate({
  uriTemplate: 'ynab://budgets/{budget_id}/accounts/{account_id}',
  name: 'account',
  title: 'Account',
  description: 'One account with its balances.',
  ...DETAIL,
  complete: { budget_id: completeBudgetId, account_id: completeAccountId },
  contentProvider: ({ variables, context }) =>
    ofBudget(context, variables.budget_id, async ({ id, currency }) => ({
      account: describeAccount(await context.budgets.account(id, variables.account_id), currency),
    })),
});

const categories = defineTemplate({
  uriTemplate: 'ynab://budgets/{budget_id}/categories',
  name: 'categories',
  title: 'Categories',
  description: 'The categories of a budget with the amounts of the current month.',
  ...FOR_MODELS,
  complete: { budget_id: completeBudgetId },
  contentProvider: ({ variables, context }) =>
    ofBudget(context, variables.budget_id, async ({ id, currency }) => {
      const { items } = await context.budgets.categories(id);
      return {
        category_groups: items.map((group) => ({
          id: group.id,
          name: group.name,
          categories: group.categories.map((category) => describeCategory(category, currency)),
        })),
      };
    }),
});

const months = defineTemplate({
  uriTemplate: 'ynab://budgets/{budget_id}/months',
  name: 'months',
  title: 'Months',
  description: 'The months of a budget.',
  ...DETAIL,
  complete: { budget_id: completeBudgetId },
  contentProvider: ({ variables, context }) =>
    ofBudget(context, variables.budget_id, async ({ id, currency }) => {
      const { items } = await context.budgets.months(id);
      return { months: items.map((month) => describeMonth(month, currency)) };
    }),
});

const MONTH = /^\d{4}-(?:0[1-9]|1[0-2])-01$/;

const month = defineTemplate({
  uriTemplate: 'ynab://budgets/{budget_id}/months/{month}',
  name: 'month',
  title: 'Month',
  description: 'One month with the amounts of its categories.',
  ...DETAIL,
  complete: { budget_id: completeBudgetId, month: completeMonth },
  contentProvider: ({ variables, context }) =>
    ofBudget(context, variables.budget_id, async ({ id, currency }) => {
      if (!MONTH.test(variables.month)) throw new ToolError('A month is its first day, YYYY-MM-01.');
      const { categories: all, ...summary } = await context.budgets.month(id, variables.month);
      const shown = all.filter(({ deleted }) => !deleted);
      return {
        month: {
          ...describeMonth(summary, currency),
          categories: shown.map((each) => describeCategory(each, currency)),
        },
      };
    }),
});

/** The resources that a write to these collections changes: the lists, and their known entries. */
export function changedUris(
  budgetId: string,
  touches: readonly string[],
  known: Readonly<Partial<Record<string, readonly string[]>>>,
): readonly string[] {
  const changed = touches.filter((name) => ['accounts', 'categories', 'months'].includes(name));
  return changed.flatMap((name) => {
    const list = `ynab://budgets/${budgetId}/${name}`;
    return [list, ...(known[name] ?? []).map((id) => `${list}/${id}`)];
  });
}

/** The resources of the server. */
export function createResources(): ResourcesManager<BudgetContext> {
  return new ResourcesManager<BudgetContext>({
    resources: [budgets, user, budget, accounts, account, categories, months, month],
  });
}
