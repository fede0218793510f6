import type { Month, MonthDetail } from '../api/entities.ts';
import type { ChosenBudget } from '../data/budget-reader.ts';
import { heading, table } from '../markdown/markdown.ts';
import type { CurrencyFormat } from '../money/currency-format.ts';
import { isoMonth } from './define/arguments.ts';
import { bothForms } from './define/amounts.ts';
import { describeCategory, toCategoryTable } from './category-tools.ts';
import { defineBudgetRead } from './define/define-read.ts';
import type { BudgetTool, Shown } from './define/define-read.ts';
import { describeCounts, PAGE, pageKey, paginate } from './define/pages.ts';
import { memberFacts, money, text } from './define/columns.ts';
import { viewOf } from './define/views.ts';

export const MONTH_TOOLS: readonly BudgetTool[] = [
  defineBudgetRead({
    name: 'list_months',
    title: 'List months',
    description: 'Lists the months of a budget, newest first.',
    arguments: PAGE,
    read: async ({ input, context, budget }) => {
      const { items, isCached } = await context.budgets.months(budget.id);
      const key = pageKey(input, budget.name, isCached);
      return viewOf(items, { currency: budget.currency, key }, () => {
        const newestFirst = items.toSorted((a, b) => (a.month < b.month ? 1 : -1));
        const page = paginate({ items: newestFirst, isCached }, input);
        return {
          data: { months: page.items.map((month) => describeMonth(month, budget.currency)), ...page.counts },
          markdown: () =>
            `${heading(1, `Months of ${budget.name}`)}\n\n${toMonthTable(page.items, budget.currency)}\n\n${describeCounts(page)}`,
        };
      });
    },
  }),
  defineBudgetRead({
    name: 'get_month',
    title: 'Get a month',
    description: 'Returns one month with the amounts of its categories.',
    arguments: { month: isoMonth },
    read: async ({ input, context, budget }) => {
      const detail = await context.budgets.month(budget.id, input.month);
      return viewOf(detail, { currency: budget.currency, key: [budget.name] }, () =>
        showMonth(detail, budget),
      );
    },
  }),
];

function showMonth({ categories, ...month }: MonthDetail, { name, currency }: ChosenBudget): Shown {
  const summary = describeMonth(month, currency);
  const shown = categories.filter(({ deleted }) => !deleted);
  return {
    data: { month: { ...summary, categories: shown.map((each) => describeCategory(each, currency)) } },
    markdown: () =>
      `${heading(1, `${name}, ${month.month}`)}\n\n${memberFacts(summary, currency)}\n\n${toCategoryTable(shown, currency)}`,
  };
}

/** A month as tools return it. */
export function describeMonth(month: Month, currency: CurrencyFormat): object {
  const { age_of_money: age, note } = month;
  return {
    month: month.month,
    ...(note === null || note === undefined ? {} : { note }),
    ...bothForms('income', month.income, currency),
    ...bothForms('budgeted', month.budgeted, currency),
    ...bothForms('activity', month.activity, currency),
    ...bothForms('to_be_budgeted', month.to_be_budgeted, currency),
    ...(age === null || age === undefined ? {} : { age_of_money: age }),
  };
}

function toMonthTable(months: readonly Month[], currency: CurrencyFormat): string {
  return table<Month>(
    [
      text('Month', ({ month }) => month),
      money('Income', currency, ({ income }) => income),
      money('Budgeted', currency, ({ budgeted }) => budgeted),
      money('Activity', currency, ({ activity }) => activity),
      money('To be budgeted', currency, ({ to_be_budgeted: rest }) => rest),
    ],
    months,
  );
}
