import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, defineTool } from 'toolwright';
import { sqliteStores } from 'toolwright/sqlite';
import type { SqliteStores } from 'toolwright/sqlite';
import { connectTestClient } from 'toolwright/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { FakeClock } from '../../../../test/support/fake-clock.ts';
import { COMMAND_LINE } from '../../src/accounts/actor.ts';
import { Administration } from '../../src/accounts/administration.ts';
import { openDatabase } from '../../src/database/database.ts';
import type { Database } from '../../src/database/database.ts';
import { ToolGate } from '../../src/gate/tool-gate.ts';
import { CallLimits } from '../../src/limits/call-limits.ts';
import { createLimitedWrapper } from '../../src/limits/limited-wrapper.ts';
import { monthOf, PLAN_LIMITS } from '../../src/limits/plan-limits.ts';

class WallClock extends FakeClock {
  wallTime(): number {
    return this.now() - 1_000_000 + Date.UTC(2026, 10, 30, 23, 50);
  }
}

let folder: string;
let database: Database;
let stores: SqliteStores;
let administration: Administration;
let limits: CallLimits;
let clock: WallClock;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fitness-limits-'));
  const file = join(folder, 'limits.db');
  database = openDatabase(file);
  const gate = new ToolGate(database, new Set());
  clock = new WallClock();
  stores = sqliteStores(file, { clock });
  administration = new Administration(database, {
    now: () => clock.wallTime(),
    disabledTools: new Set(),
    onChange: () => gate.refresh(),
  });
  administration.setPlan(COMMAND_LINE, { tenant: 'acme', plan: 'starter' });
  administration.setPlan(COMMAND_LINE, { tenant: 'blue', plan: 'professional' });
  for (const [user, tenant] of [
    ['mia', 'acme'],
    ['max', 'acme'],
    ['ben', 'blue'],
    ['acme', undefined],
  ] as const)
    administration.addUser(COMMAND_LINE, { user, tenant });
  administration.addUser(COMMAND_LINE, { user: 'ada', role: 'admin' });
  limits = new CallLimits({
    store: stores.rateLimits,
    findStanding: (principal) => gate.findStanding(principal),
    clock,
  });
});
afterEach(() => {
  stores.close();
  database.close();
  rmSync(folder, { recursive: true });
});

/** The number of calls that are allowed, of a number of calls. */
async function countAllowed(user: string, calls: number): Promise<number> {
  let allowed = 0;
  for (let call = 0; call < calls; call += 1)
    if ((await limits.count({ principal: { id: user } })) === undefined) allowed += 1;
  return allowed;
}

/** Sets the calls of a tenant or user in this month. */
function spend(key: string, count: number): void {
  const { name, endsAt } = monthOf(clock.wallTime());
  database.run(
    'INSERT OR REPLACE INTO toolwright_rates (key, ends_at, count, is_blocked) VALUES (?, ?, ?, 0)',
    `month|${name}|${key}`,
    endsAt,
    count,
  );
}

test('the plans have their limits', () => {
  expect(PLAN_LIMITS).toEqual({
    starter: { perMonth: 10_000, perMinute: 100 },
    professional: { perMonth: 100_000, perMinute: 500 },
    enterprise: { perMonth: 1_000_000, perMinute: 2000 },
  });
});

test('a month is a calendar month, UTC', () => {
  expect(monthOf(Date.UTC(2026, 10, 30, 23, 59, 59, 999))).toEqual({
    name: '2026-11',
    endsAt: Date.UTC(2026, 11, 1),
  });
  expect(monthOf(Date.UTC(2026, 11, 31, 23))).toEqual({ name: '2026-12', endsAt: Date.UTC(2027, 0, 1) });
  expect(monthOf(Date.UTC(2028, 1, 29))).toEqual({ name: '2028-02', endsAt: Date.UTC(2028, 2, 1) });
});

test('the members of a tenant share its burst, and other tenants have theirs', async () => {
  expect((await countAllowed('mia', 60)) + (await countAllowed('max', 60))).toBe(100);
  expect(await countAllowed('ben', 510)).toBe(500);
  expect(await countAllowed('acme', 101)).toBe(100);
  expect(await countAllowed('ada', 510)).toBe(510);
  clock.advance(60_000);
  expect(await countAllowed('max', 101)).toBe(100);
});

test('the month of a tenant ends with the calendar month, and its message says when', async () => {
  spend('tenant:acme', 9999);
  expect(await countAllowed('mia', 1)).toBe(1);
  const error = await limits.count({ principal: { id: 'max' } });
  expect(error?.message).toBe(
    'The tenant acme has used its 10,000 calls of 2026-11 with the plan starter; the next month begins at 2026-12-01T00:00:00.000Z. Try again in 600 s.',
  );
  expect(error).toMatchObject({ code: 'RATE_LIMITED', retryAfterMs: 600_000 });
  clock.advance(599_999);
  expect(await countAllowed('mia', 1)).toBe(0);
  clock.advance(1);
  expect(await countAllowed('mia', 1)).toBe(1);
});

test('a call that the burst rejects does not count for the month', async () => {
  spend('tenant:acme', 9000);
  expect(await countAllowed('mia', 150)).toBe(100);
  expect(database.all("SELECT count FROM toolwright_rates WHERE key LIKE 'month|%'")).toEqual([
    { count: 9100 },
  ]);
});

test('a new plan holds at once', async () => {
  expect(await countAllowed('mia', 101)).toBe(100);
  administration.setPlan(COMMAND_LINE, { tenant: 'acme', plan: 'professional' });
  expect(await countAllowed('mia', 401)).toBe(400);
});

test('anonymous callers are counted by address, and write nothing', async () => {
  const count = async (address?: string): Promise<string | undefined> =>
    (await limits.count(address === undefined ? {} : { address }))?.message;
  for (let call = 0; call < 100; call += 1) expect(await count('192.0.2.1')).toBeUndefined();
  expect(await count('192.0.2.1')).toBe('Anonymous callers have 100 calls a minute. Try again in 60 s.');
  expect(await count('192.0.2.2')).toBeUndefined();
  expect(await count()).toBeUndefined();
  expect(database.all('SELECT * FROM toolwright_rates')).toEqual([]);
});

test('a server counts before it validates, and its result has the code and the time to wait', async () => {
  let runs = 0;
  const server = createServer({
    name: 'limited',
    version: '1.0.0',
    clock,
    logger: { debug() {}, info() {}, warning() {}, error() {} },
    withSecurityWrapper: createLimitedWrapper(limits),
    tools: [
      defineTool({
        name: 'add',
        description: 'Adds one',
        inputSchema: z.object({ by: z.number() }),
        handler: () => `${(runs += 1)}`,
      }),
    ],
  });
  const client = connectTestClient(server, { principal: { id: 'mia' } });
  for (let call = 0; call < 50; call += 1) await client.callTool('add', { by: 1 });
  for (let call = 0; call < 50; call += 1)
    expect((await client.callTool('add', { by: 'x' })).error?.code).toBe('INVALID_ARGUMENTS');
  const limited = await client.callTool('add', { by: 1 });
  expect(limited.isError).toBe(true);
  expect(limited.text).toContain(
    'The tenant acme has 100 calls a minute with the plan starter. Try again in 60 s.',
  );
  expect(limited.error).toMatchObject({ code: 'RATE_LIMITED', retryAfterMs: 60_000 });
  expect(runs).toBe(50);
  clock.advance(60_000);
  database.run('ALTER TABLE toolwright_rates RENAME TO lost');
  expect((await client.callTool('add', { by: 1 })).isError).toBe(true);
  expect(runs).toBe(50);
  await server.close();
});
