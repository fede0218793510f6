import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { createServer, createTool, ToolRegistry } from '../../../../src/index.ts';
import type { AnyToolDefinition, McpTool, SurfaceOptions, ToolDefinition } from '../../../../src/index.ts';
import { connect, SDK_CLIENTS, SDK_SERVERS } from '../../../support/sdk.ts';

const none = z.object({});

function single(name: string, members: Partial<AnyToolDefinition> = {}): ToolDefinition<typeof none> {
  const definition = { name, description: `Does ${name}`, inputSchema: none, handler: () => name };
  return { ...definition, ...members } as ToolDefinition<typeof none>;
}

/** A fitness server: tools in categories. */
function fitness(options: SurfaceOptions = {}): ToolRegistry {
  const registry = new ToolRegistry({ name: 'fitness', ...options, policy: { exclude: ['hidden'] } });
  return registry.registerAll([
    single('get_activities', {
      category: 'core',
      annotations: { readOnlyHint: true },
      inputSchema: z.object({ limit: z.int().default(10) }),
      outputSchema: z.object({ ids: z.array(z.int()) }),
      handler: ({ input }) => ({ ids: [(input as { limit: number }).limit] }),
    }),
    single('ping'),
    single('sleep_score', {
      category: 'sleep',
      annotations: { readOnlyHint: true },
      structuredText: 'short',
      outputSchema: z.array(z.int()),
      handler: () => [7, 8],
    }),
    single('set_goal', { category: 'core', scopes: ['write'], inputSchema: z.object({ goal: z.string() }) }),
    single('wipe', { category: 'core', tags: ['hidden'] }),
  ]);
}

const namesOf = (tools: readonly McpTool[]): string[] => tools.map(({ name }) => name);
const actionsOf = (tool: McpTool | undefined): unknown =>
  (tool?.inputSchema['properties'] as { action?: { enum?: unknown } } | undefined)?.action?.enum;

const pairs = Object.keys(SDK_SERVERS).flatMap((server) =>
  Object.keys(SDK_CLIENTS).map((client) => ({ server, client })),
);

describe.each(pairs)('through the official $server and $client', (names) => {
  test('single tools are shown and called as actions of their category', async () => {
    const identify = (): { id: string; scopes: string[] } => ({ id: 'ada', scopes: ['write'] });
    await using connection = await connect(fitness({ groupBy: 'category' }), names, { identify });
    const { tools } = await connection.client.listTools();
    expect(tools.map((tool) => [tool.name, actionsOf(tool)])).toEqual([
      ['core', ['get_activities', 'set_goal']],
      ['ping', undefined],
      ['sleep', ['sleep_score']],
    ]);
    expect(tools[0]?.description).toBe(
      "core. Actions: get_activities, set_goal\n\nWorkflow:\n- 'get_activities': Does get_activities\n- 'set_goal': Does set_goal. Requires: goal",
    );
    const { client } = connection;
    expect(await client.callTool('core', { action: 'set_goal', goal: 'run' })).toMatchObject({
      content: [{ type: 'text', text: 'set_goal' }],
    });
    expect(await client.callTool('core', { action: 'get_activities' })).toMatchObject({
      content: [{ type: 'text', text: '{"ids":[10]}' }],
    });
    expect(await client.callTool('sleep', { action: 'sleep_score' })).toMatchObject({
      content: [{ type: 'text', text: '[7,8]' }],
    });
    expect(await client.callTool('core', { action: 'wipe' })).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: 'Unknown action. Available: get_activities, set_goal' }],
    });
    await expect(client.callTool('set_goal', { goal: 'run' })).rejects.toMatchObject({ code: -32602 });
  });
});

describe('advertised tools', () => {
  test('is only what the caller may see, and a category without visible tools is not there', () => {
    const registry = fitness({ groupBy: 'category' });
    expect(actionsOf(registry.findTool('core'))).toEqual(['get_activities', 'set_goal']);
    expect(actionsOf(registry.listTools()[0])).toEqual(['get_activities']);
    const strict = registry.surface({ policy: { names: ['ping', 'sleep_score'] } });
    expect(namesOf(strict.listTools())).toEqual(['ping', 'sleep']);
  });

  test('depends on the surface alone, and on no other exposure', () => {
    const registry = fitness();
    const shown = (options: SurfaceOptions): string[] => namesOf(registry.surface(options).listTools());
    const single = ['get_activities', 'ping', 'sleep_score'];
    expect(shown({})).toEqual(single);
    expect(shown({ groupBy: 'category' })).toEqual(['core', 'ping', 'sleep']);
    expect(shown({ groupBy: 'category', exposure: 'flat' })).toEqual(single);
    const writer = { principal: { id: 'ada', scopes: ['write'] } };
    const halves = registry.surface({ groupBy: 'category', splitReadWrite: true });
    expect(namesOf(halves.listTools(writer))).toEqual(['core_read', 'ping', 'sleep_read', 'core_write']);
    expect(halves.listTools(writer)[0]?.annotations).toMatchObject({ readOnlyHint: true });
  });

  test('can be set on a server', async () => {
    const server = createServer({ name: 's', version: '1', tools: fitness(), groupBy: 'category' });
    expect(namesOf(server.tools?.listTools() ?? [])).toEqual(['core', 'ping', 'sleep']);
    await server.close();
  });

  test('is annotated on the careful side', () => {
    const annotationsOf = (...hints: AnyToolDefinition['annotations'][]): unknown => {
      const registry = new ToolRegistry({ groupBy: 'category' });
      for (const [index, annotations] of hints.entries())
        registry.register(single(`t${index}`, { category: 'c', annotations: annotations ?? {} }));
      return registry.findTool('c')?.annotations;
    };
    const rest = { readOnlyHint: false, idempotentHint: false };
    // A tool without the hint may be destructive, as in the protocol.
    expect(annotationsOf({}, { destructiveHint: false })).toEqual(rest);
    expect(annotationsOf({}, { destructiveHint: true })).toEqual({ ...rest, destructiveHint: true });
    expect(annotationsOf({ readOnlyHint: true }, { destructiveHint: false })).toEqual({
      ...rest,
      destructiveHint: false,
    });
    expect(annotationsOf({ readOnlyHint: true, idempotentHint: true })).toEqual({
      readOnlyHint: true,
      idempotentHint: true,
      destructiveHint: false,
    });
  });

  test('of a mounted registry has the prefix, and follows its changes', async () => {
    const inner = fitness();
    const outer = new ToolRegistry({ groupBy: 'category' }).register(single('ping', { category: 'core' }));
    outer.mount('fit', inner);
    expect(namesOf(outer.listTools())).toEqual(['core', 'fit_core', 'fit_ping', 'fit_sleep']);
    expect(actionsOf(outer.listTools()[1])).toEqual(['get_activities']);
    inner.register(single('get_stats', { category: 'core' }));
    expect(actionsOf(outer.listTools()[1])).toEqual(['get_activities', 'get_stats']);
    const reply = await outer.executeTool({ name: 'fit_core', arguments: { action: 'get_stats' } });
    expect(reply.content).toEqual([{ type: 'text', text: 'get_stats' }]);
  });

  test('joins the categories of registries that are mounted without a prefix', () => {
    const outer = new ToolRegistry({ groupBy: 'category' });
    outer.mount('', new ToolRegistry().register(single('a', { category: 'c' })));
    outer.mount('', new ToolRegistry().register(single('b', { category: 'c' })));
    expect(outer.listTools().map((tool) => [tool.name, actionsOf(tool)])).toEqual([['c', ['a', 'b']]]);
  });
});

describe('names are refused', () => {
  const cases: [string, ToolDefinition<typeof none>[], RegExp][] = [
    [
      'a category that is no name of a tool',
      [single('a', { category: 'Sleep & Recovery' })],
      /Invalid tool name "Sleep & Recovery"/,
    ],
    [
      'a category that is called like a tool',
      [single('core'), single('a', { category: 'core' })],
      /Tool with name 'core' already exists \(claimed by "Does core" in registry "toolwright" and by "Does a" \(by its category "core"\) in registry "toolwright"\)/,
    ],
    [
      'an argument that is called like the discriminator',
      [
        single('a', { category: 'core', inputSchema: z.object({ action: z.string() }) }),
        single('b', { category: 'core' }),
      ],
      /Tool "a" has an argument named "action", which selects the tool when tools are grouped by category\. Rename the argument, or remove the category\./,
    ],
  ];

  test.each(cases)('at registration, where they are shown: %s', (_title, tools, message) => {
    const shown = new ToolRegistry({ groupBy: 'category' });
    expect(() => shown.registerAll(tools)).toThrow(message);
    expect(shown.size).toBe(0);
    expect(() => new ToolRegistry().registerAll(tools)).not.toThrow();
  });

  test.each(cases)('with the surface that would show them: %s', (_title, tools, message) => {
    const registry = new ToolRegistry().registerAll(tools);
    expect(() => registry.surface({ groupBy: 'category' })).toThrow(message);
    expect(() => registry.surface({ exposure: 'flat' })).not.toThrow();
    const outer = new ToolRegistry({ groupBy: 'category' });
    expect(() => outer.mount('', registry)).toThrow(message);
    expect(() => outer.attachToServer({ setRequestHandler: () => {} })).not.toThrow();
  });

  test('a category that is called like a grouped tool, or like one of its halves', () => {
    const core = createTool('core').action({ name: 'list', handler: () => [] });
    const registry = new ToolRegistry({ groupBy: 'category' }).register(core);
    expect(() => registry.register(single('a', { category: 'core' }))).toThrow(
      'claimed by the grouped tool "core" in registry "toolwright" and by "Does a" (by its category "core")',
    );
    const halves = new ToolRegistry({ groupBy: 'category', splitReadWrite: true });
    halves.register(single('core_read'));
    expect(() => halves.register(single('a', { category: 'core' }))).toThrow(
      "Tool with name 'core_read' already exists",
    );
  });

  test('a second tool of a category is no conflict, and a tool may be called like its category', async () => {
    const registry = new ToolRegistry({ groupBy: 'category' }).register(single('c', { category: 'c' }));
    registry.register(single('d', { category: 'c' }));
    registry.unregister('d');
    registry.register(single('d', { category: 'c' }));
    expect(actionsOf(registry.findTool('c'))).toEqual(['c', 'd']);
    expect((await registry.executeTool({ name: 'c', arguments: { action: 'c' } })).content).toEqual([
      { type: 'text', text: 'c' },
    ]);
  });

  test('anything to group by but a category', () => {
    expect(() => new ToolRegistry({ groupBy: 'tag' as never })).toThrow(/groupBy/);
  });
});
