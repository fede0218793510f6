import { Client } from '@modelcontextprotocol/client';
import type { Logger, ToolCall } from 'toolwright';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { callTool, connectHttp, serveWithTokens } from '../support/clients.ts';
import type { OfficialClient } from '../support/clients.ts';
import { startProxied } from '../support/proxied-stack.ts';
import {
  addTransactions,
  ALL_CHANGES,
  createAccount,
  listTransactions,
  readReconciled,
} from '../support/statements.ts';
import { connectV1, connectV2, TOKEN } from '../support/stack.ts';

const warnings: unknown[] = [];
/** The last call of a client. */
let last: ToolCall | undefined;
const ignore = (): void => {};
const logger: Logger = {
  debug: ignore,
  info: ignore,
  warning: (message, data) => warnings.push([message, data]),
  error: ignore,
};
const stack = await startProxied({
  logger,
  onCall: (call) => {
    // The guard passes only the name and the caller.
    if (call.signal !== undefined || call.cancellation !== undefined) last = call;
  },
});
const served = await serveWithTokens(stack.server);
afterAll(async () => {
  await served.close();
  await stack.close();
});
beforeEach(() => {
  stack.clock.advance(10_000);
  stack.proxy.heal();
  warnings.length = 0;
});

const CSV = `Date,Description,Amount
2026-11-02,Hardware Store,-20.00
2026-11-03,Book Shop,-30.00
2026-11-04,Flower Shop,-40.00
`;
const UNCLEARED = '2026-11-04 -40 Flower Shop uncleared';
const MISSING = '2026-11-03 -7 Never There cleared';

/** An account that lacks two rows of the statement, has one uncleared, and one cleared that the bank does not have. */
async function prepare(): Promise<{ account_id: string; csv_data: string; statement_balance: number }> {
  const account = await createAccount(stack);
  await addTransactions(stack, account, [
    ['2026-11-04', -40, 'Flower Shop'],
    ['2026-11-03', -7, 'Never There', 'cleared'],
  ]);
  stack.proxy.takeRoutes();
  return { account_id: account, csv_data: CSV, statement_balance: -90 };
}

const POST = 'POST /plans/{id}/transactions';
const PATCH = 'PATCH /plans/{id}/transactions';
const changes = (): string[] => stack.proxy.takeRoutes().filter((route) => !route.startsWith('GET'));

const FINISHED = [
  '2026-11-02 -20 Hardware Store reconciled',
  '2026-11-03 -30 Book Shop reconciled',
  '2026-11-03 -7 Never There uncleared',
  '2026-11-04 -40 Flower Shop reconciled',
];

test('without faults, the account is brought in line, and a second run changes nothing', async () => {
  const args = await prepare();
  const outcome = await stack.outcome('reconcile_account', { ...args, ...ALL_CHANGES });
  expect(outcome.isError).toBe(false);
  expect(readReconciled(outcome).executed).toEqual({
    done: { create: 2, clear: 1, unclear: 1, reconcile: 3 },
    left: {},
    duplicate_import_ids: [],
  });
  expect(changes()).toEqual([POST, PATCH, PATCH, PATCH]);
  expect(await listTransactions(stack, args.account_id)).toEqual(FINISHED);
  const second = await stack.outcome('reconcile_account', { ...args, ...ALL_CHANGES });
  expect(readReconciled(second).executed).toEqual({ done: {}, left: {}, duplicate_import_ids: [] });
  expect(changes()).toEqual([]);
});

test.each([
  [500, 'internal_server_error', 'An unexpected error occurred'],
  [429, 'too_many_requests', 'Too many requests'],
])(
  'a run whose third request fails with %i says what was done, and the same call finishes the rest without duplicates',
  async (status, name, detail) => {
    const args = await prepare();
    // The first PATCH passes, the second one fails.
    stack.proxy.fail(PATCH, { before: ignore });
    const body = JSON.stringify({ error: { id: String(status), name, detail } });
    stack.proxy.fail(PATCH, { respond: status, body });
    const failed = await stack.outcome('reconcile_account', { ...args, ...ALL_CHANGES });
    expect(failed.isError).toBe(true);
    expect(failed.raw).not.toContain(TOKEN);
    expect(failed.text).toContain(`## Changes

- create: 2 done
- clear: 1 done
- unclear: 1 not done
- reconcile: 3 not done
- Stopped: the step "unclear" failed: The budget API responded with ${status} ${name}: ${detail}`);
    expect(changes()).toEqual([POST, PATCH, PATCH]);
    expect(readReconciled(failed).balance_after).toMatchObject({ cleared: -97, difference: 7 });
    expect(warnings).toHaveLength(1);
    expect(await listTransactions(stack, args.account_id)).toEqual([
      '2026-11-02 -20 Hardware Store cleared',
      '2026-11-03 -30 Book Shop cleared',
      MISSING,
      '2026-11-04 -40 Flower Shop cleared',
    ]);
    const second = await stack.outcome('reconcile_account', { ...args, ...ALL_CHANGES });
    expect(second.isError).toBe(false);
    expect(readReconciled(second).executed?.done).toEqual({ unclear: 1 });
    expect(readReconciled(second).next_steps).toEqual(['The account agrees with the statement.']);
    // Only transactions that a run clears are marked reconciled: these were cleared by the first one.
    expect(await listTransactions(stack, args.account_id)).toEqual(
      FINISHED.map((line) => line.replace('reconciled', 'cleared')),
    );
  },
);

test('if the account cannot be read after the changes, the result still says what was done', async () => {
  const args = await prepare();
  stack.proxy.fail(PATCH, { before: () => stack.proxy.fail('GET', { respond: 500, body: '' }, 9) });
  const outcome = await stack.outcome('reconcile_account', {
    ...args,
    dry_run: false,
    auto_update_cleared_status: true,
  });
  stack.proxy.heal();
  expect(outcome.isError).toBe(false);
  expect(outcome.text).toContain('- clear: 1 done');
  expect(outcome.text).toContain(
    '- The account could not be read after the changes: the balances and rows here are those before them. Call again with dry_run true.',
  );
  expect(readReconciled(outcome)).not.toHaveProperty('balance_after');
});

test('a creation whose response is lost counts as done, and its transactions are reconciled', async () => {
  const args = await prepare();
  stack.proxy.fail(POST, 'lose');
  const outcome = await stack.outcome('reconcile_account', { ...args, ...ALL_CHANGES });
  expect(readReconciled(outcome).executed).toEqual({
    done: { create: 2, clear: 1, unclear: 1, reconcile: 3 },
    left: {},
    duplicate_import_ids: [],
  });
  expect(await listTransactions(stack, args.account_id)).toEqual(FINISHED);
});

test('if the first request fails, nothing was done and the call fails with the reason', async () => {
  const args = await prepare();
  stack.proxy.fail(POST, { respond: 503, body: '' });
  expect(await stack.outcome('reconcile_account', { ...args, ...ALL_CHANGES })).toMatchObject({
    isError: true,
    code: 'UPSTREAM_FAILED',
    text: 'The budget API is not available. (503 unknown: no detail)\nSuggestion: Call again in a few minutes.',
  });
  expect(await listTransactions(stack, args.account_id)).toEqual([MISSING, UNCLEARED]);
});

/** Official clients over HTTP and in memory. */
const CLIENTS: readonly (readonly [name: string, connect: () => Promise<OfficialClient>])[] = [
  ['v1 over HTTP', () => connectHttp('v1', served.url, TOKEN)],
  ['v2 over HTTP', () => connectHttp('v2', served.url, TOKEN)],
  ['v1 in memory', () => connectV1(stack.server)],
  ['v2 in memory', () => connectV2(stack.server)],
];

describe.each(CLIENTS)('cancelled by the official client %s', (_name, connect) => {
  test('a run sends nothing more, its changes are logged and listed, and the same call makes the rest', async () => {
    const client = await connect();
    const args = { ...(await prepare()), ...ALL_CHANGES };
    const call = { name: 'reconcile_account', arguments: args };
    const controller = new AbortController();
    const options = { signal: controller.signal };
    // The API gets the creation after the server knows of the cancellation.
    const cancel = async (): Promise<void> => {
      controller.abort(new Error('the user pressed Escape'));
      await expect.poll(() => last?.cancellation?.isCancelled ?? last?.signal?.aborted).toBe(true);
    };
    stack.proxy.fail(POST, { before: cancel });
    const called =
      client instanceof Client ? client.callTool(call, options) : client.callTool(call, undefined, options);
    await expect(called).rejects.toThrow('the user pressed Escape');
    await expect.poll(() => warnings).toHaveLength(1);
    expect(warnings).toEqual([
      [
        'reconciliation stopped',
        {
          tool: 'reconcile_account',
          done: { create: 2 },
          left: { clear: 1, unclear: 1, reconcile: 3 },
          duplicate_import_ids: [],
          stopped: 'cancelled before the step "clear"',
        },
      ],
    ]);
    // Two loads before the first change, and none after it.
    expect(stack.proxy.takeRoutes()).toEqual([
      'GET /plans/{id}/accounts',
      'GET /plans/{id}/transactions',
      POST,
    ]);
    expect(await listTransactions(stack, args.account_id)).toEqual([
      '2026-11-02 -20 Hardware Store cleared',
      '2026-11-03 -30 Book Shop cleared',
      MISSING,
      UNCLEARED,
    ]);
    const second = await callTool(client, 'reconcile_account', args);
    expect(second.text).toContain('- clear: 1 done\n- unclear: 1 done\n- reconcile: 1 done');
    expect(await listTransactions(stack, args.account_id)).toEqual([
      '2026-11-02 -20 Hardware Store cleared',
      '2026-11-03 -30 Book Shop cleared',
      '2026-11-03 -7 Never There uncleared',
      '2026-11-04 -40 Flower Shop reconciled',
    ]);
    await client.close();
  });
});
