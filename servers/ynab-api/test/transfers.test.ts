import type * as ynab from 'ynab';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openApi, TODAY } from './support/open-api.ts';
import type { OpenApi } from './support/open-api.ts';

const TRANSACTIONS = '/plans/default/transactions';
let open: OpenApi;

beforeAll(() => {
  open = openApi();
});
afterAll(() => open.api.close());

async function createAccount(name: string, type = 'checking'): Promise<ynab.Account> {
  const body = { account: { name, type, balance: 0 } };
  return (await open.ok<ynab.AccountResponse>('POST /plans/default/accounts', body)).data.account;
}

async function create(transaction: object): Promise<ynab.TransactionDetail> {
  const body = { transaction: { date: TODAY, amount: -10_000, ...transaction } };
  const { data } = await open.ok<ynab.SaveTransactionsResponse>(`POST ${TRANSACTIONS}`, body);
  if (data.transaction === undefined) throw new Error('The response has no transaction.');
  return data.transaction;
}

async function find(id: string | null | undefined): Promise<ynab.TransactionDetail | undefined> {
  const reply = await open.send<Partial<ynab.TransactionResponse>>(`GET ${TRANSACTIONS}/${id}`);
  return reply.body.data?.transaction;
}

async function balance(account: ynab.Account): Promise<number> {
  return (await open.ok<ynab.AccountResponse>(`GET /plans/default/accounts/${account.id}`)).data.account
    .balance;
}

test('a transfer payee creates the counterpart in the other account', async () => {
  const [a, b] = [await createAccount('A1'), await createAccount('B1')];
  const from = await create({ account_id: a.id, payee_id: b.transfer_payee_id, memo: 'Move' });
  expect(from).toMatchObject({ payee_name: 'Transfer : B1', transfer_account_id: b.id, category_name: null });
  expect(await find(from.transfer_transaction_id)).toMatchObject({
    account_id: b.id,
    amount: 10_000,
    payee_id: a.transfer_payee_id,
    transfer_account_id: a.id,
    transfer_transaction_id: from.id,
    memo: 'Move',
  });
  expect([await balance(a), await balance(b)]).toEqual([-10_000, 10_000]);
});

test('both sides follow a change of the amount, the date and the account', async () => {
  const [a, b, c] = [await createAccount('A2'), await createAccount('B2'), await createAccount('C2')];
  const from = await create({ account_id: a.id, payee_id: b.transfer_payee_id });
  const to = await find(from.transfer_transaction_id);
  await open.ok(`PUT ${TRANSACTIONS}/${to?.id}`, { transaction: { amount: 7000, date: '2026-11-02' } });
  expect(await find(from.id)).toMatchObject({ amount: -7000, date: '2026-11-02' });
  await open.ok(`PUT ${TRANSACTIONS}/${from.id}`, { transaction: { payee_id: c.transfer_payee_id } });
  expect(await find(to?.id)).toMatchObject({ account_id: c.id, amount: 7000 });
  expect([await balance(a), await balance(b), await balance(c)]).toEqual([-7000, 0, 7000]);
});

test('another payee ends the transfer, and deleting one side deletes both', async () => {
  const [a, b] = [await createAccount('A3'), await createAccount('B3')];
  const first = await create({ account_id: a.id, payee_id: b.transfer_payee_id });
  await open.ok(`PUT ${TRANSACTIONS}/${first.id}`, { transaction: { payee_name: 'Shop' } });
  expect(await find(first.id)).toMatchObject({
    payee_name: 'Shop',
    transfer_account_id: null,
    transfer_transaction_id: null,
  });
  expect(await find(first.transfer_transaction_id)).toBeUndefined();
  const second = await create({ account_id: a.id, payee_id: b.transfer_payee_id });
  await open.ok(`DELETE ${TRANSACTIONS}/${second.transfer_transaction_id}`);
  expect(await find(second.id)).toBeUndefined();
  expect([await balance(a), await balance(b)]).toEqual([-10_000, 0]);
});

test('a part of a split can be a transfer; its counterpart keeps date and amount, and may be deleted', async () => {
  const [a, b] = [await createAccount('A4'), await createAccount('B4')];
  const parts = [{ amount: -4000, payee_id: b.transfer_payee_id }, { amount: -6000 }];
  const split = await create({ account_id: a.id, subtransactions: parts });
  const counterpart = split.subtransactions[0]?.transfer_transaction_id;
  expect(await find(counterpart)).toMatchObject({
    account_id: b.id,
    amount: 4000,
    transfer_transaction_id: split.id,
  });
  await open.ok(`PUT ${TRANSACTIONS}/${counterpart}`, {
    transaction: { amount: 1, date: '2026-11-01', memo: 'Kept' },
  });
  expect(await find(counterpart)).toMatchObject({ amount: 4000, date: TODAY, memo: 'Kept' });
  await open.ok(`DELETE ${TRANSACTIONS}/${counterpart}`);
  expect((await find(split.id))?.subtransactions[0]).toMatchObject({
    amount: -4000,
    transfer_account_id: null,
    payee_id: null,
  });
  expect([await balance(a), await balance(b)]).toEqual([-10_000, 0]);
});

test('deleting a split deletes the counterparts of its parts', async () => {
  const [a, b] = [await createAccount('A5'), await createAccount('B5')];
  const split = await create({
    account_id: a.id,
    amount: -1,
    subtransactions: [{ amount: -1, payee_id: b.transfer_payee_id }],
  });
  await open.ok(`DELETE ${TRANSACTIONS}/${split.id}`);
  expect([await balance(a), await balance(b)]).toEqual([0, 0]);
});

test('a transfer to the same account and a split that is itself a transfer are rejected', async () => {
  const [a, b] = [await createAccount('A6'), await createAccount('B6')];
  const fields = { account_id: a.id, date: TODAY, amount: -1 };
  expect(
    await open.rejected(`POST ${TRANSACTIONS}`, {
      transaction: { ...fields, payee_id: a.transfer_payee_id },
    }),
  ).toBe('payee_id must not be the transfer payee of the same account');
  const split = { ...fields, payee_id: b.transfer_payee_id, subtransactions: [{ amount: -1 }] };
  expect(await open.rejected(`POST ${TRANSACTIONS}`, { transaction: split })).toBe(
    'A split transaction cannot be a transfer itself: give its subtransactions the transfer payee',
  );
});

test('a card payment moves money from the payment category', async () => {
  const [a, card] = [await createAccount('A7'), await createAccount('Card 7', 'creditCard')];
  const payment = async (): Promise<ynab.Category | undefined> => {
    const { data } = await open.ok<ynab.CategoriesResponse>('GET /plans/default/categories');
    return data.category_groups.flatMap(({ categories }) => categories).find(({ name }) => name === 'Card 7');
  };
  const groups = await open.ok<ynab.CategoriesResponse>('GET /plans/default/categories');
  const coffee = groups.data.category_groups
    .flatMap(({ categories }) => categories)
    .find(({ name }) => name === 'Coffee');
  await create({ account_id: card.id, amount: -9000, category_id: coffee?.id });
  expect(await payment()).toMatchObject({ activity: 9000, balance: 9000 });
  await create({ account_id: a.id, amount: -5000, payee_id: card.transfer_payee_id });
  expect(await payment()).toMatchObject({ activity: 4000, balance: 4000 });
});
