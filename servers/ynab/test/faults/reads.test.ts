import { serveBudgetApi } from '@toolwright/ynab-api';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { Fault } from '../support/faulty-proxy.ts';
import { startProxied } from '../support/proxied-stack.ts';
import type { Outcome } from '../support/proxied-stack.ts';
import { OTHER_TOKEN, TestClock, TOKEN } from '../support/stack.ts';

const stack = await startProxied();
afterAll(() => stack.close());
beforeEach(async () => {
  await stack.call('clear_cache');
  // Longer than an open circuit breaker.
  stack.clock.advance(10_000);
});

const error = (id: string, name: string, detail: string): string =>
  JSON.stringify({ error: { id, name, detail } });

/** Loads the accounts while the API has this fault. */
async function listDuring(fault: Fault, times = 1): Promise<Outcome> {
  stack.proxy.fail('GET /plans/{id}/accounts', fault, times);
  const outcome = await stack.outcome('list_accounts');
  stack.proxy.heal();
  expect(outcome.raw).not.toContain(TOKEN);
  return outcome;
}

describe('an error response is explained by its status and name', () => {
  test.each([
    [
      400,
      error('400', 'bad_request', 'since_date is invalid'),
      'TOOL_ERROR',
      'The budget API rejected the request. (400 bad_request: since_date is invalid)\nSuggestion: Correct the named value, then call again.',
    ],
    [
      401,
      error('401', 'unauthorized', 'Unauthorized'),
      'TOOL_ERROR',
      'The access token is invalid, expired or revoked. (401 unauthorized: Unauthorized)\nSuggestion: Create a new access token in the YNAB developer settings, and set YNAB_ACCESS_TOKEN.',
    ],
    [
      403,
      error('403.1', 'subscription_lapsed', 'Subscription lapsed'),
      'TOOL_ERROR',
      'The YNAB subscription of this account has lapsed. (403 subscription_lapsed: Subscription lapsed)\nSuggestion: Renew the subscription on the YNAB website.',
    ],
    [
      403,
      error('403.2', 'trial_expired', 'Trial expired'),
      'TOOL_ERROR',
      'The YNAB trial of this account has ended. (403 trial_expired: Trial expired)\nSuggestion: Subscribe on the YNAB website.',
    ],
    [
      403,
      error('403.3', 'unauthorized_scope', 'The access token is read-only'),
      'TOOL_ERROR',
      'The access token may not change data. (403 unauthorized_scope: The access token is read-only)\nSuggestion: Create an access token with write access.',
    ],
    [
      403,
      error('403.4', 'data_limit_reached', 'Too many accounts'),
      'TOOL_ERROR',
      'The request would exceed a data limit of the budget. (403 data_limit_reached: Too many accounts)\nSuggestion: Send fewer items.',
    ],
    [
      403,
      error('403', 'forbidden', 'Forbidden'),
      'TOOL_ERROR',
      'The access token may not do this. (403 forbidden: Forbidden)\nSuggestion: Check the access token and the subscription.',
    ],
    [
      409,
      error('409', 'conflict', 'Conflict'),
      'TOOL_ERROR',
      'The change conflicts with data of the budget. (409 conflict: Conflict)\nSuggestion: A transaction with the same import_id exists in this account: list its transactions first.',
    ],
    [
      418,
      error('418', 'teapot', 'Not 500'),
      'TOOL_ERROR',
      'The budget API rejected the request. (418 teapot: Not 500)\nSuggestion: Correct the named value, then call again.',
    ],
    [
      404,
      error('404.2', 'resource_not_found', 'Resource 429 or 500 not found'),
      'TOOL_ERROR',
      'The budget API does not know one of the ids. (404 resource_not_found: Resource 429 or 500 not found)\nSuggestion: Call the list tool of this kind for current ids.',
    ],
    [
      429,
      error('429', 'too_many_requests', 'Too many requests'),
      'UPSTREAM_LIMITED',
      'The budget API rejects further requests for now. (429 too_many_requests: Too many requests)\nSuggestion: Wait before you call again.',
    ],
    [
      500,
      error('500', 'internal_server_error', 'An unexpected error occurred'),
      'UPSTREAM_FAILED',
      'The budget API failed. (500 internal_server_error: An unexpected error occurred)\nSuggestion: Read the data again before you repeat a change: it may have been applied.',
    ],
    [
      502,
      '<html>Bad Gateway</html>',
      'UPSTREAM_FAILED',
      'The budget API failed. (502 unknown: no detail)\nSuggestion: Read the data again before you repeat a change: it may have been applied.',
    ],
    [
      503,
      error('503', 'service_unavailable', 'Try later'),
      'UPSTREAM_FAILED',
      'The budget API is not available. (503 service_unavailable: Try later)\nSuggestion: Call again in a few minutes.',
    ],
  ])('%i %s', async (status, body, code, text) => {
    const outcome = await listDuring({ respond: status, body }, 3);
    expect(outcome).toMatchObject({ isError: true, code, text });
  });

  test('Retry-After of a 429 is passed on in milliseconds', async () => {
    const body = error('429', 'too_many_requests', 'Too many requests');
    const outcome = await listDuring({ respond: 429, body, headers: { 'retry-after': '60' } });
    expect(outcome).toMatchObject({ code: 'UPSTREAM_LIMITED', retryAfterMs: 60_000 });
  });

  test('an access token that the API repeats is removed', async () => {
    const outcome = await listDuring({ respond: 400, body: error('400', 'bad_request', `Bad ${TOKEN}`) });
    expect(outcome.text).toContain('(400 bad_request: Bad [redacted])');
  });
});

describe('a response that is no response of the API is an upstream failure', () => {
  const { port } = new URL(stack.proxyUrl);
  const closed = `http://127.0.0.1:${port} could not be reached: it closed the connection.`;
  const withoutData = 'The response of the budget API to getAccounts has no data.';
  test.each<[string, Fault, string]>([
    ['the connection closes before the response', 'lose', closed],
    ['the connection closes in the middle of the response', 'cut', closed],
    [
      'invalid JSON',
      { replace: '{"data":{"accounts":[' },
      'GET /plans/{plan_id}/accounts: the JSON of the response is not valid JSON.',
    ],
    ['a web page', { respond: 200, body: '<html>', headers: { 'content-type': 'text/html' } }, withoutData],
    ['no body', { respond: 200 }, withoutData],
    ['no data', { respond: 200, body: '{}' }, withoutData],
    [
      'no accounts',
      { respond: 200, body: '{"data":{"server_knowledge":1}}' },
      'The response of the budget API to getAccounts has no accounts or no server_knowledge.',
    ],
  ])('%s', async (_, fault, text) => {
    expect(await listDuring(fault, 3)).toMatchObject({ isError: true, code: 'UPSTREAM_FAILED', text });
  });

  test('a request that takes too long ends at its deadline', async () => {
    const outcome = await listDuring({ hang: () => stack.clock.advance(10_000) });
    expect(outcome).toMatchObject({
      isError: true,
      code: 'TIMED_OUT',
      text: `http://127.0.0.1:${port} did not respond within 10000 ms.`,
    });
  });

  test('after a failure, the next call loads again', async () => {
    await listDuring({ respond: 500, body: '' });
    expect(await stack.outcome('list_accounts')).toMatchObject({ isError: false });
  });
});

test('a failed refresh leaves the old list; two minutes later the failure shows', async () => {
  await stack.call('list_accounts');
  stack.proxy.fail('GET /plans/{id}/accounts', { respond: 500, body: '' }, 9);
  stack.clock.advance(5 * 60_000);
  expect(await stack.outcome('list_accounts')).toMatchObject({ isError: false });
  stack.clock.advance(2 * 60_000);
  expect(await stack.outcome('list_accounts')).toMatchObject({ isError: true, code: 'UPSTREAM_FAILED' });
  stack.proxy.heal();
});

test('a restored backup, whose knowledge is lower, is loaded whole', async () => {
  const budgetId = (await stack.json<{ budgets: { id: string }[] }>('list_budgets', {}, OTHER_TOKEN))
    .budgets[0]?.id;
  const account = (
    await stack.json<{ accounts: { id: string }[] }>('list_accounts', { budget_id: budgetId }, OTHER_TOKEN)
  ).accounts[0]?.id;
  const read = async (): Promise<(string | undefined)[]> => {
    const args = { budget_id: budgetId, account_id: account, limit: 500 };
    const { transactions } = await stack.json<{ transactions: { payee_name?: string }[] }>(
      'list_transactions',
      args,
      OTHER_TOKEN,
    );
    return transactions.map(({ payee_name: name }) => name);
  };
  await read();
  await stack.json(
    'create_transaction',
    { budget_id: budgetId, account_id: account, amount_decimal: -1, date: '2026-11-17', payee_name: 'Lost' },
    OTHER_TOKEN,
  );
  expect(await read()).toContain('Lost');
  const backup = await serveBudgetApi({
    file: ':memory:',
    tokens: [OTHER_TOKEN],
    clock: new TestClock(),
    requestsPerHour: 1_000_000,
  });
  const { target } = stack.proxy;
  stack.proxy.target = new URL(backup.url).origin;
  stack.proxy.takeRoutes();
  stack.clock.advance(10 * 60_000);
  expect(await read()).not.toContain('Lost');
  const transactionRequests = stack.proxy.seen.filter(({ route }) => route.endsWith('/transactions'));
  expect(transactionRequests.map(({ query }) => query)).toEqual([
    { since_date: '1900-01-01', last_knowledge_of_server: '2' },
    { since_date: '2025-01-01' },
  ]);
  stack.proxy.target = target;
  await backup.close();
});
