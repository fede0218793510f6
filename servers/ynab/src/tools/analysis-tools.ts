import { ValidationError } from 'toolwright';
import type { ToolContext } from 'toolwright';
import * as z from 'zod';
import type { BudgetContext } from '../context.ts';
import { heading, table } from '../markdown/markdown.ts';
import type { Column } from '../markdown/markdown.ts';
import type { CurrencyFormat } from '../money/currency-format.ts';
import { analyzeSpending } from '../spending/analyze-spending.ts';
import type { SpendingAnalysis, SpendingFigures, SpendingOptions } from '../spending/analyze-spending.ts';
import { comparePeriods } from '../spending/compare-periods.ts';
import { isoDate } from './define/arguments.ts';
import { bothForms } from './define/amounts.ts';
import { defineBudgetRead } from './define/define-read.ts';
import type { BudgetTool } from './define/define-read.ts';
import { money, text } from './define/columns.ts';

const GROUPING = {
  group_by: z.enum(['category', 'payee', 'account', 'week', 'month']),
  include_transfers: z.boolean().default(false),
};

const PERIOD = z.object({ since_date: isoDate, until_date: isoDate }).describe('Both dates are included.');

export const ANALYSIS_TOOLS: readonly BudgetTool[] = [
  defineBudgetRead({
    name: 'analyze_spending',
    title: 'Analyze spending',
    description:
      'Adds up income and spending of a period, in total and by group. Splits count by their parts; weeks start on Monday.',
    arguments: { since_date: isoDate, until_date: isoDate, ...GROUPING },
    read: async ({ input, context, budget }) => {
      const analysis = await analyze(context, budget.id, toOptions(input, input, []));
      return {
        data: describeAnalysis(analysis, budget.currency),
        markdown: () =>
          `${heading(1, `Spending of ${budget.name}`)}\n\n${toMarkdown(analysis, budget.currency)}`,
      };
    },
  }),
  defineBudgetRead({
    name: 'compare_spending_periods',
    title: 'Compare the spending of two periods',
    description:
      'Analyzes two periods and returns the differences (period_b minus period_a), in total and by group.',
    arguments: { period_a: PERIOD, period_b: PERIOD, ...GROUPING },
    read: async ({ input, context, budget }) => {
      const { currency } = budget;
      const a = await analyze(context, budget.id, toOptions(input.period_a, input, ['period_a']));
      const b = await analyze(context, budget.id, toOptions(input.period_b, input, ['period_b']));
      const { difference, groups } = comparePeriods(a, b);
      return {
        data: {
          period_a: describeAnalysis(a, currency),
          period_b: describeAnalysis(b, currency),
          difference: describeFigures(difference, currency),
          groups: groups.map((group) => ({
            key: group.key,
            name: group.name,
            period_a: describeFigures(group.a, currency),
            period_b: describeFigures(group.b, currency),
            difference: describeFigures(group.difference, currency),
          })),
        },
        markdown: () =>
          `${heading(1, `Spending of ${budget.name}`)}\n\nA: ${period(a)}. B: ${period(b)}.\n\n${table<Compared>(
            [
              text('Group', ({ name }) => name),
              money('A', currency, (row) => row.a.spending),
              money('B', currency, (row) => row.b.spending),
              money('Change', currency, (row) => row.difference.spending),
            ],
            [...groups, { name: 'Total', a, b, difference }],
          )}`,
      };
    },
  }),
];

type Compared = Readonly<Record<'a' | 'b' | 'difference', SpendingFigures>> & { readonly name: string };

interface GivenGrouping {
  readonly group_by: SpendingOptions['groupBy'];
  readonly include_transfers: boolean;
}

function toOptions(
  { since_date: since, until_date: until }: z.infer<typeof PERIOD>,
  { group_by: groupBy, include_transfers: includeTransfers }: GivenGrouping,
  path: readonly string[],
): SpendingOptions {
  if (since > until) {
    throw new ValidationError([
      { path: [...path, 'until_date'], message: `must not be before since_date (${since})` },
    ]);
  }
  return { since, until, groupBy, includeTransfers };
}

async function analyze(
  context: ToolContext<BudgetContext>,
  budgetId: string,
  options: SpendingOptions,
): Promise<SpendingAnalysis> {
  const { items } = await context.budgets.transactions(budgetId, options.since);
  return analyzeSpending(items, options);
}

function describeAnalysis(analysis: SpendingAnalysis, currency: CurrencyFormat): object {
  const { since, until, groupBy, includeTransfers } = analysis.options;
  return {
    since_date: since,
    until_date: until,
    group_by: groupBy,
    include_transfers: includeTransfers,
    ...describeFigures(analysis, currency),
    groups: analysis.groups.map((group) => ({
      key: group.key,
      name: group.name,
      ...describeFigures(group, currency),
    })),
  };
}

function describeFigures(
  { income, spending, net, count }: SpendingFigures,
  currency: CurrencyFormat,
): object {
  return {
    ...bothForms('income', income, currency),
    ...bothForms('spending', spending, currency),
    ...bothForms('net', net, currency),
    count,
  };
}

function period({ options: { since, until } }: SpendingAnalysis): string {
  return `${since} to ${until}`;
}

function toMarkdown(analysis: SpendingAnalysis, currency: CurrencyFormat): string {
  const columns: readonly Column<SpendingFigures & { readonly name: string }>[] = [
    text('Group', ({ name }) => name),
    money('Spending', currency, ({ spending }) => spending),
    money('Income', currency, ({ income }) => income),
    money('Net', currency, ({ net }) => net),
    { title: 'Count', align: 'right', value: ({ count }) => count },
  ];
  return `${period(analysis)}\n\n${table(columns, [...analysis.groups, { name: 'Total', ...analysis }])}`;
}
