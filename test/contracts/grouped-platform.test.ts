/** Grouped tools and the domain model: a platform with users and billing. */
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { createTool, defineMiddleware, ToolError, ToolRegistry } from '../../src/index.ts';
import type { GroupedToolBuilder } from '../../src/index.ts';
import {
  Group,
  McpGroupConverter,
  Prompt,
  PromptArgument,
  Resource,
  Tool,
  ToolAnnotations,
} from '../../src/model.ts';
import {
  AnnotationAggregator,
  DescriptionGenerator,
  getGroupSummaries,
  SchemaGenerator,
  SchemaUtils,
  ToonDescriptionGenerator,
} from '../../src/strategies.ts';
import type { InternalAction, SdkHandler, SdkRequest } from '../../src/strategies.ts';
import { recordLog } from '../support/log-recorder.ts';
import { connect, SDK_CLIENTS, SDK_SERVERS } from '../support/sdk.ts';

const textOf = ({ content }: { readonly content?: readonly unknown[] }): unknown =>
  (content?.[0] as { text?: unknown } | undefined)?.text;

/** The names of the middleware and handlers that ran. */
type Trace = string[];
const traced = (trace: Trace, name: string) =>
  defineMiddleware(({ next }) => {
    trace.push(name);
    return next();
  });

function platform(trace: Trace = []): GroupedToolBuilder {
  return createTool('platform')
    .description('Platform administration')
    .use(traced(trace, 'global 1'))
    .use(traced(trace, 'global 2'))
    .group('users', 'User management', (users) =>
      users
        .use(traced(trace, 'group'))
        .action({ name: 'list', readOnly: true, handler: () => ['ada'] })
        .action({
          name: 'create',
          description: 'Creates a user',
          schema: z.object({ email: z.string().min(3), role: z.enum(['admin', 'member']) }),
          handler: ({ input }) => {
            trace.push('handler');
            if (input.email === 'taken@b.com') throw new ToolError('This address is taken.');
            if (input.email === 'broken@b.com') throw new Error('connect ECONNREFUSED 10.0.0.7');
            return input;
          },
        })
        .action({
          name: 'ban',
          destructive: true,
          schema: z.object({ id: z.string() }),
          handler: () => 'banned',
        }),
    )
    .group('billing', (billing) =>
      billing.action({ name: 'invoices', readOnly: true, handler: () => [] }).action({
        name: 'refund',
        destructive: true,
        schema: z.object({ id: z.string() }),
        handler: () => 'refunded',
      }),
    );
}

const pairs = Object.keys(SDK_SERVERS).flatMap((server) =>
  Object.keys(SDK_CLIENTS).map((client) => ({ server, client })),
);

describe.each(pairs)('the platform on the official $server, called by the official $client', (names) => {
  const open = (trace: Trace = []) =>
    connect(new ToolRegistry({ logger: recordLog().logger }).register(platform(trace)), names);

  test('is one tool with all actions', async () => {
    await using connection = await open();
    const { tools } = await connection.client.listTools();
    expect(tools.map((tool) => tool.name)).toEqual(['platform']);
    expect(tools[0]?.description)
      .toBe(`Platform administration. Modules: users (list,create,ban) | billing (invoices,refund)

Workflow:
users: User management
- 'users.create': Creates a user. Requires: email, role
- 'users.ban': Requires: id ⚠️ DESTRUCTIVE
- 'billing.refund': Requires: id ⚠️ DESTRUCTIVE`);
    expect(tools[0]?.inputSchema).toEqual({
      type: 'object',
      properties: {
        action: {
          type: 'string',
          enum: ['users.list', 'users.create', 'users.ban', 'billing.invoices', 'billing.refund'],
          description: 'The action to perform, written as module.action.',
        },
        email: { type: 'string', minLength: 3, description: 'Required for: users.create' },
        role: { type: 'string', enum: ['admin', 'member'], description: 'Required for: users.create' },
        id: { type: 'string', description: 'Required for: users.ban, billing.refund' },
      },
      required: ['action'],
    });
    expect(tools[0]?.annotations).toEqual({
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
    });
  });

  test('runs an action: global middleware, group middleware, handler', async () => {
    const trace: Trace = [];
    await using connection = await open(trace);
    const result = await connection.client.callTool('platform', {
      action: 'users.create',
      email: 'a@b.com',
      role: 'admin',
      isOwner: true,
    });
    expect(trace).toEqual(['global 1', 'global 2', 'group', 'handler']);
    // The handler sees neither the discriminator nor an argument that its schema does not have.
    expect(textOf(result)).toBe('{"email":"a@b.com","role":"admin"}');
  });

  test.each([
    [
      'no action',
      {},
      'action is required. Available: users.list, users.create, users.ban, billing.invoices, billing.refund',
    ],
    [
      'an unknown action',
      { action: 'billing.pay' },
      'Unknown action. Available: users.list, users.create, users.ban, billing.invoices, billing.refund',
    ],
    [
      'a call with invalid arguments',
      { action: 'users.create', email: 7, role: 'owner' },
      '[platform/users.create] Validation failed: email: Invalid input: expected string, received number (expected: string of at least 3 characters; received: 7 (number)); role: Invalid option: expected one of "admin"|"member" (expected: one of "admin", "member"; received: "owner" (string))',
    ],
    [
      'an error of the handler',
      { action: 'users.create', email: 'taken@b.com', role: 'member' },
      '[platform/users.create] This address is taken.',
    ],
  ])('%s is answered with what helps to correct the call', async (_case, args, text) => {
    await using connection = await open();
    const result = await connection.client.callTool('platform', args);
    expect([result.isError, textOf(result)]).toEqual([true, text]);
  });

  test('different here: the message of an unexpected error stays in the log', async () => {
    await using connection = await open();
    const result = await connection.client.callTool('platform', {
      action: 'users.create',
      email: 'broken@b.com',
      role: 'member',
    });
    expect(textOf(result)).toMatch(/^\[platform\/users\.create\] /);
    expect(textOf(result)).not.toContain('ECONNREFUSED');
  });

  test('is gone after detach; different here: the server answers as before, not with nothing', async () => {
    await using connection = await open();
    connection.detach();
    await expect(connection.client.listTools()).rejects.toMatchObject({ code: -32601 });
    await expect(connection.client.callTool('platform', {})).rejects.toMatchObject({ code: -32601 });
  });
});

describe('a flat tool', () => {
  const Id = z.object({ id: z.string() });
  const Fields = z.object({ name: z.string(), note: z.string().optional() });
  const projects = (): GroupedToolBuilder =>
    createTool('projects')
      .description('Projects of a workspace')
      .commonSchema(z.object({ workspace: z.string() }))
      .action({
        name: 'list',
        readOnly: true,
        schema: z.object({ limit: z.int().optional() }),
        handler: () => [],
      })
      .action({
        name: 'search',
        readOnly: true,
        schema: z.object({ limit: z.int().optional() }),
        handler: () => [],
      })
      .action({ name: 'create', schema: Fields, handler: ({ input }) => input.name })
      .action({ name: 'update', schema: Id.extend(Fields.partial().shape), handler: ({ input }) => input.id })
      .action({ name: 'delete', destructive: true, schema: Id, handler: ({ input }) => input.id });

  test('lists its actions, then what the calls need', () => {
    expect(projects().buildToolDefinition().description).toBe(
      `Projects of a workspace. Actions: list, search, create, update, delete

Workflow:
- 'list': Requires: workspace
- 'search': Requires: workspace
- 'create': Requires: workspace, name
- 'update': Requires: workspace, id
- 'delete': Requires: workspace, id ⚠️ DESTRUCTIVE`,
    );
  });

  test('says of each field for which actions it is', () => {
    const properties = Object.entries(
      projects().buildToolDefinition().inputSchema['properties'] as Record<string, { description: string }>,
    );
    expect(properties.map(([name, { description }]) => [name, description])).toEqual([
      ['action', 'The action to perform.'],
      ['workspace', '(always required)'],
      ['limit', 'For: list, search'],
      ['name', 'Required for: create. For: update'],
      ['note', 'For: create, update'],
      ['id', 'Required for: update, delete'],
    ]);
  });

  test('describes its actions as a TOON table where that is asked for', () => {
    expect(projects().toonDescription().buildToolDefinition().description).toBe(
      `Projects of a workspace. Actions: list, search, create, update, delete

[5]{action,desc,required,destructive}:
  list,"",workspace,false
  search,"",workspace,false
  create,"","workspace,name",false
  update,"","workspace,id",false
  delete,"","workspace,id",true`,
    );
  });

  test('has a TOON table for each group, where there are groups', () => {
    expect(platform().toonDescription().buildToolDefinition().description).toBe(
      `Platform administration. Modules: users (list,create,ban) | billing (invoices,refund)

users[3]{action,desc,required,destructive}:
  list,"","",false
  create,Creates a user,"email,role",false
  ban,"",id,true
billing[2]{action,desc,required,destructive}:
  invoices,"","",false
  refund,"",id,true`,
    );
  });

  test('is frozen when it is built', () => {
    const builder = createTool('platform').action({ name: 'list', handler: () => [] });
    builder.buildToolDefinition();
    expect(() => builder.action({ name: 'late', handler: () => 1 })).toThrow(
      'Builder "platform" is frozen after buildToolDefinition(). Cannot modify a built tool.',
    );
  });

  test('has no groups, and no dots in its names', () => {
    const builder = createTool('platform').action({ name: 'list', handler: () => [] });
    expect(() =>
      builder.group('users', (users) => users.action({ name: 'list', handler: () => [] })),
    ).toThrow(
      `Cannot use .action() and .group() on the same builder "platform".
Use .action() for flat tools OR .group() for hierarchical tools.`,
    );
    expect(() => createTool('platform').action({ name: 'users.list', handler: () => [] })).toThrow(
      'Action name "users.list" of builder "platform" must not contain dots.',
    );
    expect(() =>
      createTool('platform').group('a.b', (group) => group.action({ name: 'list', handler: () => [] })),
    ).toThrow('Group name "a.b" of builder "platform" must not contain dots.');
  });

  test('is built by its first call', async () => {
    const builder = projects();
    const args = { action: 'create', workspace: 'home', name: 'Garden' };
    expect(textOf(await builder.execute({}, args))).toBe('Garden');
    expect(() => builder.tags('late')).toThrow('is frozen');
  });

  test('knows its actions', () => {
    expect([projects().getName(), projects().getActionNames()]).toEqual([
      'projects',
      ['list', 'search', 'create', 'update', 'delete'],
    ]);
    expect(projects().getActionMetadata().at(-1)).toMatchObject({
      key: 'delete',
      destructive: true,
      requiredFields: ['workspace', 'id'],
    });
  });
});

test('annotations assume the worst; what is said explicitly wins', () => {
  const hints = (builder: GroupedToolBuilder) => builder.buildToolDefinition().annotations;
  const reads = { readOnly: true, idempotent: true, handler: () => 1 };
  expect(
    hints(
      createTool('t')
        .action({ name: 'a', ...reads })
        .action({ name: 'b', ...reads }),
    ),
  ).toEqual({
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
  });
  const mixed = createTool('t')
    .action({ name: 'a', ...reads })
    .action({ name: 'b', destructive: true, handler: () => 1 });
  expect(hints(mixed.annotations({ idempotentHint: true }))).toEqual({
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: true,
  });
});

test('different here: two actions may give a field two schemas, and both are advertised', async () => {
  const registry = new ToolRegistry().register(
    createTool('t')
      .action({ name: 'a', schema: z.object({ opts: z.object({ p: z.string() }) }), handler: () => 'a' })
      .action({ name: 'b', schema: z.object({ opts: z.object({ q: z.string() }) }), handler: () => 'b' }),
  );
  expect(registry.listTools()[0]?.inputSchema).toMatchObject({
    properties: {
      opts: {
        anyOf: [
          { properties: { p: { type: 'string' } }, required: ['p'], description: 'Required for: a' },
          { properties: { q: { type: 'string' } }, required: ['q'], description: 'Required for: b' },
        ],
      },
    },
    required: ['action'],
  });
  const call = { name: 't', arguments: { action: 'b', opts: { q: 'x' } } };
  expect(textOf(await registry.executeTool(call))).toBe('b');
});

describe('a filter by tags', () => {
  const registry = (): ToolRegistry =>
    new ToolRegistry()
      .register(
        createTool('reports')
          .tags('public')
          .action({ name: 'list', handler: () => [] }),
      )
      .register(
        createTool('admin')
          .tags('internal')
          .action({ name: 'wipe', handler: () => 'WIPED' }),
      );

  test('includes and excludes', () => {
    expect(
      registry()
        .getTools({ tags: ['public'] })
        .map(({ name }) => name),
    ).toEqual(['reports']);
    expect(
      registry()
        .getTools({ exclude: ['internal'] })
        .map(({ name }) => name),
    ).toEqual(['reports']);
  });

  test.each(pairs)(
    'different here: what $server hides from $client cannot be called either',
    async (names) => {
      await using connection = await connect(registry(), names, { policy: { exclude: ['internal'] } });
      const { tools } = await connection.client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(['reports']);
      await expect(connection.client.callTool('admin', { action: 'wipe' })).rejects.toMatchObject({
        code: -32602,
      });
    },
  );
});

describe('attachToServer', () => {
  /** A server that shares only the required method with the SDK. */
  class OwnServer {
    readonly handlers = new Map<string, SdkHandler>();
    setRequestHandler(method: string, handler: SdkHandler): void {
      this.handlers.set(method, handler);
    }
    ask(method: string, params: object = {}): unknown {
      return this.handlers.get(method)?.({ method, params } as SdkRequest);
    }
  }

  test('takes any server with setRequestHandler, or with such a server inside', async () => {
    const params = { name: 'platform', arguments: { action: 'users.list' } };
    const own = new OwnServer();
    for (const server of [own, { server: own }]) {
      const detach = new ToolRegistry().register(platform()).attachToServer(server);
      expect(await own.ask('tools/list')).toMatchObject({ tools: [{ name: 'platform' }] });
      expect(await own.ask('tools/call', params)).toEqual({ content: [{ type: 'text', text: '["ada"]' }] });
      detach();
      await expect(own.ask('tools/list')).rejects.toMatchObject({ code: -32601 });
    }
  });

  test('refuses anything else', () => {
    expect(() => new ToolRegistry().attachToServer({ name: 'no server' })).toThrow(
      'attachToServer needs a Server or McpServer of the official MCP SDK (version 1 or 2), or another server with the method setRequestHandler; received an instance of Object.',
    );
  });
});

describe('the strategies, given actions by hand', () => {
  const action = (
    groupName: string,
    actionName: string,
    more: Partial<InternalAction> = {},
  ): InternalAction => ({
    key: `${groupName}.${actionName}`,
    groupName,
    actionName,
    inputSchema: { type: 'object', properties: {} },
    commonFields: [],
    examples: [],
    ...more,
  });
  const email = { type: 'object', properties: { email: { type: 'string' } }, required: ['email'] } as const;
  const actions = [
    action('users', 'list', { readOnly: true }),
    action('users', 'create', { inputSchema: email }),
    action('users', 'ban', { inputSchema: email, destructive: true }),
    action('billing', 'invoices', { readOnly: true }),
    action('billing', 'refund'),
  ];
  const source = { actions, toolName: 'platform', discriminator: 'action', hasGroup: true };

  test('return the same for the same', () => {
    expect(getGroupSummaries(actions)).toEqual(['users (list,create,ban)', 'billing (invoices,refund)']);
    expect(DescriptionGenerator.generateDescription(source)).toBe(
      `platform. Modules: users (list,create,ban) | billing (invoices,refund)

Workflow:
- 'users.create': Requires: email
- 'users.ban': Requires: email ⚠️ DESTRUCTIVE`,
    );
    expect(SchemaGenerator.generateInputSchema(source)).toMatchObject({
      properties: { email: { description: 'Required for: users.create, users.ban' } },
    });
    expect(AnnotationAggregator.aggregateAnnotations(actions, { readOnlyHint: true })).toEqual({
      readOnlyHint: true,
      destructiveHint: true,
      idempotentHint: false,
    });
    expect(actions.map((each) => SchemaUtils.getRequiredFields(each))).toEqual([
      [],
      ['email'],
      ['email'],
      [],
      [],
    ]);
    expect(ToonDescriptionGenerator.toActionTable({ ...source, actions: actions.slice(2, 3) })).toEqual({
      users: [{ action: 'ban', desc: '', required: 'email', destructive: true }],
    });
  });

  test('are replaced one by one', () => {
    const builder = createTool('platform', {
      strategies: { descriptionGenerator: ({ toolName }) => `Just ${toolName}` },
    }).action({ name: 'list', handler: () => [] });
    expect(builder.buildToolDefinition().description).toBe('Just platform');
  });
});

test('an action that is listed by itself has the name that you choose', async () => {
  const registry = new ToolRegistry({ exposure: 'flat' }).register(
    createTool('platform').group('users', (users) =>
      users
        .action({ name: 'list', handler: () => ['ada'] })
        .action({ name: 'ban', flatName: 'ban_user', handler: () => 'banned' }),
    ),
  );
  expect(registry.listTools().map(({ name }) => name)).toEqual(['platform_users_list', 'ban_user']);
  expect(textOf(await registry.executeTool({ name: 'ban_user' }))).toBe('banned');
});

test('annotations may be those of the model', () => {
  const annotations = new ToolAnnotations({ title: 'Users', openWorldHint: false });
  const builder = createTool('users')
    .annotations(annotations)
    .action({ name: 'list', readOnly: true, handler: () => [] });
  expect(builder.buildToolDefinition().annotations).toEqual({
    title: 'Users',
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: false,
    openWorldHint: false,
  });
});

describe('the domain model', () => {
  const inputSchema = { type: 'object' } as const;

  test('a tool in two groups has a name below each', () => {
    const [userFacing, admin] = [new Group({ name: 'user-facing' }), new Group({ name: 'admin' })];
    const search = new Tool({ name: 'search', inputSchema });
    userFacing.addChildTool(search);
    admin.addChildTool(search);
    expect(search.parentGroups.map(({ name }) => name)).toEqual(['user-facing', 'admin']);
    expect(search.getFullyQualifiedNames()).toEqual(['user-facing.search', 'admin.search']);
  });

  test('names of groups are joined from the root, with a separator of your own if you like', () => {
    const [platform, users, management] = ['platform', 'users', 'management'].map(
      (name) => new Group({ name }),
    ) as [Group, Group, Group];
    platform.addChildGroup(users);
    users.addChildGroup(management);
    expect(management.getFullyQualifiedName()).toBe('platform.users.management');
    expect(management.getFullyQualifiedName('/')).toBe('platform/users/management');
    expect(management.getRoot()).toBe(platform);
  });

  test('is the model of a registry, from which the registry can be made again', async () => {
    const tree = new ToolRegistry({ name: 'server' }).register(platform()).toGroup();
    const [root] = tree.childGroups;
    expect(root?.childGroups.map((group) => group.getFullyQualifiedName())).toEqual([
      'server.platform.users',
      'server.platform.billing',
    ]);
    expect(root?.childGroups[0]?.childTools.map((tool) => tool.getFullyQualifiedName())).toEqual([
      'server.platform.users.list',
      'server.platform.users.create',
      'server.platform.users.ban',
    ]);
    const again = ToolRegistry.fromGroup(tree);
    expect(again.listTools()).toEqual(new ToolRegistry().register(platform()).listTools());
    const call = { name: 'platform', arguments: { action: 'users.list' } };
    expect(textOf(await again.executeTool(call))).toBe('["ada"]');
  });

  test('every primitive goes to the protocol and back', () => {
    const group = new Group({ name: 'docs', title: 'Documents' });
    const annotations = new ToolAnnotations({
      title: 'Search',
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
      returnDirect: true,
    });
    group.addChildTool(new Tool({ name: 'search', inputSchema, outputSchema: inputSchema, annotations }));
    group.addChildPrompt(
      new Prompt({ name: 'summarize', arguments: [new PromptArgument({ name: 'text', required: true })] }),
    );
    group.addChildResource(
      new Resource({
        name: 'guide',
        uri: 'docs://guide',
        mimeType: 'text/markdown',
        size: 7,
        annotations: { audience: ['user'], priority: 1, lastModified: '2026-01-01T00:00:00Z' },
      }),
    );
    const wire = {
      name: 'docs',
      title: 'Documents',
      tools: [
        {
          name: 'search',
          inputSchema: { type: 'object' },
          outputSchema: { type: 'object' },
          annotations: {
            title: 'Search',
            readOnlyHint: true,
            destructiveHint: false,
            idempotentHint: true,
            openWorldHint: false,
            returnDirect: true,
          },
        },
      ],
      prompts: [{ name: 'summarize', arguments: [{ name: 'text', required: true }] }],
      resources: [
        {
          name: 'guide',
          uri: 'docs://guide',
          mimeType: 'text/markdown',
          size: 7,
          annotations: { audience: ['user'], priority: 1, lastModified: '2026-01-01T00:00:00Z' },
        },
      ],
    };
    const converter = new McpGroupConverter();
    expect(converter.convertFromGroup(group)).toEqual(wire);
    expect(
      converter.convertFromGroups([
        undefined,
        converter.convertToGroup(converter.convertFromGroup(group)),
        null,
      ]),
    ).toEqual([wire]);
  });
});
