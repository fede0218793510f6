/** One catalog for `tools/list` and `tools/call`: fitness tools with JSON Schema. */
import { describe, expect, test } from 'vitest';
import { CATEGORY_META_KEY, createServer, jsonSchema, ToolRegistry } from '../../src/index.ts';
import type { AnyToolDefinition, ServerOptions, ToolwrightServer } from '../../src/index.ts';
import { CLIENTS, connectDirectly } from '../support/served-clients.ts';

const getActivities = {
  name: 'get_activities',
  description: 'Fetch fitness activities from connected providers',
  inputSchema: {
    type: 'object',
    properties: {
      provider: {
        type: 'string',
        description: 'Provider name (strava, garmin, etc.)',
      },
      limit: {
        type: 'number',
        description: 'Maximum activities to return',
      },
    },
    required: ['provider'],
  },
} as const;

/** A tool that takes no arguments. */
const create = (name: string, category: string): AnyToolDefinition => ({
  name,
  description: `${category}: ${name.replaceAll('_', ' ')}`,
  category,
  inputSchema: {},
  handler: () => ({ called: name }),
});

function createFitnessTools(): AnyToolDefinition[] {
  return [
    // Connection tools
    create('connect_provider', 'connection'),
    create('get_connection_status', 'connection'),
    create('disconnect_provider', 'connection'),
    // Core fitness tools
    {
      ...getActivities,
      category: 'core_fitness',
      handler: ({ input }: { input: { provider: string; limit?: number } }) =>
        [{ provider: input.provider, name: 'Morning run' }].slice(0, input.limit),
    },
    create('get_athlete', 'core_fitness'),
    create('get_stats', 'core_fitness'),
    create('get_activity_intelligence', 'core_fitness'),
    // Analytics tools
    create('analyze_activity', 'analytics'),
    create('calculate_metrics', 'analytics'),
    // Configuration tools
    create('get_configuration_catalog', 'configuration'),
    // Nutrition tools
    create('calculate_daily_nutrition', 'nutrition'),
    // Sleep & Recovery tools
    create('analyze_sleep_quality', 'sleep_and_recovery'),
    // Recipe Management tools
    create('get_recipe_constraints', 'recipe_management'),
  ];
}

const NAMES = [
  'connect_provider',
  'get_connection_status',
  'disconnect_provider',
  'get_activities',
  'get_athlete',
  'get_stats',
  'get_activity_intelligence',
  'analyze_activity',
  'calculate_metrics',
  'get_configuration_catalog',
  'calculate_daily_nutrition',
  'analyze_sleep_quality',
  'get_recipe_constraints',
];

const serve = (options: Partial<ServerOptions> = {}): ToolwrightServer =>
  createServer({ name: 'pierre', version: '1.0.0', tools: createFitnessTools(), ...options });

describe.each(CLIENTS)('the catalog, seen by the $client client', ({ client: name }) => {
  test('lists every tool in the order of the source, and each of them can be called', async () => {
    await using client = await connectDirectly(name, serve());
    expect((await client.listTools()).map((listed) => listed.name)).toEqual(NAMES);
    for (const called of NAMES.filter((each) => each !== 'get_activities'))
      expect(await client.callText(called)).toBe(`{"called":"${called}"}`);
  });

  test('advertises the schema as it was written', async () => {
    await using client = await connectDirectly(name, serve());
    const listed = (await client.listTools()).find((each) => each.name === 'get_activities');
    expect(listed).toEqual({
      name: 'get_activities',
      description: 'Fetch fitness activities from connected providers',
      inputSchema: {
        type: 'object',
        properties: {
          provider: { type: 'string', description: 'Provider name (strava, garmin, etc.)' },
          limit: { type: 'number', description: 'Maximum activities to return' },
        },
        required: ['provider'],
      },
      _meta: { 'toolwright/category': 'core_fitness' },
    });
  });

  test('routes valid arguments to the handler', async () => {
    await using client = await connectDirectly(name, serve());
    expect(await client.callText('get_activities', { provider: 'strava' })).toBe(
      '[{"provider":"strava","name":"Morning run"}]',
    );
    expect(await client.callText('get_activities', { provider: 'strava', limit: 0 })).toBe('[]');
  });

  test.each([
    ['a required parameter that is missing', {}, 'provider: is required'],
    ['a parameter of another type', { provider: 'strava', limit: 'ten' }, 'limit: must be number'],
  ])('%s is error -32602 where the server says so', async (_case, args, message) => {
    await using client = await connectDirectly(name, serve({ invalidArguments: 'protocol-error' }));
    await expect(client.callTool('get_activities', args)).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining(message) as string,
    });
  });

  test('different here: by default it is a result, so that the model can correct itself', async () => {
    await using client = await connectDirectly(name, serve());
    expect(await client.callTool('get_activities', { limit: 5 })).toMatchObject({
      isError: true,
      content: [
        {
          type: 'text',
          text: "Invalid arguments for tool 'get_activities'.\n- provider: is required (expected: string; received: nothing)",
        },
      ],
    });
  });
});

test('unknown parameters are ignored, or rejected where the server says so', async () => {
  const args = { provider: 'garmin', page: 2 };
  await using lenient = await connectDirectly('v1', serve());
  expect(await lenient.callText('get_activities', args)).toBe('[{"provider":"garmin","name":"Morning run"}]');
  await using strict = await connectDirectly('v1', serve({ unknownArguments: 'reject' }));
  expect(await strict.callText('get_activities', args)).toBe(
    "Invalid arguments for tool 'get_activities'.\n- page: is not a known argument. Allowed: provider, limit.",
  );
});

test('nested objects are validated recursively', async () => {
  const registry = new ToolRegistry().register({
    name: 'set_goal',
    description: 'Sets a goal',
    inputSchema: jsonSchema<{ goal: { target: { value: number; unit: string } } }>({
      type: 'object',
      properties: {
        goal: {
          type: 'object',
          properties: {
            target: {
              type: 'object',
              properties: { value: { type: 'number' }, unit: { enum: ['km', 'h'] } },
              required: ['value', 'unit'],
            },
          },
          required: ['target'],
        },
      },
      required: ['goal'],
    }),
    handler: ({ input }) => `${input.goal.target.value} ${input.goal.target.unit}`,
  });
  const call = (target: object) =>
    registry.executeTool({ name: 'set_goal', arguments: { goal: { target } } });
  expect((await call({ value: 42, unit: 'km' })).content).toEqual([{ type: 'text', text: '42 km' }]);
  expect((await call({ value: '42', unit: 'miles' })).content).toEqual([
    {
      type: 'text',
      text: `Invalid arguments for tool 'set_goal'.
- goal.target.value: must be number (expected: number; received: "42" (string))
- goal.target.unit: must be equal to one of the allowed values (expected: one of "km", "h"; received: "miles" (string))`,
    },
  ]);
});

test('different here: a caller without the scope neither sees the tool nor can call it', async () => {
  const [connect, ...others] = createFitnessTools();
  const tools = [{ ...connect, scopes: ['providers'] } as AnyToolDefinition, ...others];
  await using anonymous = await connectDirectly('v2 auto', serve({ tools }));
  expect((await anonymous.listTools())[0]?.name).toBe('get_connection_status');
  await expect(anonymous.callTool('connect_provider')).rejects.toMatchObject({ code: -32602 });
  const principal = { id: 'ada', scopes: ['providers'] };
  await using allowed = await connectDirectly('v2 auto', serve({ tools }), { principal });
  expect((await allowed.listTools())[0]?.name).toBe('connect_provider');
  expect(await allowed.callText('connect_provider')).toBe('{"called":"connect_provider"}');
});

test('different here: categories are data of the tools, not comments', () => {
  const categories = new ToolRegistry()
    .registerAll(createFitnessTools())
    .listTools()
    .map(({ _meta }) => _meta?.[CATEGORY_META_KEY]);
  expect([...new Set(categories)]).toEqual([
    'connection',
    'core_fitness',
    'analytics',
    'configuration',
    'nutrition',
    'sleep_and_recovery',
    'recipe_management',
  ]);
});

describe.each(CLIENTS)('grouped by category, seen by the $client client', ({ client: name }) => {
  test('the catalog is one tool for each category', async () => {
    await using client = await connectDirectly(name, serve({ groupBy: 'category' }));
    const tools = await client.listTools();
    expect(tools.map((listed) => listed.name)).toEqual([
      'connection',
      'core_fitness',
      'analytics',
      'configuration',
      'nutrition',
      'sleep_and_recovery',
      'recipe_management',
    ]);
    expect(tools[1]?.inputSchema).toEqual({
      type: 'object',
      properties: {
        action: {
          type: 'string',
          enum: ['get_activities', 'get_athlete', 'get_stats', 'get_activity_intelligence'],
          description: 'The action to perform.',
        },
        provider: {
          type: 'string',
          description: 'Provider name (strava, garmin, etc.). Required for: get_activities',
        },
        limit: { type: 'number', description: 'Maximum activities to return. For: get_activities' },
      },
      required: ['action'],
    });
    expect(await client.callText('core_fitness', { action: 'get_activities', provider: 'strava' })).toBe(
      '[{"provider":"strava","name":"Morning run"}]',
    );
  });
});
