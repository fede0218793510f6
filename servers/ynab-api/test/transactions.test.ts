import type * as ynab from 'ynab';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openApi, TODAY } from './support/open-api.ts';
import type { OpenApi } from './support/open-api.ts';

type Data<T> = { readonly data: T };
type Saved = Data<ynab.SaveTransactionsResponseData>;

const TRANSACTIONS = '/plans/default/transactions';
let open: OpenApi;
let account: string;
let groceries: string;

beforeAll(async () => {
  open = openApi();
  account = await createAccount('Test Checking', 'checking');
  const { data } = await open.ok<ynab.CategoriesResponse>('GET /plans/default/categories');
  const all = data.category_groups.flatMap(({ categories }) => categories);
  groceries = all.find(({ name }) => name === 'Groceries')?.id ?? '';
});
afterAll(() => open.api.close());

async function createAccount(name: string, type: string): Promise<string> {
  const body = { account: { name, type, balance: 0 } };
  return (await open.ok<ynab.AccountResponse>('POST /plans/default/accounts', body)).data.account.id;
}

async function create(fields: object): Promise<ynab.TransactionDetail> {
  const transaction = { account_id: account, date: TODAY, amount: -10_000, ...fields };
  const { data } = await open.ok<Saved>(`POST ${TRANSACTIONS}`, { transaction });
  if (data.transaction === undefined) throw new Error('The response has no transaction.');
  return data.transaction;
}

async function update(id: string, transaction: object): Promise<ynab.TransactionDetail> {
  return (await open.ok<ynab.TransactionResponse>(`PUT ${TRANSACTIONS}/${id}`, { transaction })).data
    .transaction;
}

test('a transaction in the future or over five years ago is rejected', async () => {
  const detail = 'date must not be in the future or over 5 years ago';
  for (const date of ['2026-11-19', '2021-11-17'])
    expect(
      await open.rejected(`POST ${TRANSACTIONS}`, { transaction: { account_id: account, date, amount: 1 } }),
    ).toBe(detail);
  const { id } = await create({ date: '2021-11-18' });
  expect(await open.rejected(`PUT ${TRANSACTIONS}/${id}`, { transaction: { date: '2026-11-19' } })).toBe(
    detail,
  );
});

test('defaults: uncleared, unapproved, no payee, no category', async () => {
  expect(await create({})).toMatchObject({
    cleared: 'uncleared',
    approved: false,
    payee_id: null,
    category_id: null,
    category_name: 'Uncategorized',
    amount_formatted: '-$10.00',
    amount_currency: -10,
    flag_color: null,
    deleted: false,
  });
});

test('null removes a value, an omitted member keeps it', async () => {
  const { id } = await create({
    memo: 'a',
    flag_color: 'red',
    category_id: groceries,
    payee_name: 'Somewhere',
  });
  expect(await update(id, { amount: -1 })).toMatchObject({
    memo: 'a',
    flag_color: 'red',
    payee_name: 'Somewhere',
    category_name: 'Groceries',
  });
  expect(await update(id, { memo: null, flag_color: '', category_id: null, payee_id: null })).toMatchObject({
    memo: null,
    flag_color: null,
    payee_name: null,
    category_id: null,
  });
});

test('a payee name finds the payee whatever its case, or creates it', async () => {
  const first = await create({ payee_name: 'Brand New Payee' });
  const second = await create({ payee_name: ' brand new payee ' });
  expect(second.payee_id).toBe(first.payee_id);
  const { data } = await open.ok<ynab.PayeesResponse>('GET /plans/default/payees');
  expect(data.payees.filter(({ name }) => name === 'Brand New Payee')).toHaveLength(1);
});

test('the date, amount, category and parts of a split cannot be changed', async () => {
  const subtransactions = [
    { amount: -7000, category_id: groceries, memo: 'Food' },
    { amount: -3000, payee_name: 'Second Payee' },
  ];
  const split = await create({ subtransactions });
  expect(split).toMatchObject({ category_id: null, category_name: 'Split' });
  expect(
    split.subtransactions.map(({ amount, memo, category_name, payee_name }) => [
      amount,
      memo,
      category_name,
      payee_name,
    ]),
  ).toEqual([
    [-7000, 'Food', 'Groceries', null],
    [-3000, null, 'Uncategorized', 'Second Payee'],
  ]);
  const updated = await update(split.id, {
    date: '2026-11-01',
    amount: -1,
    category_id: groceries,
    memo: 'New',
  });
  expect(updated).toMatchObject({ date: TODAY, amount: -10_000, category_id: null, memo: 'New' });
  expect(updated.subtransactions).toEqual(split.subtransactions);
  expect(await open.rejected(`PUT ${TRANSACTIONS}/${split.id}`, { transaction: { subtransactions } })).toBe(
    'subtransactions of an existing split transaction cannot be changed',
  );
});

test('the parts of a split must sum to its amount', async () => {
  const transaction = {
    account_id: account,
    date: TODAY,
    amount: -10_000,
    subtransactions: [{ amount: -9000 }],
  };
  expect(await open.rejected(`POST ${TRANSACTIONS}`, { transaction })).toBe(
    'The amounts of subtransactions must sum to the amount: they are -9000, it is -10000',
  );
});

test('an existing transaction becomes a split', async () => {
  const { id } = await create({ category_id: groceries });
  const split = await update(id, {
    subtransactions: [{ amount: -4000, category_id: groceries }, { amount: -6000 }],
  });
  expect(split).toMatchObject({ category_id: null, category_name: 'Split' });
  expect(split.subtransactions).toHaveLength(2);
});

test('import_id is unique per account: 409 for one, duplicate_import_ids for several', async () => {
  const other = await createAccount('Other Checking', 'checking');
  const { id } = await create({ import_id: 'same' });
  const transaction = { account_id: account, date: TODAY, amount: -1, import_id: 'same' };
  const single = await open.send<unknown>(`POST ${TRANSACTIONS}`, { transaction });
  expect([single.status, single.body]).toEqual([
    409,
    {
      error: {
        id: '409',
        name: 'conflict',
        detail: 'A transaction on the same account with the same import_id (same) already exists',
      },
    },
  ]);
  const several = {
    transactions: [
      transaction,
      { ...transaction, import_id: 'new' },
      { ...transaction, import_id: 'new' },
      { ...transaction, account_id: other },
    ],
  };
  const { data } = await open.ok<Saved>(`POST ${TRANSACTIONS}`, several);
  expect(data.duplicate_import_ids).toEqual(['same', 'new']);
  expect(data.transactions?.map(({ import_id, account_name }) => [import_id, account_name])).toEqual([
    ['new', 'Test Checking'],
    ['same', 'Other Checking'],
  ]);
  await open.ok(`DELETE ${TRANSACTIONS}/${id}`);
  expect((await create({ import_id: 'same' })).import_id).toBe('same');
});

test('import_id has at most 36 characters', async () => {
  expect((await create({ import_id: 'x'.repeat(36) })).import_id).toHaveLength(36);
  const transaction = { account_id: account, date: TODAY, amount: 1, import_id: 'x'.repeat(37) };
  expect(await open.rejected(`POST ${TRANSACTIONS}`, { transaction })).toBe(
    'transaction.import_id is too long (maximum is 36 characters)',
  );
});

test('one invalid transaction of several stores nothing', async () => {
  const before = await open.ok<ynab.PayeesResponse>('GET /plans/default/payees');
  const good = { account_id: account, date: TODAY, amount: 1, payee_name: 'Never Stored' };
  const detail = await open.rejected(`POST ${TRANSACTIONS}`, {
    transactions: [good, { ...good, category_id: account }],
  });
  expect(detail).toBe(`category_id ${account} does not exist in this plan`);
  const after = await open.ok<ynab.PayeesResponse>('GET /plans/default/payees');
  expect(after).toEqual(before);
});

test('payment categories are ignored', async () => {
  const { data } = await open.ok<ynab.CategoriesResponse>('GET /plans/default/categories');
  const payment = data.category_groups.find(({ name }) => name === 'Credit Card Payments')?.categories[0]?.id;
  expect((await create({ category_id: payment })).category_id).toBeNull();
  const { id } = await create({ category_id: groceries });
  expect((await update(id, { category_id: payment })).category_id).toBe(groceries);
});

test('filters by date, type, account, category, payee and month', async () => {
  const place = await createAccount('Filtered', 'checking');
  const fields = { account_id: place, approved: true, category_id: groceries, payee_name: 'Filter Payee' };
  const old = await create({ ...fields, date: '2025-11-17' });
  const late = await create({ ...fields, date: '2026-10-31', approved: false });
  const split = await create({
    ...fields,
    category_id: null,
    subtransactions: [{ amount: -4000, category_id: groceries }, { amount: -6000 }],
  });
  const list = async (path: string): Promise<string[]> =>
    (await open.ok<ynab.TransactionsResponse>(`GET /plans/default/${path}`)).data.transactions.map(
      ({ id }) => id,
    );
  const at = `accounts/${place}/transactions`;
  expect(await list(at)).toEqual([late.id, split.id]);
  expect(await list(`${at}?since_date=2025-11-17`)).toEqual([old.id, late.id, split.id]);
  expect(await list(`${at}?since_date=2025-11-17&until_date=2026-10-31`)).toEqual([old.id, late.id]);
  expect(await list(`${at}?type=unapproved`)).toEqual([late.id]);
  expect(await list(`${at}?type=uncategorized`)).toEqual([split.id]);
  expect(await list('months/2026-10-01/transactions')).toContain(late.id);
  expect(await list('months/current/transactions')).not.toContain(late.id);
  expect(await list(`payees/${split.payee_id}/transactions?since_date=2020-01-01`)).toEqual([
    old.id,
    late.id,
    split.id,
  ]);
  const hybrid = await open.ok<ynab.HybridTransactionsResponse>(
    `GET /plans/default/categories/${groceries}/transactions`,
  );
  expect(hybrid.data.transactions.find(({ parent_transaction_id: id }) => id === split.id)).toMatchObject({
    id: split.subtransactions[0]?.id,
    type: 'subtransaction',
    amount: -4000,
    payee_name: 'Filter Payee',
    category_name: 'Groceries',
  });
});

test('several updates name transactions by id or import_id, not both', async () => {
  const { id } = await create({ import_id: 'by-import' });
  const body = { transactions: [{ import_id: 'by-import', memo: 'found' }] };
  const reply = await open.send<Saved>(`PATCH ${TRANSACTIONS}`, body);
  expect([reply.status, reply.body.data.transactions?.[0]?.memo]).toEqual([209, 'found']);
  expect(
    await open.rejected(`PATCH ${TRANSACTIONS}`, { transactions: [{ id, import_id: 'by-import' }] }),
  ).toBe('Each of transactions must have either an id or an import_id, not both');
  expect(await open.rejected(`PATCH ${TRANSACTIONS}`, { transactions: [{ memo: 'x' }] })).toBe(
    'Each of transactions must have an id or an import_id',
  );
  expect(await open.rejected(`PATCH ${TRANSACTIONS}`, { transactions: [{ import_id: 'none' }] })).toBe(
    'transactions: the import_id none does not exist in this plan',
  );
});

test('a deleted transaction is only in deltas', async () => {
  const { id } = await create({});
  const before = await open.ok<ynab.TransactionsResponse>(`GET ${TRANSACTIONS}`);
  expect(before.data.transactions.some((entry) => entry.id === id)).toBe(true);
  await open.ok(`DELETE ${TRANSACTIONS}/${id}`);
  const after = await open.ok<ynab.TransactionsResponse>(`GET ${TRANSACTIONS}`);
  expect(after.data.transactions.some((entry) => entry.id === id)).toBe(false);
  const delta = await open.ok<ynab.TransactionsResponse>(
    `GET ${TRANSACTIONS}?last_knowledge_of_server=${before.data.server_knowledge}`,
  );
  expect(delta.data.transactions.map((entry) => [entry.id, entry.deleted])).toEqual([[id, true]]);
  expect((await open.send(`DELETE ${TRANSACTIONS}/${id}`)).status).toBe(404);
});

test.each([
  ['{}', {}, 'The request body must have either transaction or transactions'],
  ['a string', 'x', 'The request body must be a JSON object'],
  ['no account', { transaction: { date: TODAY, amount: 1 } }, 'transaction.account_id is required'],
  [
    'a fraction',
    { transactions: [{ account_id: '6f9619ff-8b86-4011-b42d-00c04fc964ff', date: TODAY, amount: 1.5 }] },
    'transactions[0].amount must be an integer of milliunits',
  ],
  [
    'no date',
    { transaction: { account_id: '6f9619ff-8b86-4011-b42d-00c04fc964ff', date: '2026-02-30', amount: 1 } },
    'transaction.date must be a date in ISO format such as 2016-12-30',
  ],
  [
    'unknown account',
    { transaction: { account_id: '6f9619ff-8b86-4011-b42d-00c04fc964ff', date: TODAY, amount: 1 } },
    'account_id 6f9619ff-8b86-4011-b42d-00c04fc964ff does not exist in this plan',
  ],
  [
    'a colour',
    {
      transaction: {
        account_id: '6f9619ff-8b86-4011-b42d-00c04fc964ff',
        date: TODAY,
        amount: 1,
        flag_color: 'pink',
      },
    },
    'transaction.flag_color must be one of: red, orange, yellow, green, blue, purple, ',
  ],
])('an invalid body names the member and the fix: %s', async (_name, body, detail) => {
  expect(await open.rejected(`POST ${TRANSACTIONS}`, body)).toBe(detail);
});
