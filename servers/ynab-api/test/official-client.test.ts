import { createRequire } from 'node:module';
import type * as Ynab from 'ynab';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serveBudgetApi } from '../src/index.ts';
import type { ServedBudgetApi } from '../src/index.ts';
import { TODAY } from './support/open-api.ts';

// The client is a CommonJS package.
const ynab = createRequire(import.meta.url)('ynab') as typeof Ynab;

let served: ServedBudgetApi;
let client: Ynab.api;

beforeAll(async () => {
  served = await serveBudgetApi({ file: ':memory:', tokens: ['token'], today: TODAY });
  client = new ynab.API('token', served.url);
});
afterAll(() => served.close());

test('the official client lists, creates, updates and deletes', async () => {
  const { data } = await client.plans.getPlans();
  expect(data.plans.map(({ name, currency_format }) => [name, currency_format?.iso_code])).toEqual([
    ['Household', 'USD'],
    ['Tokyo Flat', 'JPY'],
  ]);
  const accounts = await client.accounts.getAccounts('default');
  const account_id = accounts.data.accounts[0]?.id ?? '';
  const transaction = { account_id, date: TODAY, amount: -4200, payee_name: 'Kiosk' };
  const created = await client.transactions.createTransaction('last-used', { transaction });
  const id = created.data.transaction?.id ?? '';
  expect(created.data.transaction).toMatchObject({ payee_name: 'Kiosk', amount: -4200, approved: false });
  const updated = await client.transactions.updateTransaction('default', id, {
    transaction: { amount: -4300 },
  });
  expect(updated.data.transaction.amount).toBe(-4300);
  const several = await client.transactions.updateTransactions('default', {
    transactions: [{ id, memo: 'News' }],
  });
  expect(several.data.transactions?.[0]?.memo).toBe('News');
  const deleted = await client.transactions.deleteTransaction('default', id);
  expect(deleted.data.transaction.deleted).toBe(true);
  await expect(client.transactions.getTransactionById('default', id)).rejects.toEqual({
    error: { id: '404.2', name: 'resource_not_found', detail: 'Resource not found' },
  });
});
