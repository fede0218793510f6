import { findAccount } from '../accounts/account.ts';
import { findCategory } from '../categories/category.ts';
import { addDays, addMonths, toMonth } from '../dates/dates.ts';
import { badRequest, resourceNotFound } from '../http/api-error.ts';
import { defineRead, getParam } from '../http/operation.ts';
import type { Operation, PlanCall } from '../http/operation.ts';
import { findDate, findLastKnowledge, getMonthParam } from '../http/query.ts';
import { getMonth } from '../months/month.ts';
import { findPayee } from '../payees/payee.ts';
import { listHybrids } from './hybrid-transaction.ts';
import { findTransaction, listTransactions, loadParts, toTransactionDetail } from './transaction.ts';
import type { Filter, TransactionRow } from './transaction.ts';

/** The filter of the query. Without a date, a full response begins one year ago; a delta has changes of all dates. */
export function getFilter(call: PlanCall): Filter {
  const since = findLastKnowledge(call);
  const type = call.query.get('type');
  if (type !== null && type !== 'uncategorized' && type !== 'unapproved')
    throw badRequest('type must be one of: uncategorized, unapproved');
  const from = findDate(call, 'since_date') ?? (since === undefined ? addMonths(call.today, -12) : undefined);
  return { since, type: type ?? undefined, from, until: findDate(call, 'until_date') };
}

export function toDetails(call: PlanCall, rows: readonly TransactionRow[]): object[] {
  const parts = loadParts(call.database, call.plan.id);
  return rows.map((row) => toTransactionDetail(row, parts.get(row.id) ?? [], call));
}

function list(call: PlanCall, filter: Filter): object {
  const rows = listTransactions(call.database, call.plan.id, filter);
  return { transactions: toDetails(call, rows), server_knowledge: call.plan.knowledge };
}

/** The dates of a month, narrowed by the dates of the query. */
function getMonthFilter(call: PlanCall): Filter {
  const { month } = getMonth(call, getMonthParam(call));
  const first = findDate(call, 'since_date') ?? month;
  const end = addDays(addMonths(month, 1), -1);
  const last = findDate(call, 'until_date') ?? end;
  return { ...getFilter(call), from: first > month ? first : month, until: last < end ? last : end };
}

export function getTransaction(call: PlanCall): TransactionRow {
  const row = findTransaction(call.database, call.plan.id, getParam(call, 'transaction_id'));
  if (row === undefined) throw resourceNotFound();
  return row;
}

/** The hybrid transactions of an entity of the path, which must exist. */
function listOf(
  call: PlanCall,
  entity: { readonly id: string } | undefined,
  column: 'category_id' | 'payee_id',
): object {
  if (entity === undefined) throw resourceNotFound();
  return {
    transactions: listHybrids(call, getFilter(call), { column, id: entity.id }),
    server_knowledge: call.plan.knowledge,
  };
}

export const transactionReadOperations: readonly Operation[] = [
  defineRead('getTransactions', '/plans/{plan_id}/transactions', (call) => list(call, getFilter(call))),
  defineRead('getTransactionById', '/plans/{plan_id}/transactions/{transaction_id}', (call) => ({
    transaction: toDetails(call, [getTransaction(call)])[0],
    server_knowledge: call.plan.knowledge,
  })),
  defineRead('getTransactionsByAccount', '/plans/{plan_id}/accounts/{account_id}/transactions', (call) => {
    const account = findAccount(call.database, call.plan.id, getParam(call, 'account_id'));
    if (account === undefined) throw resourceNotFound();
    return list(call, { ...getFilter(call), accountId: account.id });
  }),
  defineRead(
    'getTransactionsByCategory',
    '/plans/{plan_id}/categories/{category_id}/transactions',
    (call) => {
      const place = { planId: call.plan.id, month: toMonth(call.today) };
      return listOf(call, findCategory(call.database, place, getParam(call, 'category_id')), 'category_id');
    },
  ),
  defineRead('getTransactionsByPayee', '/plans/{plan_id}/payees/{payee_id}/transactions', (call) =>
    listOf(call, findPayee(call.database, call.plan.id, getParam(call, 'payee_id')), 'payee_id'),
  ),
  defineRead('getTransactionsByMonth', '/plans/{plan_id}/months/{month}/transactions', (call) =>
    list(call, getMonthFilter(call)),
  ),
];
