import {
  BUNDLE,
  CANTEEN,
  CHECKING,
  DINING_OUT,
  GROCERIES,
  HOUSEHOLD,
  HOUSEHOLD_GOODS,
  RENT,
  TOKYO,
  UNCATEGORIZED,
  VISA,
} from './sample.ts';

/** A call, and texts that its result must contain. */
export interface GoodCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly facts: readonly string[];
}

const OCTOBER = { since_date: '2026-10-01', until_date: '2026-10-31' };
const SEPTEMBER = { since_date: '2026-09-01', until_date: '2026-09-30' };
const json = { response_format: 'json' };

const READS: readonly GoodCall[] = [
  {
    tool: 'list_budgets',
    args: {},
    facts: [
      `| Household | USD | 2024-11-01 to 2026-11-01 | ${HOUSEHOLD} |`,
      `| Tokyo Flat | JPY | 2024-11-01 to 2026-11-01 | ${TOKYO} |`,
    ],
  },
  {
    tool: 'get_budget',
    args: json,
    facts: [
      '"currency":"USD","decimal_digits":2,"accounts_count":7,"categories_count":43,"payees_count":61}',
    ],
  },
  { tool: 'get_default_budget', args: {}, facts: [`The default budget is ${HOUSEHOLD}: `] },
  {
    tool: 'set_default_budget',
    args: { budget_id: HOUSEHOLD },
    facts: [`{"default_budget_id":"${HOUSEHOLD}","name":"Household"}`],
  },
  {
    tool: 'list_accounts',
    args: {},
    facts: [
      `| Everyday Checking | checking | $16,201.18 | $16,586.18 | ${CHECKING} |`,
      '| Old Checking (closed) | checking | $0.00 | $0.00 |',
      '\n\n7 of 7.',
    ],
  },
  {
    tool: 'get_account',
    args: { account_id: VISA },
    facts: ['# Visa Card', '- **balance**: -$1,494.13 (-1494130 milliunits)'],
  },
  {
    tool: 'list_transactions',
    args: { type: 'uncategorized', limit: 2 },
    facts: [
      `| 2026-11-18 | House and Hearth | Uncategorized | -$20.93 | uncleared | Visa Card |  | ${UNCATEGORIZED} |`,
      '2 of 6. Next page: offset 2.',
    ],
  },
  {
    tool: 'get_transaction',
    args: { transaction_id: UNCATEGORIZED },
    facts: ['# Transaction of 2026-11-18', '- **amount**: -$20.93 (-20930 milliunits)'],
  },
  {
    tool: 'list_categories',
    args: { limit: 500 },
    facts: [`| Food | Groceries | $545.00 | -$541.28 | $4.05 | ${GROCERIES} |`, '43 of 43.'],
  },
  {
    tool: 'get_category',
    args: { category_id: GROCERIES },
    facts: ['# Groceries', '- **goal_target**: $700.00 (700000 milliunits)'],
  },
  {
    tool: 'list_payees',
    args: { limit: 3 },
    facts: ['| Starting Balance |', '3 of 61. Next page: offset 3.'],
  },
  { tool: 'get_payee', args: { payee_id: CANTEEN }, facts: [`# Office Canteen\n\n- **id**: ${CANTEEN}`] },
  {
    tool: 'list_months',
    args: { limit: 1, ...json },
    facts: ['"month":"2026-11-01","income":2436.32,"income_milliunits":2436320', '"total_count":25'],
  },
  {
    tool: 'get_month',
    args: { month: '2026-11-01' },
    facts: ['# Household, 2026-11-01', '- **to_be_budgeted**: $203.56 (203560 milliunits)'],
  },
  {
    tool: 'list_scheduled_transactions',
    args: { limit: 3 },
    facts: [
      `| 2026-12-01 | monthly | Maple Street Apartments | Rent | -$1,650.00 | Everyday Checking | ${RENT} |`,
      '3 of 12. Next page: offset 3.',
    ],
  },
  {
    tool: 'get_scheduled_transaction',
    args: { scheduled_transaction_id: BUNDLE, ...json },
    facts: ['"amount":-110,', '"amount":-45,', '"amount":-65,'],
  },
  {
    tool: 'analyze_spending',
    args: { ...OCTOBER, group_by: 'category' },
    facts: [
      '| Rent | $1,650.00 | $0.00 | -$1,650.00 | 1 |',
      '| Total | $4,161.08 | $7,516.89 | $3,355.81 | 76 |',
    ],
  },
  {
    tool: 'compare_spending_periods',
    args: { period_a: SEPTEMBER, period_b: OCTOBER, group_by: 'account' },
    facts: [
      '| Visa Card | $2,424.38 | $1,689.44 | -$734.94 |',
      '| Total | $4,699.41 | $4,161.08 | -$538.33 |',
    ],
  },
  { tool: 'get_user', args: json, facts: ['{"user":{"id":"555c26b0-7970-4f6f-96d6-bc401e61a866"}}'] },
  { tool: 'convert_amount', args: { amount: 12.34, to_milliunits: true }, facts: ['12340 milliunits'] },
  { tool: 'clear_cache', args: {}, facts: ['{"cleared":true}'] },
  { tool: 'set_output_format', args: {}, facts: ['{"default_minify":true,"pretty_spaces":2}'] },
  {
    tool: 'diagnostic_info',
    args: {},
    facts: ['- **version**: 0.1.0', '- **accessToken**: to…da (12 characters)'],
  },
];

/** Each is a dry run, so that calls do not depend on those before them. */
const WRITES: readonly GoodCall[] = [
  {
    tool: 'export_transactions',
    args: { type: 'uncategorized', filename: 'uncategorized.json' },
    facts: [
      'uncategorized.json","count":6,"preview":[{"id":"e6c7d11f-a37c-41d8-a09a-4554d5d4df88","date":"2026-11-18"',
    ],
  },
  {
    tool: 'create_account',
    args: { name: 'Holiday', type: 'savings', balance: 12.5 },
    facts: [
      '"Household: Create the savings account \\"Holiday\\" with a balance of $12.50."',
      '{"account":{"name":"Holiday","type":"savings","balance":12500}}',
    ],
  },
  {
    tool: 'create_transaction',
    args: {
      account_id: CHECKING,
      amount_decimal: -30,
      date: '2026-11-17',
      payee_id: CANTEEN,
      subtransactions: [
        { amount_decimal: -10, category_id: GROCERIES },
        { amount_milliunits: -20_000, memo: 'tip' },
      ],
    },
    facts: [
      '"Household: Create a transaction of -$30.00 on 2026-11-17 at Office Canteen in Everyday Checking.\\n- part: amount: -$10.00, category: Groceries\\n- part: amount: -$20.00, memo: tip"',
      `"amount":-30000,"subtransactions":[{"category_id":"${GROCERIES}","amount":-10000},{"memo":"tip","amount":-20000}]`,
    ],
  },
  {
    tool: 'create_transactions',
    args: {
      transactions: [
        { account_id: CHECKING, amount_decimal: -1.5, date: '2026-11-17' },
        { account_id: VISA, amount_milliunits: -2500, date: '2026-11-17', import_id: 'a' },
      ],
    },
    facts: [
      '"Household: Create 2 transactions, in total -$4.00.\\n- account: Everyday Checking, date: 2026-11-17, amount: -$1.50\\n- account: Visa Card, date: 2026-11-17, amount: -$2.50, import_id: a"',
      '"import_id":"a","amount":-2500}',
    ],
  },
  {
    tool: 'update_transaction',
    args: { transaction_id: UNCATEGORIZED, category_id: HOUSEHOLD_GOODS, memo: null },
    facts: [
      '"Household: Change category, memo of the transaction of -$20.93 on 2026-11-18 at House and Hearth in Visa Card.\\n- category: Household Goods\\n- memo: none"',
      `{"category_id":"${HOUSEHOLD_GOODS}","memo":null}`,
    ],
  },
  {
    tool: 'update_transactions',
    args: { transactions: [{ id: UNCATEGORIZED, approved: true }] },
    facts: [
      '"Household: Change approved of 1 transaction.\\n- -$20.93 on 2026-11-18 at House and Hearth in Visa Card: approved: true"',
      `[{"id":"${UNCATEGORIZED}","approved":true}]`,
    ],
  },
  {
    tool: 'delete_transaction',
    args: { transaction_id: UNCATEGORIZED },
    facts: ['"Household: Delete the transaction of -$20.93 on 2026-11-18 at House and Hearth in Visa Card."'],
  },
  {
    tool: 'create_receipt_split_transaction',
    args: {
      account_id: VISA,
      payee_name: 'Corner Market',
      receipt_subtotal: 30,
      receipt_tax: 3,
      receipt_total: 33,
      categories: [
        { category_id: GROCERIES, items: [{ name: 'Bread', amount: 10 }] },
        { category_id: DINING_OUT, items: [{ name: 'Lunch', amount: 20 }] },
      ],
    },
    facts: [
      'Household: Create a transaction of -$33.00 on 2026-11-18 at Corner Market in Visa Card, split into 4 parts:',
      '- -$10.00 Groceries: Bread\\n- -$20.00 Dining Out: Lunch\\n- -$1.00 Groceries: Tax\\n- -$2.00 Dining Out: Tax',
    ],
  },
  {
    tool: 'update_category',
    args: { category_id: GROCERIES, budgeted_decimal: 550 },
    facts: [
      '"Household: Budget $550.00 for \\"Groceries\\" in 2026-11-01."',
      `{"month":"2026-11-01","category_id":"${GROCERIES}","category":{"budgeted":550000}}`,
    ],
  },
  {
    tool: 'create_scheduled_transaction',
    args: {
      account_id: CHECKING,
      date: '2026-12-01',
      amount_decimal: -9.99,
      frequency: 'monthly',
      payee_id: CANTEEN,
      category_id: GROCERIES,
      flag_color: 'red',
    },
    facts: [
      '"Household: Schedule -$9.99 from 2026-12-01 (monthly) in Everyday Checking.\\n- payee: Office Canteen\\n- category: Groceries\\n- flag_color: red"',
      '"amount":-9990,',
    ],
  },
  {
    tool: 'update_scheduled_transaction',
    args: { scheduled_transaction_id: RENT, amount_decimal: -1700 },
    facts: [
      '"Household: Change amount of the scheduled transaction of -$1,650.00 on 2026-12-01 (monthly) at Maple Street Apartments in Everyday Checking.\\n- amount: -$1,700.00"',
      '"date":"2026-12-01","amount":-1700000,"frequency":"monthly"',
    ],
  },
  {
    tool: 'delete_scheduled_transaction',
    args: { scheduled_transaction_id: RENT },
    facts: [
      '"Household: Delete the scheduled transaction of -$1,650.00 on 2026-12-01 (monthly) at Maple Street Apartments in Everyday Checking."',
    ],
  },
];

/** One good call of each tool. */
export const GOOD_CALLS: readonly GoodCall[] = [
  ...READS,
  ...WRITES.map((call) =>
    call.tool === 'export_transactions' ? call : { ...call, args: { ...call.args, dry_run: true } },
  ),
];
