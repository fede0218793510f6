import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { createTool, estimateTokens, ToolRegistry } from '../../../../src/index.ts';
import type {
  AnyToolDefinition,
  Caller,
  McpTool,
  ToolDefinition,
  ToolSurface,
} from '../../../../src/index.ts';
import { duplicate, refused, unknownToolReply } from '../../../support/refused.ts';

const admin: Caller = { principal: { id: 'ada', scopes: ['admin'] } };

function sample(): ToolRegistry {
  return new ToolRegistry()
    .register(
      createTool('notes')
        .description('Keeps notes')
        .action({ name: 'list', description: 'Lists all notes', readOnly: true, handler: () => 'listed' })
        .action({
          name: 'add',
          description: 'Adds a note with a text and some labels',
          scopes: ['admin'],
          schema: z.object({ text: z.string(), labels: z.array(z.string()).optional() }),
          handler: ({ input }) => `added ${input.text}`,
        }),
    )
    .register({ name: 'ping', description: 'Answers', inputSchema: z.object({}), handler: () => 'pong' });
}

/** The estimated tokens of the flat list of a caller. */
function costOf(registry: ToolRegistry, caller: Caller = {}): number {
  const { tools } = JSON.parse(registry.surface({ exposure: 'flat' }).listToolsJson(caller)) as {
    tools: McpTool[];
  };
  return estimateTokens(tools.map((tool) => JSON.stringify(tool)).join(','));
}

const auto = (registry: ToolRegistry, tokenBudget?: number): ToolSurface =>
  registry.surface({ exposure: 'auto', ...(tokenBudget === undefined ? {} : { tokenBudget }) });
const names = (surface: ToolSurface, caller: Caller = {}): string[] =>
  surface.listTools(caller).map((tool) => tool.name);

const SEARCH = ['search_tools', 'describe_tool', 'call_tool'];

describe('the auto exposure', () => {
  test('is flat at exactly the budget, and search one token below it', () => {
    const registry = sample();
    const cost = costOf(registry, admin);
    expect(names(auto(registry, cost), admin)).toEqual(['notes_list', 'notes_add', 'ping']);
    expect(names(auto(registry, cost - 1), admin)).toEqual(SEARCH);
  });

  test('is decided for each caller by what it sees', () => {
    const registry = sample();
    const surface = auto(registry, costOf(registry));
    expect(names(surface)).toEqual(['notes_list', 'ping']);
    expect(names(surface, admin)).toEqual(SEARCH);
    expect(costOf(registry)).toBeLessThan(costOf(registry, admin));
  });

  test('is flat for a small catalog and search for a big one, where no budget is given', () => {
    const registry = new ToolRegistry({ exposure: 'auto' });
    const tool = (index: number): AnyToolDefinition => ({
      name: `tool_${index}`,
      description: `Does what number ${index} on the list of things to do asks for, and says when it is done`,
      inputSchema: z.object({ first: z.string(), second: z.number(), third: z.boolean().optional() }),
      handler: () => index,
    });
    registry.registerAll(Array.from({ length: 10 }, (_, index) => tool(index)));
    expect(registry.listTools()).toHaveLength(10);
    registry.registerAll(Array.from({ length: 290 }, (_, index) => tool(index + 10)));
    expect(registry.listTools().map((each) => each.name)).toEqual(SEARCH);
    registry.clear();
    expect(registry.listTools()).toEqual([]);
  });

  test('both ways lead to an action, whichever is listed', async () => {
    const registry = sample();
    for (const surface of [auto(registry, 1), auto(registry, 100_000)]) {
      expect((await surface.executeTool({ name: 'notes_list' })).content).toEqual([
        { type: 'text', text: 'listed' },
      ]);
      const called = await surface.executeTool({ name: 'call_tool', arguments: { name: 'notes.list' } });
      expect(called.content).toEqual([{ type: 'text', text: 'listed' }]);
    }
  });

  test('hidden tools are unknown in both exposures', async () => {
    const surface = auto(sample(), 1);
    expect(await surface.handleCall({ name: 'notes_add', arguments: { text: 'x' } })).toEqual(
      unknownToolReply('notes_add'),
    );
    expect(
      await surface.executeTool({
        name: 'call_tool',
        arguments: { name: 'notes.add', arguments: { text: 'x' } },
      }),
    ).toMatchObject({ isError: true, _meta: { 'toolwright/error': { code: 'UNKNOWN_TOOL' } } });
  });

  test.each([0, -1, Number.NaN, '100'])('a budget of %s is refused', (tokenBudget) => {
    expect(() => new ToolRegistry().surface({ tokenBudget: tokenBudget as number })).toThrow(
      refused('tokenBudget', { expected: 'a number greater than 0' }),
    );
  });
});

describe('the names of the search tools, where a surface may turn to search', () => {
  const single = (name: string): ToolDefinition<z.ZodObject> => ({
    name,
    description: `The tool ${name}`,
    inputSchema: z.object({}),
    handler: () => name,
  });

  test('are refused to others, before and after', () => {
    const message = duplicate('Tool', 'search_tools');
    expect(() => new ToolRegistry({ exposure: 'auto' }).register(single('search_tools'))).toThrow(message);
    expect(() => new ToolRegistry({ exposure: () => 'flat' }).register(single('search_tools'))).toThrow(
      message,
    );
    const registry = new ToolRegistry().register(single('search_tools'));
    expect(() => registry.surface({ exposure: 'auto' })).toThrow(message);
    expect(() => registry.surface({ exposure: 'auto', searchTools: { search: 'find_tools' } })).not.toThrow();
    expect(() => registry.register(single('find_tools'))).toThrow(duplicate('Tool', 'find_tools'));
  });

  test('are refused to flat names of actions too', () => {
    const registry = new ToolRegistry({ exposure: 'auto' });
    expect(() => registry.register(createTool('call').action({ name: 'tool', handler: () => 1 }))).toThrow(
      duplicate('Tool', 'call_tool'),
    );
  });

  test('stay reserved when the registry is cleared', () => {
    const registry = new ToolRegistry({ exposure: 'auto' }).register(single('a'));
    registry.clear();
    expect(() => registry.register(single('search_tools'))).toThrow(duplicate('Tool', 'search_tools'));
  });

  test('can be shared by several surfaces, and by a registry and one that is mounted in it', () => {
    const registry = new ToolRegistry({ exposure: 'auto' });
    expect(() => registry.surface({ exposure: 'auto' })).not.toThrow();
    const outer = new ToolRegistry();
    outer.mount('', new ToolRegistry({ name: 'inner', exposure: 'auto' }));
    expect(() => outer.surface({ exposure: 'auto' })).not.toThrow();
  });

  test('are free where nothing turns to search among flat names', () => {
    const registry = new ToolRegistry({ exposure: 'search' }).register(single('search_tools'));
    expect(names(registry.surface({ exposure: 'flat' }))).toEqual(['search_tools']);
  });
});
