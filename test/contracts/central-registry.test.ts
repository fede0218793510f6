/** A central registry: the accounts of a budget. */
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { createServer, silentLogger, ToolRegistry } from '../../src/index.ts';
import type {
  AnyToolDefinition,
  McpCallToolResult,
  ToolRegistryOptions,
  ToolwrightServer,
} from '../../src/index.ts';
import { ResponseFormatter } from '../../src/collaborators.ts';
import type { ErrorHandlerLike, WithSecurityWrapper } from '../../src/collaborators.ts';
import { connectTestClient } from '../../src/testing.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { recordLog } from '../support/log-recorder.ts';
import { refused } from '../support/refused.ts';
import { CLIENTS, connectDirectly } from '../support/served-clients.ts';

const ListAccountsSchema = z.object({ budget_id: z.string().min(1) });
const budgets = { getDefaultId: async (): Promise<string> => 'household' };
const ynabClient = {
  accounts: {
    getBudgetsAccounts: async (budgetId: string): Promise<object[]> => [
      { name: 'Checking', budget: budgetId },
    ],
  },
};
const responseFormatter = new ResponseFormatter();

function listAccounts(options: ToolRegistryOptions = {}): ToolRegistry {
  const registry = new ToolRegistry({ name: 'ynab', responseFormatter, logger: silentLogger, ...options });
  registry.register({
    name: 'list_accounts',
    description: 'List all accounts for the active budget',
    inputSchema: ListAccountsSchema,
    defaultArgumentResolver: async ({ rawArguments }) =>
      rawArguments['budget_id'] ? undefined : { budget_id: await budgets.getDefaultId() },
    handler: async ({ input }) => {
      const data = await ynabClient.accounts.getBudgetsAccounts(input.budget_id);
      return {
        content: [
          {
            type: 'text',
            text: responseFormatter.format({ accounts: data }),
          },
        ],
      };
    },
  });
  return registry;
}

const textOf = ({ content: [block] }: McpCallToolResult): string =>
  block?.type === 'text' ? block.text : '';

const serve = (tools: ToolRegistry): ToolwrightServer =>
  createServer({ name: 'ynab', version: '1.0.0', tools });

describe.each(CLIENTS)('the registration, seen by the $client client', ({ client: name }) => {
  test('is listed as name, description and the JSON Schema that Zod writes', async () => {
    await using client = await connectDirectly(name, serve(listAccounts()));
    expect(await client.listTools()).toEqual([
      {
        name: 'list_accounts',
        description: 'List all accounts for the active budget',
        inputSchema: {
          $schema: 'https://json-schema.org/draft/2020-12/schema',
          type: 'object',
          properties: { budget_id: { type: 'string', minLength: 1 } },
          required: ['budget_id'],
        },
      },
    ]);
  });

  test('fills the missing budget in; an explicit one takes precedence', async () => {
    await using client = await connectDirectly(name, serve(listAccounts()));
    expect(await client.callTool('list_accounts')).toMatchObject({
      content: [{ type: 'text', text: '{"accounts":[{"name":"Checking","budget":"household"}]}' }],
    });
    expect(await client.callText('list_accounts', { budget_id: 'business' })).toBe(
      '{"accounts":[{"name":"Checking","budget":"business"}]}',
    );
  });

  test.each(['minify', '_minify', '__minify'])('reads the per-call hint %s', async (hint) => {
    await using client = await connectDirectly(name, serve(listAccounts()));
    expect(await client.callText('list_accounts', { [hint]: false })).toBe(`{
  "accounts": [
    {
      "name": "Checking",
      "budget": "household"
    }
  ]
}`);
    expect(await client.callText('list_accounts', { [hint]: true })).toBe(
      '{"accounts":[{"name":"Checking","budget":"household"}]}',
    );
  });

  test('answers an invalid argument as a result that names the field', async () => {
    await using client = await connectDirectly(name, serve(listAccounts()));
    expect(await client.callTool('list_accounts', { budget_id: 7 })).toMatchObject({
      isError: true,
      content: [
        {
          type: 'text',
          text: "Invalid arguments for tool 'list_accounts'.\n- budget_id: Invalid input: expected string, received number (expected: string of at least 1 character; received: 7 (number))",
        },
      ],
    });
  });

  test('different here: an unknown tool is an error of the protocol, not a result', async () => {
    await using client = await connectDirectly(name, serve(listAccounts()));
    await expect(client.callTool('list_acounts')).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(/Unknown tool: list_acounts$/) as string,
    });
  });
});

test('different here: the model is told that it may leave the budget out', async () => {
  const [definition] = listAccounts().getToolDefinitions();
  const registry = new ToolRegistry({ responseFormatter }).registerAll([
    { ...definition, resolvedArguments: ['budget_id'] } as AnyToolDefinition,
  ]);
  expect(registry.listTools()[0]?.inputSchema['required']).toBeUndefined();
  expect(textOf(await registry.executeTool({ name: 'list_accounts' }))).toBe(
    '{"accounts":[{"name":"Checking","budget":"household"}]}',
  );
});

test('explicit arguments win over those of a resolver that always supplies some', async () => {
  const registry = new ToolRegistry().register({
    name: 'list_accounts',
    description: 'List all accounts for the active budget',
    inputSchema: ListAccountsSchema,
    resolvedArguments: ['budget_id'],
    defaultArgumentResolver: async () => ({ budget_id: await budgets.getDefaultId() }),
    handler: ({ input }) => input.budget_id,
  });
  expect(textOf(await registry.executeTool({ name: 'list_accounts' }))).toBe('household');
  const explicit = { name: 'list_accounts', arguments: { budget_id: 'business' } };
  expect(textOf(await registry.executeTool(explicit))).toBe('business');
});

test('each tool is registered once', () => {
  const registry = listAccounts();
  expect(() => registry.registerAll(listAccounts().getToolDefinitions())).toThrow(
    "Tool with name 'list_accounts' already exists",
  );
  expect(registry.getToolDefinitions().map(({ name }) => name)).toEqual(['list_accounts']);
});

test.each(['name', 'description', 'inputSchema', 'handler'])(
  'a definition without its %s is refused at registration, in JavaScript as well',
  (member) => {
    const [definition] = listAccounts().getToolDefinitions();
    const incomplete = { ...definition, [member]: undefined } as AnyToolDefinition;
    expect(() => new ToolRegistry().registerAll([incomplete])).toThrow(refused(member));
  },
);

describe('the injected collaborators', () => {
  /** Records the calls of each mock, in order. */
  function withMocks(fail?: () => never): { registry: ToolRegistry; seen: unknown[] } {
    const seen: unknown[] = [];
    const withSecurityWrapper: WithSecurityWrapper = (namespace, operation, schema) => {
      seen.push(['made', namespace, operation]);
      return async ({ arguments: args }, run) => {
        seen.push(['secured', args]);
        fail?.();
        const validated = await schema.validate(args);
        return validated.ok ? run(validated.value) : { kind: 'invalid-input', issues: validated.issues };
      };
    };
    const failed = (text: string) => ({
      content: [{ type: 'text' as const, text }],
      isError: true as const,
    });
    const errorHandler: ErrorHandlerLike = {
      createValidationError: (message, issues) => {
        seen.push(['createValidationError', issues?.map(({ path }) => path.join('.'))]);
        return failed(message);
      },
      handleError: (error, { tool }) => {
        seen.push(['handleError', tool, String(error)]);
        return failed('handled');
      },
    };
    return { registry: listAccounts({ withSecurityWrapper, errorHandler }), seen };
  }

  test('defaults are merged, then the security wrapper runs, then the handler', async () => {
    const { registry, seen } = withMocks();
    await registry.executeTool({ name: 'list_accounts', arguments: { _minify: true } });
    expect(seen).toEqual([
      ['made', 'ynab', 'list_accounts'],
      ['secured', { budget_id: 'household' }],
    ]);
  });

  test('different here: the wrapper is made once for each tool, at registration, not once for each call', async () => {
    const { registry, seen } = withMocks();
    expect(seen).toEqual([['made', 'ynab', 'list_accounts']]);
    await registry.executeTool({ name: 'list_accounts' });
    await registry.executeTool({ name: 'list_accounts' });
    expect(seen.slice(1)).toEqual([
      ['secured', { budget_id: 'household' }],
      ['secured', { budget_id: 'household' }],
    ]);
  });

  test('a validation failure of the security layer becomes createValidationError', async () => {
    const { registry, seen } = withMocks();
    const result = await registry.executeTool({ name: 'list_accounts', arguments: { budget_id: 7 } });
    expect(textOf(result)).toBe("Invalid arguments for tool 'list_accounts'.");
    expect(seen.at(-1)).toEqual(['createValidationError', ['budget_id']]);
  });

  test('so does a ZodError that the security layer throws', async () => {
    const { registry, seen } = withMocks(() => {
      ListAccountsSchema.parse({});
      throw new Error('not reached');
    });
    await registry.executeTool({ name: 'list_accounts' });
    expect(seen.at(-1)).toEqual(['createValidationError', ['budget_id']]);
  });

  test('different here: an unknown tool is no validation error, and has a code of its own', async () => {
    const { registry, seen } = withMocks();
    expect(await registry.executeTool({ name: 'list_acounts' })).toMatchObject({
      isError: true,
      content: [
        { type: 'text', text: 'Unknown tool: list_acounts\nSuggestion: Did you mean "list_accounts"?' },
      ],
      _meta: { 'toolwright/error': { code: 'UNKNOWN_TOOL' } },
    });
    expect(seen).toEqual([['made', 'ynab', 'list_accounts']]);
  });

  test('an exception of the handler goes through handleError', async () => {
    const { registry, seen } = withMocks();
    registry.register({
      name: 'broken',
      description: 'Fails',
      inputSchema: z.object({}),
      handler: () => {
        throw new Error('the API is down');
      },
    });
    expect(textOf(await registry.executeTool({ name: 'broken' }))).toBe('handled');
    expect(seen.at(-1)).toEqual(['handleError', 'broken', 'Error: the API is down']);
  });
});

test('the context has the token, the raw arguments, the operation and the shared cache', async () => {
  let loads = 0;
  const registry = new ToolRegistry({ name: 'ynab' }).register({
    name: 'get_budget',
    description: 'Reads a budget',
    inputSchema: z.object({ budget_id: z.string(), year: z.coerce.number() }),
    security: { operation: 'read_budget' },
    handler: async ({ input, context }) => ({
      token: context.accessToken,
      raw: context.rawArguments,
      operation: context.operation,
      year: input.year,
      loads: await context.cache.wrap(`budget:${input.budget_id}`, () => (loads += 1)),
    }),
  });
  const call = { name: 'get_budget', accessToken: 't0ken', arguments: { budget_id: 'b', year: '2026' } };
  const expected =
    '{"token":"t0ken","raw":{"budget_id":"b","year":"2026"},"operation":"read_budget","year":2026,"loads":1}';
  expect(textOf(await registry.executeTool(call))).toBe(expected);
  expect(textOf(await registry.executeTool(call))).toBe(expected);
});

test('metadata.inputJsonSchema is advertised instead of what Zod writes, and enforced as well', async () => {
  const [definition] = listAccounts().getToolDefinitions();
  const inputJsonSchema = {
    type: 'object',
    properties: { budget_id: { type: 'string', maxLength: 9, description: 'The id of a budget' } },
  };
  const registry = new ToolRegistry({ responseFormatter }).registerAll([
    { ...definition, metadata: { inputJsonSchema } } as AnyToolDefinition,
  ]);
  expect(registry.listTools()[0]?.inputSchema).toEqual(inputJsonSchema);
  const tooLong = { name: 'list_accounts', arguments: { budget_id: 'my-business' } };
  expect(textOf(await registry.executeTool(tooLong))).toBe(
    `Invalid arguments for tool 'list_accounts'.
- budget_id: must NOT have more than 9 characters (expected: string of at most 9 characters; received: "my-business" (string))`,
  );
});

test('the override of a call wins over the hint in its arguments', async () => {
  const call = { name: 'list_accounts', arguments: { minify: false }, minifyOverride: true };
  expect(textOf(await listAccounts().executeTool(call))).toBe(
    '{"accounts":[{"name":"Checking","budget":"household"}]}',
  );
});

test('without a wrapper of your own, calls are limited and logged', async () => {
  const { logger, entries } = recordLog();
  const clock = new FakeClock();
  const registry = listAccounts({ rateLimit: { limit: 1, perMs: 60_000 }, logger, clock });
  const call = { name: 'list_accounts', accessToken: 't0ken' };
  expect((await registry.executeTool(call)).isError).toBeUndefined();
  clock.advance(10_000);
  expect(textOf(await registry.executeTool(call))).toBe('Too many calls. Try again in 50 s.');
  const logged = entries.filter(({ level }) => level === 'info').map(({ fields }) => fields);
  expect(logged).toEqual([
    { tool: 'list_accounts', namespace: 'ynab', operation: 'list_accounts', outcome: 'value', durationMs: 0 },
    {
      tool: 'list_accounts',
      namespace: 'ynab',
      operation: 'list_accounts',
      outcome: 'rate-limited',
      durationMs: 0,
    },
  ]);
});

describe('annotations in the metadata', () => {
  const annotated = (): ToolRegistry => {
    const [definition] = listAccounts().getToolDefinitions();
    const metadata = { annotations: { readOnlyHint: true, budgetScope: ['budgets', 'accounts'] } };
    return new ToolRegistry({ logger: silentLogger }).registerAll([
      { ...definition, metadata } as AnyToolDefinition,
    ]);
  };

  test('are sent with every further member', async () => {
    const client = connectTestClient(serve(annotated()));
    expect((await client.listTools())[0]?.annotations).toEqual({
      readOnlyHint: true,
      budgetScope: ['budgets', 'accounts'],
    });
    await client.close();
  });

  test.each(CLIENTS)(
    'the $client client hands on those that the protocol names',
    async ({ client: name }) => {
      await using client = await connectDirectly(name, serve(annotated()));
      expect((await client.listTools())[0]?.annotations).toEqual({ readOnlyHint: true });
    },
  );
});

test('different here: registering a resolver that the model is not told of is a warning in the log', () => {
  const { logger, entries } = recordLog();
  listAccounts({ logger });
  expect(entries.map(({ level, fields }) => [level, fields])).toEqual([
    ['warning', { tool: 'list_accounts', required: ['budget_id'] }],
  ]);
});
