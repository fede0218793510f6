import { listAccounts, toAccount } from '../accounts/account.ts';
import { defineRead } from '../http/operation.ts';
import type { Call, Operation } from '../http/operation.ts';
import { findBoolean, findLastKnowledge } from '../http/query.ts';
import { exportPlan } from './export-plan.ts';
import { listPlans } from './plan.ts';
import { toPlanSummary } from './plan-summary.ts';

/** The plans of the user, each as a summary. */
function listSummaries(call: Call): object {
  const include = findBoolean(call, 'include_accounts');
  const summaries = listPlans(call.database, call.user).map((plan) => ({
    ...toPlanSummary(call.database, plan),
    ...(include && {
      accounts: listAccounts(call.database, plan.id).map((row) => toAccount(row, { plan })),
    }),
  }));
  const preset = summaries.find(({ id }) => id === call.user.default_plan_id);
  return { plans: summaries, ...(preset && { default_plan: preset }) };
}

export const planOperations: readonly Operation[] = [
  {
    operationId: 'getUser',
    method: 'GET',
    path: '/user',
    scope: 'user',
    handle: ({ user }) => ({ data: { user: { id: user.id } } }),
  },
  {
    operationId: 'getPlans',
    method: 'GET',
    path: '/plans',
    scope: 'user',
    handle: (call) => ({ data: listSummaries(call) }),
  },
  defineRead('getPlanById', '/plans/{plan_id}', (call) => ({
    plan: exportPlan(call, findLastKnowledge(call)),
    server_knowledge: call.plan.knowledge,
  })),
  defineRead('getPlanSettingsById', '/plans/{plan_id}/settings', ({ plan }) => ({
    settings: { date_format: plan.date_format, currency_format: plan.currency_format },
  })),
];
