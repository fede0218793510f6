import { expect, test } from 'vitest';
import { CATALOG } from '../../src/gate/catalog.ts';
import { SyntheticProvider } from '../../src/providers/synthetic/synthetic-provider.ts';
import { createTools } from '../../src/tools/all-tools.ts';
import { defineFitnessTool } from '../../src/tools/define-tool.ts';
import { getValue, toNullable } from '../../src/tools/results/computed.ts';
import { maxPoints, shapeStreams } from '../../src/tools/results/shape-streams.ts';

const providers = { synthetic: new SyntheticProvider() };
const tools = createTools(providers);

test('every tool of the catalog has one definition, in the order of the catalog', () => {
  expect(tools.map(({ name }) => name)).toEqual([...CATALOG.keys()]);
});

test('a definition has the category of the catalog', () => {
  for (const { name, category } of tools) expect(category).toBe(CATALOG.get(name)?.category);
});

const HINTS = {
  reads: { readOnlyHint: true, idempotentHint: true },
  creates: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  replaces: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
} as const;

/** Tools that write: what they do, and whether they use data of a provider. All others read. */
const WRITERS: Readonly<Record<string, readonly ['creates' | 'replaces', 'open' | 'closed']>> = {
  connect_provider: ['creates', 'open'],
  disconnect_provider: ['replaces', 'open'],
  set_goal: ['creates', 'closed'],
  update_user_configuration: ['replaces', 'closed'],
  set_fitness_config: ['replaces', 'closed'],
  delete_fitness_config: ['replaces', 'closed'],
  save_recipe: ['creates', 'closed'],
  delete_recipe: ['replaces', 'closed'],
  admin_add_user: ['creates', 'closed'],
  admin_issue_token: ['creates', 'closed'],
  admin_set_plan: ['replaces', 'closed'],
  admin_set_override: ['replaces', 'closed'],
  admin_remove_override: ['replaces', 'closed'],
};

/** Tools that read only what the server stores, without a provider. */
const CLOSED_READERS = new Set([
  'get_connection_status',
  'get_configuration_catalog',
  'get_configuration_profiles',
  'get_user_configuration',
  'calculate_personalized_zones',
  'validate_configuration',
  'get_fitness_config',
  'list_fitness_configs',
  'calculate_daily_nutrition',
  'search_food',
  'get_food_details',
  'analyze_meal_nutrition',
  'get_recipe_constraints',
  'validate_recipe',
  'list_recipes',
  'get_recipe',
  'search_recipes',
  'admin_get_catalog',
  'admin_get_effective_tools',
]);

test('every tool has annotations that say whether it writes, overwrites, and uses a provider', () => {
  for (const { name, annotations } of tools) {
    const [effect, world] = WRITERS[name] ?? ['reads', CLOSED_READERS.has(name) ? 'closed' : 'open'];
    expect([name, annotations]).toEqual([name, { ...HINTS[effect], openWorldHint: world === 'open' }]);
  }
  expect(tools.filter(({ annotations }) => annotations?.readOnlyHint === false)).toHaveLength(13);
});

test('a definition that is not in the catalog is rejected', () => {
  const stray = defineFitnessTool({
    name: 'get_weather',
    title: 'Weather',
    description: 'Returns the weather.',
    effect: 'reads',
    arguments: {},
    run: () => ({ data: {} }),
  });
  expect(() => createTools(providers, [stray])).toThrow(
    'The tool "get_weather" is not in the catalog: add it in gate/catalog.ts.',
  );
});

test('an algorithm that does not apply is an error with its reason, or null with a note', () => {
  const refused = { ok: false, reason: 'No power data.' } as const;
  const notes: string[] = [];
  expect(getValue({ ok: true, value: 7 })).toBe(7);
  expect(() => getValue(refused)).toThrow('No power data.');
  expect(toNullable('ftp', { ok: true, value: 7 }, notes)).toBe(7);
  expect(toNullable('ftp', refused, notes)).toBeNull();
  expect(notes).toEqual(['ftp: No power data.']);
});

test('samples are downsampled to max_points, which is 3 to 5,000, and the peak is kept', () => {
  expect(maxPoints.parse(undefined)).toBe(200);
  for (const invalid of [2, 5001, 3.5]) expect(maxPoints.safeParse(invalid).success).toBe(false);
  const time_s = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
  const heart_rate = [100, 100, 100, 180, 100, 100, 100, 100, 100, 100];
  expect(shapeStreams({ time_s, heart_rate }, 3)).toEqual({
    samples: 10,
    returned: 3,
    streams: { time_s: [0, 3, 9], heart_rate: [100, 180, 100] },
  });
});
