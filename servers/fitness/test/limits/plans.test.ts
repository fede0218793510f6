import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { callTool, VERSIONS } from '../support/clients.ts';
import type { OfficialClient } from '../support/clients.ts';
import { startStack } from '../support/stack.ts';
import type { Stack } from '../support/stack.ts';

const PLANS = [
  { plan: 'starter', burst: 100, month: 10_000, written: ['100', '10,000'] },
  { plan: 'professional', burst: 500, month: 100_000, written: ['500', '100,000'] },
  { plan: 'enterprise', burst: 2000, month: 1_000_000, written: ['2,000', '1,000,000'] },
] as const;
/** The first millisecond of December. */
const MONTH_ENDS = Date.parse('2026-12-01T00:00:00Z');

let folder: string;
let stack: Stack;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fitness-plans-'));
  stack = await startStack({ databaseFile: join(folder, 'plans.db') });
});
afterEach(async () => {
  await stack.close();
  rmSync(folder, { recursive: true });
});

/** Calls a tool until a call is refused, at most `most` times. Returns the number of successful calls, and the message. */
async function callUntilRefused(
  client: OfficialClient,
  most: number,
): Promise<{ readonly succeeded: number; readonly message: string | undefined }> {
  for (let succeeded = 0; succeeded < most; succeeded += 1) {
    const { isError, text } = await callTool(client, 'get_connection_status');
    if (isError) return { succeeded, message: text };
  }
  return { succeeded: most, message: undefined };
}

describe.each(VERSIONS)('client %s', (version) => {
  test.each(PLANS)(
    'the plan $plan has a burst of $burst calls a minute, and not one more',
    async ({ plan, burst, written }) => {
      const client = await stack.connect({ version, caller: plan });
      expect(await callUntilRefused(client, burst + 1)).toEqual({
        succeeded: burst,
        message: `The tenant ${plan}-team has ${written[0]} calls a minute with the plan ${plan}. Try again in 60 s.`,
      });
      stack.clock.advance(59_999);
      expect((await callUntilRefused(client, 1)).message).toContain('Try again in 1 s.');
      stack.clock.advance(1);
      expect((await callUntilRefused(client, burst + 1)).succeeded).toBe(burst);
    },
  );

  test.each(PLANS)(
    'the plan $plan has $month calls a month, and not one more',
    async ({ plan, month, written }) => {
      stack.database.run(
        "INSERT INTO toolwright_rates (key, ends_at, count, is_blocked) VALUES ('month|2026-11|tenant:' || ?, ?, ?, 0)",
        `${plan}-team`,
        MONTH_ENDS,
        month - 2,
      );
      const client = await stack.connect({ version, caller: plan });
      expect(await callUntilRefused(client, 3)).toEqual({
        succeeded: 2,
        message: `The tenant ${plan}-team has used its ${written[1]} calls of 2026-11 with the plan ${plan}; the next month begins at 2026-12-01T00:00:00.000Z. Try again in 1080000 s.`,
      });
      stack.clock.advance(MONTH_ENDS - stack.clock.now());
      expect((await callUntilRefused(client, 3)).succeeded).toBe(3);
    },
  );
});

test('the owner and the members of a tenant share its burst, over both transports; other tenants have theirs', async () => {
  const member = await stack.connect({ caller: 'professional' });
  const owner = await stack.connect({ caller: 'owner', transport: 'http' });
  expect(await callUntilRefused(member, 300)).toEqual({ succeeded: 300, message: undefined });
  expect(await callUntilRefused(owner, 201)).toMatchObject({ succeeded: 200 });
  expect(await callUntilRefused(member, 1)).toMatchObject({ succeeded: 0 });
  const other = await stack.connect({ caller: 'starter' });
  expect(await callUntilRefused(other, 101)).toMatchObject({ succeeded: 100 });
});

test('anonymous callers of an address have 100 calls a minute together', async () => {
  const callers = [
    await stack.connect({ caller: 'anonymous', transport: 'http' }),
    await stack.connect({ caller: 'anonymous', transport: 'http', version: 'v1' }),
  ];
  for (const client of callers)
    for (let call = 0; call < 50; call += 1)
      expect((await callTool(client, 'get_athlete')).isError).toBe(false);
  for (const client of callers)
    expect((await callTool(client, 'get_athlete')).text).toContain(
      'Anonymous callers have 100 calls a minute.',
    );
});

test('reading an export counts as a call', async () => {
  const client = await stack.connect({ caller: 'starter' });
  const uri = 'fitness://exports/activities/synthetic-2026-11-17-1/streams?max_points=3';
  expect((await client.readResource({ uri })).contents).toHaveLength(1);
  expect(await callUntilRefused(client, 100)).toMatchObject({ succeeded: 99 });
  await expect(client.readResource({ uri })).rejects.toThrow(
    'The tenant starter-team has 100 calls a minute',
  );
});
