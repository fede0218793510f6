import { afterAll, expect, test } from 'vitest';
import { HOUSEHOLD } from '../support/sample.ts';
import { OTHER_TOKEN, startStack, TestClock } from '../support/stack.ts';

const clock = new TestClock();
const stack = await startStack({ clock, requestsPerHour: 3 });
afterAll(() => stack.close());

interface Diagnosed {
  readonly security: { readonly requests_remaining: number; readonly requests_reset_at?: string };
}

async function remaining(): Promise<readonly unknown[]> {
  const { security } = await stack.json<Diagnosed>('diagnostic_info');
  return [security.requests_remaining, security.requests_reset_at];
}

const MINUTE = 60_000;

test('the limit counts requests to the API of one token in a rolling hour', async () => {
  await stack.call('convert_amount', { amount: 1, to_milliunits: true });
  expect(await remaining()).toEqual([3, undefined]);
  await stack.call('get_user');
  await stack.call('get_user');
  expect(await remaining()).toEqual([2, '2026-11-18T13:00:00.000Z']);
  clock.advance(MINUTE);
  await stack.call('list_budgets');
  await stack.call('list_accounts', { budget_id: HOUSEHOLD });
  expect(await remaining()).toEqual([0, '2026-11-18T13:00:00.000Z']);
  await expect(stack.call('list_payees', { budget_id: HOUSEHOLD })).rejects.toThrow(/limit/);
  await stack.call('get_user', {}, OTHER_TOKEN);
  // Only the first request is an hour old.
  clock.advance(59 * MINUTE);
  await stack.call('clear_cache');
  expect(await remaining()).toEqual([1, '2026-11-18T13:01:00.000Z']);
  await stack.call('get_user');
  await expect(stack.call('list_budgets')).rejects.toThrow(/limit/);
});

test('the error of the limit names the time until the next request', async () => {
  const limited = await startStack({ requestsPerHour: 1 });
  await limited.call('get_user');
  const message = await limited.call('list_budgets').catch((error: Error) => error.message);
  expect(message).toBe(
    `The rate limit of 1 requests in 3600 s to ${new URL(limited.apiUrl).origin} is exceeded. Try again in 3600 s.`,
  );
  await limited.close();
});
