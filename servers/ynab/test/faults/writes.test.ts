import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { Fault } from '../support/faulty-proxy.ts';
import { CHECKING, startProxied, VISA } from '../support/proxied-stack.ts';
import { TOKEN } from '../support/stack.ts';

const stack = await startProxied();
afterAll(() => stack.close());
beforeEach(async () => {
  await stack.call('clear_cache');
  stack.clock.advance(10_000);
  await stack.call('list_accounts');
  stack.proxy.takeRoutes();
});
const closed = `http://127.0.0.1:${new URL(stack.proxyUrl).port} could not be reached: it closed the connection.`;

interface Listed {
  readonly id: string;
  readonly import_id?: string;
  readonly memo?: string;
}

/** The transactions with this memo. */
async function withMemo(memo: string): Promise<readonly Listed[]> {
  const { transactions } = await stack.json<{ transactions: Listed[] }>('list_transactions', {
    since_date: '2026-11-01',
    limit: 500,
  });
  return transactions.filter((each) => each.memo === memo);
}

function creation(memo: string, more: object = {}): Record<string, unknown> {
  return { account_id: CHECKING, amount_decimal: -5, date: '2026-11-16', memo, ...more };
}

const sentRoutes = (): string[] => stack.proxy.takeRoutes().filter((route) => !route.startsWith('GET'));
const POST = 'POST /plans/{id}/transactions';

/** Faults after which nobody but the API knows whether the change was made. */
const LOSSES: [string, () => Fault][] = [
  ['the connection closes before the response', () => 'lose'],
  ['the connection closes in the middle of the response', () => 'cut'],
  ['the response is not valid JSON', () => ({ replace: '{"data":' })],
  ['the response is a web page', () => ({ replace: '"<html>"' })],
];

describe('a creation with import_id whose response is lost is sent again, exists once, and is returned', () => {
  test.each(LOSSES)('%s', async (title, fault) => {
    const memo = `with import id: ${title}`;
    const importId = `id:${LOSSES.findIndex(([each]) => each === title)}`;
    stack.proxy.fail(POST, fault());
    const outcome = await stack.outcome('create_transaction', creation(memo, { import_id: importId }));
    expect(outcome.isError).toBe(false);
    expect(sentRoutes()).toEqual([POST, POST]);
    const found = await withMemo(memo);
    expect(found).toHaveLength(1);
    expect(JSON.parse(outcome.text)).toMatchObject({
      transaction: { id: found[0]?.id, import_id: importId, amount: -5, date: '2026-11-16', memo },
    });
  });

  test('also if it exceeds the deadline', async () => {
    stack.proxy.fail(POST, { hang: () => stack.clock.advance(10_000) });
    const outcome = await stack.outcome('create_transaction', creation('late', { import_id: 'id:late' }));
    expect(JSON.parse(outcome.text)).toMatchObject({ transaction: { memo: 'late' } });
    expect(await withMemo('late')).toHaveLength(1);
  });

  test('several at once: each is reported as created, not as a duplicate', async () => {
    const transactions = ['id:a', 'id:b'].map((id) => creation('bulk', { import_id: id }));
    stack.proxy.fail(POST, 'lose');
    const outcome = await stack.outcome('create_transactions', { transactions });
    const { results } = JSON.parse(outcome.text) as { results: { status: string }[] };
    expect(results.map(({ status }) => status)).toEqual(['created', 'created']);
    expect(await withMemo('bulk')).toHaveLength(2);
  });
});

test('a lost creation whose import_id belongs to an older transaction is a conflict', async () => {
  await stack.call('create_transaction', creation('older', { import_id: 'id:taken' }));
  stack.proxy.fail(POST, { respond: 201, body: '' });
  const outcome = await stack.outcome(
    'create_transaction',
    creation('newer', { import_id: 'id:taken', amount_decimal: -6 }),
  );
  expect(outcome).toMatchObject({
    isError: true,
    code: 'TOOL_ERROR',
    text: 'The change conflicts with data of the budget. (409 conflict: A transaction on the same account with the same import_id (id:taken) already exists)\nSuggestion: A transaction with the same import_id exists in this account: list its transactions first.',
  });
  expect(await withMemo('newer')).toEqual([]);
});

test('an import_id that exists already is a conflict, not a success', async () => {
  await stack.call('create_transaction', creation('first', { import_id: 'id:twice' }));
  const outcome = await stack.outcome('create_transaction', creation('first', { import_id: 'id:twice' }));
  expect(outcome).toMatchObject({ isError: true, code: 'TOOL_ERROR' });
  expect(outcome.text).toContain('409 conflict');
  expect(await withMemo('first')).toHaveLength(1);
});

describe('a creation without import_id is sent once, and the error says that it may have been applied', () => {
  test.each(LOSSES)('%s', async (title, fault) => {
    const memo = `without import id: ${title}`;
    stack.proxy.fail(POST, fault());
    const outcome = await stack.outcome('create_transaction', creation(memo));
    expect(outcome).toMatchObject({ isError: true, code: 'UPSTREAM_FAILED' });
    expect(outcome.text).toMatch(
      /^The connection was lost while the change was sent: it may have been applied\. \(.+\)\nSuggestion: Read the data before you repeat the call\.$/,
    );
    expect(outcome.raw).not.toContain(TOKEN);
    expect(sentRoutes()).toEqual([POST]);
    // The cache was dropped, so that the advice to read the data works.
    expect(await withMemo(memo)).toHaveLength(1);
  });

  test('the deadline passes', async () => {
    stack.proxy.fail(POST, { hang: () => stack.clock.advance(10_000) });
    const outcome = await stack.outcome('create_transaction', creation('too late'));
    expect(outcome).toMatchObject({ isError: true, code: 'TIMED_OUT' });
    expect(outcome.text).toContain('it may have been applied. (http://127.0.0.1:');
    expect(sentRoutes()).toEqual([POST]);
  });
});

test('if the second attempt is lost too, the error says so and that a repeated call is safe', async () => {
  stack.proxy.fail(POST, 'lose', 2);
  const args = creation('lost twice', { import_id: 'id:lost-twice' });
  expect(await stack.outcome('create_transaction', args)).toMatchObject({
    isError: true,
    code: 'UPSTREAM_FAILED',
    text: `The connection was lost while the change was sent: it may have been applied. (${closed}) It was sent again: ${closed}\nSuggestion: Call again with the same arguments: a change that was applied is not applied twice.`,
  });
  expect(await withMemo('lost twice')).toHaveLength(1);
});

describe('an update or a deletion whose response is lost is repeated, and has its effect once', () => {
  test('update_transaction', async () => {
    const { transaction } = await stack.json<{ transaction: Listed }>(
      'create_transaction',
      creation('before'),
    );
    stack.proxy.fail('PUT', 'lose');
    const updated = await stack.json('update_transaction', { transaction_id: transaction.id, memo: 'after' });
    expect(updated).toMatchObject({ transaction: { id: transaction.id, memo: 'after' } });
  });

  test('update_transactions', async () => {
    const { transaction } = await stack.json<{ transaction: Listed }>(
      'create_transaction',
      creation('before'),
    );
    stack.proxy.fail('PATCH', 'cut');
    const updated = await stack.json('update_transactions', {
      transactions: [{ id: transaction.id, memo: 'bulk after' }],
    });
    expect(updated).toMatchObject({ results: [{ status: 'updated', id: transaction.id }] });
  });

  test('delete_transaction', async () => {
    const { transaction } = await stack.json<{ transaction: Listed }>(
      'create_transaction',
      creation('deleted'),
    );
    stack.proxy.fail('DELETE', 'lose');
    const deleted = await stack.json('delete_transaction', { transaction_id: transaction.id });
    expect(deleted).toMatchObject({ deleted: true, transaction: { id: transaction.id, memo: 'deleted' } });
    expect(await withMemo('deleted')).toEqual([]);
  });

  test('delete_scheduled_transaction', async () => {
    const { scheduled_transaction: scheduled } = await stack.json<{ scheduled_transaction: Listed }>(
      'create_scheduled_transaction',
      { account_id: VISA, amount_decimal: -9, date: '2026-12-01', frequency: 'monthly' },
    );
    stack.proxy.fail('DELETE', 'lose');
    const deleted = await stack.json('delete_scheduled_transaction', {
      scheduled_transaction_id: scheduled.id,
    });
    expect(deleted).toMatchObject({ deleted: true, scheduled_transaction: { id: scheduled.id } });
  });
});

describe('a change that was not sent is not said to be applied', () => {
  test('the limit of requests is used up, or the API cannot be reached', async () => {
    const other = await startProxied({ requestsPerHour: 3 });
    await other.call('list_accounts');
    await other.call('list_payees');
    other.proxy.takeRoutes();
    const limited = await other.outcome('create_transaction', creation('limited'));
    expect(limited).toMatchObject({ isError: true, code: 'UPSTREAM_LIMITED', retryAfterMs: 3_600_000 });
    expect(limited.text).toMatch(
      /^The rate limit of 3 requests in 3600 s to http:.+ is exceeded\. Try again in 3600 s\.$/,
    );
    expect(other.proxy.takeRoutes()).toEqual([]);
    other.clock.advance(3_600_000);
    await other.call('list_accounts');
    await other.proxy.close();
    const unsent = await other.outcome('create_transaction', creation('unsent'));
    expect(unsent).toMatchObject({ isError: true, code: 'UPSTREAM_FAILED' });
    expect(unsent.text).toMatch(/^http:.+ could not be reached: it refused the connection\.$/);
    await other.close();
  });

  test('the API rejects it', async () => {
    const body = '{"error":{"id":"429","name":"too_many_requests","detail":"Too many requests"}}';
    stack.proxy.fail(POST, { respond: 429, body });
    const outcome = await stack.outcome('create_transaction', creation('rejected', { import_id: 'id:429' }));
    expect(outcome).toMatchObject({ isError: true, code: 'UPSTREAM_LIMITED' });
    expect(sentRoutes()).toEqual([POST]);
    expect(await withMemo('rejected')).toEqual([]);
  });
});
