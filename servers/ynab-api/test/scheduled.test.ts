import type * as ynab from 'ynab';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findNextDate } from '../src/scheduled/next-date.ts';
import type { Frequency } from '../src/scheduled/next-date.ts';
import { openApi } from './support/open-api.ts';
import type { OpenApi } from './support/open-api.ts';

const SCHEDULED = '/plans/default/scheduled_transactions';
const DAY = 86_400_000;
let open: OpenApi;
let account: ynab.Account;

beforeAll(async () => {
  open = openApi();
  const body = { account: { name: 'Scheduled', type: 'checking', balance: 100_000 } };
  account = (await open.ok<ynab.AccountResponse>('POST /plans/default/accounts', body)).data.account;
});
afterAll(() => open.api.close());

async function create(fields: object): Promise<ynab.ScheduledTransactionDetail> {
  const body = {
    scheduled_transaction: { account_id: account.id, date: '2026-11-20', amount: -5000, ...fields },
  };
  return (await open.ok<ynab.ScheduledTransactionResponse>(`POST ${SCHEDULED}`, body)).data
    .scheduled_transaction;
}

test('a scheduled transaction is in the future, at most five years ahead', async () => {
  const detail = 'date must be in the future and no more than 5 years into the future';
  for (const date of ['2026-11-18', '2031-11-19']) {
    const body = { scheduled_transaction: { account_id: account.id, date } };
    expect(await open.rejected(`POST ${SCHEDULED}`, body)).toBe(detail);
  }
  expect(await create({ date: '2031-11-18' })).toMatchObject({ date_next: '2031-11-18', frequency: 'never' });
});

test('an update keeps omitted members, null removes them', async () => {
  const { id } = await create({ frequency: 'yearly', memo: 'Fee', payee_name: 'Club' });
  const put = async (fields: object): Promise<ynab.ScheduledTransactionDetail> => {
    const body = { scheduled_transaction: { account_id: account.id, date: '2026-12-24', ...fields } };
    return (await open.ok<ynab.ScheduledTransactionResponse>(`PUT ${SCHEDULED}/${id}`, body)).data
      .scheduled_transaction;
  };
  expect(await put({ amount: -1 })).toMatchObject({
    date_first: '2026-12-24',
    frequency: 'yearly',
    memo: 'Fee',
    payee_name: 'Club',
    amount: -1,
  });
  expect(await put({ memo: null, payee_id: null })).toMatchObject({
    memo: null,
    payee_name: null,
    amount: -1,
  });
});

test('a due scheduled transaction is entered, unapproved, and moves on; one that does not repeat ends', async () => {
  const weekly = await create({ frequency: 'weekly', memo: 'Weekly' });
  const once = await create({ frequency: 'never', memo: 'Once' });
  const { data: before } = await open.ok<ynab.ScheduledTransactionsResponse>(`GET ${SCHEDULED}`);
  open.clock.advance(9 * DAY);
  const { data } = await open.ok<ynab.TransactionsResponse>(
    `GET /plans/default/accounts/${account.id}/transactions`,
  );
  const entered = data.transactions.filter(({ memo }) => memo === 'Weekly' || memo === 'Once');
  expect(entered.map(({ date, memo, approved }) => [date, memo, approved])).toEqual([
    ['2026-11-20', 'Weekly', false],
    ['2026-11-20', 'Once', false],
    ['2026-11-27', 'Weekly', false],
  ]);
  const { data: after } = await open.ok<ynab.ScheduledTransactionsResponse>(
    `GET ${SCHEDULED}?last_knowledge_of_server=${before.server_knowledge}`,
  );
  expect(after.scheduled_transactions.find(({ id }) => id === weekly.id)).toMatchObject({
    date_next: '2026-12-04',
    deleted: false,
  });
  expect(after.scheduled_transactions.find(({ id }) => id === once.id)).toMatchObject({ deleted: true });
});

test('a deleted scheduled transaction is only in deltas', async () => {
  const { id } = await create({ date: '2026-12-31' });
  const reply = await open.ok<ynab.ScheduledTransactionResponse>(`DELETE ${SCHEDULED}/${id}`);
  expect(reply.data.scheduled_transaction.deleted).toBe(true);
  expect((await open.send(`GET ${SCHEDULED}/${id}`)).status).toBe(404);
});

test.each<[Frequency, string, string | undefined]>([
  ['never', '2026-01-31', undefined],
  ['daily', '2026-01-31', '2026-02-01'],
  ['weekly', '2026-01-31', '2026-02-07'],
  ['everyOtherWeek', '2026-01-31', '2026-02-14'],
  ['twiceAMonth', '2026-01-16', '2026-01-31'],
  ['twiceAMonth', '2026-01-31', '2026-02-16'],
  ['every4Weeks', '2026-01-31', '2026-02-28'],
  ['monthly', '2026-01-31', '2026-02-28'],
  ['monthly', '2026-02-28', '2026-03-31'],
  ['everyOtherMonth', '2026-01-31', '2026-03-31'],
  ['every3Months', '2026-01-31', '2026-04-30'],
  ['every4Months', '2026-01-31', '2026-05-31'],
  ['twiceAYear', '2026-01-31', '2026-07-31'],
  ['yearly', '2026-01-31', '2027-01-31'],
  ['everyOtherYear', '2026-01-31', '2028-01-31'],
])('%s: after %s comes %s', (frequency, date, next) => {
  expect(findNextDate(date, frequency, '2026-01-31')).toBe(next);
});
