import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import {
  answer,
  createServer,
  createTool,
  defineMiddleware,
  DefinitionError,
  ToolRegistry,
} from '../../../src/index.ts';
import type { Exposure, SurfaceOptions } from '../../../src/index.ts';
import { ajvCompiler } from '../../../src/json-schema.ts';
import { Group, McpGroupConverter, Tool } from '../../../src/model.ts';
import { connect } from '../../support/sdk.ts';

const none = z.object({});
const silent = { debug() {}, info() {}, warning() {}, error() {} };

/** A mixed sample: single and grouped tools in turn, merged builders, a mount, a policy and middleware. */
function sample(): ToolRegistry {
  const registry = new ToolRegistry({
    name: 'sample',
    logger: silent,
    policy: (tool, { principal }) => !tool.tags.includes('admin') || principal?.id === 'root',
  });
  const platform = createTool('platform')
    .title('Platform')
    .description('Manages the platform.')
    .discriminator('do')
    .annotations({ openWorldHint: false })
    .commonSchema(z.object({ tenant: z.string() }))
    .group('users', 'People.', (users) =>
      users
        .action({ name: 'list', readOnly: true, handler: ({ input }) => `users of ${input.tenant}` })
        .action({
          name: 'create',
          description: 'Creates a user',
          flatName: 'create_user',
          schema: z.object({ name: z.string() }),
          outputSchema: z.object({ name: z.string() }),
          examples: [{ tenant: 'acme', name: 'Ada' }],
          handler: ({ input }) => ({ name: input.name }),
        }),
    )
    .group('files', (files) => files.action({ name: 'wipe', destructive: true, handler: () => 'wiped' }));
  const notes = createTool('notes')
    .toonDescription()
    .action({ name: 'count', outputSchema: z.array(z.int()), handler: () => [1, 2] })
    .action({ name: 'drop', tags: ['admin'], handler: () => 'dropped' });
  const mounted = new ToolRegistry({ policy: { exclude: ['hidden'] }, logger: silent }).registerAll([
    { name: 'find', description: 'Finds', category: 'search', inputSchema: none, handler: () => 'found' },
    { name: 'leak', description: 'Leaks', tags: ['hidden'], inputSchema: none, handler: () => 'leaked' },
  ]);
  registry
    .register(platform)
    .register({ name: 'ping', description: 'Pings', inputSchema: none, handler: () => 'pong' })
    .register(notes)
    .register(
      createTool('platform')
        .discriminator('do')
        .description('More of it')
        .action({ name: 'status', readOnly: true, handler: () => 'up' }),
      { merge: true },
    )
    .register({
      name: 'add',
      title: 'Add',
      description: 'Adds',
      category: 'math',
      annotations: { readOnlyHint: true },
      inputSchema: z.object({ a: z.number(), b: z.number().default(1) }),
      outputSchema: z.object({ sum: z.number() }),
      handler: ({ input }) => ({ sum: input.a + input.b }),
    });
  registry.mount('ext', mounted);
  registry.use(
    defineMiddleware(({ next, context }) =>
      context.rawArguments['name'] === 'Eve' ? answer({ name: 'nobody' }) : next(),
    ),
  );
  return registry;
}

const CALLS: [string, Record<string, unknown>][] = [
  ['platform', { do: 'users.list', tenant: 'acme' }],
  ['platform', { do: 'users.create', tenant: 'acme', name: 'Ada' }],
  ['platform', { do: 'users.create', tenant: 'acme', name: 'Eve' }],
  ['platform', { do: 'users.create', tenant: 'acme' }],
  ['platform', { do: 'status' }],
  ['platform', { do: 'nothing' }],
  ['create_user', { tenant: 'acme', name: 'Ada' }],
  ['platform_users_list', { tenant: 'acme' }],
  ['notes', { action: 'count' }],
  ['notes', { action: 'drop' }],
  ['notes_drop', {}],
  ['ping', {}],
  ['add', { a: 1 }],
  ['add', { a: 'one' }],
  ['math', { action: 'add', a: 1 }],
  ['ext_find', {}],
  ['ext_search', { action: 'find' }],
  ['ext_leak', {}],
  ['search_tools', { query: 'users' }],
  ['call_tool', { name: 'platform.users.list', arguments: { tenant: 'acme' } }],
];

const SURFACES: SurfaceOptions[] = [
  ...(['grouped', 'flat', 'search', 'auto'] as const satisfies readonly Exposure[]).map((exposure) => ({
    exposure,
  })),
  { groupBy: 'category' },
  { splitReadWrite: true },
  { exposure: 'flat', schemaProfile: 'no-union' },
  { policy: { names: ['platform.status', 'notes'] } },
];

const pairs = [
  { server: 'v1 Server', client: 'v1 Client' },
  { server: 'v2 McpServer', client: 'v2 Client' },
];

/** Everything that an official client can observe of a registry: the list, and the outcome of every call. */
async function observe(
  registry: ToolRegistry,
  pair: { server: string; client: string },
  options: SurfaceOptions,
): Promise<{ list: string; outcomes: string[] }> {
  await using connection = await connect(registry, pair, options);
  const { client } = connection;
  const list = JSON.stringify(await client.listTools());
  const outcomes: string[] = [];
  for (const [name, args] of CALLS) {
    const outcome = await client.callTool(name, args).catch((error: unknown) => String(error));
    outcomes.push(JSON.stringify(outcome));
  }
  return { list, outcomes };
}

describe.each(pairs)('there and back, seen by the official $client through the official $server', (pair) => {
  test.each(SURFACES)('the same tools and results: %j', async (options) => {
    const registry = sample();
    const before = await observe(registry, pair, options);
    const after = await observe(ToolRegistry.fromGroup(registry.toGroup()), pair, options);
    expect(after.list).toBe(before.list);
    expect(after.outcomes).toEqual(before.outcomes);
  });
});

describe('the tree', () => {
  test('has a group for each grouped tool and for each group of actions', () => {
    const tree = sample().toGroup();
    const [platform, notes] = tree.childGroups;
    expect([tree.name, tree.childTools.map(({ name }) => name)]).toEqual([
      'sample',
      ['ping', 'add', 'ext_find', 'ext_leak'],
    ]);
    expect([platform?.title, platform?.description]).toEqual([
      'Platform',
      'Manages the platform. More of it',
    ]);
    expect(platform?.childGroups.map(({ name, description }) => [name, description])).toEqual([
      ['users', 'People.'],
      ['files', undefined],
    ]);
    const create = platform?.childGroups[0]?.childTools[1];
    expect(create?.getFullyQualifiedName()).toBe('sample.platform.users.create');
    expect(create?.outputSchema).toMatchObject({ properties: { name: { type: 'string' } } });
    expect(notes?.childTools.map((tool) => tool.annotations?.destructiveHint)).toEqual([false, false]);
    expect(tree.childTools[1]?.meta).toEqual({ 'toolwright/category': 'math' });
  });

  test('is a copy: neither changes the other', () => {
    const registry = sample();
    const tree = registry.toGroup();
    for (const tool of tree.childTools) tree.removeChildTool(tool);
    registry.unregister('platform');
    expect(registry.has('ping')).toBe(true);
    expect(tree.childGroups.map(({ name }) => name)).toEqual(['platform', 'notes']);
  });

  test('can be written as JSON, and served with other handlers', async () => {
    const converter = new McpGroupConverter();
    const wire = JSON.parse(JSON.stringify(converter.convertFromGroup(sample().toGroup()))) as never;
    const registry = ToolRegistry.fromGroup(converter.convertToGroup(wire), {
      jsonSchemaCompiler: ajvCompiler(),
      handlerOf: (tool, name) => () => `${name} at the other end, ${tool.name}`,
      policy: { exclude: ['none'] },
    });
    expect(registry.listTools().map(({ name }) => name)).toEqual([
      'ping',
      'add',
      'ext_find',
      'ext_leak',
      'platform',
      'notes',
    ]);
    const call = { name: 'platform', arguments: { action: 'files.wipe', tenant: 'acme' } };
    expect((await registry.executeTool(call)).content).toEqual([
      { type: 'text', text: 'platform.files.wipe at the other end, wipe' },
    ]);
    const flat = registry.surface({ exposure: 'flat' }).listTools();
    expect(flat.map(({ name }) => name)).toContain('platform_files_wipe');
    const byCategory = registry.surface({ groupBy: 'category' }).listTools();
    expect(byCategory.map(({ name }) => name)).toEqual([
      'ping',
      'math',
      'search',
      'ext_leak',
      'platform',
      'notes',
    ]);
    expect((await registry.executeTool({ ...call, arguments: { action: 'files.wipe' } })).isError).toBe(true);
  });
});

describe('a registry of a tree', () => {
  test('keeps the policy and the middleware that its tools were registered with', async () => {
    const registry = ToolRegistry.fromGroup(sample().toGroup(), { logger: silent });
    const drop = { name: 'notes', arguments: { action: 'drop' } };
    expect((await registry.executeTool(drop)).isError).toBe(true);
    expect((await registry.executeTool({ ...drop, principal: { id: 'root' } })).content).toEqual([
      { type: 'text', text: 'dropped' },
    ]);
    expect((await registry.executeTool({ name: 'ext_leak' })).isError).toBe(true);
  });

  test('adds its own policy and its own middleware', async () => {
    const log: string[] = [];
    const registry = ToolRegistry.fromGroup(sample().toGroup(), {
      logger: silent,
      policy: (tool) => tool.name !== 'ping',
    });
    registry.use(defineMiddleware(({ next, subject }) => (log.push(subject.name), next())));
    expect((await registry.executeTool({ name: 'ping' })).isError).toBe(true);
    await registry.executeTool({ name: 'notes', arguments: { action: 'count' } });
    expect(log).toEqual(['notes.count']);
    expect(registry.unregister('notes')).toBe(true);
    expect(registry.has('notes')).toBe(false);
  });

  test('can be mounted and served', async () => {
    const server = createServer({
      name: 's',
      version: '1',
      tools: ToolRegistry.fromGroup(sample().toGroup()),
      policy: (tool) => tool.name !== 'add',
    });
    const tools = server.tools?.listTools() ?? [];
    expect(tools.map(({ name }) => name)).toEqual(['platform', 'ping', 'notes', 'ext_find']);
    await server.close();
  });

  test('has its tools where the tree has them', async () => {
    const tree = sample().toGroup();
    const [platform, notes] = tree.childGroups;
    const [ping, add] = tree.childTools;
    const count = notes?.childTools[0];
    if (
      platform === undefined ||
      notes === undefined ||
      ping === undefined ||
      add === undefined ||
      count === undefined
    )
      throw new Error('the sample is another one');
    const tools = new Group({ name: 'tools', title: 'Tools', description: 'All sorts' });
    const inner = new Group({ name: 'inner' });
    const root = new Group({ name: 'other' });
    root.addChildGroup(tools);
    tools.addChildGroup(inner);
    tools.addChildTool(ping);
    inner.addChildTool(add);
    inner.addChildTool(count);
    root.addChildTool(count);
    const registry = ToolRegistry.fromGroup(root, { logger: silent });
    expect(registry.name).toBe('other');
    const [listed, single] = registry.listTools();
    expect([listed?.name, listed?.title, single?.name]).toEqual(['tools', 'Tools', 'count']);
    expect(listed?.description).toContain('All sorts. Modules: ping | inner (count,add)');
    const call = (args: object): Promise<unknown> =>
      registry.executeTool({ name: 'tools', arguments: args }).then(({ content }) => content);
    expect(await call({ action: 'inner.add', a: 2 })).toEqual([{ type: 'text', text: '{"sum":3}' }]);
    expect(await call({ action: 'inner.count' })).toEqual([{ type: 'text', text: '[1,2]' }]);
    expect(await call({ action: 'ping' })).toEqual([{ type: 'text', text: 'pong' }]);
    const flat = registry.surface({ exposure: 'flat' }).listTools();
    expect(flat.map(({ name }) => name)).toEqual([
      'tools_ping',
      'tools_inner_count',
      'tools_inner_add',
      'count',
    ]);
  });
});

test('a single tool that has moved into a group returns in full what the group does not announce', async () => {
  const source = new ToolRegistry().register({
    name: 'primes',
    description: 'Some primes',
    structuredText: 'short',
    inputSchema: none,
    outputSchema: z.array(z.int()),
    handler: () => [2, 3],
  });
  const numbers = new Group({ name: 'numbers' });
  for (const tool of source.toGroup().childTools) numbers.addChildTool(tool);
  const root = new Group({ name: 'root' });
  root.addChildGroup(numbers);
  const registry = ToolRegistry.fromGroup(root);
  expect((await registry.executeTool({ name: 'numbers', arguments: { action: 'primes' } })).content).toEqual([
    { type: 'text', text: '[2,3]' },
  ]);
});

describe('trees that cannot be served are rejected', () => {
  const treeWith = (tool: Tool, group?: Group): Group => {
    const root = new Group({ name: 'root' });
    if (group !== undefined) root.addChildGroup(group);
    (group ?? root).addChildTool(tool);
    return root;
  };
  const model = (name: string): Tool => new Tool({ name, inputSchema: { type: 'object' } });
  const handlerOf = (): (() => string) => () => 'x';
  const from = (group: Group): ToolRegistry =>
    ToolRegistry.fromGroup(group, { handlerOf, jsonSchemaCompiler: ajvCompiler() });

  test('a tool without a handler', () => {
    expect(() => ToolRegistry.fromGroup(treeWith(model('a'), new Group({ name: 'g' })))).toThrow(
      'Missing handler for tool "g.a": it does not come from a registry. Pass one: ToolRegistry.fromGroup(group, { handlerOf: (tool) => … }).',
    );
  });

  test('a tool of a registry that was changed', () => {
    const tree = sample().toGroup();
    const [ping] = tree.childTools;
    if (ping !== undefined) ping.description = 'Something else';
    expect(() => ToolRegistry.fromGroup(tree)).toThrow('Tool "ping" was changed in the tree.');
  });

  test.each([
    ['a name that is not allowed', treeWith(model('a b')), /Invalid tool name "a b"/],
    ['a dot in an action', treeWith(model('a.b'), new Group({ name: 'g' })), /must not contain dots/],
    [
      'a name of a group that is not allowed',
      treeWith(model('a'), new Group({ name: 'g h' })),
      /Invalid tool name "g h/,
    ],
    [
      'an argument like the discriminator',
      treeWith(
        new Tool({ name: 'a', inputSchema: { type: 'object', properties: { action: { type: 'string' } } } }),
        new Group({ name: 'g' }),
      ),
      /Tool "a" has an argument named "action", which is the discriminator of the group "g"\./,
    ],
  ])('%s', (_title, tree, message) => {
    expect(() => from(tree)).toThrow(message);
  });

  test('names that collide in some exposure', () => {
    const root = treeWith(model('list'), new Group({ name: 'users' }));
    root.addChildTool(model('users_list'));
    expect(() => from(root)).toThrow("Tool with name 'users_list' already exists");
  });

  test.each([undefined, {}, 'group'])('%j is no tree', (given) => {
    expect(() => ToolRegistry.fromGroup(given as never)).toThrow(DefinitionError);
  });
});
