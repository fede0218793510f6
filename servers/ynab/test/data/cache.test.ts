import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { CHECKING, HOUSEHOLD, startProxied, TOKYO } from '../support/proxied-stack.ts';
import { connectV2, OTHER_TOKEN } from '../support/stack.ts';

const MINUTE = 60_000;
const stack = await startProxied();
afterAll(() => stack.close());
beforeEach(async () => {
  await stack.call('clear_cache');
  stack.proxy.heal();
  stack.proxy.takeRoutes();
});

/** The routes of the requests that a call sends. */
async function requestsOf(name: string, args: object = {}, token?: string): Promise<readonly string[]> {
  stack.proxy.takeRoutes();
  await stack.call(name, { ...args }, token);
  return stack.proxy.takeRoutes();
}

const READS: [string, string, object, string, number][] = [
  ['budgets', 'list_budgets', {}, 'GET /plans', 10],
  ['accounts', 'list_accounts', {}, 'GET /plans/{id}/accounts', 5],
  ['categories', 'list_categories', {}, 'GET /plans/{id}/categories', 5],
  ['payees', 'list_payees', {}, 'GET /plans/{id}/payees', 10],
  ['transactions', 'list_transactions', {}, 'GET /plans/{id}/transactions', 2],
  ['scheduled transactions', 'list_scheduled_transactions', {}, 'GET /plans/{id}/scheduled_transactions', 5],
  ['months', 'list_months', {}, 'GET /plans/{id}/months', 5],
  ['one month', 'get_month', { month: '2026-11-01' }, 'GET /plans/{id}/months/2026-11-01', 5],
  ['the user', 'get_user', {}, 'GET /user', 30],
];

describe('data is fresh for the time of its kind', () => {
  test.each(READS)('%s', async (_, name, args, route, minutes) => {
    const others = name === 'list_budgets' || name === 'get_user' ? [] : ['GET /plans'];
    expect(await requestsOf(name, args)).toEqual([...others, route]);
    stack.clock.advance(minutes * MINUTE - 1);
    expect(await requestsOf(name, args)).toEqual([]);
    // Expired: the old value is returned, and renewed once.
    stack.clock.advance(1);
    await Promise.all([stack.call(name, { ...args }), stack.call(name, { ...args })]);
    const isRenewed = (): boolean => stack.proxy.seen.some((seen) => seen.route === route);
    await expect.poll(isRenewed).toBe(true);
    const renewals = stack.proxy.takeRoutes().filter((each) => each === route);
    expect(renewals).toEqual([route]);
  });
});

test('expired data is served for two minutes while it is renewed, and then no longer', async () => {
  const payee = (): Promise<string> => stack.call('list_payees', { limit: 500 });
  await payee();
  stack.clock.advance(10 * MINUTE + 2 * MINUTE - 1);
  let release: () => void = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  stack.proxy.fail('GET /plans/{id}/payees', { before: () => held });
  // The renewal does not end before this call does.
  expect(await payee()).toContain('Corner Market');
  release();
  await stack.call('clear_cache');
  await payee();
  stack.clock.advance(10 * MINUTE + 2 * MINUTE);
  expect(await requestsOf('list_payees')).toContain('GET /plans/{id}/payees');
  const { total_count: total, cached } = await stack.json<{ total_count: number; cached: boolean }>(
    'list_payees',
  );
  expect({ total: total > 10, cached }).toEqual({ total: true, cached: true });
});

test('50 concurrent calls of a cold cache send one request', async () => {
  await Promise.all(Array.from({ length: 50 }, () => stack.call('list_accounts')));
  expect(stack.proxy.takeRoutes()).toEqual(['GET /plans', 'GET /plans/{id}/accounts']);
});

test('requests for different days of one year share one list', async () => {
  await requestsOf('list_transactions', { since_date: '2026-03-01' });
  expect(await requestsOf('list_transactions', { since_date: '2026-10-05' })).toEqual([]);
});

test('completions are answered from the cache', async () => {
  const client = await connectV2(stack.server);
  const ref = { type: 'ref/prompt', name: 'create-transaction' } as const;
  const complete = (): Promise<unknown> => client.complete({ ref, argument: { name: 'payee', value: 'c' } });
  await complete();
  expect(stack.proxy.takeRoutes()).toEqual(['GET /plans', 'GET /plans/{id}/payees']);
  await complete();
  await stack.call('list_payees');
  expect(stack.proxy.takeRoutes()).toEqual([]);
  await client.close();
});

describe('a write drops the data that it changes', () => {
  const LISTS = ['accounts', 'categories', 'months', 'payees', 'transactions'];
  const warm = async (): Promise<void> => {
    for (const list of [...LISTS, 'scheduled_transactions']) await stack.call(`list_${list}`);
    await stack.call('get_month', { month: '2026-11-01' });
    stack.proxy.takeRoutes();
  };
  const reloaded = async (): Promise<readonly string[]> => {
    stack.proxy.takeRoutes();
    await stack.call('list_scheduled_transactions');
    for (const list of LISTS) await stack.call(`list_${list}`);
    await stack.call('get_month', { month: '2026-11-01' });
    return stack.proxy.takeRoutes().map((route) => route.replace('GET /plans/{id}/', ''));
  };

  test('a transaction changes balances and may create a payee', async () => {
    await warm();
    await stack.call('create_transaction', {
      account_id: CHECKING,
      amount_decimal: -1,
      date: '2026-11-17',
      payee_name: 'Brand New Payee',
    });
    expect(await reloaded()).toEqual([...LISTS, 'months/2026-11-01']);
    expect(await stack.call('list_payees', { limit: 500 })).toContain('Brand New Payee');
  });

  test('a scheduled transaction changes no balance, but may create a payee', async () => {
    await warm();
    await stack.call('create_scheduled_transaction', {
      account_id: CHECKING,
      amount_decimal: -1,
      date: '2026-12-24',
      frequency: 'yearly',
    });
    expect(await reloaded()).toEqual(['scheduled_transactions', 'payees']);
  });

  test('a category changes categories and months', async () => {
    await warm();
    const { categories } = await stack.json<{ categories: { id: string; name: string }[] }>(
      'list_categories',
      { limit: 500 },
    );
    const category = categories.find(({ name }) => name === 'Groceries');
    await stack.call('update_category', { category_id: category?.id, budgeted_decimal: 321 });
    expect(await reloaded()).toEqual(['categories', 'months', 'months/2026-11-01']);
  });

  test('a load that a write overtakes is not cached', async () => {
    let release: () => void = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await stack.call('list_budgets');
    stack.proxy.fail('GET /plans/{id}/accounts', { before: () => held });
    const slow = stack.call('list_accounts');
    await expect.poll(() => stack.proxy.takeRoutes()).toEqual(['GET /plans/{id}/accounts']);
    await stack.call('create_account', { name: 'Overtaking', type: 'cash' });
    release();
    await slow;
    expect(await requestsOf('list_accounts')).toEqual(['GET /plans/{id}/accounts']);
    expect(await stack.call('list_accounts')).toContain('Overtaking');
  });

  test('other budgets keep theirs', async () => {
    await stack.call('list_accounts', { budget_id: TOKYO });
    await stack.call('create_account', { name: 'Elsewhere', type: 'cash' });
    expect(await requestsOf('list_accounts', { budget_id: TOKYO })).toEqual([]);
  });

  test('subscribers of its resources are notified, and read the new state', async () => {
    const client = await connectV2(stack.server);
    const updated: string[] = [];
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      updated.push(params.uri);
    });
    const uri = `ynab://budgets/${HOUSEHOLD}/accounts`;
    const one = `${uri}/${CHECKING}`;
    const month = `ynab://budgets/${HOUSEHOLD}/months/2026-11-01`;
    await client.readResource({ uri: one });
    const subscription = await client.listen({ resourceSubscriptions: [uri, one, month] });
    await stack.call('create_account', { name: 'Notified', type: 'cash' });
    await expect.poll(() => updated.toSorted()).toEqual([uri, one, month]);
    const { contents } = await client.readResource({ uri });
    expect(JSON.stringify(contents)).toContain('Notified');
    await subscription.close();
    await client.close();
  });
});

describe('two access tokens share nothing', () => {
  test('each loads its own data', async () => {
    await stack.call('list_budgets');
    await stack.call('list_budgets', {}, OTHER_TOKEN);
    await stack.call('list_budgets', {}, OTHER_TOKEN);
    expect(stack.proxy.seen.map(({ route, authorization }) => `${route} ${authorization}`)).toEqual([
      'GET /plans Bearer token-of-ada',
      'GET /plans Bearer token-of-bob',
    ]);
  });

  test('clear_cache clears only the data of its caller', async () => {
    await stack.call('list_budgets');
    await stack.call('list_budgets', {}, OTHER_TOKEN);
    await stack.call('clear_cache', {}, OTHER_TOKEN);
    expect(await requestsOf('list_budgets')).toEqual([]);
    expect(await requestsOf('list_budgets', {}, OTHER_TOKEN)).toEqual(['GET /plans']);
  });
});

test('the least recently used list is dropped beyond YNAB_MCP_CACHE_MAX_ENTRIES', async () => {
  const small = await startProxied({ environment: { YNAB_MCP_CACHE_MAX_ENTRIES: '4' } });
  for (const name of ['list_accounts', 'list_payees']) await small.call(name);
  // Full: budgets, the budget that was used last, accounts, payees. Accounts are used again, so payees are the oldest list.
  for (const name of ['list_accounts', 'list_months', 'list_categories']) await small.call(name);
  small.proxy.takeRoutes();
  await small.call('list_accounts');
  expect(small.proxy.takeRoutes()).toEqual([]);
  await small.call('list_payees');
  expect(small.proxy.takeRoutes()).toEqual(['GET /plans/{id}/payees']);
  const { cache } = await small.json<{ cache: { entries: number; evictions: number } }>('diagnostic_info');
  expect(cache).toMatchObject({ entries: 4, evictions: 3 });
  await small.close();
});

test('YNAB_MCP_CACHE_DEFAULT_TTL_MS and YNAB_MCP_CACHE_STALE_MS replace the times', async () => {
  const short = await startProxied({
    environment: { YNAB_MCP_CACHE_DEFAULT_TTL_MS: '1000', YNAB_MCP_CACHE_STALE_MS: '0' },
  });
  await short.call('get_user');
  short.clock.advance(999);
  await short.call('get_user');
  expect(short.proxy.takeRoutes()).toEqual(['GET /user']);
  short.clock.advance(1);
  await short.call('get_user');
  expect(short.proxy.takeRoutes()).toEqual(['GET /user']);
  await short.close();
});
