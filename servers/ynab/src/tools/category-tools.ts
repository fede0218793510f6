import * as z from 'zod';
import type { Category } from '../api/entities.ts';
import { heading, table } from '../markdown/markdown.ts';
import { formatMoney } from '../money/currency-format.ts';
import type { CurrencyFormat } from '../money/currency-format.ts';
import type { WriteMode } from '../settings/settings.ts';
import { isoMonth } from './define/arguments.ts';
import { bothForms, readAmount } from './define/amounts.ts';
import { defineBudgetRead } from './define/define-read.ts';
import type { BudgetTool } from './define/define-read.ts';
import { defineWrite, UPDATES } from './define/define-write.ts';
import { describeCounts, PAGE, pageKey, paginate } from './define/pages.ts';
import { memberFacts, money, text } from './define/columns.ts';
import { viewOf } from './define/views.ts';

const BUDGETED = { decimal: 'budgeted_decimal', milliunits: 'budgeted_milliunits' };

export const CATEGORY_READS: readonly BudgetTool[] = [
  defineBudgetRead({
    name: 'list_categories',
    title: 'List categories',
    description: 'Lists the categories of a budget with the amounts of the current month.',
    arguments: PAGE,
    read: async ({ input, context, budget }) => {
      const { items, isCached } = await context.budgets.categories(budget.id);
      const key = pageKey(input, budget.name, isCached);
      return viewOf(items, { currency: budget.currency, key }, () => {
        const categories = items.flatMap((group) =>
          group.categories.map((category) => ({ ...category, category_group_name: group.name })),
        );
        const page = paginate({ items: categories, isCached }, input);
        return {
          data: {
            categories: page.items.map((category) => describeCategory(category, budget.currency)),
            ...page.counts,
          },
          markdown: () =>
            `${heading(1, `Categories of ${budget.name}`)}\n\n${toCategoryTable(page.items, budget.currency)}\n\n${describeCounts(page)}`,
        };
      });
    },
  }),
  defineBudgetRead({
    name: 'get_category',
    title: 'Get a category',
    description: 'Returns one category with its goal and the amounts of the current month.',
    arguments: { category_id: z.string().min(1) },
    read: async ({ input, context, budget }) => {
      const category = await context.budgets.category(budget.id, input.category_id);
      return viewOf(category, budget, () => {
        const data = describeCategory(category, budget.currency);
        return {
          data: { category: data },
          markdown: () => `${heading(1, category.name)}\n\n${memberFacts(data, budget.currency)}`,
        };
      });
    },
  }),
];

export function createCategoryWrites(mode: WriteMode): readonly BudgetTool[] {
  return [
    defineWrite(mode, {
      name: 'update_category',
      title: 'Budget a category',
      description: 'Sets the amount that is budgeted for a category in a month.',
      annotations: UPDATES,
      arguments: {
        category_id: z.string().min(1),
        month: isoMonth.optional().describe('First day of the month. Default: the current month.'),
        budgeted_decimal: z.number().optional().describe('Amount in currency units. Or budgeted_milliunits.'),
        budgeted_milliunits: z.int().optional(),
      },
      plan: async ({ input, context, budget }) => {
        const category = await context.budgets.category(budget.id, input.category_id);
        const given = { decimal: input.budgeted_decimal, milliunits: input.budgeted_milliunits };
        const budgeted = readAmount(given, budget.currency, BUDGETED);
        const month = input.month ?? `${context.today.slice(0, 8)}01`;
        return {
          summary: `Budget ${formatMoney(budgeted, budget.currency)} for "${category.name}" in ${month}.`,
          request: { month, category_id: category.id, category: { budgeted } },
        };
      },
      run: async ({ request }, { context, budget }) => {
        const { category } = await context.writer.send<{ category: Category }>({
          operation: 'updateMonthCategory',
          budgetId: budget.id,
          args: request,
          touches: ['categories', 'months'],
          isRepeatable: true,
        });
        return { category: describeCategory(category, budget.currency) };
      },
    }),
  ];
}

/** A category as tools return it. */
export function describeCategory(category: Category, currency: CurrencyFormat): object {
  const { id, name, category_group_name, hidden, note, goal_type, goal_target, goal_target_date } = category;
  return {
    id,
    name,
    ...(category_group_name === undefined ? {} : { group: category_group_name }),
    ...(hidden ? { hidden } : {}),
    ...(note === null || note === undefined ? {} : { note }),
    ...bothForms('budgeted', category.budgeted, currency),
    ...bothForms('activity', category.activity, currency),
    ...bothForms('balance', category.balance, currency),
    ...(goal_type === null || goal_type === undefined ? {} : { goal_type }),
    ...(goal_target === null || goal_target === undefined
      ? {}
      : bothForms('goal_target', goal_target, currency)),
    ...(goal_target_date === null || goal_target_date === undefined ? {} : { goal_target_date }),
  };
}

export function toCategoryTable(categories: readonly Category[], currency: CurrencyFormat): string {
  return table<Category>(
    [
      text('Group', ({ category_group_name: group }) => group),
      text('Category', ({ name }) => name),
      money('Budgeted', currency, ({ budgeted }) => budgeted),
      money('Activity', currency, ({ activity }) => activity),
      money('Balance', currency, ({ balance }) => balance),
      text('Id', ({ id }) => id),
    ],
    categories,
  );
}
