import type { Settings } from '../settings/settings.ts';
import type { BudgetTool } from './define/define-read.ts';

/** The tools of the profile `core`. */
const CORE: ReadonlySet<string> = new Set([
  'list_budgets',
  'get_budget',
  'get_default_budget',
  'set_default_budget',
  'list_accounts',
  'get_account',
  'list_transactions',
  'get_transaction',
  'create_transaction',
  'update_transaction',
  'delete_transaction',
  'create_receipt_split_transaction',
  'compare_transactions',
  'reconcile_account',
  'list_categories',
  'get_category',
  'list_payees',
  'get_month',
  'list_scheduled_transactions',
  'analyze_spending',
  'compare_spending_periods',
  'get_user',
]);

/** Tools that change only settings of this server; they stay without writes. */
const LOCAL: ReadonlySet<string> = new Set(['set_default_budget', 'clear_cache', 'set_output_format']);

/** The tools of a profile and a write mode. A tool that is left out does not exist: it is neither listed nor callable. */
export function selectTools(
  tools: readonly BudgetTool[],
  { toolProfile, writeMode }: Pick<Settings, 'toolProfile' | 'writeMode'>,
): readonly BudgetTool[] {
  const isReadOnly = toolProfile === 'read-only' || writeMode === 'read-only';
  return tools.filter(
    ({ name, annotations }) =>
      (toolProfile !== 'core' || CORE.has(name)) &&
      (!isReadOnly ||
        LOCAL.has(name) ||
        (annotations as { readOnlyHint?: boolean } | undefined)?.readOnlyHint === true),
  );
}
