import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { createTool, ToolRegistry } from '../../../../src/index.ts';
import type { Caller, McpCallToolResult, ToolReply, ToolSurface } from '../../../../src/index.ts';
import { refused, unknownTool, unknownToolReply } from '../../../support/refused.ts';

const admin: Caller = { principal: { id: 'ada', scopes: ['admin'] } };

function sample(): ToolRegistry {
  return new ToolRegistry()
    .register(
      createTool('orders')
        .description('Handles orders')
        .action({
          name: 'list',
          description: 'Lists the orders of a customer',
          readOnly: true,
          schema: z.object({ customer: z.string(), limit: z.int().min(1).max(50).default(10) }),
          outputSchema: z.array(z.string()),
          handler: ({ input }) => [`${input.customer}: ${input.limit}`],
        })
        .action({
          name: 'refund',
          description: 'Pays the money of an order back',
          synonyms: ['reimburse'],
          destructive: true,
          scopes: ['admin'],
          schema: z.object({ order: z.string(), amount: z.number().optional() }),
          confirm: 'preview',
          preview: ({ input }) => `would pay back ${input.order}`,
          handler: ({ input }) => `paid back ${input.order}`,
        }),
    )
    .register({
      name: 'weather',
      description: 'Tells the weather of a place',
      inputSchema: z.object({ place: z.string() }),
      outputSchema: z.object({ degrees: z.number() }),
      handler: () => ({ degrees: 21 }),
    });
}

const open = (): ToolSurface => sample().surface({ exposure: 'search' });

async function ask(
  surface: ToolSurface,
  name: string,
  args: unknown,
  caller: Caller = {},
): Promise<McpCallToolResult> {
  const reply = await surface.handleCall({ name, arguments: args, ...caller });
  if (reply.kind !== 'result') throw new Error('message' in reply ? reply.message : reply.kind);
  return reply.result;
}

const textOf = ({ content: [first] }: McpCallToolResult): string =>
  first?.type === 'text' ? first.text : '';
const jsonOf = (result: McpCallToolResult): unknown => JSON.parse(textOf(result));
const call = (name: string, args?: unknown): object => ({ name, arguments: args });

describe('the search exposure', () => {
  test('lists the same three tools for every catalog and every caller', () => {
    const surface = open();
    expect(surface.listTools().map(({ name, annotations }) => [name, annotations])).toEqual([
      ['search_tools', { readOnlyHint: true, idempotentHint: true, openWorldHint: false }],
      ['describe_tool', { readOnlyHint: true, idempotentHint: true, openWorldHint: false }],
      ['call_tool', undefined],
    ]);
    expect(surface.listToolsJson(admin)).toBe(surface.listToolsJson());
    expect(new ToolRegistry().surface({ exposure: 'search' }).listToolsJson()).toBe(surface.listToolsJson());
  });

  test('the three tools get other names, also where they speak of each other', () => {
    const surface = sample().surface({ exposure: 'search', searchTools: { search: 'find', call: 'run' } });
    const listed = surface.listTools();
    expect(listed.map((tool) => tool.name)).toEqual(['find', 'describe_tool', 'run']);
    expect(listed.map((tool) => tool.description).join('\n')).not.toMatch(/search_tools|call_tool/);
  });

  test('names of the three tools that are alike or not allowed are refused', () => {
    const surface = (searchTools: object): (() => unknown) => {
      const registry = new ToolRegistry();
      return () => registry.surface({ exposure: 'search', searchTools });
    };
    expect(surface({ search: 'same', describe: 'same' })).toThrow('same');
    expect(surface({ call: 'call it!' })).toThrow(refused('name'));
  });

  test('no other name leads anywhere: wire names, grouped names and canonical names are unknown', async () => {
    const surface = open();
    for (const name of ['orders', 'orders_list', 'orders.list', 'weather'])
      expect(
        await surface.handleCall({ name, arguments: { action: 'list', customer: 'c', place: 'x' } }),
      ).toMatchObject(unknownToolReply(name));
  });
});

describe('searching', () => {
  test('finds actions by what they do and says their arguments, required ones with a star', async () => {
    expect(jsonOf(await ask(open(), 'search_tools', { query: 'orders of a customer' }))).toEqual({
      tools: [
        {
          name: 'orders.list',
          description: 'Lists the orders of a customer',
          arguments: 'customer*, limit',
        },
      ],
    });
  });

  test('finds by synonyms of the author and says what is destructive', async () => {
    const found = jsonOf(await ask(open(), 'search_tools', { query: 'reimburse', limit: 1 }, admin));
    expect(found).toEqual({
      tools: [
        {
          name: 'orders.refund',
          description: 'Pays the money of an order back',
          arguments: 'order*, amount, confirmation_token',
          destructive: true,
        },
      ],
    });
  });

  test('reports no hits in the same way as hidden hits', async () => {
    const surface = open();
    const nothing = await ask(surface, 'search_tools', { query: 'zebra' });
    expect(nothing).toEqual({
      content: [
        {
          type: 'text',
          text: '{"tools":[],"hint":"No tool matches. Try other words for what you want to do."}',
        },
      ],
    });
    expect(await ask(surface, 'search_tools', { query: 'reimburse' })).toEqual(nothing);
  });

  test('a hidden action takes no place: the limit counts visible ones', async () => {
    const registry = new ToolRegistry({ exposure: 'search' });
    for (let index = 0; index < 30; index += 1)
      registry.register({
        name: `secret_${index}`,
        description: 'Paints a fence',
        scopes: ['admin'],
        inputSchema: z.object({}),
        handler: () => 1,
      });
    registry.register({
      name: 'visible',
      description: 'Paints a fence, sometimes',
      inputSchema: z.object({}),
      handler: () => 1,
    });
    const found = await registry.executeTool({
      name: 'search_tools',
      arguments: { query: 'paint fence', limit: 1 },
    });
    expect(jsonOf(found)).toEqual({
      tools: [{ name: 'visible', description: 'Paints a fence, sometimes' }],
    });
    const all = await registry.executeTool({
      name: 'search_tools',
      arguments: { query: 'paint fence', limit: 25 },
      ...admin,
    });
    expect((jsonOf(all) as { tools: unknown[] }).tools).toHaveLength(25);
    const usual = await registry.executeTool({
      name: 'search_tools',
      arguments: { query: 'paint fence' },
      ...admin,
    });
    expect((jsonOf(usual) as { tools: unknown[] }).tools).toHaveLength(5);
  });

  test('hidden tools do not influence the order of hits', async () => {
    const build = (hidden: number): ToolRegistry => {
      const registry = new ToolRegistry({ exposure: 'search' });
      const register = (name: string, description: string, scopes: string[]): unknown =>
        registry.register({ name, description, scopes, inputSchema: z.object({}), handler: () => 1 });
      register('first', 'Peels an apple', []);
      register('second', 'Pits a cherry', []);
      for (let index = 0; index < hidden; index += 1) register(`secret_${index}`, 'An apple', ['admin']);
      return registry;
    };
    const query = { name: 'search_tools', arguments: { query: 'apple or cherry' } };
    expect(await build(10).executeTool(query)).toEqual(await build(0).executeTool(query));
  });

  test.each<[object, string | Error]>([
    [{}, 'query: must be a string of 1 to 500 characters'],
    [{ query: '' }, 'query: must be a string of 1 to 500 characters'],
    [{ query: 7 }, 'query: must be a string of 1 to 500 characters'],
    [{ query: 'x'.repeat(501) }, 'query: must be a string of 1 to 500 characters'],
    [{ query: 'x', queries: 'y' }, 'queries: must be an array of up to 8 strings of 1 to 500 characters'],
    [{ query: 'x', queries: [''] }, 'queries: must be an array of up to 8 strings of 1 to 500 characters'],
    [
      { query: 'x', queries: Array(9).fill('y') },
      'queries: must be an array of up to 8 strings of 1 to 500 characters',
    ],
    [{ query: 'x', limit: 0 }, 'limit: must be an integer from 1 to 25'],
    [{ query: 'x', limit: 26 }, 'limit: must be an integer from 1 to 25'],
    [{ query: 'x', limit: 1.5 }, 'limit: must be an integer from 1 to 25'],
    [{ query: 'x', limit: '3' }, 'limit: must be an integer from 1 to 25'],
  ])('refuses %.60j', async (args, message) => {
    const result = await ask(open(), 'search_tools', args);
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain(message);
  });

  test('twenty kinds of callers search one index, and each finds what is its own', async () => {
    let builds = 0;
    const registry = new ToolRegistry();
    const register = (name: string, more: object): unknown =>
      registry.register({
        name,
        description: 'Paints a fence',
        inputSchema: z.object({}),
        handler: () => 1,
        ...more,
      });
    // Read when an index is built.
    register('everybody', { synonyms: Object.assign(['colour'], { join: () => ((builds += 1), 'colour') }) });
    for (let kind = 0; kind < 20; kind += 1) register(`only_${kind}`, { scopes: [`scope-${kind}`] });
    const surface = registry.surface({ exposure: 'search' });
    for (let kind = 0; kind < 20; kind += 1) {
      const caller = { principal: { id: 'ada', scopes: [`scope-${kind}`] } };
      const found = await ask(surface, 'search_tools', { query: 'paint' }, caller);
      expect(jsonOf(found)).toMatchObject({ tools: [{ name: 'everybody' }, { name: `only_${kind}` }] });
    }
    expect(builds).toBe(1);
  });

  test('follows the catalog: what is registered later is found, what is removed is not', async () => {
    const registry = sample();
    const surface = registry.surface({ exposure: 'search' });
    const found = async (query: string): Promise<unknown> =>
      jsonOf(await ask(surface, 'search_tools', { query }));
    expect(await found('weather')).toMatchObject({ tools: [{ name: 'weather' }] });
    registry.unregister('weather');
    expect(await found('weather')).toMatchObject({ tools: [] });
    registry.register(
      createTool('tides').action({ name: 'next', description: 'Next high tide', handler: () => 1 }),
    );
    expect(await found('tide')).toMatchObject({ tools: [{ name: 'tides.next' }] });
  });
});

describe('describing', () => {
  test('gives the schema, the annotations and the output of each under its canonical name', async () => {
    expect(jsonOf(await ask(open(), 'describe_tool', { names: ['orders.list', 'weather'] }))).toEqual({
      tools: [
        {
          name: 'orders.list',
          description: 'Lists the orders of a customer',
          inputSchema: {
            $schema: 'https://json-schema.org/draft/2020-12/schema',
            type: 'object',
            properties: {
              customer: { type: 'string' },
              limit: { type: 'integer', minimum: 1, maximum: 50, default: 10 },
            },
            required: ['customer'],
          },
          outputSchema: {
            $schema: 'https://json-schema.org/draft/2020-12/schema',
            type: 'array',
            items: { type: 'string' },
          },
          annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: false },
        },
        {
          name: 'weather',
          description: 'Tells the weather of a place',
          inputSchema: {
            $schema: 'https://json-schema.org/draft/2020-12/schema',
            type: 'object',
            properties: { place: { type: 'string' } },
            required: ['place'],
          },
          outputSchema: {
            $schema: 'https://json-schema.org/draft/2020-12/schema',
            type: 'object',
            properties: { degrees: { type: 'number' } },
            required: ['degrees'],
            additionalProperties: false,
          },
        },
      ],
    });
  });

  test('a hidden name is answered byte for byte like one that does not exist', async () => {
    const surface = open();
    const describe = async (names: string[]): Promise<string> =>
      JSON.stringify(await ask(surface, 'describe_tool', { names }));
    const hidden = await describe(['orders.refund']);
    expect(hidden.replaceAll('refund', 'rxxxxx')).toBe(await describe(['orders.rxxxxx']));
    expect(JSON.parse(hidden)).toEqual({
      content: [
        {
          type: 'text',
          text: `${unknownTool('orders.refund').message}\nSuggestion: Find names with search_tools.`,
        },
      ],
      isError: true,
      _meta: {
        'toolwright/error': { code: expect.any(String), suggestions: ['Find names with search_tools.'] },
      },
    });
    const beside = await describe(['weather', 'orders.refund']);
    expect(beside.replaceAll('refund', 'rxxxxx')).toBe(await describe(['weather', 'orders.rxxxxx']));
    expect(JSON.parse(beside).content[0].text).toContain('"unknown":["orders.refund"]');
  });

  test('an unknown name is answered with the same code by describe and call', async () => {
    const surface = open();
    const codeOf = ({ _meta }: McpCallToolResult): unknown => _meta?.['toolwright/error'];
    const described = codeOf(await ask(surface, 'describe_tool', { names: ['nosuch'] }));
    expect(described).toEqual(codeOf(await ask(surface, 'call_tool', call('nosuch'))));
    expect(described).toMatchObject({ code: 'UNKNOWN_TOOL' });
  });

  test('suggests visible names for a typo, never hidden ones', async () => {
    const surface = open();
    expect(textOf(await ask(surface, 'describe_tool', { names: ['wether'] }))).toBe(
      `${unknownTool('wether').message}\nSuggestion: Did you mean "weather"?\nSuggestion: Find names with search_tools.`,
    );
    expect(textOf(await ask(surface, 'describe_tool', { names: ['orders.refnd'] }))).toBe(
      `${unknownTool('orders.refnd').message}\nSuggestion: Find names with search_tools.`,
    );
    expect(textOf(await ask(surface, 'describe_tool', { names: ['orders.refnd'] }, admin))).toContain(
      'Did you mean "orders.refund"?',
    );
  });

  test.each([
    [{}],
    [{ names: [] }],
    [{ names: 'weather' }],
    [{ names: [1] }],
    [{ names: Array.from({ length: 11 }, (_, index) => `n${index}`) }],
  ])('refuses %j', async (args) => {
    const result = await ask(open(), 'describe_tool', args);
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain('names: must be an array of 1 to 10 names');
  });

  test('a name given twice is described once', async () => {
    const result = jsonOf(await ask(open(), 'describe_tool', { names: ['weather', 'weather'] }));
    expect((result as { tools: unknown[] }).tools).toHaveLength(1);
  });
});

describe('calling', () => {
  test('runs the action with its own validation and defaults', async () => {
    const surface = open();
    const listed = await ask(surface, 'call_tool', call('orders.list', { customer: 'ada' }));
    expect(textOf(listed)).toBe('["ada: 10"]');
    expect(await ask(surface, 'call_tool', call('weather', { place: 'here' }))).toEqual({
      content: [{ type: 'text', text: '{"degrees":21}' }],
      structuredContent: { degrees: 21 },
    });
  });

  test('bad arguments of the action are its own validation error', async () => {
    const surface = open();
    const bad = await ask(surface, 'call_tool', call('orders.list', { customer: 'ada', limit: 99 }));
    expect(bad.isError).toBe(true);
    expect(textOf(bad)).toMatch(/^\[orders\/list\] Validation failed: limit: /);
    expect(textOf(await ask(surface, 'call_tool', call('weather', 7)))).toContain(
      "Invalid arguments for tool 'weather'",
    );
    expect(textOf(await ask(surface, 'call_tool', call('weather')))).toContain('place');
  });

  test.each([[undefined], [{}], [{ name: '' }], [{ name: 7 }], [['weather']], ['weather']])(
    'refuses %j',
    async (args) => {
      const result = await ask(open(), 'call_tool', args);
      expect(result.isError).toBe(true);
      expect(textOf(result)).toContain("Invalid arguments for tool 'call_tool'.");
    },
  );

  test('a hidden name is answered byte for byte like one that does not exist', async () => {
    const surface = open();
    const reply = (name: string): Promise<ToolReply> =>
      surface.handleCall({ name: 'call_tool', arguments: { name, arguments: { order: '1' } } });
    const hidden = JSON.stringify(await reply('orders.refund'));
    expect(hidden.replaceAll('refund', 'rxxxxx')).toBe(JSON.stringify(await reply('orders.rxxxxx')));
    expect(JSON.parse(hidden)).toEqual({
      kind: 'result',
      result: {
        content: [
          {
            type: 'text',
            text: `${unknownTool('orders.refund').message}\nSuggestion: Find names with search_tools.`,
          },
        ],
        isError: true,
        _meta: {
          'toolwright/error': { code: 'UNKNOWN_TOOL', suggestions: ['Find names with search_tools.'] },
        },
      },
    });
  });

  test.each(['orders', 'orders_list', 'call_tool', 'search_tools', 'constructor', '__proto__'])(
    'only canonical names lead somewhere: %s is unknown',
    async (name) => {
      const result = await ask(open(), 'call_tool', call(name, { action: 'list', customer: 'c' }));
      expect(result._meta).toMatchObject({ 'toolwright/error': { code: 'UNKNOWN_TOOL' } });
    },
  );

  test('an action that asks for confirmation does so here as well', async () => {
    const surface = open();
    const first = await ask(surface, 'call_tool', call('orders.refund', { order: 'o1' }), admin);
    expect(textOf(first)).toContain('Nothing was done yet. What would be done:\nwould pay back o1');
    const token = /confirmation_token "([0-9a-f]+)"/.exec(textOf(first))?.[1];
    const args = { order: 'o1', confirmation_token: token };
    const second = await ask(surface, 'call_tool', call('orders.refund', args), admin);
    expect(textOf(second)).toBe('paid back o1');
    expect((await ask(surface, 'call_tool', call('orders.refund', args), admin)).isError).toBe(true);
  });

  test('a short text is replaced by the full data for clients without structured content', async () => {
    const registry = new ToolRegistry({ exposure: 'search', structuredText: 'short' }).register(
      createTool('t').action({ name: 'list', outputSchema: z.array(z.number()), handler: () => [1, 2] }),
    );
    const result = await registry.executeTool({ name: 'call_tool', arguments: { name: 't.list' } });
    expect(textOf(result)).toBe('[1,2]');
  });
});
