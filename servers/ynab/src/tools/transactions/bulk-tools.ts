import { ValidationError } from 'toolwright';
import type { ToolContext } from 'toolwright';
import * as z from 'zod';
import type { Transaction } from '../../api/entities.ts';
import type { BulkOutcomes, SaveResponse, TransactionFields } from '../../bulk/bulk-transaction.ts';
import { correlateCreated, correlateUpdated } from '../../bulk/correlate.ts';
import { fitOutcomes } from '../../bulk/fit-outcomes.ts';
import type { BudgetContext } from '../../context.ts';
import type { ChosenBudget } from '../../data/budget-reader.ts';
import { TOUCHED_BY_TRANSACTIONS } from '../../data/budget-writer.ts';
import { yearBefore } from '../../data/dates.ts';
import { formatMoney } from '../../money/currency-format.ts';
import type { CurrencyFormat } from '../../money/currency-format.ts';
import { sum } from '../../money/money.ts';
import type { WriteMode } from '../../settings/settings.ts';
import { describeChanges, listLabels, shortList } from '../define/change-details.ts';
import type { BudgetTool } from '../define/define-read.ts';
import { CREATES, defineWrite, UPDATES } from '../define/define-write.ts';
import { assertReferences } from '../define/references.ts';
import type { Names, Referring } from '../define/references.ts';
import { findIgnored, hasSplitField } from './split-changes.ts';
import type { Change, GivenChange } from './split-changes.ts';
import { CHANGES, NEW_TRANSACTION, toChange, toNewTransaction } from './transaction-fields.ts';
import { describeTransaction, nameTransaction } from './transaction-view.ts';

const MAX_ITEMS = 100;

/** Writes of several transactions at once. */
export function createBulkTools(mode: WriteMode): readonly BudgetTool[] {
  return [createSeveral(mode), updateSeveral(mode)];
}

function createSeveral(mode: WriteMode): BudgetTool {
  return defineWrite(mode, {
    name: 'create_transactions',
    title: 'Create several transactions',
    description:
      'Creates 1 to 100 transactions in one request. The result has the outcome of each: created, duplicate (its import_id exists) or failed.',
    annotations: CREATES,
    arguments: { transactions: z.array(z.object(NEW_TRANSACTION)).min(1).max(MAX_ITEMS) },
    plan: async ({ input, context, budget }) => {
      const names = await assertKnown(input.transactions, context, budget);
      const { currency } = budget;
      const transactions = input.transactions.map((each, index) =>
        toNewTransaction(each, { currency, today: context.today }, ['transactions', index]),
      );
      const total = sum(transactions.map(({ amount }) => amount));
      return {
        summary: `Create ${count(transactions)}, in total ${formatMoney(total, currency)}.`,
        details: () => shortList(transactions.map((each) => describeChanges(each, { currency, names }))),
        request: { transactions },
        isRepeatable: input.transactions.every(({ import_id: id }) => id !== undefined),
      };
    },
    run: async ({ request, isRepeatable }, { context, budget }) => {
      const response = await context.writer.send<SaveResponse<Transaction>>({
        operation: 'createTransaction',
        budgetId: budget.id,
        args: request,
        touches: TOUCHED_BY_TRANSACTIONS,
        isRepeatable,
      });
      const items = request.transactions as readonly unknown[] as readonly TransactionFields[];
      return describeOutcomes(correlateCreated(items, response), budget.currency);
    },
  });
}

function updateSeveral(mode: WriteMode): BudgetTool {
  const { account_id: _account, ...fields } = CHANGES;
  return defineWrite(mode, {
    name: 'update_transactions',
    title: 'Update several transactions',
    description:
      'Changes the given fields of 1 to 100 transactions in one request. Transactions cannot move to another account.',
    annotations: UPDATES,
    arguments: {
      transactions: z
        .array(z.object({ id: z.string().min(1), ...fields }))
        .min(1)
        .max(MAX_ITEMS),
    },
    plan: async ({ input, context, budget }) => {
      const names = await assertKnown(input.transactions, context, budget);
      const transactions = input.transactions.map(({ id, ...changes }, index) => ({
        id,
        ...toChange(changes, { currency: budget.currency, today: context.today }, ['transactions', index]),
      }));
      assertChanges(transactions);
      const recent = input.transactions.some(hasSplitField) ? await loadRecent(context, budget) : undefined;
      assertEffects(input.transactions, transactions, recent);
      return {
        summary: `Change ${listLabels(transactions).join(', ')} of ${count(transactions)}.`,
        details: async () => {
          const known = recent ?? (await loadRecent(context, budget));
          const lines = transactions.map(({ id, ...changes }) => {
            const changed = describeChanges(changes, { currency: budget.currency, names });
            const transaction = known.get(id);
            return `${transaction === undefined ? id : nameTransaction(transaction, budget.currency)}: ${changed}`;
          });
          return shortList(lines);
        },
        request: { transactions },
      };
    },
    run: async ({ request }, { context, budget }) => {
      const response = await context.writer.send<SaveResponse<Transaction>>({
        operation: 'updateTransactions',
        budgetId: budget.id,
        args: request,
        touches: TOUCHED_BY_TRANSACTIONS,
        isRepeatable: true,
      });
      return describeOutcomes(correlateUpdated(request.transactions, response), budget.currency);
    },
  });
}

function count({ length }: readonly object[]): string {
  return length === 1 ? '1 transaction' : `${length} transactions`;
}

type Recent = ReadonlyMap<string, Transaction>;

/** The transactions of the last year by id. Most changes are about these, and one request loads all. */
async function loadRecent(
  { budgets, today }: ToolContext<BudgetContext>,
  { id }: ChosenBudget,
): Promise<Recent> {
  const { items } = await budgets.transactions(id, yearBefore(today));
  return new Map(items.map((transaction) => [transaction.id, transaction]));
}

/** Rejects changes that the API would ignore. Older transactions are not checked. */
function assertEffects(
  given: readonly GivenChange[],
  changes: readonly (Change & { readonly id: string })[],
  recent: Recent | undefined,
): void {
  const issues = changes.flatMap((change, index) => {
    const known = recent?.get(change.id);
    if (known === undefined) return [];
    return findIgnored({ given: given[index] ?? {}, changes: change }, known, ['transactions', index]);
  });
  if (issues.length > 0) throw new ValidationError(issues);
}

/** The API rejects the whole request for one wrong id. Returns the names of the entities. */
function assertKnown(
  transactions: readonly Referring['fields'][],
  context: ToolContext<BudgetContext>,
  { id }: ChosenBudget,
): Promise<Names> {
  const referring = transactions.map((fields, index) => ({ fields, at: ['transactions', index] }));
  return assertReferences(referring, context.budgets, id);
}

/** Each item needs a change, and its own transaction: of two changes of one transaction, only one would remain. */
function assertChanges(transactions: readonly { readonly id: string }[]): void {
  const seen = new Set<string>();
  const issues = transactions.flatMap(({ id, ...changes }, index) => {
    const path = ['transactions', index];
    if (Object.keys(changes).length === 0) return [{ path, message: 'pass at least one field to change' }];
    if (seen.has(id)) return [{ path: [...path, 'id'], message: `"${id}" is in the list twice` }];
    seen.add(id);
    return [];
  });
  if (issues.length > 0) throw new ValidationError(issues);
}

function describeOutcomes(
  { outcomes, uncorrelated_ids }: BulkOutcomes<Transaction>,
  currency: CurrencyFormat,
): object {
  const described = outcomes.map(({ transaction, ...outcome }) =>
    transaction === undefined
      ? outcome
      : { ...outcome, transaction: describeTransaction(transaction, currency) },
  );
  return fitOutcomes({ outcomes: described, uncorrelated_ids });
}
