import * as z from 'zod';
import type { Transaction } from '../../api/entities.ts';
import type { ChosenBudget } from '../../data/budget-reader.ts';
import type { Loaded } from '../../data/budget-store.ts';
import type { CurrencyFormat } from '../../money/currency-format.ts';
import { sum } from '../../money/money.ts';
import { defineBudgetRead } from '../define/define-read.ts';
import { heading } from '../../markdown/markdown.ts';
import type { BudgetTool, Shown } from '../define/define-read.ts';
import { describeCounts, PAGE, pageKey, paginate } from '../define/pages.ts';
import { FILTERS, loadTransactions } from './transaction-filters.ts';
import { describeTransaction, showWithParts, toTransactionTable } from './transaction-view.ts';
import { viewOf } from '../define/views.ts';

/** Larger pages are replaced by a preview, in bytes of JSON. */
const MAX_PAGE_BYTES = 90 * 1024;
const PREVIEW_ROWS = 50;

export const TRANSACTION_READS: readonly BudgetTool[] = [
  defineBudgetRead({
    name: 'list_transactions',
    title: 'List transactions',
    description:
      'Lists transactions, newest first. Filters combine. For more than a few pages, use export_transactions.',
    arguments: { ...FILTERS, ...PAGE },
    read: async ({ input, context, budget }) => {
      const { since, loaded, select } = await loadTransactions(input, context, budget.id);
      const { account_id, category_id, type, cleared } = input;
      const page = pageKey(input, budget.name, loaded.isCached);
      const key = [...page, since, account_id, category_id, type, cleared];
      return viewOf(loaded.items, { currency: budget.currency, key }, () =>
        showPage(select(), input, budget),
      );
    },
  }),
  defineBudgetRead({
    name: 'get_transaction',
    title: 'Get a transaction',
    description: 'Returns one transaction with its parts.',
    arguments: { transaction_id: z.string().min(1) },
    read: async ({ input, context, budget }) => {
      const transaction = await context.budgets.transaction(budget.id, input.transaction_id);
      return viewOf(transaction, budget, () => {
        const data = describeTransaction(transaction, budget.currency);
        return {
          data: { transaction: data },
          markdown: () =>
            showWithParts(`Transaction of ${transaction.date}`, data, {
              subtransactions: transaction.subtransactions,
              currency: budget.currency,
            }),
        };
      });
    },
  }),
];

function showPage(
  found: Loaded<Transaction>,
  wanted: { readonly limit: number; readonly offset: number },
  { name, currency }: ChosenBudget,
): Shown {
  const whole = paginate(found, wanted);
  const limit = fittingLength(whole.items, currency);
  const page = limit === whole.items.length ? whole : paginate(found, { ...wanted, limit });
  const note =
    page === whole
      ? undefined
      : `Preview: the newest ${limit} of ${whole.items.length} transactions of this page, which is larger than 90 KB. Call export_transactions for all, or continue at offset ${page.counts.next_offset}.`;
  return {
    data: {
      transactions: page.items.map((transaction) => describeTransaction(transaction, currency)),
      ...page.counts,
      ...(note === undefined ? {} : { is_preview: true, note }),
    },
    markdown: () =>
      [
        heading(1, `Transactions of ${name}`),
        toTransactionTable(page.items, currency),
        note ?? describeCounts(page),
      ].join('\n\n'),
  };
}

/** All transactions of a page, or of one that is too large the first ones that fit, at least one. */
function fittingLength(transactions: readonly Transaction[], currency: CurrencyFormat): number {
  const sizes = transactions.map((each) =>
    Buffer.byteLength(JSON.stringify(describeTransaction(each, currency))),
  );
  if (sum(sizes) <= MAX_PAGE_BYTES) return transactions.length;
  let [length, bytes] = [0, 0];
  while (length < PREVIEW_ROWS && bytes + (sizes[length] ?? 0) <= MAX_PAGE_BYTES)
    bytes += sizes[length++] ?? 0;
  return Math.max(length, 1);
}
