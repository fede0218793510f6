import { settle } from '../months/settle.ts';
import { catchUp } from '../plans/catch-up.ts';
import { beginChange, getPlan } from '../plans/plan.ts';
import { getParam } from './operation.ts';
import type { Call, Operation, PlanCall, Reply } from './operation.ts';

/** Runs an operation in one transaction. A change is stored with its derived amounts, or not at all. */
export function execute(operation: Operation, call: Call): Reply {
  const { database } = call;
  if (operation.scope === 'user') return database.read(() => operation.handle(call));
  prepare(call);
  if (operation.scope === 'plan') return database.read(() => operation.handle(withPlan(call)));
  return database.write(() => {
    const before = withPlan(call);
    const change = { ...before, plan: beginChange(database, before.plan, call.now) };
    const render = operation.handle(change);
    settle(change);
    return render();
  });
}

function withPlan(call: Call): PlanCall {
  return { ...call, plan: getPlan(call.database, call.user, getParam(call, 'plan_id')) };
}

/** Brings the plan to the date of the request and remembers it as the one that was used last. Most requests change nothing here. */
function prepare(call: Call): void {
  const { database, user, today } = call;
  const { plan } = withPlan(call);
  const isNamed = getParam(call, 'plan_id').toLowerCase() === plan.id;
  if (plan.settled_on >= today && (!isNamed || user.last_plan_id === plan.id)) return;
  database.write(() => {
    const current = withPlan(call).plan;
    if (current.settled_on < today) catchUp(call, current);
    if (isNamed) database.update('users', user.id, { last_plan_id: current.id });
  });
}
