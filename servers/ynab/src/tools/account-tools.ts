import * as z from 'zod';
import type { Account } from '../api/entities.ts';
import type { ChosenBudget } from '../data/budget-reader.ts';
import { heading, table } from '../markdown/markdown.ts';
import { formatMoney } from '../money/currency-format.ts';
import type { CurrencyFormat } from '../money/currency-format.ts';
import type { WriteMode } from '../settings/settings.ts';
import { bothForms, readAmount } from './define/amounts.ts';
import { defineBudgetRead } from './define/define-read.ts';
import type { BudgetTool } from './define/define-read.ts';
import { CREATES, defineWrite } from './define/define-write.ts';
import { describeCounts, PAGE, pageKey, paginate } from './define/pages.ts';
import { memberFacts, money, text } from './define/columns.ts';
import { viewOf } from './define/views.ts';

const ACCOUNT_TYPES = ['checking', 'savings', 'cash', 'creditCard', 'otherAsset', 'otherLiability'] as const;

export const ACCOUNT_READS: readonly BudgetTool[] = [
  defineBudgetRead({
    name: 'list_accounts',
    title: 'List accounts',
    description: 'Lists the accounts of a budget with their balances.',
    arguments: PAGE,
    read: async ({ input, context, budget }) => {
      const loaded = await context.budgets.accounts(budget.id);
      const key = pageKey(input, budget.name, loaded.isCached);
      return viewOf(loaded.items, { currency: budget.currency, key }, () => {
        const page = paginate(loaded, input);
        return {
          data: {
            accounts: page.items.map((account) => describeAccount(account, budget.currency)),
            ...page.counts,
          },
          markdown: () =>
            `${heading(1, `Accounts of ${budget.name}`)}\n\n${toTable(page.items, budget)}\n\n${describeCounts(page)}`,
        };
      });
    },
  }),
  defineBudgetRead({
    name: 'get_account',
    title: 'Get an account',
    description: 'Returns one account with its balances.',
    arguments: { account_id: z.string().min(1) },
    read: async ({ input, context, budget }) => {
      const account = await context.budgets.account(budget.id, input.account_id);
      return viewOf(account, budget, () => {
        const data = describeAccount(account, budget.currency);
        return {
          data: { account: data },
          markdown: () => `${heading(1, account.name)}\n\n${memberFacts(data, budget.currency)}`,
        };
      });
    },
  }),
];

export function createAccountWrites(mode: WriteMode): readonly BudgetTool[] {
  return [
    defineWrite(mode, {
      name: 'create_account',
      title: 'Create an account',
      description: 'Creates an account. A balance other than 0 is recorded as its starting balance.',
      annotations: CREATES,
      arguments: {
        name: z.string().min(1).max(100),
        type: z.enum(ACCOUNT_TYPES),
        balance: z.number().default(0).describe('Balance in currency units; negative for debts.'),
      },
      plan: ({ input, budget }) => {
        const balance = readAmount({ decimal: input.balance, milliunits: undefined }, budget.currency, {
          decimal: 'balance',
          milliunits: 'balance',
        });
        return {
          summary: `Create the ${input.type} account "${input.name}" with a balance of ${formatMoney(balance, budget.currency)}.`,
          request: { account: { name: input.name, type: input.type, balance } },
        };
      },
      run: async ({ request }, { context, budget }) => {
        const { account } = await context.writer.send<{ account: Account }>({
          operation: 'createAccount',
          budgetId: budget.id,
          args: request,
          touches: ['accounts', 'transactions', 'categories', 'months', 'payees'],
          isRepeatable: false,
        });
        return { account: describeAccount(account, budget.currency) };
      },
    }),
  ];
}

/** An account as tools return it. */
export function describeAccount(account: Account, currency: CurrencyFormat): object {
  const { id, name, type, on_budget, closed, note, last_reconciled_at } = account;
  return {
    id,
    name,
    type,
    on_budget,
    closed,
    ...(note === null || note === undefined ? {} : { note }),
    ...bothForms('balance', account.balance, currency),
    ...bothForms('cleared_balance', account.cleared_balance, currency),
    ...bothForms('uncleared_balance', account.uncleared_balance, currency),
    ...(last_reconciled_at === null || last_reconciled_at === undefined ? {} : { last_reconciled_at }),
  };
}

function toTable(accounts: readonly Account[], { currency }: ChosenBudget): string {
  return table<Account>(
    [
      text('Name', ({ name, closed }) => (closed ? `${name} (closed)` : name)),
      text('Type', ({ type }) => type),
      money('Balance', currency, ({ balance }) => balance),
      money('Cleared', currency, ({ cleared_balance: cleared }) => cleared),
      text('Id', ({ id }) => id),
    ],
    accounts,
  );
}
