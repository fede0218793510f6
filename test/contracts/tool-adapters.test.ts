/** One adapter for each tool, over a domain that is independent of the protocol: a test runner. */
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { createServer, defineTools, silentLogger, tool, ToolRegistry, toolsFrom } from '../../src/index.ts';
import type { ToolwrightServer } from '../../src/index.ts';
import { CLIENTS, connectDirectly } from '../support/served-clients.ts';

const ExecuteTestsParams = z
  .strictObject({
    node_ids: z.array(z.string()).optional(),
    verbosity: z.int().min(-2).max(2).default(0),
    failfast: z.boolean().optional(),
    maxfail: z.int().min(1).optional(),
  })
  .refine(({ failfast, maxfail }) => failfast !== true || maxfail === undefined, {
    path: ['maxfail'],
    message: 'failfast and maxfail are mutually exclusive',
  });
const DiscoverTestsParams = z.strictObject({ path: z.string().optional(), pattern: z.string().optional() });

const Summary = z.object({ total: z.int(), passed: z.int(), failed: z.int() });
const ExecuteTestsResponse = z.object({ exit_code: z.int(), summary: Summary });
const DiscoverTestsResponse = z.object({ tests: z.array(z.string()), count: z.int() });

/** The domain: synchronous functions from domain types to domain types. */
const domain = {
  execute_tests: ({ node_ids = ['a', 'b'], verbosity }: z.output<typeof ExecuteTestsParams>) => ({
    exit_code: 0,
    summary: { total: node_ids.length, passed: node_ids.length, failed: 0 },
    verbosity,
  }),
  discover_tests: ({ path = 'tests' }: z.output<typeof DiscoverTestsParams>) => ({
    tests: [`${path}/test_a.py::test_one`, `${path}/test_a.py::test_two`],
    count: 2,
  }),
};
type Domain = typeof domain;

class Adapters {
  readonly #domain: Domain;

  constructor(used: Domain) {
    this.#domain = used;
  }

  @tool({
    description: 'Runs tests',
    inputSchema: ExecuteTestsParams,
    outputSchema: ExecuteTestsResponse,
  })
  async execute_tests(params: z.output<typeof ExecuteTestsParams>) {
    return this.#domain.execute_tests(params);
  }

  @tool({
    description: 'Finds tests',
    inputSchema: DiscoverTestsParams,
    outputSchema: DiscoverTestsResponse,
  })
  async discover_tests(params: z.output<typeof DiscoverTestsParams>) {
    return this.#domain.discover_tests(params);
  }
}

/** The same in JavaScript, which has no decorators for functions: the key of a table is the name of a tool. */
const adapterTable = defineTools({
  execute_tests: {
    description: 'Runs tests',
    inputSchema: ExecuteTestsParams,
    outputSchema: ExecuteTestsResponse,
    handler: async ({ input }) => domain.execute_tests(input),
  },
  discover_tests: {
    description: 'Finds tests',
    inputSchema: DiscoverTestsParams,
    outputSchema: DiscoverTestsResponse,
    handler: async ({ input }) => domain.discover_tests(input),
  },
});

const serve = (used: Domain = domain): ToolwrightServer =>
  createServer({ name: 'pytest-mcp', version: '1.0.0', tools: toolsFrom(new Adapters(used)) });

describe.each(CLIENTS)('decorated adapters, called by the $client client', ({ client: name }) => {
  test('are tools under their own names: each keeps its handler, and all are listed', async () => {
    await using client = await connectDirectly(name, serve());
    expect((await client.listTools()).map((listed) => [listed.name, listed.description])).toEqual([
      ['execute_tests', 'Runs tests'],
      ['discover_tests', 'Finds tests'],
    ]);
    const executed = await client.callTool('execute_tests', { node_ids: ['a', 'b', 'c'] });
    expect(executed.structuredContent).toEqual({
      exit_code: 0,
      summary: { total: 3, passed: 3, failed: 0 },
    });
    const discovered = await client.callTool('discover_tests', { path: 'unit' });
    expect(discovered).toMatchObject({
      content: [
        {
          type: 'text',
          text: '{"tests":["unit/test_a.py::test_one","unit/test_a.py::test_two"],"count":2}',
        },
      ],
      structuredContent: { tests: ['unit/test_a.py::test_one', 'unit/test_a.py::test_two'], count: 2 },
    });
  });

  test('have the schemas of their models', async () => {
    await using client = await connectDirectly(name, serve());
    const [, discover] = await client.listTools();
    expect(discover?.inputSchema).toEqual({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: { path: { type: 'string' }, pattern: { type: 'string' } },
      additionalProperties: false,
    });
  });

  test('answer arguments that are invalid field by field, and the domain is not called', async () => {
    const unreachable = {
      execute_tests: (): never => {
        throw new Error('the domain was called');
      },
    };
    await using client = await connectDirectly(name, serve({ ...domain, ...unreachable }));
    const result = await client.callTool('execute_tests', { verbosity: 3, node_ids: ['a', 7], tests: 'all' });
    expect([result.isError, result.content]).toEqual([
      true,
      [
        {
          type: 'text',
          text: `Invalid arguments for tool 'execute_tests'.
- tests: is not a known argument. Allowed: node_ids, verbosity, failfast, maxfail.
- node_ids[1]: Invalid input: expected string, received number (expected: string; received: 7 (number))
- verbosity: Too big: expected number to be <=2 (expected: integer ≥ -2 and ≤ 2; received: 3 (number))`,
        },
      ],
    ]);
    expect(await client.callText('execute_tests', { failfast: true, maxfail: 2 })).toBe(
      `Invalid arguments for tool 'execute_tests'.
- maxfail: failfast and maxfail are mutually exclusive (expected: integer ≥ 1; received: 2 (number))`,
    );
  });
});

test('the domain gets its own type: defaults are filled in', async () => {
  const seen: unknown[] = [];
  const recording = {
    ...domain,
    execute_tests: (params: z.output<typeof ExecuteTestsParams>) => {
      seen.push(params);
      return domain.execute_tests(params);
    },
  };
  await using client = await connectDirectly('v1', serve(recording));
  await client.callTool('execute_tests', { maxfail: 1 });
  expect(seen).toEqual([{ maxfail: 1, verbosity: 0 }]);
});

test('an adapter can be tested by itself, with a domain of the test', async () => {
  const adapters = new Adapters({ ...domain, discover_tests: () => ({ tests: [], count: 0 }) });
  expect(await adapters.discover_tests({})).toEqual({ tests: [], count: 0 });
});

test('a new tool is a new decorated function', () => {
  class More extends Adapters {
    @tool({ description: 'Counts tests', inputSchema: DiscoverTestsParams })
    async count_tests(params: z.output<typeof DiscoverTestsParams>) {
      return (await this.discover_tests(params)).count;
    }
  }
  expect(toolsFrom(new More(domain)).map(({ name }) => name)).toEqual([
    'execute_tests',
    'discover_tests',
    'count_tests',
  ]);
});

test('different here: a tool may have another name than its function', () => {
  class Renamed {
    @tool({ name: 'execute_tests', description: 'Runs tests', inputSchema: ExecuteTestsParams })
    runAll(params: z.output<typeof ExecuteTestsParams>) {
      return domain.execute_tests(params);
    }
  }
  expect(toolsFrom(new Renamed()).map(({ name }) => name)).toEqual(['execute_tests']);
});

test('a table of functions makes the same tools as the decorators', async () => {
  const [table, decorated] = [adapterTable, toolsFrom(new Adapters(domain))].map((tools) =>
    new ToolRegistry().registerAll(tools),
  );
  expect(table?.listTools()).toEqual(decorated?.listTools());
  const call = { name: 'discover_tests', arguments: { path: 'unit' } };
  expect(await table?.executeTool(call)).toEqual(await decorated?.executeTool(call));
});

describe.each(CLIENTS)('an adapter in three steps, called by the $client client', ({ client: name }) => {
  const dict = { type: 'object' } as const;
  const threeSteps = (mistake: object = {}): ToolwrightServer =>
    createServer({
      name: 'pytest-mcp',
      version: '1.0.0',
      logger: silentLogger,
      tools: defineTools({
        execute_tests: {
          description: 'Runs tests',
          inputSchema: dict,
          outputSchema: dict,
          handler: async ({ input }) => {
            // Step 1: Parse and validate MCP arguments
            const params = ExecuteTestsParams.parse(input);

            // Step 2: Invoke domain workflow function (sync)
            const response = { ...domain.execute_tests(params), ...mistake };

            // Step 3: Transform domain response to MCP dict
            return ExecuteTestsResponse.parse(response);
          },
        },
      }),
    });

  test('returns what the domain returned', async () => {
    await using client = await connectDirectly(name, threeSteps());
    expect((await client.callTool('execute_tests', { node_ids: ['a'] })).structuredContent).toEqual({
      exit_code: 0,
      summary: { total: 1, passed: 1, failed: 0 },
    });
  });

  test('a validation error of the third step is a mistake of the domain, and not shown', async () => {
    await using client = await connectDirectly(name, threeSteps({ exit_code: 'none' }));
    const result = await client.callTool('execute_tests', {});
    expect(result.isError).toBe(true);
    expect(JSON.stringify(result)).not.toContain('exit_code');
  });

  test('a validation error of the first step names the fields', async () => {
    await using client = await connectDirectly(name, threeSteps());
    const result = await client.callTool('execute_tests', { verbosity: 3, node_ids: 'all' });
    expect([result.isError, result.content]).toEqual([
      true,
      [
        {
          type: 'text',
          text: `Invalid arguments for tool 'execute_tests'.
- node_ids: Invalid input: expected array, received string
- verbosity: Too big: expected number to be <=2`,
        },
      ],
    ]);
    expect(await client.callText('execute_tests', { failfast: true, maxfail: 2 })).toBe(
      `Invalid arguments for tool 'execute_tests'.
- maxfail: failfast and maxfail are mutually exclusive`,
    );
    expect(await client.callText('execute_tests', { tests: 'all' })).toBe(
      `Invalid arguments for tool 'execute_tests'.
- (arguments): Unrecognized key: "tests"`,
    );
  });
});
