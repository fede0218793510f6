import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import {
  ActionGroupBuilder,
  createTool,
  DefinitionError,
  GroupedToolBuilder,
  ToolRegistry,
} from '../../../../src/index.ts';
import { DEFAULT_STRATEGIES } from '../../../../src/strategies.ts';
import type { McpCallToolResult, Middleware } from '../../../../src/index.ts';
import type { GroupedToolStrategies } from '../../../../src/strategies.ts';
import { unknownArgument, unknownTool } from '../../../support/refused.ts';

const textOf = ({ content }: McpCallToolResult): unknown => (content[0] as { text?: unknown }).text;
const pass: Middleware = ({ next }) => next();

/** A flat tool with two actions. */
function projects(): GroupedToolBuilder {
  return createTool('projects')
    .description('Manages projects')
    .action({ name: 'list', readOnly: true, idempotent: true, handler: () => ['a', 'b'] })
    .action({
      name: 'delete',
      description: 'Deletes a project',
      destructive: true,
      schema: z.object({ id: z.string() }),
      handler: ({ input }) => `deleted ${input.id}`,
    });
}

describe('a flat builder', () => {
  test('makes one tool of its actions', () => {
    expect(projects().buildToolDefinition()).toEqual({
      name: 'projects',
      description:
        "Manages projects. Actions: list, delete\n\nWorkflow:\n- 'delete': Deletes a project. Requires: id ⚠️ DESTRUCTIVE",
      inputSchema: {
        type: 'object',
        properties: {
          action: { type: 'string', enum: ['list', 'delete'], description: 'The action to perform.' },
          id: { type: 'string', description: 'Required for: delete' },
        },
        required: ['action'],
      },
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
    });
  });

  test('is listed by a registry exactly as it builds itself', () => {
    const builder = projects();
    const registry = new ToolRegistry().register(builder);
    expect(registry.listTools()).toEqual([builder.buildToolDefinition()]);
    expect([registry.size, registry.has('projects'), registry.has('projects.delete')]).toEqual([
      1,
      true,
      true,
    ]);
  });

  test('is the class that createTool makes, and chains', () => {
    const builder = new GroupedToolBuilder('t');
    expect(createTool('t')).toBeInstanceOf(GroupedToolBuilder);
    const returned = [
      builder.description('d'),
      builder.title('T'),
      builder.discriminator('op'),
      builder.annotations({ openWorldHint: false }),
      builder.tags('x'),
      builder.commonSchema(z.object({})),
      builder.toonDescription(),
      builder.use(pass),
      builder.action({ name: 'a', handler: () => 1 }),
    ];
    expect(returned.every((each) => (each as unknown) === builder)).toBe(true);
  });
});

describe('a hierarchical builder', () => {
  const platform = (): GroupedToolBuilder =>
    createTool('platform')
      .description('The platform')
      .group('users', 'Manages users', (users) =>
        users
          .action({ name: 'list', readOnly: true, handler: ({ context }) => context.action })
          .action({ name: 'ban', destructive: true, handler: ({ context }) => context.action }),
      )
      .group('billing', (billing) =>
        billing
          .description('Manages money')
          .action({ name: 'list', readOnly: true, handler: ({ context }) => context.action }),
      );

  test('joins group and action with a dot', async () => {
    const builder = platform();
    expect(builder.getActionNames()).toEqual(['users.list', 'users.ban', 'billing.list']);
    expect(builder.buildToolDefinition()).toMatchObject({
      description:
        "The platform. Modules: users (list,ban) | billing (list)\n\nWorkflow:\nusers: Manages users\n- 'users.ban': ⚠️ DESTRUCTIVE\nbilling: Manages money",
      inputSchema: {
        properties: {
          action: {
            enum: ['users.list', 'users.ban', 'billing.list'],
            description: 'The action to perform, written as module.action.',
          },
        },
      },
    });
    expect(textOf(await builder.execute({}, { action: 'billing.list' }))).toBe('billing.list');
    expect(textOf(await builder.execute({}, { action: 'users.list' }))).toBe('users.list');
  });

  test('describes actions without a description by that of their group', () => {
    const flat = new ToolRegistry({ exposure: 'flat' }).register(platform());
    expect(flat.listTools().map(({ name, description }) => [name, description])).toEqual([
      ['platform_users_list', 'Manages users: users.list'],
      ['platform_users_ban', 'Manages users: users.ban'],
      ['platform_billing_list', 'Manages money: billing.list'],
    ]);
  });

  test('takes a group in several pieces, and hands each an ActionGroupBuilder', () => {
    let given: unknown;
    const builder = createTool('t')
      .group('g', (group) => {
        given = group;
        return group.action({ name: 'a', handler: () => 1 });
      })
      .group('g', (group) => group.action({ name: 'b', handler: () => 2 }));
    expect(given).toBeInstanceOf(ActionGroupBuilder);
    expect((given as ActionGroupBuilder).name).toBe('g');
    expect(builder.getActionNames()).toEqual(['g.a', 'g.b']);
  });
});

describe('properties of a builder', () => {
  test('its name, tags and actions, without being finished by the question', () => {
    const builder = projects().tags('work', 'beta');
    expect([builder.getName(), builder.getTags(), builder.getActionNames()]).toEqual([
      'projects',
      ['work', 'beta'],
      ['list', 'delete'],
    ]);
    expect(builder.getActionMetadata().map(({ key }) => key)).toEqual(['list', 'delete']);
    builder.tags('more').action({ name: 'create', handler: () => 1 });
    expect([builder.getTags(), builder.getActionNames()]).toEqual([
      ['work', 'beta', 'more'],
      ['list', 'delete', 'create'],
    ]);
    expect(builder.getActionMetadata().map(({ key }) => key)).toEqual(['list', 'delete', 'create']);
  });

  test('returned values are copies', () => {
    const builder = projects().tags('work');
    (builder.getTags() as string[]).push('stray');
    (builder.getActionNames() as string[]).push('stray');
    expect([builder.getTags(), builder.getActionNames()]).toEqual([['work'], ['list', 'delete']]);
  });

  test('every action, with everything it inherits', () => {
    const builder = createTool('platform')
      .tags('all')
      .commonSchema(z.object({ workspace: z.string() }))
      .group('users', (users) =>
        users
          .use(pass)
          .tags('people', 'all')
          .action({
            name: 'create',
            description: 'Creates a user',
            idempotent: true,
            tags: ['write'],
            schema: z.object({ email: z.string(), role: z.string().optional() }),
            handler: () => 1,
          }),
      )
      .group('system', (system) =>
        system.action({ name: 'ping', readOnly: true, omitCommonFields: ['workspace'], handler: () => 1 }),
      );
    expect(builder.getActionMetadata()).toEqual([
      {
        key: 'users.create',
        actionName: 'create',
        groupName: 'users',
        description: 'Creates a user',
        destructive: false,
        readOnly: false,
        idempotent: true,
        requiredFields: ['workspace', 'email'],
        tags: ['all', 'people', 'write'],
        hasMiddleware: true,
      },
      {
        key: 'system.ping',
        actionName: 'ping',
        groupName: 'system',
        description: undefined,
        destructive: false,
        readOnly: true,
        idempotent: false,
        requiredFields: [],
        tags: ['all'],
        hasMiddleware: false,
      },
    ]);
  });

  test.each([
    [
      'of the tool',
      () =>
        createTool('t')
          .use(pass)
          .action({ name: 'a', handler: () => 1 }),
    ],
    ['of the action', () => createTool('t').action({ name: 'a', middleware: [pass], handler: () => 1 })],
  ])('an action has middleware when it is that %s', (_, make) => {
    expect(make().getActionMetadata()[0]?.hasMiddleware).toBe(true);
  });
});

describe('the finished tool', () => {
  test('is made once', () => {
    const builder = projects();
    expect(builder.buildToolDefinition()).toBe(builder.buildToolDefinition());
  });

  test('is frozen through and through', () => {
    const tool = createTool('t')
      .annotations({ title: 'T' })
      .action({
        name: 'a',
        schema: z.object({ list: z.array(z.object({ deep: z.string() })) }),
        outputSchema: z.object({ ok: z.boolean() }),
        handler: () => ({ ok: true }),
      })
      .buildToolDefinition();
    const loose: string[] = [];
    const visit = (value: unknown, path: string): void => {
      if (typeof value !== 'object' || value === null) return;
      if (!Object.isFrozen(value)) loose.push(path);
      for (const [key, child] of Object.entries(value)) visit(child, `${path}.${key}`);
    };
    visit(tool, 'tool');
    expect(loose).toEqual([]);
    expect(tool.outputSchema).toMatchObject({ properties: { ok: { type: 'boolean' } } });
  });

  test('has a title where one is given', () => {
    expect(projects().title('Projects').buildToolDefinition().title).toBe('Projects');
    expect(projects().buildToolDefinition()).not.toHaveProperty('title');
  });

  test('announces an output schema only when every action answers with an object', () => {
    const both = (second: z.ZodType | undefined): unknown =>
      createTool('t')
        .action({ name: 'a', outputSchema: z.object({ n: z.number() }), handler: () => ({ n: 1 }) })
        .action({ name: 'b', ...(second === undefined ? {} : { outputSchema: second }), handler: () => 1 })
        .buildToolDefinition().outputSchema;
    expect(both(undefined)).toBeUndefined();
    expect(both(z.number())).toBeUndefined();
    expect(both(z.object({ s: z.string() }))).toMatchObject({ type: 'object', anyOf: [{}, {}] });
  });

  test('needs an action, and can still get one after the refusal', () => {
    const builder = createTool('empty');
    const message = 'Builder "empty" has no actions. Add one with .action() or .group() before it is built.';
    expect(() => builder.buildToolDefinition()).toThrow(message);
    expect(() => new ToolRegistry().register(builder)).toThrow(message);
    builder.action({ name: 'late', handler: () => 'in time' });
    expect(builder.buildToolDefinition().description).toBe('empty. Actions: late');
  });
});

describe('annotations', () => {
  test('are the careful reading of all actions', () => {
    const annotations = (...flags: { destructive?: boolean; readOnly?: boolean; idempotent?: boolean }[]) => {
      const builder = createTool('t');
      for (const [index, flag] of flags.entries())
        builder.action({ name: `a${index}`, ...flag, handler: () => 1 });
      return builder.buildToolDefinition().annotations;
    };
    expect(annotations({ readOnly: true, idempotent: true }, { readOnly: true, idempotent: true })).toEqual({
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
    });
    expect(annotations({ readOnly: true, idempotent: true }, {})).toEqual({
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: false,
    });
    expect(annotations({ readOnly: true }, { destructive: true })).toEqual({
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
    });
  });

  test('stay as they are stated, also in several calls', () => {
    const { annotations } = projects()
      .annotations({ destructiveHint: false, title: 'P' })
      .annotations({ openWorldHint: true, title: 'Q' })
      .buildToolDefinition();
    expect(annotations).toEqual({
      title: 'Q',
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: false,
      openWorldHint: true,
    });
  });

  test('of a single action are its own, whatever the tool states', () => {
    const registry = new ToolRegistry({ exposure: 'flat' }).register(
      projects().annotations({ destructiveHint: false, openWorldHint: false }),
    );
    expect(registry.listTools().map(({ annotations }) => annotations)).toEqual([
      { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    ]);
  });
});

describe('the discriminator', () => {
  test('may have another name, in the schema, in calls and in messages', async () => {
    const builder = projects().discriminator('operation');
    const { properties, required } = builder.buildToolDefinition().inputSchema;
    expect([Object.keys(properties as object), required]).toEqual([['operation', 'id'], ['operation']]);
    expect(textOf(await builder.execute({}, { operation: 'delete', id: '7' }))).toBe('deleted 7');
    expect(textOf(await builder.execute({}, { action: 'delete', id: '7' }))).toBe(
      'operation is required. Available: list, delete',
    );
    expect(textOf(await builder.execute({}, { operation: 'nothing like it' }))).toBe(
      'Unknown operation. Available: list, delete',
    );
  });

  test('leaves the name "action" to a field', async () => {
    const builder = createTool('t')
      .discriminator('op')
      .action({ name: 'a', schema: z.object({ action: z.number() }), handler: ({ input }) => input });
    expect(textOf(await builder.execute({}, { op: 'a', action: 7 }))).toBe('{"action":7}');
  });
});

describe('a TOON description', () => {
  test('is made where it is asked for, and off by default', () => {
    const [plain, toon] = [projects(), projects().toonDescription()];
    expect(plain.buildToolDefinition().description).toContain('Workflow:');
    expect(toon.buildToolDefinition().description).not.toContain('Workflow:');
    expect(toon.buildToolDefinition().description).toMatch(/^Manages projects\. Actions: list, delete\n/);
    expect(toon.buildToolDefinition().description).toContain('delete,Deletes a project,id,true');
  });
});

describe('a builder that is finished', () => {
  const FROZEN = new DefinitionError(
    'Builder "projects" is frozen after buildToolDefinition(). Cannot modify a built tool.',
    { reason: 'already-built', option: 'buildToolDefinition' },
  );
  const MUTATIONS: Readonly<Record<string, (builder: GroupedToolBuilder) => unknown>> = {
    action: (builder) => builder.action({ name: 'late', handler: () => 1 }),
    group: (builder) => builder.group('late', (group) => group.action({ name: 'a', handler: () => 1 })),
    use: (builder) => builder.use(pass),
    description: (builder) => builder.description('late'),
    title: (builder) => builder.title('late'),
    commonSchema: (builder) => builder.commonSchema(z.object({})),
    tags: (builder) => builder.tags('late'),
    scopes: (builder) => builder.scopes('late'),
    missingScopes: (builder) => builder.missingScopes('hide'),
    annotations: (builder) => builder.annotations({ readOnlyHint: true }),
    discriminator: (builder) => builder.discriminator('late'),
    toonDescription: (builder) => builder.toonDescription(),
  };
  const FINISHERS: Readonly<Record<string, (builder: GroupedToolBuilder) => unknown>> = {
    'buildToolDefinition()': (builder) => builder.buildToolDefinition(),
    'register()': (builder) => new ToolRegistry().register(builder),
    'execute()': (builder) => builder.execute({}, { action: 'list' }),
    'execute() with options': (builder) => builder.execute({}, { action: 'list' }, { name: 'other' }),
  };
  const pairs = Object.keys(FINISHERS).flatMap((finisher) =>
    Object.keys(MUTATIONS).map((mutation) => [finisher, mutation] as const),
  );

  test.each(pairs)('by %s takes no %s any more', async (finisher, mutation) => {
    const builder = projects();
    await FINISHERS[finisher]?.(builder);
    const before = JSON.stringify([
      builder.buildToolDefinition(),
      builder.getTags(),
      builder.getActionNames(),
    ]);
    expect(() => MUTATIONS[mutation]?.(builder)).toThrow(FROZEN);
    expect(JSON.stringify([builder.buildToolDefinition(), builder.getTags(), builder.getActionNames()])).toBe(
      before,
    );
  });

  test('covers every method that changes something', () => {
    const reads = new Set(['constructor', 'buildToolDefinition', 'execute', 'plan']);
    const writes = Object.getOwnPropertyNames(GroupedToolBuilder.prototype).filter(
      (name) => !name.startsWith('get') && !reads.has(name),
    );
    expect(writes.toSorted()).toEqual(Object.keys(MUTATIONS).toSorted());
  });

  const GROUP_MUTATIONS: Readonly<Record<string, (group: ActionGroupBuilder) => unknown>> = {
    action: (group) => group.action({ name: 'late', handler: () => 1 }),
    use: (group) => group.use(pass),
    description: (group) => group.description('late'),
    commonSchema: (group) => group.commonSchema(z.object({})),
    tags: (group) => group.tags('late'),
    scopes: (group) => group.scopes('late'),
    missingScopes: (group) => group.missingScopes('hide'),
  };

  test.each(Object.keys(GROUP_MUTATIONS))('a kept group takes no %s any more', (mutation) => {
    let kept: ActionGroupBuilder | undefined;
    const builder = createTool('projects').group('g', (group) => {
      kept = group as unknown as ActionGroupBuilder;
      group.action({ name: 'a', handler: () => 1 });
    });
    const change = (): unknown => (kept === undefined ? undefined : GROUP_MUTATIONS[mutation]?.(kept));
    expect(change).toThrow(
      new DefinitionError(
        'Group "g" of builder "projects" is closed. Add its actions inside the function given to .group().',
        { reason: 'already-built', option: 'group', path: ['g'] },
      ),
    );
    builder.buildToolDefinition();
    expect(change).toThrow(FROZEN);
    expect(builder.getActionNames()).toEqual(['g.a']);
  });

  test('can be registered in any number of registries', async () => {
    const builder = projects();
    const registries = [new ToolRegistry().register(builder), new ToolRegistry().register(builder)];
    for (const registry of registries) {
      const result = await registry.executeTool({
        name: 'projects',
        arguments: { action: 'delete', id: '1' },
      });
      expect(textOf(result)).toBe('deleted 1');
    }
  });
});

describe('execute', () => {
  test('builds on the first call', async () => {
    const builder = projects();
    expect(textOf(await builder.execute({}, { action: 'list' }))).toBe('["a","b"]');
    expect(() => builder.tags('late')).toThrow('is frozen');
  });

  test('gives the context to the handler', async () => {
    const builder = createTool<{ db: string }>('t').action({
      name: 'where',
      handler: ({ context }) => [context.db, context.name, context.action],
    });
    expect(textOf(await builder.execute({ db: 'main' }, { action: 'where' }))).toBe(
      '["main","t.where","where"]',
    );
    expect(textOf(await builder.execute({ db: 'other' }, { action: 'where' }))).toBe(
      '["other","t.where","where"]',
    );
  });

  test('takes the settings of a registry for one call', async () => {
    const builder = projects();
    const result = await builder.execute({}, { action: 'list', x: 1 }, { unknownArguments: 'reject' });
    expect(textOf(result)).toBe(`[projects/list] Validation failed: x: ${unknownArgument()}`);
    expect(textOf(await builder.execute({}, { action: 'list', x: 1 }))).toBe('["a","b"]');
  });

  test('without arguments asks for the action', async () => {
    expect(await projects().execute({})).toEqual({
      content: [{ type: 'text', text: 'action is required. Available: list, delete' }],
      isError: true,
      _meta: { 'toolwright/error': { code: 'INVALID_ARGUMENTS' } },
    });
  });
});

describe('the strategies', () => {
  const withStrategy = (strategies: Partial<GroupedToolStrategies>): GroupedToolBuilder =>
    createTool('t', { strategies }).action({
      name: 'a',
      schema: z.object({ id: z.string() }),
      handler: ({ input }) => input.id,
    });

  test('for schemas can be replaced', () => {
    const seen: unknown[] = [];
    const { inputSchema, outputSchema } = withStrategy({
      schemaGenerator: {
        generateInputSchema: ({ actions, discriminator }) => {
          seen.push(
            actions.map(({ key }) => key),
            discriminator,
          );
          return { type: 'object', title: 'mine' };
        },
        generateOutputSchema: () => ({ type: 'object', title: 'mine too' }),
      },
    }).buildToolDefinition();
    expect([inputSchema, outputSchema, seen]).toEqual([
      { type: 'object', title: 'mine' },
      { type: 'object', title: 'mine too' },
      [['a'], 'action'],
    ]);
  });

  test('for descriptions can be replaced, each by itself', () => {
    const strategies: Partial<GroupedToolStrategies> = {
      descriptionGenerator: ({ toolName }) => `plain ${toolName}`,
      toonDescriptionGenerator: ({ toolName }) => `toon ${toolName}`,
    };
    expect(withStrategy(strategies).buildToolDefinition().description).toBe('plain t');
    expect(withStrategy(strategies).toonDescription().buildToolDefinition().description).toBe('toon t');
  });

  test('for annotations can be replaced', () => {
    const tool = withStrategy({
      annotationAggregator: (actions, explicit) => ({ ...explicit, title: `${actions.length} actions` }),
    }).annotations({ openWorldHint: true });
    expect(tool.buildToolDefinition().annotations).toEqual({ openWorldHint: true, title: '1 actions' });
  });

  test('for middleware can be replaced', async () => {
    const seen: unknown[] = [];
    const tool = withStrategy({
      middlewareCompiler: (source) => {
        seen.push(source.global.length, ...source.actions.map(({ key, subject }) => [key, subject.name]));
        return new Map(source.actions.map(({ key }) => [key, () => 'instead of everything']));
      },
    });
    const registry = new ToolRegistry();
    registry.use(pass);
    registry.register(tool.use(pass));
    const result = await registry.executeTool({ name: 't', arguments: { action: 'a', id: '1' } });
    expect([textOf(result), seen]).toEqual(['instead of everything', [2, ['a', 't.a']]]);
  });

  test('for middleware must make a chain for every action', () => {
    expect(() => withStrategy({ middlewareCompiler: () => new Map() }).buildToolDefinition()).toThrow(
      'The middleware compiler of builder "t" returned no chain for "a". Return one for every action.',
    );
  });

  test('for fields can be replaced', () => {
    const tool = withStrategy({
      schemaUtils: { ...DEFAULT_STRATEGIES.schemaUtils, getRequiredFields: () => ['only this'] },
    });
    expect(tool.buildToolDefinition().description).toBe(
      "t. Actions: a\n\nWorkflow:\n- 'a': Requires: only this",
    );
    expect(tool.getActionMetadata()[0]?.requiredFields).toEqual(['only this']);
  });
});

test('execute can be told who calls, so that actions with scopes can be tried', async () => {
  const builder = createTool('t').action({
    name: 'a',
    scopes: ['admin'],
    handler: ({ context }) => context.principal?.id,
  });
  const text = async (scopes: string[]): Promise<unknown> =>
    (await builder.execute({}, { action: 'a' }, { principal: { id: 'ada', scopes } })).content[0];
  expect(await text(['admin'])).toEqual({ type: 'text', text: 'ada' });
  expect(await text([])).toEqual({ type: 'text', text: unknownTool('t').message });
});
