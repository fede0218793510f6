import { afterAll, beforeEach, expect, test } from 'vitest';
import { CHECKING, startProxied } from '../support/proxied-stack.ts';
import { OTHER_TOKEN } from '../support/stack.ts';

const HOUR = 3_600_000;
const MINUTE = 60_000;
const stack = await startProxied({ requestsPerHour: 200 });
afterAll(() => stack.close());
beforeEach(async () => {
  stack.clock.advance(HOUR);
  await stack.call('clear_cache');
  stack.proxy.takeRoutes();
});

interface Security {
  readonly requests_remaining: number;
  readonly requests_reset_at?: string;
}

const limit = async (token?: string): Promise<Security> =>
  (await stack.json<{ security: Security }>('diagnostic_info', {}, token)).security;

test('every request to the API counts, and local tools do not', async () => {
  expect(await limit()).not.toHaveProperty('requests_reset_at');
  await stack.call('convert_amount', { amount: 1, to_milliunits: true });
  await stack.call('set_output_format', { default_minify: true });
  expect(await limit()).toMatchObject({ requests_remaining: 200 });
  await stack.call('list_accounts');
  await stack.call('list_accounts');
  // The budgets and the accounts; the second call is answered from the cache.
  expect(await limit()).toMatchObject({ requests_remaining: 198 });
});

test('the limit is rolling: requests_reset_at is one hour after the oldest request', async () => {
  const start = stack.clock.now();
  await stack.call('get_user');
  stack.clock.advance(30 * MINUTE);
  await stack.call('list_budgets');
  expect(await limit()).toMatchObject({
    requests_remaining: 198,
    requests_reset_at: new Date(start + HOUR).toISOString(),
  });
  stack.clock.advance(30 * MINUTE);
  expect(await limit()).toMatchObject({
    requests_remaining: 199,
    requests_reset_at: new Date(start + HOUR + 30 * MINUTE).toISOString(),
  });
});

test('retries count', async () => {
  await stack.call('list_budgets');
  stack.proxy.fail('GET /plans/{id}/accounts', { respond: 503, body: '' });
  await stack.call('list_accounts');
  expect(stack.proxy.takeRoutes()).toEqual([
    'GET /plans',
    'GET /plans/{id}/accounts',
    'GET /plans/{id}/accounts',
  ]);
  expect(await limit()).toMatchObject({ requests_remaining: 197 });
});

test('a reconciliation counts each of its requests', async () => {
  await stack.call('list_budgets');
  const args = {
    account_id: CHECKING,
    csv_data: 'Date,Description,Amount\n2026-11-16,Lamp Shop,-12.00\n',
    statement_balance: 0,
    dry_run: false,
    auto_create_transactions: true,
  };
  await stack.call('reconcile_account', args);
  // Budgets, two loads before the change, the change, two loads after it.
  expect(stack.proxy.takeRoutes()).toHaveLength(6);
  expect(await limit()).toMatchObject({ requests_remaining: 194 });
});

test('the 201st request of an hour is not sent; another token is not affected', async () => {
  for (let count = 0; count < 200; count += 1) {
    await stack.call('clear_cache');
    await stack.call('get_user');
  }
  await stack.call('clear_cache');
  stack.clock.advance(10 * MINUTE);
  stack.proxy.takeRoutes();
  const outcome = await stack.outcome('get_user');
  expect(outcome).toMatchObject({ isError: true, code: 'UPSTREAM_LIMITED', retryAfterMs: 50 * MINUTE });
  expect(outcome.text).toMatch(
    /^The rate limit of 200 requests in 3600 s to http:.+ is exceeded\. Try again in 3000 s\.$/,
  );
  expect(stack.proxy.takeRoutes()).toEqual([]);
  expect(await limit()).toMatchObject({ requests_remaining: 0 });
  expect(await limit(OTHER_TOKEN)).toMatchObject({ requests_remaining: 200 });
  await stack.call('get_user', {}, OTHER_TOKEN);
  stack.clock.advance(50 * MINUTE);
  await stack.call('get_user');
});
