import { badRequest } from '../http/api-error.ts';
import { defineChange } from '../http/operation.ts';
import type { Operation, PlanCall } from '../http/operation.ts';
import { arrayOf, object, optional, parseWrapped } from '../validation/parsers.ts';
import { importAvailable } from './available-import.ts';
import { assertImportIdFree, hasImportId } from './import-id.ts';
import { getTransaction, toDetails } from './read-operations.ts';
import { insertTransaction, updateTransaction } from './save-transaction.ts';
import { findTransaction, listTransactions } from './transaction.ts';
import type { TransactionRow } from './transaction.ts';
import { existingTransaction, identifiedTransaction, newTransaction } from './transaction-fields.ts';
import type { NewTransaction } from './transaction-fields.ts';
import { deleteTransaction } from './transfers.ts';

/** The transactions with these ids, in this order, which the change has written. */
function render(call: PlanCall, ids: readonly string[]): object[] {
  const changed = listTransactions(call.database, call.plan.id, { since: call.plan.knowledge - 1 });
  const rows = new Map(changed.map((row) => [row.id, row]));
  return toDetails(
    call,
    ids.map((id) => rows.get(id)).filter((row) => row !== undefined),
  );
}

const postBody = object({
  transaction: optional(newTransaction),
  transactions: optional(arrayOf(newTransaction)),
});

const createTransaction = defineChange('createTransaction', 'POST /plans/{plan_id}/transactions', (call) => {
  const { transaction, transactions } = postBody(call.body, '');
  if ((transaction === undefined) === (transactions === undefined))
    throw badRequest('The request body must have either transaction or transactions');
  return transaction === undefined ? createSeveral(call, transactions ?? []) : createOne(call, transaction);
});

function createOne(call: PlanCall, fields: NewTransaction) {
  assertImportIdFree(call, fields.account_id, fields.import_id ?? null);
  const id = insertTransaction(call, fields);
  return () => ({
    status: 201,
    data: {
      transaction_ids: [id],
      transaction: render(call, [id])[0],
      server_knowledge: call.plan.knowledge,
    },
  });
}

function createSeveral(call: PlanCall, list: readonly NewTransaction[]) {
  const ids: string[] = [];
  const duplicates: string[] = [];
  for (const fields of list) {
    const importId = fields.import_id ?? null;
    if (importId !== null && hasImportId(call, fields.account_id, importId)) duplicates.push(importId);
    else ids.push(insertTransaction(call, fields));
  }
  return () => ({
    status: 201,
    data: {
      transaction_ids: ids,
      transactions: render(call, ids),
      duplicate_import_ids: duplicates,
      server_knowledge: call.plan.knowledge,
    },
  });
}

function findByImportId(call: PlanCall, importId: string): TransactionRow[] {
  const rows = call.database.all<{ id: string }>(
    `SELECT id FROM transactions WHERE import_id = ? AND deleted = 0
       AND account_id IN (SELECT id FROM accounts WHERE plan_id = ?)`,
    importId,
    call.plan.id,
  );
  return rows
    .map(({ id }) => findTransaction(call.database, call.plan.id, id))
    .filter((row) => row !== undefined);
}

/** The transaction that an element of a request body names by `id` or by `import_id`. */
function getNamed(call: PlanCall, fields: ReturnType<typeof identifiedTransaction>): TransactionRow {
  const { id, import_id: importId } = fields;
  if ((id ?? null) === null && (importId ?? null) === null)
    throw badRequest('Each of transactions must have an id or an import_id');
  if ((id ?? null) !== null && (importId ?? null) !== null)
    throw badRequest('Each of transactions must have either an id or an import_id, not both');
  const found = id
    ? [findTransaction(call.database, call.plan.id, id)].filter((row) => row !== undefined)
    : findByImportId(call, importId ?? '');
  const own = found.length > 1 ? found.filter((row) => row.account_id === fields.account_id) : found;
  const [row] = own;
  if (row === undefined || own.length > 1)
    throw badRequest(
      `transactions: the ${id ? `id ${id}` : `import_id ${importId}`} ${found.length > 1 ? 'exists on several accounts: use id' : 'does not exist in this plan'}`,
    );
  return row;
}

const updateTransactions = defineChange(
  'updateTransactions',
  'PATCH /plans/{plan_id}/transactions',
  (call) => {
    const list = parseWrapped(call.body, 'transactions', arrayOf(identifiedTransaction));
    const ids = list.map((fields) => {
      const row = getNamed(call, fields);
      updateTransaction(call, row, fields);
      return row.id;
    });
    return () => ({
      status: 209,
      data: {
        transaction_ids: ids,
        transactions: render(call, ids),
        server_knowledge: call.plan.knowledge,
      },
    });
  },
);

const PATH = '/plans/{plan_id}/transactions/{transaction_id}';

const updateOne = defineChange('updateTransaction', `PUT ${PATH}`, (call) => {
  const row = getTransaction(call);
  updateTransaction(call, row, parseWrapped(call.body, 'transaction', existingTransaction));
  return () => ({
    data: { transaction: render(call, [row.id])[0], server_knowledge: call.plan.knowledge },
  });
});

const deleteOne = defineChange('deleteTransaction', `DELETE ${PATH}`, (call) => {
  const { id } = getTransaction(call);
  deleteTransaction(call, id);
  return () => {
    const rows = listTransactions(call.database, call.plan.id, { id, since: call.plan.knowledge - 1 });
    return { data: { transaction: toDetails(call, rows)[0], server_knowledge: call.plan.knowledge } };
  };
});

const importTransactions = defineChange(
  'importTransactions',
  'POST /plans/{plan_id}/transactions/import',
  (call) => {
    const ids = importAvailable(call);
    return () => ({ status: ids.length > 0 ? 201 : 200, data: { transaction_ids: ids } });
  },
);

export const transactionChangeOperations: readonly Operation[] = [
  createTransaction,
  updateTransactions,
  importTransactions,
  updateOne,
  deleteOne,
];
