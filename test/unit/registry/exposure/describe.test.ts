import { describe, expect, test } from 'vitest';
import { createServer, estimateTokens, ToolRegistry } from '../../../../src/index.ts';
import type { McpCallToolResult, ToolwrightServer } from '../../../../src/index.ts';
import { CLIENTS, connectDirectly } from '../../../support/served-clients.ts';

type Json = Record<string, unknown>;

/** An object of objects, four levels deep, with some 600 strings: about 20,000 tokens. */
function deep(levels: number): Json {
  const names = Array.from({ length: 5 }, (_, index) => `part_${index}`);
  const child =
    levels === 0 ? { type: 'string', description: 'A text that says what it is for' } : deep(levels - 1);
  return {
    type: 'object',
    description: `Level ${levels}`,
    properties: Object.fromEntries(names.map((name) => [name, child])),
  };
}

function server(options: Json = {}): ToolwrightServer {
  return createServer({
    name: 'deep',
    version: '1.0.0',
    exposure: 'search',
    ...options,
    tools: [
      {
        name: 'build',
        description: 'Builds something large',
        inputSchema: { ...deep(3), required: ['part_0'] },
        outputSchema: deep(3),
        handler: () => ({}),
      },
      {
        name: 'ping',
        description: 'Responds',
        inputSchema: { type: 'object', properties: {} },
        handler: () => 'pong',
      },
    ],
  } as never);
}

const textOf = ({ content: [block] }: McpCallToolResult): string =>
  block?.type === 'text' ? block.text : '';
const valueOf = (result: McpCallToolResult): Json => JSON.parse(textOf(result)) as Json;

describe.each(CLIENTS)('describe_tool of a long schema, for $client', ({ client: name }) => {
  test('costs at most 4,000 tokens, and names the parts that are left out', async () => {
    await using served = server();
    await using client = await connectDirectly(name, served);
    const result = await client.official.callTool({
      name: 'describe_tool',
      arguments: { names: ['build', 'ping'] },
    });
    expect(estimateTokens(textOf(result))).toBeLessThanOrEqual(4000);
    const { tools, note } = valueOf(result) as { tools: Json[]; note: string };
    expect(tools.map((tool) => tool['name'])).toEqual(['build', 'ping']);
    expect(tools[0]).toMatchObject({
      inputSchema: {
        required: ['part_0'],
        properties: {
          part_0: { properties: { part_4: { 'x-path': '#/properties/part_0/properties/part_4' } } },
        },
      },
      outputSchema: {
        properties: {
          part_0: {
            properties: { part_1: { 'x-path': 'outputSchema#/properties/part_0/properties/part_1' } },
          },
        },
      },
    });
    expect(note).toContain('x-path');
  });

  test('a path returns the part, of the input and of the output', async () => {
    await using served = server();
    await using client = await connectDirectly(name, served);
    const call = async (path: string): Promise<Json> =>
      valueOf(
        await client.official.callTool({ name: 'describe_tool', arguments: { names: ['build'], path } }),
      );
    const path = '#/properties/part_0/properties/part_4/properties/part_1';
    expect(await call(path)).toEqual({ name: 'build', path, schema: deep(0) });
    expect(await call(`outputSchema${path}`)).toEqual({
      name: 'build',
      path: `outputSchema${path}`,
      schema: deep(0),
    });
  });

  test('the whole is returned when it is asked for', async () => {
    await using served = server();
    await using client = await connectDirectly(name, served);
    const { tools } = valueOf(
      await client.official.callTool({ name: 'describe_tool', arguments: { names: ['build'], whole: true } }),
    ) as { tools: Json[] };
    expect(tools[0]?.['inputSchema']).toEqual({ ...deep(3), required: ['part_0'] });
    expect(tools[0]?.['outputSchema']).toEqual(deep(3));
  });

  test('an invalid path is reported', async () => {
    await using served = server();
    await using client = await connectDirectly(name, served);
    const call = async (args: Json): Promise<unknown[]> => {
      const result = await client.official.callTool({ name: 'describe_tool', arguments: args });
      return [result.isError, textOf(result)];
    };
    expect(await call({ names: ['build'], path: '#/nosuch' })).toEqual([
      true,
      'Unknown path: #/nosuch\nSuggestion: Use the x-path of a part that was left out, or leave the path out.',
    ]);
    expect(await call({ names: ['build', 'ping'], path: '#' })).toEqual([
      true,
      "Invalid arguments for tool 'describe_tool'.\n- names: must be one name when path is used (expected: array of 1 to 10 elements; received: an array of 2)",
    ]);
  });
});

test('the budget is an option of a surface, and none of its values is exceeded', async () => {
  for (const describeTokens of [300, 1000, 2500]) {
    await using served = server({ describeTokens });
    const result = await served.tools?.executeTool({
      name: 'describe_tool',
      arguments: { names: ['build'] },
    });
    expect(estimateTokens(textOf(result as McpCallToolResult))).toBeLessThanOrEqual(describeTokens);
  }
  expect(() => new ToolRegistry({ describeTokens: 0 })).toThrow(/describeTokens/);
});
