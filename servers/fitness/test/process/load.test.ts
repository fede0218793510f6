import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { COMMAND_LINE } from '../../src/accounts/actor.ts';
import { Administration } from '../../src/accounts/administration.ts';
import { openDatabase } from '../../src/database/database.ts';
import { PLAN_LIMITS } from '../../src/limits/plan-limits.ts';
import { connectHttp } from '../support/clients.ts';
import { startHttp } from '../support/processes.ts';
import type { HttpProcess } from '../support/processes.ts';
import { callUntil } from './support/tenant-caller.ts';
import type { Tally, TenantCaller } from './support/tenant-caller.ts';

/** `FITNESS_LOAD_SECONDS=60` for the long form. */
const SECONDS = Number(process.env['FITNESS_LOAD_SECONDS'] ?? 6);
const PLANS = ['starter', 'starter', 'professional', 'professional', 'enterprise'] as const;
const STARTERS: ReadonlySet<string> = new Set(['team-0', 'team-1']);
const CALLERS_PER_TENANT = 10;
const MINUTE_MS = 60_000;

const folder = mkdtempSync(join(tmpdir(), 'fitness-load-'));
const file = join(folder, 'fitness.db');
const callers: TenantCaller[] = [];
let http: HttpProcess;

/** Adds the users of all tenants, the first of each as its owner, and returns their tokens. */
function addUsers(): readonly (Omit<TenantCaller, 'client'> & { readonly token: string })[] {
  const database = openDatabase(file);
  const options = { now: () => Date.now(), disabledTools: new Set<string>(), onChange: () => {} };
  const administration = new Administration(database, options);
  const users = PLANS.flatMap((plan, number) => {
    const tenant = `team-${number}`;
    administration.setPlan(COMMAND_LINE, { tenant, plan });
    return Array.from({ length: CALLERS_PER_TENANT }, (_, index) => {
      const [user, isOwner] = [`mark-${number}-${index}`, index === 0];
      administration.addUser(COMMAND_LINE, { user, tenant, role: isOwner ? 'owner' : 'member' });
      return { tenant, user, isOwner, token: administration.issueToken(COMMAND_LINE, { user }).token };
    });
  });
  database.close();
  return users;
}

beforeAll(async () => {
  const users = addUsers();
  http = await startHttp({ FITNESS_DATABASE: file });
  for (const [index, { token, ...user }] of users.entries()) {
    const version = index % 2 === 0 ? 'v1' : 'v2';
    callers.push({ ...user, client: await connectHttp({ version }, http.url, token) });
  }
});
afterAll(async () => {
  for (const { client } of callers) await client.close();
  await http.stop();
  rmSync(folder, { recursive: true });
});

test(
  `50 callers of five tenants for ${SECONDS} s: no response lost, no limit exceeded by one, no row of another tenant`,
  { timeout: 60_000 + SECONDS * 2000 },
  async () => {
    const start = performance.now();
    // However slow the machine is: the callers of the smallest plan go on until they are refused.
    const isOver = ({ tenant }: TenantCaller, { limited }: Tally): boolean =>
      performance.now() - start > SECONDS * 1000 && (limited > 0 || !STARTERS.has(tenant));
    // A lost response would be an error of the client.
    const tallies = await Promise.all(callers.map((caller) => callUntil(caller, isOver)));
    const windows = 1 + Math.floor((performance.now() - start) / MINUTE_MS);
    expect(tallies.flatMap(({ faults }) => faults)).toEqual([]);
    const database = openDatabase(file);
    for (const [number, plan] of PLANS.entries()) {
      const tenant = `team-${number}`;
      const own = tallies.filter((_, index) => callers[index]?.tenant === tenant);
      const sum = (member: 'sent' | 'succeeded' | 'limited' | 'rows'): number =>
        own.reduce((total, tally) => total + tally[member], 0);
      expect(sum('succeeded') + sum('limited')).toBe(sum('sent'));
      expect(sum('rows')).toBeGreaterThan(0);
      const { perMinute } = PLAN_LIMITS[plan];
      expect(sum('succeeded')).toBeLessThanOrEqual(perMinute * windows);
      if (plan === 'starter') expect(sum('limited')).toBeGreaterThan(0);
      if (sum('limited') > 0) expect(sum('succeeded')).toBeGreaterThanOrEqual(perMinute);
      // Each successful call was counted once.
      expect(
        database.all<{ count: number }>(
          'SELECT count FROM toolwright_rates WHERE key LIKE ?',
          `month|%|tenant:${tenant}`,
        ),
      ).toEqual([{ count: sum('succeeded') }]);
    }
    database.close();
  },
);
