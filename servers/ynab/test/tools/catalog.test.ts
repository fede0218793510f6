import { afterAll, describe, expect, test } from 'vitest';
import { BudgetApi } from '../../src/api/budget-api.ts';
import { DOCUMENT_PATH } from '../../src/api/document.ts';
import { createBudgetServer } from '../../src/server.ts';
import { readSettings } from '../../src/settings/settings.ts';

/** Arguments by tool: `name?` is optional. `confirmation_token?` is added where a change needs confirmation. */
const CATALOG: Readonly<Record<string, string>> = {
  list_budgets: 'response_format?',
  get_budget: 'budget_id? response_format?',
  get_default_budget: 'response_format?',
  set_default_budget: 'budget_id',
  list_accounts: 'budget_id? limit? offset? response_format?',
  get_account: 'budget_id? account_id response_format?',
  create_account: 'budget_id? name type balance? dry_run? confirmation_token?',
  list_transactions:
    'budget_id? account_id? category_id? since_date? type? cleared? limit? offset? response_format?',
  export_transactions: 'budget_id? account_id? category_id? since_date? type? cleared? filename? minimal?',
  get_transaction: 'budget_id? transaction_id response_format?',
  create_transaction:
    'budget_id? account_id amount_decimal? amount_milliunits? date payee_name? payee_id? category_id? memo? cleared? approved? flag_color? import_id? subtransactions? dry_run? confirmation_token?',
  create_transactions: 'budget_id? transactions dry_run? confirmation_token?',
  update_transaction:
    'budget_id? transaction_id account_id? amount_decimal? amount_milliunits? date? payee_name? payee_id? category_id? memo? cleared? approved? flag_color? subtransactions? dry_run? confirmation_token?',
  update_transactions: 'budget_id? transactions dry_run? confirmation_token?',
  delete_transaction: 'budget_id? transaction_id dry_run? confirmation_token?',
  create_receipt_split_transaction:
    'budget_id? account_id payee_name date? memo? receipt_subtotal? receipt_tax receipt_total categories cleared? approved? flag_color? dry_run? confirmation_token?',
  compare_transactions:
    'budget_id? account_id csv_data? csv_file_path? amount_tolerance? date_tolerance_days? statement_start_date? statement_date? enable_chronology_bonus? csv_format? response_format?',
  reconcile_account:
    'budget_id? account_id csv_data? csv_file_path? csv_format? statement_balance statement_end_date? date_tolerance_days? match_strictness? sign_convention? auto_create_transactions? auto_update_cleared_status? auto_unclear_missing? auto_adjust_dates? dry_run? max_suggestions_in_output? confirmation_token?',
  list_categories: 'budget_id? limit? offset? response_format?',
  get_category: 'budget_id? category_id response_format?',
  update_category:
    'budget_id? category_id month? budgeted_decimal? budgeted_milliunits? dry_run? confirmation_token?',
  list_payees: 'budget_id? limit? offset? response_format?',
  get_payee: 'budget_id? payee_id response_format?',
  list_months: 'budget_id? limit? offset? response_format?',
  get_month: 'budget_id? month response_format?',
  list_scheduled_transactions: 'budget_id? limit? offset? response_format?',
  get_scheduled_transaction: 'budget_id? scheduled_transaction_id response_format?',
  create_scheduled_transaction:
    'budget_id? account_id date amount_decimal? amount_milliunits? frequency payee_id? payee_name? category_id? memo? flag_color? dry_run? confirmation_token?',
  update_scheduled_transaction:
    'budget_id? scheduled_transaction_id account_id? date? amount_decimal? amount_milliunits? frequency? payee_id? payee_name? category_id? memo? flag_color? dry_run? confirmation_token?',
  delete_scheduled_transaction: 'budget_id? scheduled_transaction_id dry_run? confirmation_token?',
  analyze_spending: 'budget_id? since_date until_date group_by include_transfers? response_format?',
  compare_spending_periods: 'budget_id? period_a period_b group_by include_transfers? response_format?',
  get_user: 'response_format?',
  convert_amount: 'amount to_milliunits response_format?',
  clear_cache: '',
  set_output_format: 'default_minify? pretty_spaces?',
  diagnostic_info:
    'include_memory? include_environment? include_server? include_security? include_cache? include_delta? response_format?',
};

const api = await BudgetApi.load({ document: DOCUMENT_PATH, baseUrl: 'http://127.0.0.1:9' });
afterAll(() => api.close());

/** The listed tools of a server with these variables. */
function list(environment: Readonly<Record<string, string>>) {
  const settings = readSettings(environment);
  const server = createBudgetServer({ settings, api, tokenOf: () => 'token' });
  return server.tools?.listTools() ?? [];
}

/** The arguments of a listed tool, as in {@link CATALOG}. */
function argumentsOf({ inputSchema }: { inputSchema: object }): string {
  const { properties = {}, required = [] } = inputSchema as { properties?: object; required?: string[] };
  return Object.keys(properties)
    .map((name) => (required.includes(name) ? name : `${name}?`))
    .join(' ');
}

describe('the catalog', () => {
  test('has every tool with its arguments', () => {
    const listed = Object.fromEntries(list({}).map((tool) => [tool.name, argumentsOf(tool)]));
    expect(Object.keys(listed)).toHaveLength(37);
    expect(listed).toEqual(CATALOG);
  });

  test('the core profile has 22 tools', () => {
    expect(list({ YNAB_MCP_TOOL_PROFILE: 'core' })).toHaveLength(22);
  });

  test('without confirmation, tools have no confirmation_token', () => {
    const tools = list({ YNAB_MCP_WRITE_MODE: 'enabled' });
    expect(tools).toHaveLength(37);
    expect(JSON.stringify(tools)).not.toContain('confirmation_token');
  });

  const READS = [
    'list_budgets get_budget get_default_budget set_default_budget list_accounts get_account list_transactions',
    'get_transaction compare_transactions list_categories get_category list_payees get_payee list_months get_month',
    'list_scheduled_transactions get_scheduled_transaction analyze_spending compare_spending_periods get_user',
    'convert_amount clear_cache set_output_format diagnostic_info',
  ]
    .join(' ')
    .split(' ');

  test.each([{ YNAB_MCP_WRITE_MODE: 'read-only' }, { YNAB_MCP_TOOL_PROFILE: 'read-only' }])(
    'with %o, mutations do not exist',
    (environment) => {
      const names = list(environment).map(({ name }) => name);
      expect(names.toSorted()).toEqual(READS.toSorted());
    },
  );

  test('an export writes a file, so it is not read-only', () => {
    const tool = list({}).find(({ name }) => name === 'export_transactions');
    expect(tool?.annotations?.readOnlyHint).toBe(false);
  });
});
