import { afterAll, describe, expect, test } from 'vitest';
import { BudgetApi } from '../../src/api/budget-api.ts';
import { DOCUMENT_PATH } from '../../src/api/document.ts';
import { createBudgetServer } from '../../src/server.ts';
import { readSettings } from '../../src/settings/settings.ts';
import { describeArguments } from '../support/describe-schema.ts';

/** Groups of arguments that several tools have. */
const READ = 'response_format?=markdown:(markdown json)';
const WRITE = 'dry_run?=false:boolean confirmation_token?:string';
const PAGE = 'limit?=50:integer(1..500) offset?=0:integer(0..)';
const AMOUNT = 'amount_decimal?:number amount_milliunits?:integer';
const TARGET =
  'payee_name?:string≤200|null payee_id?:string|null category_id?:string|null memo?:string≤500|null';
const COLORS = '(red orange yellow green blue purple)';
const CLEARED = 'cleared?:(cleared uncleared reconciled)';
const FREQUENCIES =
  '(never daily weekly everyOtherWeek twiceAMonth every4Weeks monthly everyOtherMonth every3Months every4Months twiceAYear yearly everyOtherYear)';
const GROUPING = 'group_by:(category payee account week month) include_transfers?=false:boolean';
const PERIOD = '{since_date:date until_date:date}';
const STATEMENT = 'csv_data?:string csv_file_path?:string';
const COLUMN = 'string|integer(0..)';
const CSV_FORMAT = `csv_format?:{date_column?:${COLUMN} amount_column?:${COLUMN} debit_column?:${COLUMN} credit_column?:${COLUMN} description_column?:${COLUMN} date_format?:string has_header?:boolean delimiter?:(, ; \\t |)}`;
const PART = `{${AMOUNT} ${TARGET}}`;

/** Arguments by tool: `name?=default:type(range)`. `confirmation_token?` is added where a change needs confirmation. */
const CATALOG: Readonly<Record<string, string>> = {
  list_budgets: READ,
  get_budget: `budget_id?:string ${READ}`,
  get_default_budget: READ,
  set_default_budget: 'budget_id:string',
  list_accounts: `budget_id?:string ${PAGE} ${READ}`,
  get_account: `budget_id?:string account_id:string ${READ}`,
  create_account: `budget_id?:string name:string≤100 type:(checking savings cash creditCard otherAsset otherLiability) balance?=0:number ${WRITE}`,
  list_transactions: `budget_id?:string account_id?:string category_id?:string since_date?:date type?:(uncategorized unapproved) ${CLEARED} ${PAGE} ${READ}`,
  export_transactions: `budget_id?:string account_id?:string category_id?:string since_date?:date type?:(uncategorized unapproved) ${CLEARED} filename?:json minimal?=true:boolean`,
  get_transaction: `budget_id?:string transaction_id:string ${READ}`,
  create_transaction: `budget_id?:string account_id:string ${AMOUNT} date:date ${TARGET} ${CLEARED} approved?:boolean flag_color?:${COLORS}|null import_id?:string≤36 subtransactions?:${PART}[1..100] ${WRITE}`,
  create_transactions: `budget_id?:string transactions:{account_id:string ${AMOUNT} date:date ${TARGET} ${CLEARED} approved?:boolean flag_color?:${COLORS}|null import_id?:string≤36}[1..100] ${WRITE}`,
  update_transaction: `budget_id?:string transaction_id:string account_id?:string ${AMOUNT} date?:date ${TARGET} ${CLEARED} approved?:boolean flag_color?:${COLORS}|null subtransactions?:${PART}[1..100] ${WRITE}`,
  update_transactions: `budget_id?:string transactions:{id:string ${AMOUNT} date?:date ${TARGET} ${CLEARED} approved?:boolean flag_color?:${COLORS}|null}[1..100] ${WRITE}`,
  delete_transaction: `budget_id?:string transaction_id:string ${WRITE}`,
  create_receipt_split_transaction: `budget_id?:string account_id:string payee_name:string≤200 date?:date memo?:string≤500 receipt_subtotal?:number receipt_tax:number receipt_total:number categories:{category_id:string category_name?:string items:{name:string≤150 amount:number quantity?:number(>0) memo?:string≤150}[1..200]}[1..50] ${CLEARED} approved?:boolean flag_color?:${COLORS} ${WRITE}`,
  compare_transactions: `budget_id?:string account_id:string ${STATEMENT} amount_tolerance?=0.01:number(0..1000) date_tolerance_days?=5:integer(0..7) statement_start_date?:date statement_date?:date enable_chronology_bonus?=false:boolean ${CSV_FORMAT} ${READ}`,
  reconcile_account: `budget_id?:string account_id:string ${STATEMENT} ${CSV_FORMAT} statement_balance:number statement_end_date?:date date_tolerance_days?=7:integer(0..7) match_strictness?=normal:(loose normal strict) sign_convention?=auto:(auto invert as_is) auto_create_transactions?=false:boolean auto_update_cleared_status?=false:boolean auto_unclear_missing?=false:boolean auto_adjust_dates?=false:boolean dry_run?=true:boolean max_suggestions_in_output?=20:integer(1..100) confirmation_token?:string`,
  list_categories: `budget_id?:string ${PAGE} ${READ}`,
  get_category: `budget_id?:string category_id:string ${READ}`,
  update_category: `budget_id?:string category_id:string month?:month budgeted_decimal?:number budgeted_milliunits?:integer ${WRITE}`,
  list_payees: `budget_id?:string ${PAGE} ${READ}`,
  get_payee: `budget_id?:string payee_id:string ${READ}`,
  list_months: `budget_id?:string ${PAGE} ${READ}`,
  get_month: `budget_id?:string month:month ${READ}`,
  list_scheduled_transactions: `budget_id?:string limit?=100:integer(1..500) offset?=0:integer(0..) ${READ}`,
  get_scheduled_transaction: `budget_id?:string scheduled_transaction_id:string ${READ}`,
  create_scheduled_transaction: `budget_id?:string account_id:string date:date ${AMOUNT} frequency:${FREQUENCIES} payee_id?:string|null payee_name?:string≤200|null category_id?:string|null memo?:string≤500|null flag_color?:${COLORS}|null ${WRITE}`,
  update_scheduled_transaction: `budget_id?:string scheduled_transaction_id:string account_id?:string date?:date ${AMOUNT} frequency?:${FREQUENCIES} payee_id?:string|null payee_name?:string≤200|null category_id?:string|null memo?:string≤500|null flag_color?:${COLORS}|null ${WRITE}`,
  delete_scheduled_transaction: `budget_id?:string scheduled_transaction_id:string ${WRITE}`,
  analyze_spending: `budget_id?:string since_date:date until_date:date ${GROUPING} ${READ}`,
  compare_spending_periods: `budget_id?:string period_a:${PERIOD} period_b:${PERIOD} ${GROUPING} ${READ}`,
  get_user: READ,
  convert_amount: `amount:number to_milliunits:boolean ${READ}`,
  clear_cache: '',
  set_output_format: 'default_minify?:boolean pretty_spaces?:integer(0..10)',
  diagnostic_info: `include_memory?=true:boolean include_environment?=true:boolean include_server?=true:boolean include_security?=true:boolean include_cache?=true:boolean include_delta?=true:boolean ${READ}`,
};

const api = await BudgetApi.load({ document: DOCUMENT_PATH, baseUrl: 'http://127.0.0.1:9' });
afterAll(() => api.close());

/** The listed tools of a server with these variables. */
function list(environment: Readonly<Record<string, string>>) {
  const settings = readSettings(environment);
  const server = createBudgetServer({ settings, api, tokenOf: () => 'token' });
  return server.tools?.listTools() ?? [];
}

describe('the catalog', () => {
  test('has every tool with its arguments', () => {
    const listed = Object.fromEntries(
      list({}).map((tool) => [tool.name, describeArguments(tool.inputSchema)]),
    );
    expect(Object.keys(listed)).toHaveLength(37);
    expect(listed).toEqual(CATALOG);
  });

  const CORE = [
    'list_budgets get_budget list_accounts get_account list_transactions get_transaction list_categories get_category',
    'list_payees get_month get_user get_default_budget set_default_budget create_transaction update_transaction',
    'delete_transaction create_receipt_split_transaction reconcile_account compare_transactions analyze_spending',
    'compare_spending_periods list_scheduled_transactions',
  ]
    .join(' ')
    .split(' ');

  test('the core profile has these 22 tools', () => {
    const names = list({ YNAB_MCP_TOOL_PROFILE: 'core' }).map(({ name }) => name);
    expect(names).toHaveLength(22);
    expect(names.toSorted()).toEqual(CORE.toSorted());
  });

  test('without writes, the core profile has its reads', () => {
    const names = list({ YNAB_MCP_TOOL_PROFILE: 'core', YNAB_MCP_WRITE_MODE: 'read-only' });
    const isWrite = (name: string): boolean => /^(?:create|update|delete|reconcile)_/.test(name);
    expect(names.map(({ name }) => name).toSorted()).toEqual(
      CORE.filter((name) => !isWrite(name)).toSorted(),
    );
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
