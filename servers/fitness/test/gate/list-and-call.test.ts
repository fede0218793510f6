import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import type { Caller, SurfaceOptions } from 'toolwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../src/database/database.ts';
import type { Database } from '../../src/database/database.ts';
import { CATALOG, PLANS } from '../../src/gate/catalog.ts';
import type { Plan } from '../../src/gate/catalog.ts';
import { decide } from '../../src/gate/decide.ts';
import type { Standing } from '../../src/gate/standing.ts';
import { ToolGate } from '../../src/gate/tool-gate.ts';
import { callNames, createGatedRegistry, listNames } from './support/gated-registry.ts';

const PRINCIPALS = 500;
const TENANTS = 40;
const DISABLED = new Set(['get_stats', 'suggest_rest_day', 'admin_add_user']);
const folder = mkdtempSync(join(tmpdir(), 'fitness-gate-'));
const file = join(folder, 'gate.db');
let database: Database;
/** Changes the file as another process does. */
let other: Database;
beforeAll(() => {
  database = openDatabase(file);
  other = openDatabase(file);
});
afterAll(() => {
  database.close();
  other.close();
  rmSync(folder, { recursive: true });
});

const names = [...CATALOG.keys()];
const planned = names.filter((name) => !name.startsWith('admin_'));
interface RandomTenant {
  readonly plan: Plan;
  readonly overrides: readonly (readonly [tool: string, isEnabled: boolean])[];
}

const tenants: fc.Arbitrary<RandomTenant[]> = fc.array(
  fc.record({
    plan: fc.constantFrom(...PLANS),
    overrides: fc.uniqueArray(fc.tuple(fc.constantFrom(...planned), fc.boolean()), {
      selector: ([name]) => name,
      maxLength: 25,
    }),
  }),
  { minLength: TENANTS, maxLength: TENANTS },
);
const users = fc.array(
  fc.record({
    role: fc.constantFrom('member', 'member', 'member', 'member', 'owner', 'user', 'admin', 'missing'),
    tenant: fc.nat(TENANTS - 1),
  }),
  { minLength: PRINCIPALS - 1, maxLength: PRINCIPALS - 1 },
);

/** A caller, and its standing by the data that were written. */
interface Expected {
  readonly caller: Caller;
  readonly standing: Standing | undefined;
}

/** Replaces all tenants and users by random ones, with another connection. */
function fill(seed: number): Expected[] {
  const [[newTenants, newUsers] = [[], []]] = fc.sample(fc.tuple(tenants, users), { numRuns: 1, seed });
  other.write(() => {
    for (const table of ['users', 'overrides', 'tenants']) other.run(`DELETE FROM ${table}`);
    for (const [index, { plan, overrides }] of newTenants.entries()) {
      const tenant = `t${index}`;
      other.insert('tenants', { id: tenant, plan, created_at: 0 });
      for (const [tool, is_enabled] of overrides)
        other.insert('overrides', {
          tenant_id: tenant,
          tool,
          is_enabled,
          set_by: 'x',
          set_at: 0,
          reason: 'y',
        });
    }
    for (const [index, { role, tenant }] of newUsers.entries()) {
      if (role === 'missing') continue;
      const tenant_id = role === 'member' || role === 'owner' ? `t${tenant}` : null;
      other.insert('users', { id: `u${index}`, role, tenant_id, created_at: 0 });
    }
  });
  return [
    { caller: {}, standing: { role: 'anonymous' } },
    ...newUsers.map(({ role, tenant }, index) => ({
      // Claims of a principal that the database does not confirm must not count.
      caller: { principal: { id: `u${index}`, roles: ['admin'], tenant: 't0' } },
      standing: toStanding(role, newTenants[tenant]),
    })),
  ];
}

function toStanding(role: string, given: RandomTenant | undefined): Standing | undefined {
  if (role === 'user' || role === 'admin') return { role };
  if (given === undefined || (role !== 'member' && role !== 'owner')) return undefined;
  const overrides = given.overrides.map(
    ([tool, isEnabled]) => [tool, { tool, isEnabled, setBy: 'x', setAt: '', reason: 'y' }] as const,
  );
  return { role, tenant: '', plan: given.plan, overrides: new Map(overrides) };
}

const EXPOSURES: readonly (SurfaceOptions & { readonly expectedForms: readonly string[] })[] = [
  { exposure: 'flat', expectedForms: ['list'] },
  { exposure: 'grouped', groupBy: 'category', expectedForms: ['list'] },
  { exposure: 'search', expectedForms: ['search'] },
  // The flat list of anonymous callers is below it, that of most others above it.
  { exposure: 'auto', tokenBudget: 2000, expectedForms: ['list', 'search'] },
];

test.each(EXPOSURES)(
  `%o: ${PRINCIPALS} principals see exactly the tools that they can call, before and after random changes`,
  { timeout: 120_000 },
  async ({ expectedForms, ...options }) => {
    const gate = new ToolGate(database, DISABLED);
    const surface = createGatedRegistry(gate).surface(options);
    const seen = new Set<string>();
    const forms = new Set<string>();
    let callers = fill(1);
    expect(callers).toHaveLength(PRINCIPALS);
    for (let index = 0; index < PRINCIPALS; index += 1) {
      // In the middle, everything changes: the next caller sees the new state, without a notification.
      if (index === PRINCIPALS / 2) callers = fill(2);
      const { caller, standing } = callers[index] ?? { caller: {}, standing: undefined };
      const expected = [...CATALOG.values()]
        .filter((tool) => standing !== undefined && decide(tool, standing, DISABLED).isAllowed)
        .map(({ name }) => name);
      expect(await listNames(surface, caller)).toEqual(expected);
      expect(await callNames(surface, caller)).toEqual(expected);
      seen.add(expected.join());
      forms.add(surface.listTools(caller).some(({ name }) => name === 'call_tool') ? 'search' : 'list');
    }
    // Users that do not exist, anonymous callers, administrators, and many tenants.
    const sizes = [...seen].map((each) => each.split(',').length);
    expect(sizes).toEqual(expect.arrayContaining([1, 16, 51]));
    expect(seen.has('')).toBe(true);
    expect(seen.size).toBeGreaterThan(40);
    expect([...forms].toSorted()).toEqual(expectedForms);
  },
);
