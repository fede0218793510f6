import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { createTool, jsonSchema, ToolError, ToolRegistry } from '../../../../src/index.ts';
import type { GroupedToolBuilder, McpCallToolResult, Schema } from '../../../../src/index.ts';
import { FakeClock } from '../../../support/fake-clock.ts';
import { recordLog } from '../../../support/log-recorder.ts';
import { unknownArgument, unknownToolReply } from '../../../support/refused.ts';

const textOf = ({ content }: McpCallToolResult): unknown => (content[0] as { text?: unknown }).text;
const resultOf = (result: McpCallToolResult): unknown => JSON.parse(String(textOf(result)));

describe('the discriminator in a call', () => {
  const look = (): GroupedToolBuilder =>
    createTool('t').action({
      name: 'look',
      schema: z.looseObject({ n: z.number().default(1) }),
      handler: ({ input, context }) => ({
        input,
        raw: context.rawArguments,
        action: context.action,
        name: context.name,
        operation: context.operation,
      }),
    });

  test('is not in the input and not in the raw arguments; the context says it', async () => {
    const registry = new ToolRegistry().register(look());
    const result = await registry.executeTool({ name: 't', arguments: { action: 'look', more: true } });
    expect(resultOf(result)).toEqual({
      input: { n: 1, more: true },
      raw: { more: true },
      action: 'look',
      name: 't.look',
      operation: 't.look',
    });
  });

  test('does not change the arguments of the caller', async () => {
    const given = Object.freeze({ action: 'look', n: 2 });
    await look().execute({}, given);
    expect(given).toEqual({ action: 'look', n: 2 });
  });

  test('is said by the context in groups too, and is nothing for a single tool', async () => {
    const registry = new ToolRegistry()
      .register(
        createTool('p').group('g', (group) =>
          group.action({ name: 'a', handler: ({ context }) => [context.action, context.name] }),
        ),
      )
      .register({
        name: 'single',
        description: 'S',
        inputSchema: z.object({}),
        handler: ({ context }) => [context.action === undefined, context.name],
      });
    expect(resultOf(await registry.executeTool({ name: 'p', arguments: { action: 'g.a' } }))).toEqual([
      'g.a',
      'p.g.a',
    ]);
    expect(resultOf(await registry.executeTool({ name: 'single' }))).toEqual([true, 'single']);
  });
});

describe('input of an action', () => {
  test.each([
    { x: 1 },
    { action: 'a' },
    { constructor: 1, toString: 2 },
    JSON.parse('{"__proto__":{"evil":1}}'),
  ])('without a schema it is nothing, whatever is sent: %j', async (sent: object) => {
    const builder = createTool('t').action({
      name: 'a',
      handler: ({ input }) => ({ input, evil: (input as { evil?: unknown }).evil === undefined }),
    });
    expect(resultOf(await builder.execute({}, { ...sent, action: 'a' }))).toEqual({ input: {}, evil: true });
  });

  test('without a schema of its own it is the common fields', async () => {
    const builder = createTool('t')
      .commonSchema(z.object({ workspace: z.string() }))
      .action({ name: 'a', handler: ({ input }) => input });
    expect(resultOf(await builder.execute({}, { action: 'a', workspace: 'w', x: 1 }))).toEqual({
      workspace: 'w',
    });
  });

  test('unknown arguments are stripped, or rejected where the registry says so', async () => {
    const builder = createTool('t').action({
      name: 'a',
      schema: z.object({ n: z.number() }),
      handler: ({ input }) => input,
    });
    const call = { name: 't', arguments: { action: 'a', n: 1, m: 2 } };
    const [strip, reject] = (['strip', 'reject'] as const).map((unknownArguments) =>
      new ToolRegistry({ unknownArguments }).register(builder),
    );
    expect(resultOf((await strip?.executeTool(call)) as McpCallToolResult)).toEqual({ n: 1 });
    expect(textOf((await reject?.executeTool(call)) as McpCallToolResult)).toBe(
      `[t/a] Validation failed: m: ${unknownArgument('n')}`,
    );
  });

  test('an action may decide on unknown arguments itself', async () => {
    const builder = createTool('t')
      .action({ name: 'strict', unknownArguments: 'reject', handler: () => 'ran' })
      .action({ name: 'mild', handler: () => 'ran' });
    expect(textOf(await builder.execute({}, { action: 'strict', x: 1 }))).toBe(
      `[t/strict] Validation failed: x: ${unknownArgument()}`,
    );
    expect(textOf(await builder.execute({}, { action: 'mild', x: 1 }))).toBe('ran');
  });

  test('each action is checked by its own schema alone', async () => {
    const builder = createTool('t')
      .action({ name: 'text', schema: z.object({ id: z.string().max(2) }), handler: ({ input }) => input })
      .action({
        name: 'number',
        schema: z.object({ id: z.number(), page: z.number().default(3) }),
        handler: ({ input }) => input,
      });
    expect(builder.buildToolDefinition().inputSchema).toMatchObject({
      properties: { id: { anyOf: [{ type: 'string', maxLength: 2 }, { type: 'number' }] } },
    });
    expect(resultOf(await builder.execute({}, { action: 'text', id: 'ab', page: 1 }))).toEqual({ id: 'ab' });
    expect(resultOf(await builder.execute({}, { action: 'number', id: 7 }))).toEqual({ id: 7, page: 3 });
    for (const wrong of [
      { action: 'text', id: 7 },
      { action: 'number', id: 'ab' },
    ])
      expect(await builder.execute({}, wrong)).toMatchObject({
        isError: true,
        _meta: { 'toolwright/error': { code: 'INVALID_ARGUMENTS', issues: [{ path: ['id'] }] } },
      });
  });
});

describe('common fields', () => {
  const builder = (): GroupedToolBuilder =>
    createTool('t')
      .commonSchema(z.object({ workspace: z.string(), id: z.string().default('tool') }))
      .group('g', (group) =>
        group
          .commonSchema(z.object({ id: z.string().default('group'), team: z.string().optional() }))
          .action({ name: 'inherits', handler: ({ input }) => input })
          .action({
            name: 'replaces',
            schema: z.object({ id: z.number(), team: z.boolean() }),
            handler: ({ input }) => input,
          })
          .action({ name: 'omits', omitCommonFields: ['workspace', 'id'], handler: ({ input }) => input }),
      );

  test('of a group replace those of the tool', async () => {
    expect(resultOf(await builder().execute({}, { action: 'g.inherits', workspace: 'w' }))).toEqual({
      workspace: 'w',
      id: 'group',
    });
  });

  test('are replaced by own fields of the same name', async () => {
    const given = { action: 'g.replaces', workspace: 'w', id: 7, team: true };
    expect(resultOf(await builder().execute({}, given))).toEqual({ workspace: 'w', id: 7, team: true });
    expect(textOf(await builder().execute({}, { ...given, id: 'text' }))).toBe(
      '[t/g.replaces] Validation failed: id: Invalid input: expected number, received string (expected: number; received: "text" (string))',
    );
  });

  test('that are left out are not asked for, not taken and not advertised', async () => {
    expect(
      resultOf(await builder().execute({}, { action: 'g.omits', workspace: 'w', id: 'x', team: 't' })),
    ).toEqual({
      team: 't',
    });
    const flat = new ToolRegistry({ exposure: 'flat' }).register(builder());
    const omits = flat.findTool('t_g_omits')?.inputSchema;
    expect([Object.keys(omits?.['properties'] ?? {}), omits?.['required']]).toEqual([['team'], undefined]);
  });

  test('come from several schemas, where a later one replaces an earlier one', async () => {
    const several = createTool('t')
      .commonSchema(z.object({ a: z.number(), b: z.number() }))
      .commonSchema(z.object({ b: z.string() }))
      .action({ name: 'x', handler: ({ input }) => input });
    expect(resultOf(await several.execute({}, { action: 'x', a: 1, b: 'two' }))).toEqual({ a: 1, b: 'two' });
  });

  test('count for actions that were added before them', async () => {
    const late = createTool('t')
      .action({ name: 'x', handler: ({ input }) => input })
      .commonSchema(z.object({ a: z.number() }));
    expect(resultOf(await late.execute({}, { action: 'x', a: 1 }))).toEqual({ a: 1 });
  });
});

describe('the options of an action', () => {
  test('an output schema makes structured content, and is enforced', async () => {
    const builder = createTool('t').action({
      name: 'a',
      schema: z.object({ n: z.unknown() }),
      outputSchema: z.object({ n: z.number() }),
      handler: ({ input }) => ({ n: input.n as number, secret: 'dropped' }),
    });
    expect(await builder.execute({}, { action: 'a', n: 1 })).toEqual({
      content: [{ type: 'text', text: '{"n":1}' }],
      structuredContent: { n: 1 },
    });
    const { logger } = recordLog();
    const wrong = await builder.execute({}, { action: 'a', n: 'x' }, { logger });
    expect(textOf(wrong)).toBe(
      "[t/a] Tool 't.a' returned a value that cannot be sent: it does not match the output schema.",
    );
    expect(wrong.structuredContent).toBeUndefined();
  });

  test('an action without output schema gives no structured content beside one that has it', async () => {
    const builder = createTool('t')
      .action({ name: 'a', outputSchema: z.object({ n: z.number() }), handler: () => ({ n: 1 }) })
      .action({ name: 'b', handler: () => ({ n: 1 }) });
    expect(await builder.execute({}, { action: 'b' })).toEqual({
      content: [{ type: 'text', text: '{"n":1}' }],
    });
  });

  test('a timeout is its own', async () => {
    const clock = new FakeClock();
    const never = (): Promise<never> => new Promise(() => {});
    const builder = createTool('t')
      .action({ name: 'quick', timeoutMs: 100, handler: never })
      .action({ name: 'slow', handler: never });
    const registry = new ToolRegistry({ clock, timeoutMs: 5000 }).register(builder);
    const calls = ['quick', 'slow'].map((action) =>
      registry.executeTool({ name: 't', arguments: { action } }),
    );
    clock.advance(100);
    expect(textOf((await calls[0]) as McpCallToolResult)).toBe(
      "[t/quick] Tool 't.quick' did not finish within 100 ms and was stopped.",
    );
    expect(clock.pending).toBe(1);
    clock.advance(4900);
    expect(textOf((await calls[1]) as McpCallToolResult)).toBe(
      "[t/slow] Tool 't.slow' did not finish within 5000 ms and was stopped.",
    );
  });

  test('scopes hide an action from those who were not granted all of them', async () => {
    const registry = new ToolRegistry().register(
      createTool('t')
        .action({ name: 'read', handler: () => 'read' })
        .action({ name: 'wipe', scopes: ['admin', 'write'], handler: () => 'wiped' }),
    );
    const call = (scopes: string[]): Promise<McpCallToolResult> =>
      registry.executeTool({ name: 't', arguments: { action: 'wipe' }, principal: { id: 'p', scopes } });
    expect(textOf(await call(['admin']))).toBe('Unknown action. Available: read');
    expect(textOf(await call(['write', 'admin']))).toBe('wiped');
    const listed = (scopes: string[]): string =>
      JSON.stringify(registry.listTools({ principal: { id: 'p', scopes } }));
    expect(listed(['admin'])).not.toContain('wipe');
    expect(listed(['admin', 'write'])).toContain('wipe');
  });

  test('a tool of which nothing may be seen is unknown', async () => {
    const registry = new ToolRegistry().register(
      createTool('t').action({ name: 'wipe', scopes: ['admin'], handler: () => 'wiped' }),
    );
    for (const args of [{ action: 'wipe' }, {}, { action: 'other' }, 'no object'])
      expect(await registry.handleCall({ name: 't', arguments: args })).toEqual(unknownToolReply('t'));
    expect(registry.listTools()).toEqual([]);
  });

  test('tags of tool, group and action decide together who sees it', () => {
    const registry = new ToolRegistry().register(
      createTool('t')
        .tags('tool')
        .group('g', (group) =>
          group
            .tags('group')
            .action({ name: 'a', tags: ['internal'], handler: () => 1 })
            .action({ name: 'b', handler: () => 1 }),
        ),
    );
    const actions = (filter: object): unknown =>
      registry.getTools(filter).map(({ inputSchema }) => {
        const { properties } = inputSchema as { properties?: { action?: { enum?: unknown } } };
        return properties?.action?.enum;
      });
    expect(actions({ tags: ['tool', 'group', 'internal'] })).toEqual([['g.a']]);
    expect(actions({ tags: ['tool', 'group'], exclude: ['internal'] })).toEqual([['g.b']]);
    expect(actions({ exclude: ['group'] })).toEqual([]);
  });

  test('secrets never appear in answers and logs, own ones and common ones', async () => {
    const { logger, entries } = recordLog();
    const registry = new ToolRegistry({ logger }).register(
      createTool('t')
        .commonSchema(z.object({ token: z.string() }))
        .action({
          name: 'a',
          schema: z.object({ pin: z.string() }),
          secrets: ['pin', 'token'],
          handler: ({ input }) => {
            throw new ToolError(`refused ${input.pin} and ${input.token}`);
          },
        }),
    );
    const result = await registry.executeTool({
      name: 't',
      arguments: { action: 'a', pin: 'hunter2-pin', token: 'abc-token-xyz' },
    });
    expect(result.isError).toBe(true);
    expect(JSON.stringify([result, entries])).not.toMatch(/hunter2-pin|abc-token-xyz/);
    expect(textOf(result)).toMatch(/^\[t\/a\] refused /);
  });

  test('examples are shown with the discriminator first', () => {
    const { description } = createTool('t')
      .discriminator('op')
      .action({
        name: 'add',
        schema: z.object({ a: z.number(), b: z.number().optional() }),
        examples: [{ a: 1 }, { a: 1, b: 2 }],
        handler: () => 1,
      })
      .buildToolDefinition();
    expect(description).toBe(
      't. Actions: add\n\nWorkflow:\n- \'add\': Requires: a\n\nExamples:\n- {"op":"add","a":1}\n- {"op":"add","a":1,"b":2}',
    );
  });

  test('examples are those that were checked at registration', () => {
    const examples: Record<string, unknown>[] = [{ a: 1 }];
    const builder = createTool('t').action({
      name: 'add',
      schema: z.object({ a: z.number() }),
      examples,
      handler: () => 1,
    });
    const registry = new ToolRegistry().register(builder);
    examples.push({ a: 'never checked' });
    expect(registry.findTool('t')?.description).not.toContain('never checked');
  });

  test('defaults are resolved for the action, from arguments without the discriminator', async () => {
    const seen: unknown[] = [];
    const builder = createTool('t').action({
      name: 'a',
      schema: z.object({ id: z.string(), n: z.number() }),
      resolvedArguments: ['id'],
      defaultArgumentResolver: ({ rawArguments, context }) => {
        seen.push(rawArguments, context.action);
        return { id: 'found' };
      },
      handler: ({ input }) => input,
    });
    expect(resultOf(await builder.execute({}, { action: 'a', n: 1 }))).toEqual({ id: 'found', n: 1 });
    expect(seen).toEqual([{ n: 1 }, 'a']);
  });

  test('a confirmation is asked for by the action, and its token is not part of the input', async () => {
    const registry = new ToolRegistry().register(
      createTool('t')
        .action({
          name: 'wipe',
          destructive: true,
          confirm: 'preview',
          schema: z.object({ id: z.string() }),
          preview: ({ input }) => `would wipe ${input.id}`,
          handler: ({ input }) => input,
        })
        .action({ name: 'list', handler: () => 'listed' }),
    );
    const args = { action: 'wipe', id: '7' };
    const first = await registry.executeTool({ name: 't', arguments: args });
    expect(textOf(first)).toContain('would wipe 7');
    const token = /confirmation_token "(\w+)"/.exec(String(textOf(first)))?.[1];
    const second = await registry.executeTool({
      name: 't',
      arguments: { ...args, confirmation_token: token },
    });
    expect(resultOf(second)).toEqual({ id: '7' });
    expect(textOf(await registry.executeTool({ name: 't', arguments: { action: 'list' } }))).toBe('listed');
  });
});

describe('schemas of every library', () => {
  const IDS: Readonly<Record<string, Schema>> = {
    zod: z.object({ id: z.string(), n: z.number().default(1) }),
    arktype: type({ id: 'string', n: 'number = 1' }),
    valibot: toStandardJsonSchema(v.object({ id: v.string(), n: v.optional(v.number(), 1) })),
    'raw JSON Schema': jsonSchema({
      type: 'object',
      properties: { id: { type: 'string' }, n: { type: 'number', default: 1 } },
      required: ['id'],
    }),
  };
  const COMMON: Readonly<Record<string, Schema>> = {
    zod: z.object({ workspace: z.string() }),
    arktype: type({ workspace: 'string' }),
    valibot: toStandardJsonSchema(v.object({ workspace: v.string() })),
    'raw JSON Schema': jsonSchema({
      type: 'object',
      properties: { workspace: { type: 'string' } },
      required: ['workspace'],
    }),
  };
  const pairs = Object.keys(COMMON).flatMap((common) =>
    Object.keys(IDS).map((own) => [common, own] as const),
  );

  test.each(pairs)('common fields in %s and own fields in %s', async (common, own) => {
    const builder = createTool('t')
      .commonSchema(COMMON[common] as Schema)
      .action({ name: 'a', schema: IDS[own] as Schema, handler: ({ input }) => input });
    expect(builder.buildToolDefinition().inputSchema).toMatchObject({
      properties: {
        action: { enum: ['a'] },
        workspace: { type: 'string', description: '(always required)' },
        id: { type: 'string', description: 'Required for: a' },
        n: { type: 'number', description: 'For: a' },
      },
      required: ['action', 'workspace'],
    });
    expect(
      resultOf(await builder.execute({}, { action: 'a', workspace: 'w', id: 'x', stray: 1 })),
      // In JSON Schema a default is an annotation; it is not filled in.
    ).toEqual({ workspace: 'w', id: 'x', ...(own === 'raw JSON Schema' ? {} : { n: 1 }) });
    const wrong = await builder.execute({}, { action: 'a', workspace: 7, id: 8 });
    expect(wrong._meta).toMatchObject({
      'toolwright/error': { issues: [{ path: ['workspace'] }, { path: ['id'] }] },
    });
    expect(textOf(wrong)).toMatch(/^\[t\/a\] Validation failed: workspace: .+; id: .+$/);
  });

  test('all in one tool', async () => {
    const builder = createTool('t').commonSchema(z.object({ workspace: z.string() }));
    for (const [index, schema] of Object.values(IDS).entries())
      builder.action({ name: `a${index}`, schema, handler: ({ input, context }) => [context.action, input] });
    for (const index of [0, 1, 2, 3])
      expect(
        resultOf(await builder.execute({}, { action: `a${index}`, workspace: 'w', id: 'x', n: 2 })),
      ).toEqual([`a${index}`, { workspace: 'w', id: 'x', n: 2 }]);
  });
});
