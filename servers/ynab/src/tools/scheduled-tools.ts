import { ValidationError } from 'toolwright';
import * as z from 'zod';
import type { ScheduledTransaction } from '../api/entities.ts';
import { heading, table } from '../markdown/markdown.ts';
import { formatMoney } from '../money/currency-format.ts';
import type { CurrencyFormat } from '../money/currency-format.ts';
import type { WriteMode } from '../settings/settings.ts';
import { amount, flagColor, isoDate, offset } from './define/arguments.ts';
import { bothForms, readAmount, readOptionalAmount } from './define/amounts.ts';
import { defineBudgetRead } from './define/define-read.ts';
import { listChanges, listLabels } from './define/change-details.ts';
import type { BudgetTool } from './define/define-read.ts';
import { CREATES, defineWrite, DELETES, UPDATES } from './define/define-write.ts';
import { describeCounts, pageKey, paginate } from './define/pages.ts';
import { given, present } from './define/present.ts';
import { assertReferences } from './define/references.ts';
import { describeParts, describeTarget, showWithParts } from './transactions/transaction-view.ts';
import { money, text } from './define/columns.ts';
import { viewOf } from './define/views.ts';

const FREQUENCIES = [
  'never',
  'daily',
  'weekly',
  'everyOtherWeek',
  'twiceAMonth',
  'every4Weeks',
  'monthly',
  'everyOtherMonth',
  'every3Months',
  'every4Months',
  'twiceAYear',
  'yearly',
  'everyOtherYear',
] as const;

const SCHEDULED_ID = { scheduled_transaction_id: z.string().min(1) };

/** Fields that `null` clears. */
const CLEARABLE = {
  payee_id: z.string().nullish(),
  payee_name: z.string().max(200).nullish(),
  category_id: z.string().nullish(),
  memo: z.string().max(500).nullish(),
  flag_color: flagColor.nullish(),
};

export const SCHEDULED_READS: readonly BudgetTool[] = [
  defineBudgetRead({
    name: 'list_scheduled_transactions',
    title: 'List scheduled transactions',
    description: 'Lists the scheduled transactions of a budget, next date first.',
    arguments: { limit: z.int().min(1).max(500).default(100), offset },
    read: async ({ input, context, budget }) => {
      const { items, isCached } = await context.budgets.scheduled(budget.id);
      const key = pageKey(input, budget.name, isCached);
      return viewOf(items, { currency: budget.currency, key }, () => {
        const byDate = items.toSorted((a, b) => (`${a.date_next}${a.id}` < `${b.date_next}${b.id}` ? -1 : 1));
        const page = paginate({ items: byDate, isCached }, input);
        return {
          data: {
            scheduled_transactions: page.items.map((each) => describeScheduled(each, budget.currency)),
            ...page.counts,
          },
          markdown: () =>
            `${heading(1, `Scheduled transactions of ${budget.name}`)}\n\n${toScheduledTable(page.items, budget.currency)}\n\n${describeCounts(page)}`,
        };
      });
    },
  }),
  defineBudgetRead({
    name: 'get_scheduled_transaction',
    title: 'Get a scheduled transaction',
    description: 'Returns one scheduled transaction.',
    arguments: SCHEDULED_ID,
    read: async ({ input, context, budget }) => {
      const found = await context.budgets.scheduledTransaction(budget.id, input.scheduled_transaction_id);
      return viewOf(found, budget, () => {
        const data = describeScheduled(found, budget.currency);
        return {
          data: { scheduled_transaction: data },
          markdown: () =>
            showWithParts('Scheduled transaction', data, {
              subtransactions: found.subtransactions,
              currency: budget.currency,
            }),
        };
      });
    },
  }),
];

export function createScheduledWrites(mode: WriteMode): readonly BudgetTool[] {
  return [createScheduled(mode), updateScheduled(mode), deleteScheduled(mode)];
}

function createScheduled(mode: WriteMode): BudgetTool {
  return defineWrite(mode, {
    name: 'create_scheduled_transaction',
    title: 'Schedule a transaction',
    description:
      'Creates a scheduled transaction. Its first date must be in the future, at most five years ahead.',
    annotations: CREATES,
    arguments: {
      account_id: z.string().min(1),
      date: isoDate,
      ...amount,
      frequency: z.enum(FREQUENCIES),
      ...CLEARABLE,
    },
    plan: async ({ input, context, budget }) => {
      const names = await assertReferences([{ fields: input, at: [] }], context.budgets, budget.id);
      const { account_id, date, frequency } = input;
      const value = readAmount(
        { decimal: input.amount_decimal, milliunits: input.amount_milliunits },
        budget.currency,
      );
      const scheduled = { account_id, date, frequency, amount: value, ...clearable(input) };
      return {
        summary: `Schedule ${formatMoney(value, budget.currency)} from ${date} (${frequency}) in ${names.get(account_id)}.`,
        details: () => listChanges(clearable(input), { currency: budget.currency, names }),
        request: { scheduled_transaction: scheduled },
      };
    },
    run: async ({ request }, { context, budget }) => {
      const { scheduled_transaction: created } = await context.writer.send<SavedScheduled>({
        operation: 'createScheduledTransaction',
        budgetId: budget.id,
        args: request,
        touches: ['scheduled', 'payees'],
        isRepeatable: false,
      });
      return { scheduled_transaction: describeScheduled(created, budget.currency) };
    },
  });
}

function updateScheduled(mode: WriteMode): BudgetTool {
  return defineWrite(mode, {
    name: 'update_scheduled_transaction',
    title: 'Update a scheduled transaction',
    description: 'Changes the given fields of a scheduled transaction; null clears a field.',
    annotations: UPDATES,
    arguments: {
      ...SCHEDULED_ID,
      account_id: z.string().min(1).optional(),
      date: isoDate.optional().describe('Next date, YYYY-MM-DD.'),
      ...amount,
      frequency: z.enum(FREQUENCIES).optional(),
      ...CLEARABLE,
    },
    plan: async ({ input, context, budget }) => {
      const known = await context.budgets.scheduledTransactionNow(budget.id, input.scheduled_transaction_id);
      const names = await assertReferences([{ fields: input, at: [] }], context.budgets, budget.id);
      const value = readOptionalAmount(
        { decimal: input.amount_decimal, milliunits: input.amount_milliunits },
        budget.currency,
      );
      const { account_id, date, frequency } = input;
      const changes = { ...given({ account_id, date, frequency, amount: value }), ...clearable(input) };
      if (Object.keys(changes).length === 0) {
        throw new ValidationError([{ path: [], message: 'pass at least one field to change' }]);
      }
      // The API replaces the whole scheduled transaction, so unchanged fields are sent again.
      const { payee_id, category_id, memo, flag_color } = known;
      const unchanged = {
        payee_id,
        category_id,
        memo,
        flag_color,
        account_id: known.account_id,
        date: known.date_next,
        amount: known.amount,
        frequency: known.frequency,
      };
      const replaced = {
        ...unchanged,
        ...(changes['payee_name'] === undefined ? {} : { payee_id: undefined }),
        ...changes,
      };
      return {
        summary: `Change ${listLabels([changes]).join(', ')} of the scheduled transaction of ${nameScheduled(known, budget.currency)}.`,
        details: () => listChanges(changes, { currency: budget.currency, names }),
        request: { scheduled_transaction_id: known.id, scheduled_transaction: given(replaced) },
      };
    },
    run: async ({ request }, { context, budget }) => {
      const { scheduled_transaction: saved } = await context.writer.send<SavedScheduled>({
        operation: 'updateScheduledTransaction',
        budgetId: budget.id,
        args: request,
        touches: ['scheduled', 'payees'],
        isRepeatable: true,
      });
      return { scheduled_transaction: describeScheduled(saved, budget.currency) };
    },
  });
}

function deleteScheduled(mode: WriteMode): BudgetTool {
  return defineWrite(mode, {
    name: 'delete_scheduled_transaction',
    title: 'Delete a scheduled transaction',
    description: 'Deletes a scheduled transaction.',
    annotations: DELETES,
    arguments: SCHEDULED_ID,
    plan: async ({ input, context, budget }) => {
      const known = await context.budgets.scheduledTransaction(budget.id, input.scheduled_transaction_id);
      return {
        summary: `Delete the scheduled transaction of ${nameScheduled(known, budget.currency)}.`,
        request: { scheduled_transaction_id: known.id },
        known,
      };
    },
    run: async ({ request, known }, { context, budget }) => {
      const { scheduled_transaction: deleted } = await context.writer.send<SavedScheduled>({
        operation: 'deleteScheduledTransaction',
        budgetId: budget.id,
        args: request,
        touches: ['scheduled'],
        isRepeatable: true,
        ifGone: { scheduled_transaction: known },
      });
      return { deleted: true, scheduled_transaction: describeScheduled(deleted, budget.currency) };
    },
  });
}

interface SavedScheduled {
  readonly scheduled_transaction: ScheduledTransaction;
}

function clearable(
  input: Readonly<Partial<Record<keyof typeof CLEARABLE, string | null | undefined>>>,
): Record<string, unknown> {
  const { payee_id, payee_name, category_id, memo, flag_color } = input;
  return given({ payee_id, payee_name, category_id, memo, flag_color });
}

/** A scheduled transaction in one sentence, for previews. */
function nameScheduled(scheduled: ScheduledTransaction, currency: CurrencyFormat): string {
  const { amount: value, date_next: date, frequency, payee_name: payee, account_name: account } = scheduled;
  return `${formatMoney(value, currency)} on ${date} (${frequency})${payee ? ` at ${payee}` : ''} in ${account}`;
}

function describeScheduled(scheduled: ScheduledTransaction, currency: CurrencyFormat): object {
  const { id, date_first, date_next, frequency, account_id, account_name } = scheduled;
  return {
    id,
    date_first,
    date_next,
    frequency,
    ...bothForms('amount', scheduled.amount, currency),
    account_id,
    account_name,
    ...describeTarget(scheduled),
    ...present({ flag_color: scheduled.flag_color }),
    ...describeParts(scheduled.subtransactions, currency),
  };
}

function toScheduledTable(scheduled: readonly ScheduledTransaction[], currency: CurrencyFormat): string {
  return table<ScheduledTransaction>(
    [
      text('Next', ({ date_next: date }) => date),
      text('Frequency', ({ frequency }) => frequency),
      text('Payee', ({ payee_name: payee }) => payee),
      text('Category', ({ category_name: category }) => category),
      money('Amount', currency, ({ amount: value }) => value),
      text('Account', ({ account_name: account }) => account),
      text('Id', ({ id }) => id),
    ],
    scheduled,
  );
}
