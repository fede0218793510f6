import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import {
  DefaultArgumentResolutionError,
  ToolError,
  ToolRegistry,
  ValidationError,
} from '../../../src/index.ts';
import type { ToolRegistryOptions } from '../../../src/index.ts';
import { ResponseFormatter } from '../../../src/collaborators.ts';
import type { Outcome, WithSecurityWrapper } from '../../../src/collaborators.ts';
import { recordLog } from '../../support/log-recorder.ts';

const text = async (registry: ToolRegistry, name: string, args: object = {}): Promise<string | undefined> => {
  const [block] = (await registry.executeTool({ name, arguments: args })).content;
  return block?.type === 'text' ? block.text : undefined;
};

describe('default arguments', () => {
  const registryWith = (
    resolver: (call: { rawArguments: object }) => unknown,
    options: ToolRegistryOptions = {},
  ): ToolRegistry =>
    new ToolRegistry(options).register({
      name: 'list_accounts',
      description: 'Lists accounts',
      inputSchema: z.object({ budget_id: z.string(), limit: z.number().default(10) }),
      resolvedArguments: ['budget_id'],
      defaultArgumentResolver: resolver as never,
      handler: ({ input }) => input,
    });

  test('fill gaps, and explicit arguments win', async () => {
    const registry = registryWith(() => ({ budget_id: 'default', limit: 5 }));
    expect(await text(registry, 'list_accounts')).toBe('{"budget_id":"default","limit":5}');
    expect(await text(registry, 'list_accounts', { budget_id: 'mine' })).toBe(
      '{"budget_id":"mine","limit":5}',
    );
  });

  test('see the arguments as they came, and may be nothing', async () => {
    const seen: unknown[] = [];
    const registry = registryWith(async ({ rawArguments }) => {
      seen.push(rawArguments);
      return undefined;
    });
    expect(await text(registry, 'list_accounts', { budget_id: 'b', other: 1 })).toBe(
      '{"budget_id":"b","limit":10}',
    );
    expect(seen).toEqual([{ budget_id: 'b', other: 1 }]);
  });

  test('are validated like any other', async () => {
    expect(
      await text(
        registryWith(() => ({ budget_id: 7 })),
        'list_accounts',
      ),
    ).toBe(
      "Invalid arguments for tool 'list_accounts'.\n- budget_id: Invalid input: expected string, received number (expected: string; received: 7 (number))",
    );
  });

  test('may carry a minify hint, which the hint of the caller overrules', async () => {
    const registry = registryWith(() => ({ budget_id: 'b', _minify: false }), { unknownArguments: 'reject' });
    expect(await text(registry, 'list_accounts')).toBe('{\n  "budget_id": "b",\n  "limit": 10\n}');
    expect(await text(registry, 'list_accounts', { _minify: true })).toBe('{"budget_id":"b","limit":10}');
  });

  test('that the resolver supplies are advertised as optional', () => {
    expect(registryWith(() => undefined).listTools()[0]?.inputSchema['required']).toBeUndefined();
  });

  test('a resolver that gives up says why', async () => {
    const registry = registryWith(() => {
      throw new DefaultArgumentResolutionError('No default budget is set.', {
        suggestions: ['Call set_default_budget.'],
      });
    });
    expect(await text(registry, 'list_accounts')).toBe(
      'No default budget is set.\nSuggestion: Call set_default_budget.',
    );
  });

  test('a resolver that breaks tells the caller what to pass and keeps its reason inside', async () => {
    const { logger, entries } = recordLog();
    const registry = registryWith(
      () => {
        throw new Error('connect ECONNREFUSED 10.0.0.7');
      },
      { logger },
    );
    const result = await registry.executeTool({ name: 'list_accounts' });
    expect(result._meta?.['toolwright/error']).toMatchObject({
      code: 'DEFAULTS_FAILED',
      reference: expect.any(String) as string,
    });
    expect(JSON.stringify(result)).not.toContain('ECONNREFUSED');
    expect(result.content[0]).toMatchObject({
      text: expect.stringContaining('Pass the arguments explicitly: budget_id.') as string,
    });
    expect(JSON.stringify(entries)).toContain('ECONNREFUSED');
  });

  test('a resolver that returns no object is a failure, not a surprise', async () => {
    const result = await registryWith(() => 'budget', { logger: recordLog().logger }).executeTool({
      name: 'list_accounts',
    });
    expect(result._meta?.['toolwright/error']).toMatchObject({ code: 'DEFAULTS_FAILED' });
  });
});

describe('minify', () => {
  const registry = new ToolRegistry()
    .register({ name: 'data', description: 'D', inputSchema: z.object({}), handler: () => ({ a: [1] }) })
    .register({
      name: 'own',
      description: 'Has an argument named minify',
      inputSchema: z.object({ minify: z.boolean() }),
      handler: ({ input }) => input,
    });
  const pretty = '{\n  "a": [\n    1\n  ]\n}';

  test.each(['minify', '_minify', '__minify'])(
    'the hint %s is honoured and taken out of the arguments',
    async (hint) => {
      const strict = new ToolRegistry({ unknownArguments: 'reject' });
      strict.registerAll(registry.getToolDefinitions());
      expect(await text(strict, 'data', { [hint]: false })).toBe(pretty);
      expect(await text(strict, 'data', { [hint]: true })).toBe('{"a":[1]}');
    },
  );

  test('a tool that takes any argument gets this one too', async () => {
    const open = new ToolRegistry().register({
      name: 'flags',
      description: 'F',
      inputSchema: z.record(z.string(), z.boolean()),
      handler: ({ input }) => input,
    });
    expect(await text(open, 'flags', { minify: true, other: true })).toBe('{"minify":true,"other":true}');
  });

  test('an argument of that name is an argument', async () => {
    expect(await text(registry, 'own', { minify: false })).toBe('{"minify":false}');
  });

  test('a hint that is no boolean is an unknown argument', async () => {
    const strict = new ToolRegistry({ unknownArguments: 'reject' });
    strict.registerAll(registry.getToolDefinitions());
    expect(await text(strict, 'data', { _minify: 'yes' })).toContain('_minify: is not a known argument.');
  });

  test('the override of the call wins over the hint', async () => {
    const result = await registry.executeTool({
      name: 'data',
      arguments: { minify: true },
      minifyOverride: false,
    });
    expect(result.content).toEqual([{ type: 'text', text: pretty }]);
  });

  test('reaches a handler that formats by itself, also after it has waited', async () => {
    const responseFormatter = new ResponseFormatter();
    const own = new ToolRegistry({ responseFormatter }).register({
      name: 'self',
      description: 'Formats by itself',
      inputSchema: z.object({}),
      handler: async () => {
        await Promise.resolve();
        return { content: [{ type: 'text', text: responseFormatter.format({ a: [1] }) }] };
      },
    });
    const [one, two] = await Promise.all([text(own, 'self', { _minify: false }), text(own, 'self')]);
    expect([one, two]).toEqual([pretty, '{"a":[1]}']);
  });
});

describe('the security wrapper', () => {
  const withWrapper = (withSecurityWrapper: WithSecurityWrapper): ToolRegistry =>
    new ToolRegistry({ name: 'bank', withSecurityWrapper, logger: recordLog().logger }).register({
      name: 'pay',
      description: 'Pays',
      inputSchema: z.object({ amount: z.number() }),
      security: { operation: 'transfer' },
      handler: ({ input }) => input,
    });

  test('is made once per tool, with namespace, operation and schema', () => {
    const made: unknown[] = [];
    withWrapper((namespace, operation, schema) => {
      made.push([namespace, operation, schema.jsonSchema['required']]);
      return (_call, run) => run({});
    });
    expect(made).toEqual([['bank', 'transfer', ['amount']]]);
  });

  test('defaults to the names of the registry and the tool', () => {
    const made: unknown[] = [];
    new ToolRegistry({
      name: 'shop',
      withSecurityWrapper: (...labels) => (made.push(labels.slice(0, 2)), (_c, run) => run({})),
    })
      .register({ name: 'buy', description: 'B', inputSchema: z.object({}), handler: () => 1 })
      .register({
        name: 'sell',
        description: 'S',
        inputSchema: z.object({}),
        security: { namespace: 'market' },
        handler: () => 1,
      });
    expect(made).toEqual([
      ['shop', 'buy'],
      ['market', 'sell'],
    ]);
  });

  test('wraps the handler and sees its outcome', async () => {
    const seen: Outcome[] = [];
    const registry = withWrapper((_namespace, _operation, schema) => async (call, run) => {
      const validated = await schema.validate(call.arguments);
      const outcome = validated.ok
        ? await run(validated.value)
        : ({ kind: 'invalid-input', issues: validated.issues } as const);
      seen.push(outcome);
      return outcome;
    });
    expect(await text(registry, 'pay', { amount: 5 })).toBe('{"amount":5}');
    expect(await text(registry, 'pay', {})).toContain("Invalid arguments for tool 'pay'.");
    expect(seen.map((outcome) => outcome.kind)).toEqual(['value', 'invalid-input']);
  });

  test.each([
    ['a ZodError', () => z.object({ amount: z.number() }).parse({})],
    [
      'our own ValidationError',
      () => {
        throw new ValidationError([
          { path: ['amount'], message: 'Invalid input: expected number, received undefined' },
        ]);
      },
    ],
  ])('that throws %s is answered as bad input', async (_name, fail) => {
    const registry = withWrapper(() => () => {
      fail();
      return { kind: 'cancelled' };
    });
    expect(await text(registry, 'pay', {})).toBe(
      "Invalid arguments for tool 'pay'.\n- amount: Invalid input: expected number, received undefined",
    );
  });

  test('that throws anything else fails the call without telling why', async () => {
    const registry = withWrapper(() => async () => {
      throw new Error('vault token s.abcdef');
    });
    expect(await text(registry, 'pay', { amount: 1 })).toMatch(
      /^Tool 'pay' failed unexpectedly\. .* reference \w{8}\.$/,
    );
  });

  test('may refuse with a message for the caller', async () => {
    const registry = withWrapper(() => () => {
      throw new ToolError('Payments are closed until Monday.');
    });
    expect(await text(registry, 'pay', { amount: 1 })).toBe('Payments are closed until Monday.');
  });
});

describe('the default security wrapper', () => {
  test('limits each caller separately and returns the time to wait', async () => {
    const { FakeClock } = await import('../../support/fake-clock.ts');
    const clock = new FakeClock();
    const registry = new ToolRegistry({ rateLimit: { limit: 2, perMs: 10_000 }, clock }).register({
      name: 'ping',
      description: 'P',
      inputSchema: z.object({}),
      handler: () => 'pong',
    });
    const ping = async (id: string): Promise<unknown> => {
      const result = await registry.executeTool({ name: 'ping', principal: { id } });
      return result._meta?.['toolwright/error'] ?? 'pong';
    };
    expect([await ping('ada'), await ping('ada')]).toEqual(['pong', 'pong']);
    clock.advance(4000);
    expect(await ping('ada')).toEqual({ code: 'RATE_LIMITED', retryAfterMs: 6000 });
    expect(await ping('bob')).toBe('pong');
    clock.advance(6000);
    expect(await ping('ada')).toBe('pong');
  });

  test('logs every call with its outcome and without its arguments', async () => {
    const { logger, entries } = recordLog();
    const registry = new ToolRegistry({ name: 'r', logger }).register({
      name: 'login',
      description: 'L',
      inputSchema: z.object({ password: z.string() }),
      handler: () => 'ok',
    });
    await registry.executeTool({
      name: 'login',
      arguments: { password: 'hunter2' },
      principal: { id: 'ada' },
    });
    await registry.executeTool({ name: 'login', arguments: { password: 2 } });
    expect(entries.map((entry) => entry.fields)).toEqual([
      expect.objectContaining({
        tool: 'login',
        namespace: 'r',
        operation: 'login',
        principal: 'ada',
        outcome: 'value',
      }),
      expect.objectContaining({ tool: 'login', outcome: 'invalid-input' }),
    ]);
    expect(JSON.stringify(entries)).not.toContain('hunter2');
  });
});

describe('invalid input', () => {
  const tool = {
    name: 'add',
    description: 'Adds',
    inputSchema: z.object({ a: z.number(), b: z.object({ c: z.string() }) }),
    handler: (): never => {
      throw new Error('must not run');
    },
  };

  test('is a result with isError that names every field', async () => {
    const result = await new ToolRegistry()
      .register(tool)
      .executeTool({ name: 'add', arguments: { b: { c: 1 } } });
    expect(result).toEqual({
      isError: true,
      content: [
        {
          type: 'text',
          text: "Invalid arguments for tool 'add'.\n- a: Invalid input: expected number, received undefined (expected: number; received: nothing)\n- b.c: Invalid input: expected string, received number (expected: string; received: 1 (number))",
        },
      ],
      _meta: {
        'toolwright/error': {
          code: 'INVALID_ARGUMENTS',
          issues: [
            {
              path: ['a'],
              message: 'Invalid input: expected number, received undefined',
              expected: 'number',
              received: 'nothing',
            },
            {
              path: ['b', 'c'],
              message: 'Invalid input: expected string, received number',
              expected: 'string',
              received: '1 (number)',
            },
          ],
        },
      },
    });
  });

  test('is the JSON-RPC error -32602 where that is asked for', async () => {
    const registry = new ToolRegistry({ invalidArguments: 'protocol-error' }).register(tool);
    expect(await registry.handleCall({ name: 'add', arguments: { a: 1, b: 2 } })).toEqual({
      kind: 'protocol-error',
      code: -32602,
      reason: 'INVALID_ARGUMENTS',
      message:
        "Invalid arguments for tool 'add'. b: Invalid input: expected object, received number (expected: object; received: 2 (number))",
      data: {
        issues: [
          {
            path: ['b'],
            message: 'Invalid input: expected object, received number',
            expected: 'object',
            received: '2 (number)',
          },
        ],
      },
    });
    const inProcess = await registry.executeTool({ name: 'add', arguments: { a: 1, b: 2 } });
    expect(inProcess).toMatchObject({
      isError: true,
      _meta: { 'toolwright/error': { code: 'INVALID_ARGUMENTS' } },
    });
  });

  test.each([[[]], ['x'], [7], [true]])(
    'arguments that are no object (%j) never reach the handler',
    async (args) => {
      const result = await new ToolRegistry().register(tool).executeTool({ name: 'add', arguments: args });
      expect(result._meta?.['toolwright/error']).toMatchObject({ code: 'INVALID_ARGUMENTS' });
    },
  );
});

describe('an unknown tool', () => {
  const registry = new ToolRegistry().register({
    name: 'add',
    description: 'A',
    inputSchema: z.object({}),
    handler: () => 1,
  });

  test('is an error of the protocol, with the nearest name', async () => {
    expect(await registry.handleCall({ name: 'ad' })).toEqual({
      kind: 'protocol-error',
      code: -32602,
      reason: 'UNKNOWN_TOOL',
      message: 'Unknown tool: ad',
    });
    expect(await registry.handleCall({ name: 'addd' })).toMatchObject({ data: { suggestions: ['add'] } });
  });

  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', ''])(
    '%j is unknown like any other',
    async (name) => {
      expect(await registry.handleCall({ name })).toEqual({
        kind: 'protocol-error',
        code: -32602,
        reason: 'UNKNOWN_TOOL',
        message: `Unknown tool: ${name}`,
      });
    },
  );

  test('is answered even when the call is nothing at all, or its name cannot be read', async () => {
    const odd = { toString: () => throwAway() };
    for (const call of [null, undefined, { name: odd }, { name: Object.create(null) as string }]) {
      expect(await registry.handleCall(call as never)).toMatchObject({
        kind: 'protocol-error',
        code: -32602,
      });
      expect((await registry.executeTool(call as never)).isError).toBe(true);
    }
  });

  test.each([undefined, 7, null, {}])('a name that is no string (%j) is unknown as well', async (name) => {
    expect(await registry.handleCall({ name } as never)).toMatchObject({
      kind: 'protocol-error',
      code: -32602,
    });
    expect((await registry.executeTool({ name } as never)).isError).toBe(true);
  });

  test('is not echoed at any length', async () => {
    const reply = await registry.handleCall({ name: 'x'.repeat(1_000_000) });
    expect(JSON.stringify(reply).length).toBeLessThan(400);
  });

  test('is a result with isError in this process', async () => {
    expect(await registry.executeTool({ name: 'addd' })).toEqual({
      isError: true,
      content: [{ type: 'text', text: 'Unknown tool: addd\nSuggestion: Did you mean "add"?' }],
      _meta: { 'toolwright/error': { code: 'UNKNOWN_TOOL', suggestions: ['Did you mean "add"?'] } },
    });
  });
});

function throwAway(): never {
  throw new Error('unreadable');
}

describe('stringified arguments', () => {
  const lax = {
    inputSchema: z.object({ id: z.number() }),
    handler: ({ input }: { input: { id: number } }) => input.id,
  };
  const registry = new ToolRegistry({ repairArguments: true })
    .register({ ...lax, name: 'read', description: 'R', annotations: { readOnlyHint: true } })
    .register({ ...lax, name: 'wipe', description: 'W', annotations: { destructiveHint: true } })
    .register({
      ...lax,
      name: 'wipe_too',
      description: 'W',
      metadata: { annotations: { destructiveHint: true } },
    })
    .register({ ...lax, name: 'plain', description: 'P', repairArguments: false });

  test('are repaired where the registry says so', async () => {
    expect(await text(registry, 'read', { id: '7' })).toBe('7');
    expect(await text(registry, 'plain', { id: '7' })).toContain('expected number, received string');
  });

  test.each(['wipe', 'wipe_too'])('never for a destructive tool: %s', async (name) => {
    expect(await text(registry, name, { id: '7' })).toContain('expected number, received string');
  });

  test('are repaired for one tool alone', async () => {
    const one = new ToolRegistry().register({
      ...lax,
      name: 'read',
      description: 'R',
      repairArguments: true,
    });
    expect(await text(one, 'read', { id: '7' })).toBe('7');
  });
});

describe('secret arguments', () => {
  const SECRET = 'hunter2Zebra';
  const handlers: [string, (password: string) => unknown][] = [
    ['throws it', (password) => throwError(new Error(`login failed for ${password}`))],
    [
      'throws it as a ToolError',
      (password) => throwError(new ToolError(`wrong: ${password}`, { suggestions: [`not ${password}`] })),
    ],
    ['rejects with it', async (password) => throwError(new Error(password))],
    ['throws it bare', (password) => throwError(password)],
    ['returns it where a number is expected', (password) => ({ n: password })],
  ];

  test.each(handlers)('appear nowhere when a handler %s', async (_name, handler) => {
    const { logger, entries } = recordLog();
    const registry = new ToolRegistry({ logger }).register({
      name: 'login',
      description: 'L',
      inputSchema: z.object({ password: z.string() }),
      outputSchema: z.object({ n: z.number() }),
      secrets: ['password'],
      handler: ({ input }) => handler(input.password) as { n: number },
    });
    const result = await registry.executeTool({ name: 'login', arguments: { password: SECRET } });
    expect(result.isError).toBe(true);
    expect(JSON.stringify([result, entries])).not.toContain(SECRET);
    expect(entries.length).toBeGreaterThan(0);
  });

  test.each([
    [
      'a resolver',
      {
        defaultArgumentResolver: ({ rawArguments }: { rawArguments: object }) =>
          throwError(new Error(JSON.stringify(rawArguments))),
      },
      {},
    ],
    [
      'a security wrapper',
      {},
      {
        withSecurityWrapper:
          () =>
          ({ arguments: args }: { arguments: object }) =>
            throwError({ issues: [{ message: `was ${JSON.stringify(args)}`, path: [] }] }),
      },
    ],
  ])('appear nowhere when %s quotes them', async (_name, definition, options) => {
    const { logger, entries } = recordLog();
    const registry = new ToolRegistry({ logger, ...(options as ToolRegistryOptions) }).register({
      name: 'login',
      description: 'L',
      inputSchema: z.object({ password: z.string() }),
      secrets: ['password'],
      handler: () => 1,
      ...definition,
    });
    const result = await registry.executeTool({ name: 'login', arguments: { password: SECRET } });
    expect(result.isError).toBe(true);
    expect(JSON.stringify([result, entries])).not.toContain(SECRET);
  });
});

function throwError(error: unknown): never {
  throw error;
}
