import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { createServer, createTool, defineTool, estimateTokens, ToolRegistry } from '../../../../src/index.ts';
import type {
  Caller,
  GroupedToolBuilder,
  McpCallToolResult,
  McpTool,
  ToolwrightServer,
} from '../../../../src/index.ts';
import { CLIENTS, connectDirectly } from '../../../support/served-clients.ts';

const admin: Caller = { principal: { id: 'ada', scopes: ['admin'] } };

function orders(): GroupedToolBuilder {
  return createTool('orders')
    .description('Orders of the shop')
    .action({
      name: 'list',
      description: 'Lists orders. Newest first.',
      readOnly: true,
      handler: () => 'listed',
    })
    .action({
      name: 'refund',
      description: 'Pays an order back',
      destructive: true,
      schema: z.object({ id: z.string(), lines: z.array(z.int()), note: z.string().optional() }),
      outputSchema: z.object({ refunded: z.string() }),
      handler: ({ input }) => ({ refunded: input.id }),
    })
    .action({
      name: 'find',
      description: 'Finds an order',
      schema: z.object({ id: z.int().optional() }),
      handler: ({ input }) => `found ${input.id}`,
    })
    .action({
      name: 'purge',
      description: 'Erases orders',
      scopes: ['admin'],
      schema: z.object({ before: z.string() }),
      handler: ({ input }) => `purged ${input.before}`,
    });
}

function server(): ToolwrightServer {
  return createServer({ name: 's', version: '1', groupedSchemas: 'brief', tools: [orders()] });
}

const textsOf = ({ content }: McpCallToolResult): string[] =>
  content.map((block) => (block.type === 'text' ? block.text : ''));
const valueOf = (result: McpCallToolResult): unknown => JSON.parse(textsOf(result)[0] ?? '');

const REFUND = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    lines: {
      type: 'array',
      items: { type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991 },
    },
    note: { type: 'string' },
  },
  required: ['id', 'lines'],
};

describe.each(CLIENTS)('a grouped tool with brief schemas, for $client', ({ client: name }) => {
  test('has a line for each visible action, with required arguments and their types; the rest is open', async () => {
    await using served = server();
    await using client = await connectDirectly(name, served);
    const { tools } = await client.official.listTools();
    expect(tools).toEqual([
      {
        name: 'orders',
        description:
          'Orders of the shop. Each line is an action with its required arguments; {"action":"describe","of":"list"} returns all arguments of one.\n\n- list(): Lists orders\n- refund(id: string, lines: integer[]): Pays an order back ⚠️\n- find(): Finds an order',
        inputSchema: {
          type: 'object',
          properties: {
            action: {
              type: 'string',
              enum: ['list', 'refund', 'find', 'describe'],
              description: 'The action to perform.',
            },
            id: { type: ['string', 'integer'] },
            lines: { type: 'array' },
            of: { type: 'string' },
            path: { type: 'string' },
            whole: { type: 'boolean' },
          },
          required: ['action'],
        },
        annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
      },
    ]);
  });

  test('describe returns the schemas of an action; a hidden one is unknown', async () => {
    await using served = server();
    await using client = await connectDirectly(name, served);
    const describeOf = (of: unknown): Promise<McpCallToolResult> =>
      client.official.callTool({ name: 'orders', arguments: { action: 'describe', of } });
    expect(valueOf(await describeOf('refund'))).toMatchObject({
      action: 'refund',
      description: 'Pays an order back',
      inputSchema: REFUND,
      outputSchema: { type: 'object', properties: { refunded: { type: 'string' } }, required: ['refunded'] },
      annotations: { destructiveHint: true },
    });
    const [hidden, unknown] = [await describeOf('purge'), await describeOf('nosuch')];
    expect(hidden).toEqual(unknown);
    expect(textsOf(hidden)).toEqual(['Unknown action in "of".\nSuggestion: Available: list, refund, find']);
    expect(textsOf(await describeOf(undefined))).toEqual([
      "Invalid arguments for tool 'orders.describe'.\n- of: is required: the action to describe (expected: string; received: nothing)",
    ]);
  });

  test('a call with wrong arguments gets the schema of its action; a call that fits runs', async () => {
    await using served = server();
    await using client = await connectDirectly(name, served);
    const call = (args: Record<string, unknown>): Promise<McpCallToolResult> =>
      client.official.callTool({ name: 'orders', arguments: args });
    const wrong = await call({ action: 'refund', id: '7' });
    expect(wrong.isError).toBe(true);
    const [said = '', help = ''] = textsOf(wrong);
    expect(said).toBe(
      '[orders/refund] Validation failed: lines: Invalid input: expected array, received undefined (expected: array; received: nothing)',
    );
    expect(help.startsWith('The arguments of refund as JSON Schema: ')).toBe(true);
    expect(JSON.parse(help.slice(help.indexOf('{')))).toMatchObject(REFUND);
    const right = await call({ action: 'refund', id: '7', lines: [1], note: 'sorry' });
    expect([right.isError, right.structuredContent]).toEqual([undefined, { refunded: '7' }]);
    expect(textsOf(await call({ action: 'nosuch' }))).toEqual([
      'Unknown action. Available: list, refund, find, describe',
    ]);
    expect(textsOf(await call({ action: 'purge', before: 'x' }))).toEqual(
      textsOf(await call({ action: 'nosuch' })),
    );
  });
});

describe('brief schemas', () => {
  const brief = (registry: ToolRegistry): McpTool[] =>
    registry.surface({ groupedSchemas: 'brief' }).listTools();

  test('an action that is really called describe keeps its name; the other one is describe_action', async () => {
    const registry = new ToolRegistry().register(
      createTool('things')
        .action({
          name: 'describe',
          schema: z.object({ of: z.int() }),
          handler: ({ input }) => `own ${input.of}`,
        })
        .action({ name: 'get', handler: () => 'got' }),
    );
    const surface = registry.surface({ groupedSchemas: 'brief' });
    const [tool] = surface.listTools();
    expect(tool?.inputSchema['properties']).toMatchObject({
      action: { enum: ['describe', 'get', 'describe_action'] },
      of: { type: ['integer', 'string'] },
    });
    const call = async (args: object): Promise<string> =>
      textsOf(await surface.executeTool({ name: 'things', arguments: args }))[0] ?? '';
    expect(await call({ action: 'describe', of: 7 })).toBe('own 7');
    expect(await call({ action: 'describe_action', of: 'get' })).toContain('"action":"get"');
  });

  test('a hidden action called describe changes nothing for those who do not see it', async () => {
    const with_ = new ToolRegistry().register(
      createTool('things')
        .action({ name: 'get', handler: () => 'got' })
        .action({ name: 'describe', scopes: ['admin'], handler: () => 'own' }),
    );
    const without = new ToolRegistry().register(
      createTool('things').action({ name: 'get', handler: () => 'got' }),
    );
    expect(brief(with_)).toEqual(brief(without));
    for (const action of ['describe', 'describe_action', 'nosuch']) {
      const call = { name: 'things', arguments: { action, of: 'get' } };
      const [one, other] = await Promise.all(
        [with_, without].map((registry) => registry.surface({ groupedSchemas: 'brief' }).handleCall(call)),
      );
      expect(one).toEqual(other);
    }
    const seen = { name: 'things', arguments: { action: 'describe' }, ...admin };
    expect(textsOf(await with_.surface({ groupedSchemas: 'brief' }).executeTool(seen))).toEqual(['own']);
  });

  test('no trace of a hidden action is in the list, in describe or in an error', async () => {
    const surface = new ToolRegistry().register(orders()).surface({ groupedSchemas: 'brief' });
    const replies = await Promise.all(
      [
        {},
        { action: 'x' },
        { action: 'describe' },
        { action: 'describe', of: 'purge' },
        { action: 'refund' },
      ].map((args) => surface.handleCall({ name: 'orders', arguments: args })),
    );
    const all = surface.listToolsJson() + JSON.stringify(replies);
    for (const trace of ['purge', 'Erases', 'before']) expect(all).not.toContain(trace);
    expect(surface.listToolsJson(admin)).toContain('purge(before: string)');
  });

  test('the discriminator may be called like an argument of describe', async () => {
    const registry = new ToolRegistry().register(
      createTool('things')
        .discriminator('of')
        .action({ name: 'get', handler: () => 'got' }),
    );
    const surface = registry.surface({ groupedSchemas: 'brief' });
    const result = await surface.executeTool({ name: 'things', arguments: { of: 'describe', of_: 'get' } });
    expect(textsOf(result)[0]).toContain('"of":"get"');
  });

  test('categories and halves are listed so as well', async () => {
    const registry = new ToolRegistry({
      groupBy: 'category',
      splitReadWrite: true,
      groupedSchemas: 'brief',
    }).registerAll([
      defineTool({
        name: 'get_run',
        description: 'Gets a run',
        category: 'runs',
        annotations: { readOnlyHint: true },
        inputSchema: z.object({ id: z.string() }),
        handler: ({ input }) => `run ${input.id}`,
      }),
    ]);
    const [tool] = registry.listTools();
    expect([tool?.name, tool?.description?.split('\n').at(-1)]).toEqual([
      'runs_read',
      '- get_run(id: string): Gets a run',
    ]);
    const wrong = await registry.executeTool({ name: 'runs_read', arguments: { action: 'get_run' } });
    expect(textsOf(wrong)[1]).toContain('The arguments of get_run as JSON Schema: {');
    const right = await registry.executeTool({
      name: 'runs_read',
      arguments: { action: 'get_run', id: '7' },
    });
    expect(textsOf(right)).toEqual(['run 7']);
    const described = await registry.executeTool({
      name: 'runs_read',
      arguments: { action: 'describe', of: 'get_run' },
    });
    expect(textsOf(described)[0]).toContain('"inputSchema"');
  });

  test('arguments that are valid for an action are valid for the brief schema, whatever types others give the same argument', () => {
    const takes = (value: z.ZodType): z.ZodObject => z.object({ value });
    const registry = new ToolRegistry().register(
      createTool('kinds')
        .action({ name: 'a', schema: takes(z.string()), handler: () => '' })
        .action({ name: 'b', schema: takes(z.union([z.number(), z.null()]).optional()), handler: () => '' })
        .action({ name: 'c', schema: z.looseObject({ other: z.boolean() }), handler: () => '' })
        .action({ name: 'd', schema: z.object({ of: z.object({}) }), handler: () => '' }),
    );
    const [tool] = brief(registry);
    const fits = new Ajv2020({ strict: false }).compile(tool?.inputSchema ?? {});
    for (const args of [
      { action: 'a', value: 'x' },
      { action: 'b', value: 1.5 },
      { action: 'b', value: null },
      { action: 'c', other: true, value: { any: 'thing' } },
      { action: 'd', of: {} },
      { action: 'describe', of: 'a', whole: true },
      { action: 'describe', of: 'a', path: '#/properties/value' },
    ])
      expect(fits(args), JSON.stringify(args)).toBe(true);
  });

  test('invalid arguments as errors of the protocol have the schema in their message', async () => {
    const registry = new ToolRegistry({
      invalidArguments: 'protocol-error',
      groupedSchemas: 'brief',
    }).register(orders());
    const reply = await registry.handleCall({ name: 'orders', arguments: { action: 'refund', id: '7' } });
    expect(reply).toMatchObject({ kind: 'protocol-error', code: -32602 });
    expect((reply as { message: string }).message).toContain('\nThe arguments of refund as JSON Schema: {');
  });

  test('an error has no more of a schema than describe would show', async () => {
    const fields = Array.from({ length: 400 }, (_, index) => [
      `field_${index}`,
      z.string().describe('x'.repeat(60)),
    ]);
    const registry = new ToolRegistry({ groupedSchemas: 'brief' }).register(
      createTool('wide').action({
        name: 'set',
        schema: z.object(Object.fromEntries(fields)),
        handler: () => '',
      }),
    );
    const [, help = ''] = textsOf(await registry.executeTool({ name: 'wide', arguments: { action: 'set' } }));
    expect(estimateTokens(help)).toBeLessThanOrEqual(4000);
    expect(help).toContain('more properties');
  });
});

describe('auto with brief schemas', () => {
  const many = (): ToolRegistry => {
    const builder = createTool('many');
    for (let index = 0; index < 40; index += 1)
      builder.action({
        name: `a${index}`,
        description: 'Does something',
        schema: z.object({
          first: z.string().describe('x'.repeat(200)),
          second: z.string().describe('y'.repeat(200)),
        }),
        handler: () => `${index}`,
      });
    return new ToolRegistry().register(builder).register(
      defineTool({
        name: 'ping',
        description: 'Responds',
        inputSchema: z.object({}),
        handler: () => 'pong',
      }),
    );
  };
  const names = (tokenBudget: number, groupedSchemas: 'brief' | 'full' = 'brief'): string[] =>
    many()
      .surface({ exposure: 'auto', tokenBudget, groupedSchemas })
      .listTools()
      .map((tool) => tool.name);

  test('lists flat, then grouped, then search, by what they cost', () => {
    expect(names(10_000)).toHaveLength(41);
    expect(names(3000)).toEqual(['many', 'ping']);
    expect(names(100)).toEqual(['search_tools', 'describe_tool', 'call_tool']);
    expect(names(3000, 'full')).toEqual(['search_tools', 'describe_tool', 'call_tool']);
  });

  test('every name leads somewhere, whichever list was shown', async () => {
    const surface = many().surface({ exposure: 'auto', tokenBudget: 3000, groupedSchemas: 'brief' });
    const call = async (name: string, args: object): Promise<string[]> =>
      textsOf(await surface.executeTool({ name, arguments: args }));
    const args = { first: 'a', second: 'b' };
    expect(await call('many', { action: 'a7', ...args })).toEqual(['7']);
    expect(await call('many_a7', args)).toEqual(['7']);
    expect(await call('call_tool', { name: 'many.a7', arguments: args })).toEqual(['7']);
    expect(await call('ping', {})).toEqual(['pong']);
  });

  test('a grouped tool with the name of a flat one is not listed as such', () => {
    const large = z.object({ x: z.string().describe('x'.repeat(2000)) });
    const listed = (second: string): string[] =>
      new ToolRegistry()
        .register(createTool('a').action({ name: 'b', schema: large, handler: () => '' }))
        .register(createTool(second).action({ name: 'c', schema: large, handler: () => '' }))
        .surface({ exposure: 'auto', tokenBudget: 400, groupedSchemas: 'brief' })
        .listTools()
        .map((tool) => tool.name);
    expect(listed('b')).toEqual(['a', 'b']);
    expect(listed('a_b')).toEqual(['search_tools', 'describe_tool', 'call_tool']);
  });
});

test('an unknown value is refused', () => {
  expect(() => new ToolRegistry({ groupedSchemas: 'short' as never })).toThrow(/groupedSchemas/);
});
