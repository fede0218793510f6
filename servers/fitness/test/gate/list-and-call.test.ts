import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import type { Caller } from 'toolwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../src/database/database.ts';
import type { Database } from '../../src/database/database.ts';
import { CATALOG, PLANS } from '../../src/gate/catalog.ts';
import type { Plan } from '../../src/gate/catalog.ts';
import { decide } from '../../src/gate/decide.ts';
import type { Standing } from '../../src/gate/standing.ts';
import { ToolGate } from '../../src/gate/tool-gate.ts';
import { SyntheticProvider } from '../../src/providers/synthetic/synthetic-provider.ts';
import { readSettings } from '../../src/settings/settings.ts';
import { createTools } from '../../src/tools/all-tools.ts';
import { createRegistry, SURFACES } from '../../src/tools/create-registry.ts';
import { callNames, findForm, listNames } from './support/list-and-call.ts';

const PRINCIPALS = 500;
const TENANTS = 40;
/** Everything changes before each of these. */
const ROUND = 50;
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
const providers = { synthetic: new SyntheticProvider() };
const tools = new Map(createTools(providers).map(({ name, category = '' }) => [name, category]));
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

/** With `auto`, the flat list of anonymous callers is below the budget, that of most others above it. */
const AUTO_TOKENS = 2000;

const EXPOSURES = [
  ['flat', SURFACES.flat, ['flat']],
  ['grouped by category', SURFACES.grouped, ['grouped']],
  ['search', SURFACES.search, ['search']],
  ['auto', { ...SURFACES.auto, tokenBudget: AUTO_TOKENS }, ['flat', 'search']],
] as const;

test.each(EXPOSURES)(
  `%s: ${PRINCIPALS} principals see exactly the tools that they can call, while everything changes`,
  { timeout: 120_000 },
  async (_, options, expectedForms) => {
    const gate = new ToolGate(database, DISABLED);
    const { policy } = gate;
    const surface = createRegistry({ settings: readSettings({}), providers, policy }).surface(options);
    const seen = new Set<string>();
    const forms = new Set<string>();
    let callers: Expected[] = [];
    for (let index = 0; index < PRINCIPALS; index += 1) {
      // The next caller sees the new state, without a notification.
      if (index % ROUND === 0) callers = fill(index);
      const { caller, standing } = callers[index] ?? { caller: {}, standing: undefined };
      const expected = [...CATALOG.values()]
        .filter((tool) => standing !== undefined && decide(tool, standing, DISABLED).isAllowed)
        .map(({ name }) => name)
        .filter((name) => tools.has(name));
      expect(await listNames(surface, caller, names)).toEqual(expected);
      expect(await callNames(surface, caller, tools)).toEqual(expected);
      seen.add(expected.join());
      forms.add(findForm(surface, caller));
    }
    expect(callers).toHaveLength(PRINCIPALS);
    // Users that do not exist, anonymous callers, owners, administrators, and many tenants.
    const sizes = [...seen].map((each) => (each === '' ? 0 : each.split(',').length));
    expect(sizes).toEqual(expect.arrayContaining([0, 16, 50, 51]));
    expect(seen.size).toBeGreaterThan(40);
    expect([...forms].toSorted()).toEqual(expectedForms);
  },
);
