import type * as ynab from 'ynab';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openApi, TODAY } from './support/open-api.ts';
import type { OpenApi } from './support/open-api.ts';

let open: OpenApi;
let plans: ynab.PlanSummary[];

beforeAll(async () => {
  open = openApi();
  plans = (await open.ok<ynab.PlanSummaryResponse>('GET /plans')).data.plans;
});
afterAll(() => open.api.close());

async function findCategory(name: string, place = '/plans/default/categories'): Promise<ynab.Category> {
  const { data } = await open.ok<ynab.CategoriesResponse>(`GET ${place}`);
  const found = data.category_groups
    .flatMap(({ categories }) => categories)
    .find((entry) => entry.name === name);
  if (found === undefined) throw new Error(`There is no category ${name}.`);
  return found;
}

test('default is the first plan; last-used is the plan that was named last', async () => {
  const settings = async (id: string): Promise<string | undefined> =>
    (await open.ok<ynab.PlanSettingsResponse>(`GET /plans/${id}/settings`)).data.settings.currency_format
      ?.iso_code;
  expect([await settings('default'), await settings('last-used')]).toEqual(['USD', 'USD']);
  await settings(plans[1]?.id ?? '');
  expect([await settings('default'), await settings('last-used')]).toEqual(['USD', 'JPY']);
});

test('current is the month of today', async () => {
  const current = await open.ok<ynab.MonthDetailResponse>('GET /plans/default/months/current');
  expect(current.data.month.month).toBe('2026-11-01');
  expect(await open.ok('GET /plans/default/months/2026-11-01')).toEqual(current);
  expect((await open.send('GET /plans/default/months/2019-01-01')).status).toBe(404);
  expect(await open.rejected('GET /plans/default/months/november')).toBe(
    'month must be "current" or a date in ISO format such as 2016-12-01',
  );
});

test('an assigned amount changes the category, the month, later months and Ready to Assign', async () => {
  const { id } = await findCategory('Hobbies');
  const month = async (name: string): Promise<ynab.MonthDetail> =>
    (await open.ok<ynab.MonthDetailResponse>(`GET /plans/default/months/${name}`)).data.month;
  const [october, november] = [await month('2026-10-01'), await month('2026-11-01')];
  const inMonth = (detail: ynab.MonthDetail): ynab.Category | undefined =>
    detail.categories.find((entry) => entry.id === id);
  const budgeted = (inMonth(october)?.budgeted ?? 0) + 5000;
  const reply = await open.ok<ynab.SaveCategoryResponse>(
    `PATCH /plans/default/months/2026-10-01/categories/${id}`,
    { category: { budgeted } },
  );
  expect(reply.data.category.budgeted).toBe(budgeted);
  const [later, now] = [await month('2026-10-01'), await month('2026-11-01')];
  expect(later.budgeted - october.budgeted).toBe(5000);
  expect(later.to_be_budgeted - october.to_be_budgeted).toBe(-5000);
  expect(now.to_be_budgeted - november.to_be_budgeted).toBe(-5000);
  expect((inMonth(now)?.balance ?? 0) - (inMonth(november)?.balance ?? 0)).toBe(5000);
  const { data } = await open.ok<{ data: { money_movements: { to_category_id: string; amount: number }[] } }>(
    'GET /plans/default/months/2026-10-01/money_movements',
  );
  expect(data.money_movements.at(-1)).toMatchObject({
    to_category_id: id,
    from_category_id: null,
    amount: 5000,
  });
});

test('overspending is taken from Ready to Assign of the next month and does not carry over', async () => {
  const plan = plans[1]?.id ?? '';
  const body = {
    category: {
      name: 'Overspent',
      category_group_id: (await findCategory('Books', `/plans/${plan}/categories`)).category_group_id,
    },
  };
  const { id } = (await open.ok<ynab.SaveCategoryResponse>(`POST /plans/${plan}/categories`, body)).data
    .category;
  const ready = async (): Promise<number> =>
    (await open.ok<ynab.MonthDetailResponse>(`GET /plans/${plan}/months/2026-11-01`)).data.month
      .to_be_budgeted;
  const before = await ready();
  const { data } = await open.ok<ynab.AccountsResponse>(`GET /plans/${plan}/accounts`);
  const transaction = {
    account_id: data.accounts[0]?.id,
    date: '2026-10-15',
    amount: -3000,
    category_id: id,
  };
  await open.ok(`POST /plans/${plan}/transactions`, { transaction });
  const category = async (month: string): Promise<number> =>
    (await open.ok<ynab.CategoryResponse>(`GET /plans/${plan}/months/${month}/categories/${id}`)).data
      .category.balance;
  expect([await category('2026-10-01'), await category('2026-11-01')]).toEqual([-3000, 0]);
  expect((await ready()) - before).toBe(-3000);
});

test('an account starts with its balance, which is ready to assign', async () => {
  const ready = async (): Promise<number> => (await findCategory('Inflow: Ready to Assign')).balance;
  const before = await ready();
  const create = async (type: string, balance: number): Promise<ynab.Account> => {
    const body = { account: { name: `New ${type}`, type, balance } };
    return (await open.ok<ynab.AccountResponse>('POST /plans/default/accounts', body)).data.account;
  };
  expect(await create('savings', 70_000)).toMatchObject({
    balance: 70_000,
    cleared_balance: 70_000,
    uncleared_balance: 0,
    on_budget: true,
  });
  expect(await create('otherAsset', 5000)).toMatchObject({ balance: 5000, on_budget: false });
  expect(await create('creditCard', -4000)).toMatchObject({ balance: -4000, on_budget: true });
  expect((await ready()) - before).toBe(70_000);
  expect(await findCategory('New creditCard')).toMatchObject({
    category_group_name: 'Credit Card Payments',
    balance: 0,
  });
});

test('goals: a target creates one, null removes it', async () => {
  const { id } = await findCategory('Doctor');
  const patch = async (category: object): Promise<ynab.Category> =>
    (await open.ok<ynab.SaveCategoryResponse>(`PATCH /plans/default/categories/${id}`, { category })).data
      .category;
  expect(await patch({ goal_target: 50_000 })).toMatchObject({
    goal_type: 'NEED',
    goal_target: 50_000,
    goal_cadence: 1,
    goal_needs_whole_amount: true,
  });
  expect(await patch({ goal_target_date: '2027-03-01' })).toMatchObject({
    goal_target_date: '2027-03-01',
    goal_months_to_budget: 5,
  });
  expect(await patch({ goal_target: null })).toMatchObject({
    goal_type: null,
    goal_target: null,
    goal_under_funded: null,
  });
});

test('internal categories and transfer payees cannot be changed', async () => {
  const { id, category_group_id: group } = await findCategory('Inflow: Ready to Assign');
  await open.rejected(`PATCH /plans/default/categories/${id}`, { category: { name: 'x' } });
  await open.rejected(`PATCH /plans/default/months/current/categories/${id}`, { category: { budgeted: 1 } });
  await open.rejected('POST /plans/default/categories', {
    category: { name: 'x', category_group_id: group },
  });
  const { data } = await open.ok<ynab.AccountsResponse>('GET /plans/default/accounts');
  await open.rejected(`PATCH /plans/default/payees/${data.accounts[0]?.transfer_payee_id}`, {
    payee: { name: 'x' },
  });
});

test('a new month begins: amounts of categories are those of the new month', async () => {
  const fresh = openApi();
  const first = await fresh.ok<ynab.CategoriesResponse>('GET /plans/default/categories');
  fresh.clock.advance(13 * 86_400_000);
  const months = await fresh.ok<ynab.MonthSummariesResponse>('GET /plans/default/months');
  expect(months.data.months[0]?.month).toBe('2026-12-01');
  const delta = await fresh.ok<ynab.CategoriesResponse>(
    `GET /plans/default/categories?last_knowledge_of_server=${first.data.server_knowledge}`,
  );
  const rent = delta.data.category_groups
    .flatMap(({ categories }) => categories)
    .find(({ name }) => name === 'Rent');
  // The scheduled rent of December was entered, and nothing is assigned yet.
  expect(rent).toMatchObject({ budgeted: 0, activity: -1_650_000, balance: -1_650_000 });
  const insurance = delta.data.category_groups
    .flatMap(({ categories }) => categories)
    .find(({ name }) => name === "Renter's Insurance");
  expect(insurance).toMatchObject({ budgeted: 0, activity: 0, balance: 0 });
  fresh.api.close();
});

test('the sample budgets hold two years of believable data', async () => {
  const start = performance.now();
  const fresh = openApi();
  const seconds = (performance.now() - start) / 1000;
  expect(seconds).toBeLessThan(10);
  let count = 0;
  for (const { id } of (await fresh.ok<ynab.PlanSummaryResponse>('GET /plans')).data.plans) {
    const { data } = await fresh.ok<ynab.TransactionsResponse>(
      `GET /plans/${id}/transactions?since_date=2020-01-01`,
    );
    count += data.transactions.length;
    expect(data.transactions[0]?.date).toBe('2024-11-01');
    expect(data.transactions.every(({ date }) => date <= TODAY)).toBe(true);
    expect(data.transactions.some(({ subtransactions }) => subtransactions.length > 0)).toBe(true);
    const recent = data.transactions.filter(({ date }) => date > '2026-10-18');
    expect(recent.some(({ approved }) => !approved)).toBe(true);
    expect(recent.some(({ cleared }) => cleared === 'uncleared')).toBe(true);
    expect(recent.some(({ category_name }) => category_name === 'Uncategorized')).toBe(true);
    const { data: categories } = await fresh.ok<ynab.CategoriesResponse>(`GET /plans/${id}/categories`);
    expect(categories.category_groups).toHaveLength(14);
    expect(categories.category_groups.flatMap((group) => group.categories)).toHaveLength(43);
    const { data: months } = await fresh.ok<ynab.MonthSummariesResponse>(`GET /plans/${id}/months`);
    expect(months.months).toHaveLength(25);
    expect(months.months.every((month) => month.to_be_budgeted >= 0)).toBe(true);
    const { data: scheduled } = await fresh.ok<ynab.ScheduledTransactionsResponse>(
      `GET /plans/${id}/scheduled_transactions`,
    );
    expect(new Set(scheduled.scheduled_transactions.map(({ frequency }) => frequency)).size).toBe(10);
    const { data: list } = await fresh.ok<ynab.AccountsResponse>(`GET /plans/${id}/accounts`);
    expect(list.accounts.filter(({ closed }) => closed).map(({ name, balance }) => [name, balance])).toEqual([
      ['Old Checking', 0],
    ]);
    expect(list.accounts.every(({ type, balance }) => type === 'creditCard' || balance >= 0)).toBe(true);
  }
  expect(count).toBeGreaterThan(2000);
  expect(count).toBeLessThan(3000);
  const again = openApi();
  expect(await again.ok('GET /plans/default')).toEqual(await fresh.ok('GET /plans/default'));
  fresh.api.close();
  again.api.close();
});
