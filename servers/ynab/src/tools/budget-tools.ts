import * as z from 'zod';
import type { Budget } from '../api/entities.ts';
import { heading, table } from '../markdown/markdown.ts';
import { budgetId } from './define/arguments.ts';
import { findDefaultBudget } from './define/default-budget.ts';
import type { DefaultBudget } from './define/default-budget.ts';
import { defineBudgetRead, defineRead } from './define/define-read.ts';
import type { BudgetTool } from './define/define-read.ts';
import { sum } from '../money/money.ts';
import { memberFacts, text } from './define/columns.ts';
import { viewOf } from './define/views.ts';

const REASONS: Readonly<Record<DefaultBudget['source'], string>> = {
  set_default_budget: 'it was set with set_default_budget',
  YNAB_DEFAULT_BUDGET_ID: 'it is the value of YNAB_DEFAULT_BUDGET_ID',
  only_budget: 'it is the only budget',
};

/** Budgets, and the default budget of a caller. */
export const BUDGET_TOOLS: readonly BudgetTool[] = [
  defineRead({
    name: 'list_budgets',
    title: 'List budgets',
    description: 'Lists all budgets with their ids, months and currencies.',
    arguments: {},
    read: async ({ context }) => {
      const budgets = await context.budgets.budgets();
      return {
        data: { budgets: budgets.map(describeBudget) },
        markdown: () =>
          `# Budgets\n\n${table<Budget>(
            [
              text('Name', ({ name }) => name),
              text('Currency', ({ currency_format: format }) => format?.iso_code),
              text('Months', ({ first_month: first, last_month: last }) => `${first} to ${last}`),
              text('Id', ({ id }) => id),
            ],
            budgets,
          )}`,
      };
    },
  }),
  defineBudgetRead({
    name: 'get_budget',
    title: 'Get a budget',
    description:
      'Returns a budget: its currency, its months, and the number of its accounts, categories and payees.',
    arguments: {},
    read: async ({ context, budget }) => {
      const [accounts, groups, payees] = await Promise.all([
        context.budgets.accounts(budget.id),
        context.budgets.categories(budget.id),
        context.budgets.payees(budget.id),
      ]);
      const counts = {
        accounts_count: accounts.items.length,
        categories_count: sum(groups.items.map(({ categories }) => categories.length)),
        payees_count: payees.items.length,
      };
      return viewOf(budget.listed, { key: Object.values(counts) }, () => {
        const data = { ...describeBudget(budget.listed), ...counts };
        return {
          data: { budget: data },
          markdown: () => `${heading(1, budget.name)}\n\n${memberFacts(data)}`,
        };
      });
    },
  }),
  defineRead({
    name: 'get_default_budget',
    title: 'Get the default budget',
    description: 'Returns the budget that tools use if budget_id is omitted, and why it is used.',
    arguments: {},
    read: async ({ context }) => {
      const found = await findDefaultBudget(context);
      return {
        data: { default_budget_id: found?.id ?? null, source: found?.source ?? null },
        markdown: () =>
          found === undefined
            ? 'There is no default budget. Pass budget_id, or call set_default_budget.'
            : `The default budget is ${found.id}: ${REASONS[found.source]}.`,
      };
    },
  }),
  {
    name: 'set_default_budget',
    title: 'Set the default budget',
    description:
      'Sets the budget that your calls use if budget_id is omitted, and loads its accounts, categories and payees.',
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
    inputSchema: z.object({ budget_id: budgetId }),
    handler: async ({ input, context }) => {
      const budget = await context.budgets.choose((input as { budget_id: string }).budget_id);
      context.owner.defaultBudgetId = budget.id;
      // Loads the lists that most calls need next.
      const { budgets } = context;
      await Promise.all([
        budgets.accounts(budget.id),
        budgets.categories(budget.id),
        budgets.payees(budget.id),
      ]);
      return context.toJson({ default_budget_id: budget.id, name: budget.name });
    },
  },
];

/** A budget as tools return it. */
export function describeBudget(budget: Budget): object {
  const { id, name, last_modified_on, first_month, last_month, currency_format: format } = budget;
  return {
    id,
    name,
    last_modified_on,
    first_month,
    last_month,
    currency: format?.iso_code,
    decimal_digits: format?.decimal_digits,
  };
}
