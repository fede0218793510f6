import { resourceNotFound } from '../http/api-error.ts';
import { defineChange, defineRead, getParam } from '../http/operation.ts';
import type { Operation, PlanCall } from '../http/operation.ts';
import { findLastKnowledge } from '../http/query.ts';
import { amount, object, oneOf, parseWrapped, string } from '../validation/parsers.ts';
import { findAccount, insertAccount, listAccounts, toAccount } from './account.ts';
import { insertStartingBalance } from './starting-balance.ts';

const saveAccount = object({
  name: string({ min: 1, max: 500 }),
  type: oneOf(['checking', 'savings', 'cash', 'creditCard', 'otherAsset', 'otherLiability']),
  balance: amount,
});

function toFound(call: PlanCall, id: string): object {
  const account = findAccount(call.database, call.plan.id, id);
  if (account === undefined) throw resourceNotFound();
  return { account: toAccount(account, call) };
}

const createAccount = defineChange('createAccount', 'POST /plans/{plan_id}/accounts', (call) => {
  const { name, type, balance } = parseWrapped(call.body, 'account', saveAccount);
  const account = { id: call.newId(), name: name.trim(), type };
  insertAccount(call, account);
  insertStartingBalance(call, account.id, balance);
  return () => ({ status: 201, data: toFound(call, account.id) });
});

export const accountOperations: readonly Operation[] = [
  defineRead('getAccounts', '/plans/{plan_id}/accounts', (call) => ({
    accounts: listAccounts(call.database, call.plan.id, findLastKnowledge(call)).map((row) =>
      toAccount(row, call),
    ),
    server_knowledge: call.plan.knowledge,
  })),
  createAccount,
  defineRead('getAccountById', '/plans/{plan_id}/accounts/{account_id}', (call) =>
    toFound(call, getParam(call, 'account_id')),
  ),
];
