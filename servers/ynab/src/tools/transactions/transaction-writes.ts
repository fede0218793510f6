import { ValidationError } from 'toolwright';
import * as z from 'zod';
import type { Transaction } from '../../api/entities.ts';
import { TOUCHED_BY_TRANSACTIONS } from '../../data/budget-writer.ts';
import { formatMoney } from '../../money/currency-format.ts';
import type { WriteMode } from '../../settings/settings.ts';
import { listChanges, listLabels } from '../define/change-details.ts';
import type { BudgetTool } from '../define/define-read.ts';
import { CREATES, defineWrite, DELETES, UPDATES } from '../define/define-write.ts';
import { assertReferences } from '../define/references.ts';
import type { Referring } from '../define/references.ts';
import { findIgnored, isSplit } from './split-changes.ts';
import {
  CHANGES,
  NEW_TRANSACTION,
  SUBTRANSACTIONS,
  toChange,
  toNewTransaction,
  toParts,
} from './transaction-fields.ts';
import type { ChangedOn } from './transaction-fields.ts';
import { describeTransaction, nameTransaction } from './transaction-view.ts';

/** Writes of single transactions. */
export function createTransactionWrites(mode: WriteMode): readonly BudgetTool[] {
  return [createOne(mode), updateOne(mode), deleteOne(mode)];
}

function createOne(mode: WriteMode): BudgetTool {
  return defineWrite(mode, {
    name: 'create_transaction',
    title: 'Create a transaction',
    description:
      'Creates a transaction. Its date must not be in the future: use create_scheduled_transaction for that.',
    annotations: CREATES,
    arguments: { ...NEW_TRANSACTION, subtransactions: SUBTRANSACTIONS.optional() },
    plan: async ({ input, context, budget }) => {
      const names = await assertReferences(listReferring(input), context.budgets, budget.id);
      const transaction = toNewTransaction(input, { currency: budget.currency, today: context.today });
      const payee = input.payee_name ?? names.get(input.payee_id ?? '');
      const { category_id, memo, cleared, approved, flag_color, import_id } = input;
      const { subtransactions } = transaction;
      const others = { category_id, memo, cleared, approved, flag_color, import_id, subtransactions };
      return {
        summary: `Create a transaction of ${formatMoney(transaction.amount, budget.currency)} on ${input.date}${payee ? ` at ${payee}` : ''} in ${names.get(input.account_id)}.`,
        details: () => listChanges(others, { currency: budget.currency, names }),
        request: { transaction },
        isRepeatable: input.import_id !== undefined,
      };
    },
    run: async ({ request, isRepeatable }, { context, budget }) => {
      const { transaction } = await context.writer.send<{ transaction: Transaction }>({
        operation: 'createTransaction',
        budgetId: budget.id,
        args: request,
        touches: TOUCHED_BY_TRANSACTIONS,
        isRepeatable,
      });
      return { transaction: describeTransaction(transaction, budget.currency) };
    },
  });
}

type Split = NonNullable<Parameters<typeof toParts>[0]['subtransactions']>;

/** The fields with ids of a transaction and of its parts. */
function listReferring<TFields extends Referring['fields']>(
  fields: TFields & { readonly subtransactions?: Split | undefined },
): readonly Referring[] {
  const parts = fields.subtransactions ?? [];
  return [
    { fields, at: [] },
    ...parts.map((part, index) => ({ fields: part, at: ['subtransactions', index] })),
  ];
}

/** The body of a change. Parts make a transaction a split; the API does not change those of an existing split. */
function toSplitChange(
  input: Parameters<typeof toChange>[0] & { readonly subtransactions?: Split | undefined },
  known: Transaction,
  on: ChangedOn,
): Record<string, unknown> {
  const changes = toChange(input, on);
  const ignored = findIgnored({ given: input, changes }, known);
  if (ignored.length > 0) throw new ValidationError(ignored);
  if (input.subtransactions !== undefined && isSplit(known)) {
    const message = 'the transaction is a split: its parts cannot be changed. Delete it, and create it again';
    throw new ValidationError([{ path: ['subtransactions'], message }]);
  }
  const total = changes.amount ?? known.amount;
  return { ...changes, ...toParts(input, { total, currency: on.currency }) };
}

function updateOne(mode: WriteMode): BudgetTool {
  return defineWrite(mode, {
    name: 'update_transaction',
    title: 'Update a transaction',
    description:
      'Changes the given fields of a transaction; null clears a field. subtransactions make it a split, whose parts cannot be changed later.',
    annotations: UPDATES,
    arguments: { transaction_id: z.string().min(1), ...CHANGES, subtransactions: SUBTRANSACTIONS.optional() },
    plan: async ({ input, context, budget }) => {
      const transaction = await context.budgets.transaction(budget.id, input.transaction_id);
      const names = await assertReferences(listReferring(input), context.budgets, budget.id);
      const { currency } = budget;
      const changes = toSplitChange(input, transaction, { currency, today: context.today });
      if (Object.keys(changes).length === 0) {
        const names = [...Object.keys(CHANGES), 'subtransactions'].join(', ');
        throw new ValidationError([{ path: [], message: `pass at least one field to change: ${names}` }]);
      }
      return {
        summary: `Change ${listLabels([changes]).join(', ')} of the transaction of ${nameTransaction(transaction, budget.currency)}.`,
        details: () => listChanges(changes, { currency: budget.currency, names }),
        request: { transaction_id: transaction.id, transaction: changes },
        // The API rejects a second request with the parts of a split, although the first one was applied.
        isRepeatable: input.subtransactions === undefined,
      };
    },
    run: async ({ request, isRepeatable }, { context, budget }) => {
      const { transaction } = await context.writer.send<{ transaction: Transaction }>({
        operation: 'updateTransaction',
        budgetId: budget.id,
        args: request,
        touches: TOUCHED_BY_TRANSACTIONS,
        isRepeatable,
      });
      return { transaction: describeTransaction(transaction, budget.currency) };
    },
  });
}

const BOTH_ACCOUNTS = 'It is a transfer: the transaction of the other account is deleted, too.';

function deleteOne(mode: WriteMode): BudgetTool {
  return defineWrite(mode, {
    name: 'delete_transaction',
    title: 'Delete a transaction',
    description: 'Deletes a transaction. A transfer is deleted in both accounts.',
    annotations: DELETES,
    arguments: { transaction_id: z.string().min(1) },
    plan: async ({ input, context, budget }) => {
      const transaction = await context.budgets.transaction(budget.id, input.transaction_id);
      return {
        summary: `Delete the transaction of ${nameTransaction(transaction, budget.currency)}.`,
        details: () => (typeof transaction.transfer_account_id === 'string' ? [BOTH_ACCOUNTS] : []),
        request: { transaction_id: transaction.id },
        known: transaction,
      };
    },
    run: async ({ request, known }, { context, budget }) => {
      const { transaction } = await context.writer.send<{ transaction: Transaction }>({
        operation: 'deleteTransaction',
        budgetId: budget.id,
        args: request,
        touches: TOUCHED_BY_TRANSACTIONS,
        isRepeatable: true,
        ifGone: { transaction: known },
      });
      return { deleted: true, transaction: describeTransaction(transaction, budget.currency) };
    },
  });
}
