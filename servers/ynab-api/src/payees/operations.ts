import { badRequest, resourceNotFound } from '../http/api-error.ts';
import { defineChange, defineRead, getParam } from '../http/operation.ts';
import type { Operation, PlanCall } from '../http/operation.ts';
import { findLastKnowledge } from '../http/query.ts';
import { touchTransactions } from '../transactions/touch-transactions.ts';
import { object, optional, parseWrapped, string } from '../validation/parsers.ts';
import { findPayee, findPayeeByName, insertPayee, listPayees, toPayee } from './payee.ts';
import type { PayeeRow } from './payee.ts';
import { listLocations, toLocation } from './payee-location.ts';

const name = string({ min: 1, max: 500 });

function getPayee(call: PlanCall): PayeeRow {
  const payee = findPayee(call.database, call.plan.id, getParam(call, 'payee_id'));
  if (payee === undefined) throw resourceNotFound();
  return payee;
}

/** Two payees with one name could not be told apart by `payee_name`. */
function assertNewName(call: PlanCall, wanted: string, own?: string): void {
  const other = findPayeeByName(call.database, call.plan.id, wanted);
  if (other !== undefined && other.id !== own)
    throw badRequest(`payee.name is already the name of the payee ${other.id}`);
}

function saved(call: PlanCall, id: string): object {
  const payee = findPayee(call.database, call.plan.id, id);
  return { payee: payee && toPayee(payee), server_knowledge: call.plan.knowledge };
}

const createPayee = defineChange('createPayee', 'POST /plans/{plan_id}/payees', (call) => {
  const payee = parseWrapped(call.body, 'payee', object({ name }));
  assertNewName(call, payee.name);
  const { id } = insertPayee(call, payee.name);
  return () => ({ status: 201, data: saved(call, id) });
});

const updatePayee = defineChange('updatePayee', 'PATCH /plans/{plan_id}/payees/{payee_id}', (call) => {
  const { id, transfer_account_id } = getPayee(call);
  const payee = parseWrapped(call.body, 'payee', object({ name: optional(name) }));
  if (transfer_account_id !== null)
    throw badRequest(`The payee ${id} transfers to an account and cannot be changed`);
  if (payee.name !== undefined) {
    assertNewName(call, payee.name, id);
    const { knowledge } = call.plan;
    call.database.update('payees', id, { name: payee.name.trim(), knowledge });
    touchTransactions(call, 'payee_id', id);
  }
  return () => ({ data: saved(call, id) });
});

export const payeeOperations: readonly Operation[] = [
  defineRead('getPayees', '/plans/{plan_id}/payees', (call) => ({
    payees: listPayees(call.database, call.plan.id, findLastKnowledge(call)).map(toPayee),
    server_knowledge: call.plan.knowledge,
  })),
  createPayee,
  defineRead('getPayeeById', '/plans/{plan_id}/payees/{payee_id}', (call) => ({
    payee: toPayee(getPayee(call)),
  })),
  updatePayee,
  defineRead('getPayeeLocations', '/plans/{plan_id}/payee_locations', (call) => ({
    payee_locations: listLocations(call.database, call.plan.id).map(toLocation),
  })),
  defineRead('getPayeeLocationById', '/plans/{plan_id}/payee_locations/{payee_location_id}', (call) => {
    const id = getParam(call, 'payee_location_id').toLowerCase();
    const location = listLocations(call.database, call.plan.id).find((entry) => entry.id === id);
    if (location === undefined) throw resourceNotFound();
    return { payee_location: toLocation(location) };
  }),
  defineRead('getPayeeLocationsByPayee', '/plans/{plan_id}/payees/{payee_id}/payee_locations', (call) => {
    const { id } = getPayee(call);
    const locations = listLocations(call.database, call.plan.id).filter(({ payee_id }) => payee_id === id);
    return { payee_locations: locations.map(toLocation) };
  }),
];
