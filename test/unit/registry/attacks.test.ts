import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { createTool, defineMiddleware, jsonSchema, ToolRegistry } from '../../../src/index.ts';
import type { McpCallToolResult } from '../../../src/index.ts';
import { logging, redaction, resultCache } from '../../../src/middleware.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { recordLog } from '../../support/log-recorder.ts';
import { duplicate, unknownTool } from '../../support/refused.ts';

const textOf = ({ content: [first] }: McpCallToolResult): string =>
  first?.type === 'text' ? first.text : '';

describe('a result cache', () => {
  const users = createTool('users')
    .action({ name: 'list', readOnly: true, handler: () => 1 })
    .action({
      name: 'dump',
      tags: ['internal'],
      schema: z.object({ secretArg: z.string() }),
      handler: () => 2,
    });

  test('does not carry what one surface describes to another', async () => {
    const registry = new ToolRegistry().use(resultCache()).register(users);
    const open = registry.surface({ exposure: 'search' });
    const shut = registry.surface({ exposure: 'search', policy: { exclude: ['internal'] } });
    const call = { name: 'describe_tool', arguments: { names: ['users.dump'] } };
    expect(textOf(await open.executeTool(call))).toContain('secretArg');
    expect(textOf(await shut.executeTool(call))).toContain(unknownTool('users.dump').message);
  });

  test('keeps the users of one application apart by their tokens', async () => {
    const registry = new ToolRegistry().use(resultCache()).register({
      name: 'inbox',
      description: 'Reads the inbox',
      annotations: { readOnlyHint: true },
      inputSchema: z.object({}),
      handler: ({ context }) => `mail of ${context.accessToken}`,
    });
    const principal = { id: 'claude', scopes: ['mail'] };
    const read = async (accessToken: string): Promise<string> =>
      textOf(await registry.executeTool({ name: 'inbox', principal, accessToken }));
    expect([await read('alice'), await read('bob')]).toEqual(['mail of alice', 'mail of bob']);
  });

  test('shows previews as they are now', async () => {
    let files = 3;
    const registry = new ToolRegistry().use(resultCache()).register({
      name: 'wipe',
      description: 'Wipes',
      inputSchema: z.object({}),
      confirm: 'preview',
      preview: () => `${files} files`,
      handler: () => 'done',
    });
    expect(textOf(await registry.executeTool({ name: 'wipe' }))).toContain('3 files');
    files = 999;
    expect(textOf(await registry.executeTool({ name: 'wipe' }))).toContain('999 files');
  });
});

describe('after the end of the call', () => {
  test.each(['middleware', 'store'])('no handler starts behind a slow %s', async (slow) => {
    const clock = new FakeClock();
    let release: () => void = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    let runs = 0;
    const registry = new ToolRegistry({
      clock,
      timeoutMs: 20,
      ...(slow === 'store'
        ? { rateLimitStore: { consume: () => gate.then(() => ({ allowed: true }) as const) } }
        : {}),
    });
    if (slow === 'middleware') {
      registry.use(
        defineMiddleware(async ({ next }) => {
          await gate;
          return next();
        }),
      );
    }
    registry.register({
      name: 'wipe',
      description: 'W',
      inputSchema: z.object({}),
      handler: () => (runs += 1),
    });
    const answer = registry.executeTool({ name: 'wipe' });
    await Promise.resolve();
    clock.advance(20);
    expect((await answer)._meta?.['toolwright/error']).toMatchObject({ code: 'TIMED_OUT' });
    release();
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    expect(runs).toBe(0);
  });
});

test('scopes that are one text grant nothing', async () => {
  const registry = new ToolRegistry().register({
    name: 'wipe',
    description: 'W',
    scopes: ['admin'],
    inputSchema: z.object({}),
    handler: () => 'wiped',
  });
  const principal = { id: 'a', scopes: 'read not-admin' as never };
  expect(textOf(await registry.executeTool({ name: 'wipe', principal }))).toBe(unknownTool('wipe').message);
});

describe('the schema of a grouped tool takes what its actions take', () => {
  const accepts = (tool: ReturnType<typeof createTool>, args: object): unknown =>
    new Ajv2020({ strict: false }).compile(tool.buildToolDefinition().inputSchema)(args);
  const open = jsonSchema<Record<string, unknown>>({
    type: 'object',
    properties: { kind: { type: 'string' } },
    additionalProperties: true,
    if: { properties: { kind: { const: 'a' } } },
    then: { properties: { id: { type: 'string' } } },
  });

  test.each<[string, object, object]>([
    ['any key', z.looseObject({}), { id: 5 }],
    ['a record', z.record(z.string(), z.number()), { id: 5 }],
    [
      'keys of a pattern',
      { type: 'object', properties: {}, patternProperties: { '^i': { type: 'integer' } } },
      { id: 5 },
    ],
    ['any key, and one of a condition', open, { kind: 'b', id: 5 }],
    [
      'a field that one alternative narrows',
      {
        type: 'object',
        properties: { mode: { enum: ['num', 'any'] }, id: { type: ['string', 'number'] } },
        required: ['mode'],
        anyOf: [
          { properties: { mode: { const: 'num' }, id: { type: 'number' } } },
          { properties: { mode: { const: 'any' } } },
        ],
      },
      { mode: 'any', id: 'text' },
    ],
  ])('%s', async (_, schema, args) => {
    const tool = createTool('t')
      .action({ name: 'any', schema: schema as never, handler: ({ input }) => input })
      .action({ name: 'get', schema: z.object({ id: z.string().max(3) }), handler: () => 1 });
    expect(textOf(await tool.execute({}, { action: 'any', ...args }))).toBe(JSON.stringify(args));
    expect(accepts(tool as never, { action: 'any', ...args })).toBe(true);
  });

  test('in the profile without unions too, where the root lists what an alternative narrows', () => {
    const schema = {
      type: 'object',
      properties: { mode: { enum: ['num', 'any'] }, value: { type: ['string', 'number'] } },
      anyOf: [
        { properties: { mode: { const: 'num' }, value: { type: 'number' } } },
        { properties: { mode: { const: 'any' } } },
      ],
    };
    const registry = new ToolRegistry({ schemaProfile: 'no-union' }).register({
      name: 't',
      description: 'T',
      inputSchema: jsonSchema<object>(schema),
      handler: () => 1,
    });
    const validate = new Ajv2020({ strict: false }).compile(registry.listTools()[0]?.inputSchema ?? {});
    expect(validate({ mode: 'any', value: 'text' })).toBe(true);
  });
});

test('fields named like members of every object are there only if they were sent', async () => {
  const schema = { type: 'object', properties: { toString: { type: 'string' }, a: { type: 'string' } } };
  const registry = new ToolRegistry()
    .register({
      name: 'free',
      description: 'F',
      inputSchema: jsonSchema<object>(schema),
      handler: () => 'ran',
    })
    .register({
      name: 'asks',
      description: 'A',
      inputSchema: jsonSchema<object>({ ...schema, required: ['constructor'] }),
      handler: () => 'ran',
    });
  expect(textOf(await registry.executeTool({ name: 'free', arguments: { a: 'x' } }))).toBe('ran');
  expect((await registry.executeTool({ name: 'asks', arguments: {} })).isError).toBe(true);
});

test('a half that meets a tool of its name through a mount is refused', () => {
  const child = new ToolRegistry({ name: 'child' })
    .register(
      createTool('a')
        .action({ name: 'r', readOnly: true, handler: () => 1 })
        .action({ name: 'w', handler: () => 1 }),
    )
    .register({ name: 'a_read', description: 'Reads', inputSchema: z.object({}), handler: () => 1 });
  expect(() => new ToolRegistry({ splitReadWrite: true }).mount('', child)).toThrow(
    duplicate('Tool', 'a_read'),
  );
});

test('a confirmed tool advertises an output schema whose references lead somewhere', () => {
  const registry = new ToolRegistry().register({
    name: 't',
    description: 'T',
    inputSchema: z.object({}),
    outputSchema: jsonSchema<object>({
      type: 'object',
      properties: { a: { type: 'string' }, b: { $ref: '#/properties/a' } },
    }),
    confirm: 'preview',
    preview: () => 'shown',
    handler: () => ({ a: 'x', b: 'y' }),
  });
  const validate = new Ajv2020({ strict: false }).compile(registry.listTools()[0]?.outputSchema ?? {});
  expect([validate({ a: 'x', b: 'y' }), validate({ a: 'x', b: 1 })]).toEqual([true, false]);
});

test('arguments that are secret are not logged, even where arguments are', async () => {
  const { logger, entries } = recordLog();
  const registry = new ToolRegistry({ logger }).use(logging({ logArguments: true })).register({
    name: 'pay',
    description: 'P',
    secrets: ['pin'],
    inputSchema: z.object({ pin: z.string(), to: z.string() }),
    handler: () => 1,
  });
  await registry.executeTool({ name: 'pay', arguments: { pin: '4711', to: 'bob' } });
  expect(JSON.stringify(entries)).not.toContain('4711');
  expect(entries[0]?.fields).toMatchObject({ arguments: { pin: '[redacted]', to: 'bob' } });
});

test.each([
  ['fenced', '```json\n{"user":{"ssn":"123-45-6789"}}\n```'],
  ['line by line', '{"ssn":"123-45-6789"}\n{"ssn":"987-65-4321"}'],
  ['in prose', 'The record says ssn: 123-45-6789.'],
])(
  'redaction lets no text through that it cannot look through and that names a hidden field: %s',
  async (_, text) => {
    const registry = new ToolRegistry().use(redaction({ paths: ['user.ssn'] })).register({
      name: 'get',
      description: 'G',
      inputSchema: z.object({}),
      handler: () => text,
    });
    expect(textOf(await registry.executeTool({ name: 'get' }))).toBe('[redacted]');
  },
);

test('misspelt members of actions are refused: a misspelt list of scopes protects nothing', () => {
  expect(() => createTool('t').action({ name: 'wipe', scope: ['admin'], handler: () => 1 } as never)).toThrow(
    'Unknown option "scope" of action "wipe" of builder "t". Did you mean "scopes"?',
  );
});

test('arguments beside the name in the call tool are told where they belong', async () => {
  const registry = new ToolRegistry({ exposure: 'search' }).register(
    createTool('t').action({
      name: 'add',
      schema: z.object({ n: z.number() }),
      handler: ({ input }) => input.n,
    }),
  );
  const result = await registry.executeTool({ name: 'call_tool', arguments: { name: 't.add', n: 1 } });
  expect(textOf(result)).toContain('arguments: must contain the arguments of the tool; found outside it: n');
  const both = { name: 't.add', arguments: { n: 1 }, continue_from: 'x' };
  expect(textOf(await registry.executeTool({ name: 'call_tool', arguments: both }))).toContain(
    'continue_from: is unknown here. If it is an argument of the tool, put it into "arguments"',
  );
});
