import { afterAll, expect, test } from 'vitest';
import { startProxied } from '../support/proxied-stack.ts';
import { addTransactions, createAccount, listTransactions } from '../support/statements.ts';

const stack = await startProxied();
afterAll(() => stack.close());

const account = await createAccount(stack);
await addTransactions(stack, account, [
  ['2026-11-04', -40, 'Flower Shop'],
  ['2026-11-06', -12.34, 'Corner Bakery', 'cleared'],
  ['2026-11-08', -7, 'Never There'],
]);

interface Compared {
  readonly summary: Readonly<Record<string, unknown>>;
  readonly matched: readonly { readonly bank: { readonly row: number }; readonly days_apart: number }[];
  readonly missing_in_ynab: readonly { readonly row: number; readonly amount: number }[];
  readonly missing_in_bank: readonly { readonly payee_name: string }[];
  readonly csv: { readonly errors: readonly { readonly row: number }[] };
}

const CSV = `Buchungstag;Verwendungszweck;Betrag
03.11.2026;Flower Shop 4711;-40,00
06.11.2026;BAKERY CORNER;-12,34
07.11.2026;Unknown;-1.234,50
31.02.2026;Broken;-1,00
09.11.2026;Fee;0,99
`;

const compare = (args: object = {}): Promise<Compared> =>
  stack.json('compare_transactions', { account_id: account, csv_data: CSV, ...args });

test('rows are matched, missing in YNAB, or missing in the bank; broken ones have their numbers', async () => {
  stack.proxy.takeRoutes();
  const result = await compare();
  expect(result.summary).toMatchObject({
    start_date: '2026-11-03',
    end_date: '2026-11-09',
    bank_rows: 4,
    matched: 2,
    missing_in_ynab: 2,
    missing_in_bank: 1,
  });
  expect(result.matched.map(({ bank, days_apart: days }) => [bank.row, days])).toEqual([
    [2, 1],
    [3, 0],
  ]);
  expect(result.missing_in_ynab).toMatchObject([
    { row: 4, amount: -1234.5 },
    { row: 6, amount: 0.99 },
  ]);
  expect(result.missing_in_bank).toMatchObject([{ payee_name: 'Never There' }]);
  expect(result.csv.errors).toMatchObject([{ row: 5 }]);
  expect(stack.proxy.takeRoutes().filter((route) => !route.startsWith('GET'))).toEqual([]);
});

test('the result in words has the warnings and the rows that could not be read', async () => {
  const csv_data =
    'Date,Description,Amount\n03/11/2026,A,-1.00\n04/11/2026,B,"1,234"\n[x](http://a.test),C,1\n';
  const text = await stack.call('compare_transactions', { account_id: account, csv_data });
  expect(text.split('\n\n').slice(0, 7)).toEqual([
    '# Comparison of Statement Test',
    '- **Period**: 2026-11-03 to 2026-11-04\n- **Rows**: 2\n- **Matched**: 0\n- **Missing in YNAB**: 2\n- **Missing in the bank**: 1\n- **Rows that could not be read**: 1',
    '## Warnings',
    '- Dates that fit more than one order: 2. They were read as DMY. Set csv_format.date_format if that is wrong.',
    '## Rows that could not be read',
    String.raw`- Row 4: Invalid date "\[x](http://a.test)": expected DMY.`,
    '## Missing in YNAB',
  ]);
});

test('a statement without rows has no period', async () => {
  const csv_data = 'Date,Description,Amount\n';
  const text = await stack.call('compare_transactions', { account_id: account, csv_data });
  expect(text).toBe(
    '# Comparison of Statement Test\n\n- **Rows**: 0\n- **Matched**: 0\n- **Missing in YNAB**: 0\n- **Missing in the bank**: 0\n- **Rows that could not be read**: 0',
  );
});

test('a period that ends before it begins is rejected', async () => {
  const dates = { statement_start_date: '2026-11-07', statement_date: '2026-11-05' };
  await expect(compare(dates)).rejects.toThrow(
    "Invalid arguments for tool 'compare_transactions'.\n- statement_date: must not be before statement_start_date (2026-11-07)",
  );
});

test('the difference of the amounts is in units of the currency, with the milliunits beside it', async () => {
  const { matched } = await compare({
    amount_tolerance: 2,
    csv_data: 'Date,Description,Amount\n2026-11-04,Flower Shop,-41.50\n',
  });
  expect(matched).toMatchObject([{ amount_difference: -1.5, amount_difference_milliunits: -1500 }]);
});

test('tolerances and the period narrow the comparison', async () => {
  expect((await compare({ date_tolerance_days: 0 })).summary).toMatchObject({ matched: 1 });
  expect(
    (
      await compare({
        amount_tolerance: 2,
        csv_data: 'Date,Description,Amount\n2026-11-04,Flower Shop,-41.50\n',
      })
    ).summary,
  ).toMatchObject({
    matched: 1,
  });
  const { summary } = await compare({ statement_start_date: '2026-11-05', statement_date: '2026-11-07' });
  expect(summary).toMatchObject({ bank_rows: 2, matched: 1, missing_in_ynab: 1, missing_in_bank: 0 });
});

test('csv_format describes a file without a header', async () => {
  const { summary } = await compare({
    csv_data: '-40.00|Flower Shop|04/11/26\n',
    csv_format: {
      has_header: false,
      amount_column: 0,
      description_column: 1,
      date_column: 2,
      date_format: 'DMY',
      delimiter: '|',
    },
  });
  expect(summary).toMatchObject({ bank_rows: 1, matched: 1, end_date: '2026-11-04' });
});

test('nothing is changed', async () => {
  expect(await listTransactions(stack, account)).toEqual([
    '2026-11-04 -40 Flower Shop uncleared',
    '2026-11-06 -12.34 Corner Bakery cleared',
    '2026-11-08 -7 Never There uncleared',
  ]);
});

test('an unknown account is an error that names it', async () => {
  expect(await stack.outcome('compare_transactions', { account_id: 'nowhere', csv_data: CSV })).toMatchObject(
    {
      isError: true,
      code: 'TOOL_ERROR',
      text: 'Unknown account "nowhere".\nSuggestion: Call list_accounts for the ids of this budget.',
    },
  );
});
