import { addMonths } from '../dates/dates.ts';
import { badRequest, resourceNotFound } from '../http/api-error.ts';
import { defineChange, defineRead, getParam } from '../http/operation.ts';
import type { Operation, PlanCall } from '../http/operation.ts';
import { findLastKnowledge } from '../http/query.ts';
import { findPayee } from '../payees/payee.ts';
import {
  findTransferTarget,
  getBodyAccount,
  resolveCategory,
  resolvePayee,
} from '../transactions/references.ts';
import { flagColor, sharedFields } from '../transactions/transaction-fields.ts';
import { amount, date, object, oneOf, optional, parseWrapped, uuid } from '../validation/parsers.ts';
import type { Parsed } from '../validation/parsers.ts';
import { FREQUENCIES } from './next-date.ts';
import { listScheduled, listScheduledParts, toScheduledDetails } from './scheduled-transaction.ts';
import type { ScheduledRow } from './scheduled-transaction.ts';

const saveScheduled = object({
  ...sharedFields,
  account_id: uuid,
  date,
  amount: optional(amount),
  flag_color: flagColor,
  frequency: optional(oneOf(FREQUENCIES)),
});

function getScheduled(call: PlanCall): ScheduledRow {
  const id = getParam(call, 'scheduled_transaction_id');
  const [row] = listScheduled(call.database, call.plan.id, { id });
  if (row === undefined) throw resourceNotFound();
  return row;
}

function assertFutureDate(value: string, today: string): void {
  if (value <= today || value > addMonths(today, 60))
    throw badRequest('date must be in the future and no more than 5 years into the future');
}

/** The columns that a request sets. Members that a change omits keep their values. */
function toColumns(call: PlanCall, fields: Parsed<typeof saveScheduled>, current?: ScheduledRow) {
  const account = getBodyAccount(call, fields.account_id);
  const given = resolvePayee(call, fields);
  const payeeId = given === undefined ? (current?.payee_id ?? null) : (given?.id ?? null);
  const payee = payeeId === null ? null : (given ?? findPayee(call.database, call.plan.id, payeeId));
  const target = findTransferTarget(call, account, payee);
  return {
    account_id: account.id,
    amount: fields.amount ?? current?.amount ?? 0,
    memo: fields.memo === undefined ? (current?.memo ?? null) : fields.memo,
    flag_color: fields.flag_color === undefined ? (current?.flag_color ?? null) : fields.flag_color || null,
    frequency: fields.frequency ?? current?.frequency ?? 'never',
    payee_id: payeeId,
    category_id: resolveCategory(call, fields.category_id, {
      account,
      target,
      current: current?.category_id ?? null,
    }),
    transfer_account_id: target?.id ?? null,
    knowledge: call.plan.knowledge,
  };
}

function saved(call: PlanCall, id: string): object {
  const rows = listScheduled(call.database, call.plan.id, { id, since: call.plan.knowledge - 1 });
  return { scheduled_transaction: toScheduledDetails(call, rows)[0] };
}

const create = defineChange(
  'createScheduledTransaction',
  'POST /plans/{plan_id}/scheduled_transactions',
  (call) => {
    const fields = parseWrapped(call.body, 'scheduled_transaction', saveScheduled);
    assertFutureDate(fields.date, call.today);
    const id = call.newId();
    const dates = { date_first: fields.date, date_next: fields.date };
    call.database.insert('scheduled_transactions', {
      id,
      plan_id: call.plan.id,
      ...dates,
      ...toColumns(call, fields),
    });
    return () => ({ status: 201, data: saved(call, id) });
  },
);

const PATH = '/plans/{plan_id}/scheduled_transactions/{scheduled_transaction_id}';

const update = defineChange('updateScheduledTransaction', `PUT ${PATH}`, (call) => {
  const row = getScheduled(call);
  const fields = parseWrapped(call.body, 'scheduled_transaction', saveScheduled);
  const split = listScheduledParts(call.database, call.plan.id).some(
    (part) => part.scheduled_transaction_id === row.id,
  );
  const columns = toColumns(call, fields, row);
  if (split && columns.amount !== row.amount)
    throw badRequest('amount of a split scheduled transaction cannot be changed');
  if (fields.date !== row.date_next) assertFutureDate(fields.date, call.today);
  const dates = fields.date === row.date_next ? {} : { date_first: fields.date, date_next: fields.date };
  call.database.update('scheduled_transactions', row.id, {
    ...columns,
    ...dates,
    ...(split && { category_id: null }),
  });
  return () => ({ data: saved(call, row.id) });
});

const remove = defineChange('deleteScheduledTransaction', `DELETE ${PATH}`, (call) => {
  const { id } = getScheduled(call);
  call.database.update('scheduled_transactions', id, { deleted: 1, knowledge: call.plan.knowledge });
  call.database.run(
    'UPDATE scheduled_subtransactions SET deleted = 1 WHERE scheduled_transaction_id = ?',
    id,
  );
  return () => ({ data: saved(call, id) });
});

export const scheduledOperations: readonly Operation[] = [
  defineRead('getScheduledTransactions', '/plans/{plan_id}/scheduled_transactions', (call) => ({
    scheduled_transactions: toScheduledDetails(
      call,
      listScheduled(call.database, call.plan.id, { since: findLastKnowledge(call) }),
    ),
    server_knowledge: call.plan.knowledge,
  })),
  create,
  defineRead('getScheduledTransactionById', PATH, (call) => ({
    scheduled_transaction: toScheduledDetails(call, [getScheduled(call)])[0],
  })),
  update,
  remove,
];
