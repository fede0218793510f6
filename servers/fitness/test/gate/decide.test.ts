import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CATALOG } from '../../src/gate/catalog.ts';
import type { CatalogTool, Plan } from '../../src/gate/catalog.ts';
import { decide } from '../../src/gate/decide.ts';
import type { Decision } from '../../src/gate/decide.ts';
import type { Override, Standing } from '../../src/gate/standing.ts';

const NONE: ReadonlySet<string> = new Set();

function toolOf(name: string): CatalogTool {
  const tool = CATALOG.get(name);
  if (tool === undefined) throw new Error(`No tool ${name}`);
  return tool;
}

function override(tool: string, isEnabled: boolean): Override {
  return { tool, isEnabled, setBy: 'olga', setAt: '2026-11-18T09:00:00.000Z', reason: 'Trial' };
}

function member(plan: Plan, ...overrides: Override[]): Standing {
  return {
    role: 'member',
    tenant: 'acme',
    plan,
    overrides: new Map(overrides.map((each) => [each.tool, each])),
  };
}

test.each<[string, Standing, ReadonlySet<string>, boolean, string, string]>([
  [
    'get_stats',
    { role: 'admin' },
    new Set(['get_stats']),
    false,
    'globally_disabled',
    'FITNESS_DISABLED_TOOLS disables this tool for every caller.',
  ],
  [
    'get_stats',
    member('enterprise', override('get_stats', true)),
    new Set(['get_stats']),
    false,
    'globally_disabled',
    'FITNESS_DISABLED_TOOLS disables this tool for every caller.',
  ],
  ['get_stats', { role: 'anonymous' }, NONE, true, 'role', 'The tool is public.'],
  ['set_goal', { role: 'anonymous' }, NONE, false, 'role', 'Anonymous callers have only public tools.'],
  [
    'predict_performance',
    { role: 'user' },
    NONE,
    true,
    'role',
    'A user without a tenant has all tools except those for administrators.',
  ],
  ['admin_add_user', { role: 'user' }, NONE, false, 'role', 'Only administrators and owners have this tool.'],
  [
    'admin_add_user',
    member('enterprise'),
    NONE,
    false,
    'role',
    'Only administrators and owners have this tool.',
  ],
  ['admin_add_user', { role: 'admin' }, NONE, true, 'role', 'The role admin has all tools.'],
  // It would refuse every call of an owner, so it is not listed.
  [
    'admin_set_plan',
    { role: 'owner', tenant: 'acme', plan: 'starter', overrides: new Map() },
    NONE,
    false,
    'role',
    'Only administrators have this tool.',
  ],
  [
    'predict_performance',
    { role: 'owner', tenant: 'acme', plan: 'starter', overrides: new Map() },
    NONE,
    true,
    'role',
    'The role owner has all tools except those for administrators alone.',
  ],
  [
    'suggest_rest_day',
    member('starter', override('suggest_rest_day', true)),
    NONE,
    false,
    'plan',
    'The tool needs the plan professional, and the tenant has starter.',
  ],
  [
    'suggest_rest_day',
    member('professional', override('suggest_rest_day', false)),
    NONE,
    false,
    'override',
    'olga disabled the tool at 2026-11-18T09:00:00.000Z: Trial',
  ],
  [
    'suggest_rest_day',
    member('enterprise', override('suggest_rest_day', true)),
    NONE,
    true,
    'override',
    'olga enabled the tool at 2026-11-18T09:00:00.000Z: Trial',
  ],
  [
    'suggest_rest_day',
    member('professional', override('get_stats', false)),
    NONE,
    true,
    'default',
    'The plan professional has the tool, and tools are enabled by default.',
  ],
])('%s, %o: the first rule that applies decides', (name, standing, disabled, isAllowed, source, reason) => {
  expect(decide(toolOf(name), standing, disabled)).toMatchObject({ isAllowed, source, reason });
});

test('a decision by an override has the override', () => {
  const decision = decide(toolOf('set_goal'), member('starter', override('set_goal', false)), NONE);
  expect(decision.override).toEqual(override('set_goal', false));
});

/** The rules as a table of conditions, of which the first that holds decides. Written without the code of the gate. */
function expectedDecision(
  tool: CatalogTool,
  standing: Standing,
  disabled: ReadonlySet<string>,
): Pick<Decision, 'isAllowed' | 'source'> {
  const rank = { starter: 1, professional: 2, enterprise: 3 };
  const isAdminTool = tool.name.startsWith('admin_');
  const tenant = standing.role === 'member' ? standing : undefined;
  const found = tenant?.overrides.get(tool.name);
  const rules: readonly (readonly [boolean, boolean, Decision['source']])[] = [
    [disabled.has(tool.name), false, 'globally_disabled'],
    [standing.role === 'admin', true, 'role'],
    [standing.role === 'owner', tool.name !== 'admin_set_plan', 'role'],
    [isAdminTool, false, 'role'],
    [standing.role === 'user', true, 'role'],
    [standing.role === 'anonymous', tool.isPublic, 'role'],
    [rank[tenant?.plan ?? 'starter'] < rank[tool.plan ?? 'starter'], false, 'plan'],
    [found !== undefined, found?.isEnabled ?? false, 'override'],
    [true, true, 'default'],
  ];
  const [, isAllowed, source] = rules.find(([holds]) => holds) ?? [true, false, 'default' as const];
  return { isAllowed, source };
}

const names = [...CATALOG.keys()];
const standings: fc.Arbitrary<Standing> = fc.oneof(
  fc.constantFrom<Standing[]>({ role: 'anonymous' }, { role: 'user' }, { role: 'admin' }),
  fc.record({
    role: fc.constantFrom('member' as const, 'member' as const, 'owner' as const),
    tenant: fc.constantFrom('acme', 'blue'),
    plan: fc.constantFrom<Plan[]>('starter', 'professional', 'enterprise'),
    overrides: fc
      .array(fc.tuple(fc.constantFrom(...names), fc.boolean()), { maxLength: 30 })
      .map((given) => new Map(given.map(([name, isEnabled]) => [name, override(name, isEnabled)]))),
  }),
);

test('random gates: every decision is that of an independent statement of the rules', () => {
  fc.assert(
    fc.property(standings, fc.subarray(names), (standing, disabled) => {
      const set = new Set(disabled);
      const tools = [...CATALOG.values()];
      const decisions = tools.map((tool) => decide(tool, standing, set));
      expect(decisions.map(({ isAllowed, source }) => ({ isAllowed, source }))).toEqual(
        tools.map((tool) => expectedDecision(tool, standing, set)),
      );
      expect(decisions.filter(({ reason }) => !/^\S.*(?:\.|Trial)$/.test(reason))).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

test('random gates: a larger plan never takes a tool away', () => {
  fc.assert(
    fc.property(standings, fc.constantFrom(...names), (standing, name) => {
      if (standing.role !== 'member') return;
      const allowed = (['starter', 'professional', 'enterprise'] as const).map(
        (plan) => decide(toolOf(name), { ...standing, plan }, NONE).isAllowed,
      );
      expect(allowed).toEqual(allowed.toSorted((left, right) => Number(left) - Number(right)));
    }),
    { numRuns: 500 },
  );
});
