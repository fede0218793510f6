import { CHECKING, GROCERIES, RENT, SPLIT, UNCATEGORIZED, VISA } from './sample.ts';

/** A call, and the text of its error: the whole text, or of invalid arguments the lines below the first one. */
export interface BadCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly error: string;
}

const OCTOBER = { since_date: '2026-10-01', until_date: '2026-10-31' };
const NEW = { account_id: CHECKING, date: '2026-11-17', amount_decimal: -1 };
const SCHEDULED = { account_id: CHECKING, date: '2026-12-17', amount_decimal: -1, frequency: 'monthly' };
const RECEIPT = {
  account_id: VISA,
  payee_name: 'Shop',
  receipt_tax: 0,
  receipt_total: 10,
  categories: [{ category_id: GROCERIES, items: [{ name: 'Bread', amount: 10 }] }],
};

const unknown = (what: string, tool: string): string =>
  `Unknown ${what} "nope".\nSuggestion: Call ${tool} for the ids of this budget.`;
const NO_TRANSACTION = unknown('transaction', 'list_transactions');
const ONE_AMOUNT = '- amount_decimal: pass exactly one of amount_decimal and amount_milliunits';
const OF_SPLIT =
  'the transaction is a split, in which YNAB does not change this. Delete it, and create it again';
const NO_DATE = (name: string): string =>
  `- ${name}: must be a date of the calendar (expected: string matching ^\\d{4}-\\d{2}-\\d{2}$; received: "2026-02-30" (string))`;
const FUTURE = (name: string): string =>
  `- ${name}: must not be in the future: YNAB accepts such dates only in scheduled transactions`;
const required = (name: string): string =>
  `- ${name}: Invalid input: expected string, received undefined (expected: string of at least 1 character; received: nothing)`;
const limit = (received: number, problem: string): string =>
  `- limit: ${problem} (expected: integer ≥ 1 and ≤ 500; received: ${received} (number))`;

const READS: readonly (readonly [tool: string, args: object, error: string])[] = [
  [
    'list_budgets',
    { response_format: 'xml' },
    '- response_format: Invalid option: expected one of "markdown"|"json" (expected: one of "markdown", "json"; received: "xml" (string))',
  ],
  ['get_account', {}, required('account_id')],
  ['get_account', { account_id: 'nope' }, unknown('account', 'list_accounts')],
  [
    'get_account',
    { account_id: 5 },
    '- account_id: Invalid input: expected string, received number (expected: string of at least 1 character; received: 5 (number))',
  ],
  ['list_accounts', { limit: 0 }, limit(0, 'Too small: expected number to be >=1')],
  ['list_payees', { limit: 501 }, limit(501, 'Too big: expected number to be <=500')],
  [
    'list_months',
    { offset: -1 },
    '- offset: Too small: expected number to be >=0 (expected: integer ≥ 0; received: -1 (number))',
  ],
  ['list_transactions', { since_date: '2026-02-30' }, NO_DATE('since_date')],
  [
    'list_transactions',
    { since_date: '18.11.2026' },
    '- since_date: must be a date, YYYY-MM-DD (expected: string matching ^\\d{4}-\\d{2}-\\d{2}$; received: "18.11.2026" (string))',
  ],
  ['list_transactions', { account_id: 'nope' }, unknown('account', 'list_accounts')],
  ['list_transactions', { category_id: 'nope' }, unknown('category', 'list_categories')],
  ['get_transaction', { transaction_id: 'nope' }, NO_TRANSACTION],
  [
    'get_transaction',
    { transaction_id: '..' },
    '- transaction_id: cannot be part of the path: it has a "." or ".." segment',
  ],
  ['get_category', { category_id: 'nope' }, unknown('category', 'list_categories')],
  ['get_payee', { payee_id: 'nope' }, unknown('payee', 'list_payees')],
  [
    'get_month',
    { month: '2026-11-02' },
    '- month: must be the first day of a month, YYYY-MM-01 (expected: string matching ^\\d{4}-(?:0[1-9]|1[0-2])-01$; received: "2026-11-02" (string))',
  ],
  [
    'get_month',
    { month: '1999-01-01' },
    'Unknown month "1999-01-01".\nSuggestion: Call list_months for the months of this budget.',
  ],
  [
    'get_scheduled_transaction',
    { scheduled_transaction_id: 'nope' },
    unknown('scheduled transaction', 'list_scheduled_transactions'),
  ],
  ['analyze_spending', { ...OCTOBER, since_date: '2026-02-30', group_by: 'payee' }, NO_DATE('since_date')],
  [
    'analyze_spending',
    { ...OCTOBER, since_date: '2026-11-30', group_by: 'payee' },
    '- until_date: must not be before since_date (2026-11-30)',
  ],
  [
    'compare_spending_periods',
    { period_a: OCTOBER, period_b: { ...OCTOBER, until_date: '2026-09-01' }, group_by: 'week' },
    '- period_b.until_date: must not be before since_date (2026-10-01)',
  ],
  ['convert_amount', { amount: 1.5, to_milliunits: false }, '- amount: milliunits are integers'],
  [
    'set_output_format',
    { pretty_spaces: 11 },
    '- pretty_spaces: Too big: expected number to be <=10 (expected: integer ≥ 0 and ≤ 10; received: 11 (number))',
  ],
  [
    'get_budget',
    { budget_id: 'nope' },
    'Unknown budget "nope".\nSuggestion: Use one of these as budget_id: 029bbc7b-3b6e-474d-8992-c9e82e12a8b4 (Household), 55ed4cf3-9ac2-48c5-b26d-5c159a3a4511 (Tokyo Flat).',
  ],
];

const WRITES: readonly (readonly [tool: string, args: object, error: string])[] = [
  [
    'create_account',
    { name: 'A', type: 'savings', balance: 1.234 },
    '- balance: 1.234 has more than 2 decimal digits',
  ],
  ['create_transaction', { ...NEW, amount_decimal: undefined }, ONE_AMOUNT],
  ['create_transaction', { ...NEW, amount_milliunits: -1000 }, ONE_AMOUNT],
  ['create_transaction', { ...NEW, amount_decimal: 1e21 }, '- amount_decimal: 1e+21 is too large'],
  ['create_transaction', { ...NEW, amount_decimal: 1e15 }, '- amount_decimal: 1000000000000000 is too large'],
  ['create_transaction', { ...NEW, date: '2026-02-30' }, NO_DATE('date')],
  [
    'create_transaction',
    { ...NEW, date: '2026-11-19' },
    'The budget API rejected the request. (400 bad_request: date must not be in the future or over 5 years ago)\nSuggestion: Correct the named value, then call again.',
  ],
  ['create_transaction', { ...NEW, date: '2026-11-20', dry_run: true }, FUTURE('date')],
  [
    'create_transactions',
    { transactions: [NEW, { ...NEW, date: '2026-11-20' }] },
    FUTURE('transactions[1].date'),
  ],
  ['update_transaction', { transaction_id: UNCATEGORIZED, date: '2026-11-20' }, FUTURE('date')],
  [
    'update_transactions',
    { transactions: [{ id: UNCATEGORIZED, date: '2026-11-20' }] },
    FUTURE('transactions[0].date'),
  ],
  ['create_receipt_split_transaction', { ...RECEIPT, date: '2026-11-20' }, FUTURE('date')],
  [
    'create_transaction',
    { ...NEW, account_id: 'nope' },
    '- account_id: unknown account "nope"; list_accounts returns the ids of this budget',
  ],
  [
    'create_transaction',
    { ...NEW, payee_id: 'nope' },
    '- payee_id: unknown payee "nope"; list_payees returns the ids of this budget',
  ],
  [
    'create_transaction',
    { ...NEW, category_id: 'nope', dry_run: true },
    '- category_id: unknown category "nope"; list_categories returns the ids of this budget',
  ],
  [
    'create_transaction',
    { ...NEW, subtransactions: [{ amount_decimal: -1, category_id: 'nope' }] },
    '- subtransactions[0].category_id: unknown category "nope"; list_categories returns the ids of this budget',
  ],
  [
    'create_transaction',
    { ...NEW, subtransactions: [{ amount_decimal: -3 }] },
    '- subtransactions: must add up to the amount: -3000 milliunits instead of -1000',
  ],
  [
    'create_transactions',
    { transactions: [NEW, { ...NEW, account_id: 'nope', payee_id: 'none' }] },
    '- transactions[1].account_id: unknown account "nope"; list_accounts returns the ids of this budget\n- transactions[1].payee_id: unknown payee "none"; list_payees returns the ids of this budget',
  ],
  [
    'create_transactions',
    { transactions: [{ ...NEW, amount_decimal: undefined }] },
    '- transactions[0].amount_decimal: pass exactly one of amount_decimal and amount_milliunits',
  ],
  [
    'create_transactions',
    { transactions: [{ ...NEW, payee: 'Shop' }] },
    '- transactions[0].payee: is not a known argument. Allowed: account_id, amount_decimal, amount_milliunits, date, payee_name, payee_id, category_id, memo, cleared, approved, flag_color, import_id.',
  ],
  [
    'create_transactions',
    { transactions: [] },
    '- transactions: Too small: expected array to have >=1 items (expected: array of 1 to 100 elements; received: an array of 0)',
  ],
  ['update_transaction', { transaction_id: 'nope', memo: 'x' }, NO_TRANSACTION],
  [
    'update_transaction',
    { transaction_id: UNCATEGORIZED },
    '- (arguments): pass at least one field to change: account_id, amount_decimal, amount_milliunits, date, payee_name, payee_id, category_id, memo, cleared, approved, flag_color, subtransactions',
  ],
  [
    'update_transaction',
    { transaction_id: UNCATEGORIZED, account_id: 'nope' },
    '- account_id: unknown account "nope"; list_accounts returns the ids of this budget',
  ],
  [
    'update_transaction',
    { transaction_id: UNCATEGORIZED, subtransactions: [{ amount_decimal: -1 }] },
    '- subtransactions: must add up to the amount: -1000 milliunits instead of -20930',
  ],
  [
    'update_transaction',
    { transaction_id: SPLIT, date: '2026-11-01', amount_decimal: -1, category_id: GROCERIES, memo: 'x' },
    `- date: ${OF_SPLIT}\n- amount_decimal: ${OF_SPLIT}\n- category_id: ${OF_SPLIT}`,
  ],
  [
    'update_transactions',
    {
      transactions: [
        { id: UNCATEGORIZED, memo: 'x' },
        { id: SPLIT, amount_milliunits: -1, memo: 'x' },
      ],
    },
    `- transactions[1].amount_milliunits: ${OF_SPLIT}`,
  ],
  [
    'update_transactions',
    { transactions: [{ id: UNCATEGORIZED, category_id: 'nope' }] },
    '- transactions[0].category_id: unknown category "nope"; list_categories returns the ids of this budget',
  ],
  [
    'update_transactions',
    {
      transactions: [
        { id: UNCATEGORIZED, memo: 'a' },
        { id: UNCATEGORIZED, memo: 'b' },
      ],
    },
    `- transactions[1].id: "${UNCATEGORIZED}" is in the list twice`,
  ],
  [
    'update_transactions',
    { transactions: [{ id: UNCATEGORIZED }] },
    '- transactions[0]: pass at least one field to change',
  ],
  [
    'update_transactions',
    { transactions: [{ id: 'nope', memo: 'x' }] },
    'The budget API rejected the request. (400 bad_request: transactions: the id nope does not exist in this plan)\nSuggestion: Correct the named value, then call again.',
  ],
  ['delete_transaction', { transaction_id: 'nope' }, NO_TRANSACTION],
  [
    'create_receipt_split_transaction',
    { ...RECEIPT, receipt_total: 11 },
    '- receipt_total: The total is 11.00, but the items (10.00) and the tax (0.00) add up to 10.00. Correct the total, the tax or the items; a difference of 0.01 is accepted.',
  ],
  [
    'create_receipt_split_transaction',
    { ...RECEIPT, categories: [{ category_id: 'nope', items: [{ name: 'Bread', amount: 10 }] }] },
    unknown('category', 'list_categories'),
  ],
  [
    'update_category',
    { category_id: GROCERIES },
    '- budgeted_decimal: pass exactly one of budgeted_decimal and budgeted_milliunits',
  ],
  ['update_category', { category_id: 'nope', budgeted_decimal: 1 }, unknown('category', 'list_categories')],
  [
    'update_category',
    { category_id: GROCERIES, budgeted_decimal: 1, month: '1999-01-01' },
    'The budget API rejected the request. (400 bad_request: month must be between 2021-11-01 and 2031-11-01)\nSuggestion: Correct the named value, then call again.',
  ],
  [
    'create_scheduled_transaction',
    { ...SCHEDULED, date: '2026-11-18' },
    'The budget API rejected the request. (400 bad_request: date must be in the future and no more than 5 years into the future)\nSuggestion: Correct the named value, then call again.',
  ],
  [
    'create_scheduled_transaction',
    { ...SCHEDULED, category_id: 'nope' },
    '- category_id: unknown category "nope"; list_categories returns the ids of this budget',
  ],
  ['create_scheduled_transaction', { ...SCHEDULED, amount_milliunits: 5 }, ONE_AMOUNT],
  [
    'update_scheduled_transaction',
    { scheduled_transaction_id: RENT },
    '- (arguments): pass at least one field to change',
  ],
  [
    'update_scheduled_transaction',
    { scheduled_transaction_id: RENT, payee_id: 'nope' },
    '- payee_id: unknown payee "nope"; list_payees returns the ids of this budget',
  ],
  [
    'delete_scheduled_transaction',
    { scheduled_transaction_id: 'nope' },
    unknown('scheduled transaction', 'list_scheduled_transactions'),
  ],
  ['export_transactions', { account_id: 'nope' }, unknown('account', 'list_accounts')],
];

/** Bad calls of the tools, with literal errors. */
export const BAD_CALLS: readonly BadCall[] = [...READS, ...WRITES].map(([tool, args, error]) => ({
  tool,
  args: args as BadCall['args'],
  error: error.startsWith('- ') ? `Invalid arguments for tool '${tool}'.\n${error}` : error,
}));
