import { ValidationError } from 'toolwright';
import * as z from 'zod';
import type { Transaction } from '../../api/entities.ts';
import type { BudgetReader } from '../../data/budget-reader.ts';
import { TOUCHED_BY_TRANSACTIONS } from '../../data/budget-writer.ts';
import { formatMoney } from '../../money/currency-format.ts';
import { sum } from '../../money/money.ts';
import { splitReceipt } from '../../receipt/split-receipt.ts';
import type { WriteMode } from '../../settings/settings.ts';
import { listChanges, shortList } from '../define/change-details.ts';
import { clearedStatus, flagColor, isoDate } from '../define/arguments.ts';
import type { BudgetTool } from '../define/define-read.ts';
import { CREATES, defineWrite } from '../define/define-write.ts';
import { given } from '../define/present.ts';
import type { Names } from '../define/references.ts';
import { assertPast } from './transaction-fields.ts';
import { describeTransaction } from './transaction-view.ts';

const ITEM = z.object({
  name: z.string().min(1).max(150),
  amount: z.number().describe('Price of the line in currency units; negative for returns and discounts.'),
  quantity: z.number().positive().optional(),
  memo: z.string().max(150).optional(),
});

const RECEIPT = {
  account_id: z.string().min(1),
  payee_name: z.string().min(1).max(200),
  date: isoDate.optional().describe('YYYY-MM-DD. Default: today.'),
  memo: z.string().max(500).optional(),
  receipt_subtotal: z.number().optional(),
  receipt_tax: z.number(),
  receipt_total: z.number(),
  categories: z
    .array(
      z.object({
        category_id: z.string().min(1),
        category_name: z.string().optional(),
        items: z.array(ITEM).min(1).max(200),
      }),
    )
    .min(1)
    .max(50),
  cleared: clearedStatus.optional(),
  approved: z.boolean().optional(),
  flag_color: flagColor.optional(),
};

/** The names of the categories, which must exist. */
async function nameCategories(
  categories: readonly { readonly category_id: string }[],
  budgets: BudgetReader,
  budgetId: string,
): Promise<Names> {
  const names = new Map<string, string>();
  for (const { category_id: id } of categories) names.set(id, (await budgets.category(budgetId, id)).name);
  return names;
}

export function createReceiptTool(mode: WriteMode): BudgetTool {
  return defineWrite(mode, {
    name: 'create_receipt_split_transaction',
    title: 'Create a transaction from a receipt',
    description:
      'Creates a split transaction from the items of a receipt. Tax is distributed over the categories. Items, tax and total must agree within 0.01.',
    annotations: CREATES,
    arguments: RECEIPT,
    plan: async ({ input, context, budget }) => {
      const account = await context.budgets.account(budget.id, input.account_id);
      const names = await nameCategories(input.categories, context.budgets, budget.id);
      const split = splitReceipt(input, budget.currency.decimal_digits);
      if (!split.ok)
        throw new ValidationError(split.errors.map(({ path, message }) => ({ path: [...path], message })));
      const total = sum(split.subtransactions.map(({ amount }) => amount));
      const { account_id, payee_name, memo, cleared, approved, flag_color } = input;
      const date = input.date ?? context.today;
      assertPast({ date }, context.today);
      const fields = given({ account_id, payee_name, date, memo, cleared, approved, flag_color });
      return {
        summary: `Create a transaction of ${formatMoney(total, budget.currency)} on ${date} at ${payee_name} in ${account.name}, split into ${split.subtransactions.length} parts:`,
        details: () => {
          const shown = { currency: budget.currency, names };
          const parts = split.subtransactions.map(
            (line) =>
              `${formatMoney(line.amount, budget.currency)} ${names.get(line.category_id) ?? ''}: ${line.memo}`,
          );
          return [...shortList(parts), ...listChanges({ memo, cleared, approved, flag_color }, shown)];
        },
        request: { transaction: { ...fields, amount: total, subtransactions: split.subtransactions } },
      };
    },
    run: async ({ request }, { context, budget }) => {
      const { transaction } = await context.writer.send<{ transaction: Transaction }>({
        operation: 'createTransaction',
        budgetId: budget.id,
        args: request,
        touches: TOUCHED_BY_TRANSACTIONS,
        isRepeatable: false,
      });
      return { transaction: describeTransaction(transaction, budget.currency) };
    },
  });
}
