import * as z from 'zod';
import type { Payee } from '../api/entities.ts';
import { heading, table } from '../markdown/markdown.ts';
import { defineBudgetRead } from './define/define-read.ts';
import type { BudgetTool } from './define/define-read.ts';
import { describeCounts, PAGE, pageKey, paginate } from './define/pages.ts';
import { memberFacts, text } from './define/columns.ts';
import { viewOf } from './define/views.ts';

export const PAYEE_TOOLS: readonly BudgetTool[] = [
  defineBudgetRead({
    name: 'list_payees',
    title: 'List payees',
    description: 'Lists the payees of a budget.',
    arguments: PAGE,
    read: async ({ input, context, budget }) => {
      const loaded = await context.budgets.payees(budget.id);
      return viewOf(loaded.items, { key: pageKey(input, budget.name, loaded.isCached) }, () => {
        const page = paginate(loaded, input);
        return {
          data: { payees: page.items.map(describePayee), ...page.counts },
          markdown: () =>
            `${heading(1, `Payees of ${budget.name}`)}\n\n${table<Payee>([text('Name', ({ name }) => name), text('Id', ({ id }) => id)], page.items)}\n\n${describeCounts(page)}`,
        };
      });
    },
  }),
  defineBudgetRead({
    name: 'get_payee',
    title: 'Get a payee',
    description: 'Returns one payee.',
    arguments: { payee_id: z.string().min(1) },
    read: async ({ input, context, budget }) => {
      const payee = await context.budgets.payee(budget.id, input.payee_id);
      return viewOf(payee, {}, () => {
        const data = describePayee(payee);
        return { data: { payee: data }, markdown: () => `${heading(1, data.name)}\n\n${memberFacts(data)}` };
      });
    },
  }),
];

function describePayee({ id, name, transfer_account_id: account }: Payee): {
  readonly id: string;
  readonly name: string;
  readonly transfer_account_id?: string;
} {
  return { id, name, ...(account === null || account === undefined ? {} : { transfer_account_id: account }) };
}
