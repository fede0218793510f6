import { createSecurityWrapper } from 'toolwright/collaborators';
import type { SecureCall, SecurityWrapperOptions, WithSecurityWrapper } from 'toolwright/collaborators';
import type { BudgetReader } from '../data/budget-reader.ts';
import type { CallCounts } from './call-counts.ts';

/** The parts of a caller that the wrapper needs; undefined for a call without an access token. */
type PartsOf = (
  call: SecureCall,
) => { readonly owner: { readonly calls: CallCounts }; readonly budgets: BudgetReader } | undefined;

const NAMES_OF_BUDGETS: ReadonlySet<unknown> = new Set(['default', 'last-used']);

/**
 * The default wrapper (rate limit, validation, log), and around it two things: outcomes are counted for the caller, and `default` and
 * `last-used` are replaced by the id of the budget. A confirmation is bound to the validated arguments, so it holds for that budget only.
 */
export function withBudgets(partsOf: PartsOf, options: SecurityWrapperOptions): WithSecurityWrapper {
  const standard = createSecurityWrapper(options);
  return (namespace, operation, schema) => {
    const inner = standard(namespace, operation, schema);
    const hasBudget = schema.hasArgument('budget_id');
    return async (call, run) => {
      const parts = partsOf(call);
      const budget = hasBudget ? (call.arguments as { readonly budget_id?: unknown }).budget_id : undefined;
      const fixed =
        parts !== undefined && NAMES_OF_BUDGETS.has(budget)
          ? { ...call.arguments, budget_id: (await parts.budgets.choose(budget as string)).id }
          : call.arguments;
      const outcome = await inner({ ...call, arguments: fixed }, run);
      parts?.owner.calls.add(outcome.kind);
      return outcome;
    };
  };
}
