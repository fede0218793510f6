import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import {
  createTool,
  DefinitionError,
  error,
  ToolError,
  ToolRegistry,
  ToolwrightError,
} from '../../../../src/index.ts';
import { ErrorHandler } from '../../../../src/collaborators.ts';
import type { GroupedToolBuilder, McpCallToolResult, ToolRegistryOptions } from '../../../../src/index.ts';
import { recordLog } from '../../../support/log-recorder.ts';
import { refused } from '../../../support/refused.ts';

const textOf = ({ content }: McpCallToolResult): unknown => (content[0] as { text?: unknown }).text;

/** The error of a builder or a registry. */
function refusal(run: () => unknown): ToolwrightError {
  try {
    run();
  } catch (thrown) {
    if (thrown instanceof ToolwrightError) return thrown;
    throw thrown;
  }
  throw new Error('it was accepted');
}

const handler = (): number => 1;

describe('flat and hierarchical exclude each other', () => {
  const MESSAGE =
    'Cannot use .action() and .group() on the same builder "platform".\nUse .action() for flat tools OR .group() for hierarchical tools.';

  test('a group after an action', () => {
    const builder = createTool('platform').action({ name: 'a', handler });
    expect(() => builder.group('g', (group) => group.action({ name: 'b', handler }))).toThrow(
      new DefinitionError(MESSAGE, { option: 'group', expected: 'action' }),
    );
    expect(builder.getActionNames()).toEqual(['a']);
  });

  test('an action after a group', () => {
    const builder = createTool('platform').group('g', (group) => group.action({ name: 'b', handler }));
    expect(() => builder.action({ name: 'a', handler })).toThrow(refused('action', { expected: 'group' }));
    expect(builder.getActionNames()).toEqual(['g.b']);
  });

  test('a group is never asked for its actions then', () => {
    let isAsked = false;
    const builder = createTool('platform').action({ name: 'a', handler });
    expect(() =>
      builder.group('g', () => {
        isAsked = true;
      }),
    ).toThrow(refused('group', { expected: 'action' }));
    expect(isAsked).toBe(false);
  });
});

describe('names', () => {
  test.each(['users.create', '.', 'a.', '.a'])('an action is not named %j', (name) => {
    const error = refused('name', { received: name });
    expect(() => createTool('t').action({ name, handler })).toThrow(error);
    expect(() => createTool('t').action({ name, handler })).toThrow(
      `Action name "${name}" of builder "t" must not contain dots. The framework uses dots to join group and action.`,
    );
    expect(() => createTool('t').group('g', (group) => group.action({ name, handler }))).toThrow(error);
  });

  test.each(['users.admin', '.', 'a.', '.a'])('a group is not named %j', (name) => {
    expect(() => createTool('t').group(name, (group) => group.action({ name: 'a', handler }))).toThrow(
      refused('name', { received: name }),
    );
  });

  test.each(['', 'two words', 'größe', 'a\n', 'x'.repeat(65), 7, undefined, null])(
    'no action and no group is named %j',
    (name) => {
      const given = name as string;
      const error = refused('name', { expected: '1 to 64 letters, digits, "_" or "-"' });
      expect(() => createTool('t').action({ name: given, handler })).toThrow(error);
      expect(() => createTool('t').group(given, (group) => group.action({ name: 'a', handler }))).toThrow(
        error,
      );
    },
  );

  test.each(['__proto__', 'constructor', 'toString', 'x'.repeat(60), 'A-b_9'])(
    'an action may be named %s, and is called by that name',
    async (name) => {
      const flat = createTool('t').action({ name, handler: () => 'flat' });
      expect(textOf(await flat.execute({}, { action: name }))).toBe('flat');
      const grouped = createTool('t').group(name, (group) =>
        group.action({ name, handler: () => 'grouped' }),
      );
      expect(textOf(await grouped.execute({}, { action: `${name}.${name}` }))).toBe('grouped');
    },
  );

  test.each(['', 'two words', 'x'.repeat(129), 7])('no builder is named %j', (name) => {
    expect(() => createTool(name as string)).toThrow(refused('name'));
  });

  test('an action is named once', () => {
    expect(() => createTool('t').action({ name: 'a', handler }).action({ name: 'a', handler })).toThrow(
      'Builder "t" already has an action "a". Rename one of them.',
    );
    expect(() =>
      createTool('t')
        .group('g', (group) => group.action({ name: 'a', handler }))
        .group('g', (group) => group.action({ name: 'a', handler })),
    ).toThrow(refused('name', { received: 'g.a' }));
    expect(() =>
      createTool('t').group('g', (group) =>
        group.action({ name: 'a', handler }).action({ name: 'a', handler }),
      ),
    ).toThrow(refused('name', { received: 'g.a' }));
  });

  test.each(['', 7, undefined, '__proto__', 'constructor', 'toString'])(
    'the discriminator is not named %j',
    (name) => {
      expect(() => createTool('t').discriminator(name as string)).toThrow(refused('discriminator'));
    },
  );
});

describe('an action is checked when it is added', () => {
  test.each([
    [undefined, `Builder "t": an action must be an object: .action({ name: 'list', handler: () => … }).`],
    ['list', `Builder "t": an action must be an object: .action({ name: 'list', handler: () => … }).`],
    [{ handler: undefined }, refused('handler')],
    [{ description: 7 }, refused('description')],
    [{ tags: 'x' }, refused('tags')],
    [{ scopes: [1] }, refused('scopes')],
    [{ synonyms: {} }, refused('synonyms')],
    [{ omitCommonFields: 'x' }, refused('omitCommonFields')],
    [{ examples: {} }, refused('examples')],
    [{ examples: ['x'] }, refused('examples')],
    [
      { destructive: true, readOnly: true },
      'Action "a" of builder "t" has both destructive and readOnly. Remove one of them.',
    ],
    [{ middleware: () => 1 }, refused('middleware')],
    [{ middleware: [1] }, refused('middleware')],
  ])('%j is refused, in a builder and in a group', (change, message) => {
    const given = (typeof change === 'object' ? { name: 'a', handler, ...change } : change) as never;
    expect(() => createTool('t').action(given)).toThrow(message);
    expect(() => createTool('t').group('g', (group) => group.action(given))).toThrow(message);
  });

  test('a group needs a function, and actions', () => {
    expect(() => createTool('t').group('g', 'Described' as never)).toThrow(
      `Group "g" of builder "t" needs a function that adds its actions: .group('g', 'What it is for', (group) => group.action({ … })).`,
    );
    expect(() => createTool('t').group('g', () => {})).toThrow(
      new DefinitionError('Group "g" of builder "t" has no actions. Add one with .action().', {
        option: 'group',
        path: ['g'],
      }),
    );
  });

  test('a middleware must be a function', () => {
    const error = refused('middleware');
    expect(() => createTool('t').use('no' as never)).toThrow(error);
    expect(() => createTool('t').group('g', (group) => group.use(null as never))).toThrow(error);
  });
});

describe('members of the whole tool are validated at registration', () => {
  // The official clients reject the whole list because of one invalid member.
  test.each<[string, (builder: GroupedToolBuilder) => unknown]>([
    ['a title that is no text', (builder) => builder.title(42 as never)],
    ['a description that is no text', (builder) => builder.description(42 as never)],
    [
      'a hint that is neither true nor false',
      (builder) => builder.annotations({ readOnlyHint: 'yes' as never }),
    ],
    ['a title of the annotations that is no text', (builder) => builder.annotations({ title: 42 as never })],
    ['tags that are no texts', (builder) => builder.tags(42 as never)],
  ])('%s is refused as a wrong definition', (_, change) => {
    const thrown = refusal(() => {
      const builder = createTool('t').action({ name: 'a', handler });
      change(builder);
      new ToolRegistry().register(builder);
    });
    expect(thrown.code).toBe('INVALID_DEFINITION');
  });
});

describe('an action is checked against the whole tool when it is finished', () => {
  const both = (builder: GroupedToolBuilder, expected: string | Error): void => {
    expect(() => new ToolRegistry().register(builder)).toThrow(expected);
    expect(() => builder.buildToolDefinition()).toThrow(expected);
  };

  test('no field has the name of the discriminator', () => {
    const own = createTool('t').action({ name: 'a', schema: z.object({ action: z.string() }), handler });
    const message = (name: string, action: string): string =>
      `Action "${action}" of builder "t" has a field "${name}", which is the discriminator of this tool. Rename the field, or set another discriminator with .discriminator().`;
    both(own, message('action', 'a'));
    const common = createTool('t')
      .discriminator('op')
      .commonSchema(z.object({ op: z.string() }))
      .action({ name: 'a', handler });
    both(common, message('op', 'a'));
    const group = createTool('t').group('g', (added) =>
      added.commonSchema(z.object({ action: z.string() })).action({ name: 'a', handler }),
    );
    both(group, message('action', 'g.a'));
  });

  test('the discriminator does not take the place of a confirmation', () => {
    const builder = createTool('t')
      .discriminator('confirmation_token')
      .action({ name: 'a', confirm: 'preview', preview: () => 'shown', handler });
    expect(refusal(() => new ToolRegistry().register(builder)).code).toBe('INVALID_DEFINITION');
  });

  test('only common fields can be left out', () => {
    const none = createTool('t').action({ name: 'a', omitCommonFields: ['x'] as never, handler });
    both(
      none,
      'Action "a" of builder "t": unknown common field "x" in omitCommonFields. There are no common fields.',
    );
    const other = createTool('t')
      .commonSchema(z.object({ y: z.string(), z: z.string() }))
      .action({ name: 'a', omitCommonFields: ['x'] as never, handler });
    both(
      other,
      'Action "a" of builder "t": unknown common field "x" in omitCommonFields. Common fields: y, z.',
    );
  });

  test('an example that does not fit is refused, and says which and why', () => {
    const builder = createTool('t')
      .commonSchema(z.object({ w: z.string() }))
      .action({
        name: 'a',
        schema: z.object({ n: z.number() }),
        examples: [
          { w: 'x', n: 1 },
          { w: 'x', n: 'one' },
        ],
        handler,
      });
    const message =
      'Example 2 of "t.a" is invalid: n: Invalid input: expected number, received string (expected: number; received: "one" (string)).';
    both(builder, message);
    expect(refusal(() => builder.buildToolDefinition())).toMatchObject({ code: 'INVALID_DEFINITION' });
  });

  test('an example with an unknown argument is refused where calls with one are', () => {
    const builder = createTool('t').action({ name: 'a', examples: [{ x: 1 }], handler });
    new ToolRegistry().register(builder);
    expect(() => new ToolRegistry({ unknownArguments: 'reject' }).register(builder)).toThrow(
      'Example 1 of "t.a" is invalid: x: is not a known argument.',
    );
  });

  test('a schema that cannot be served is refused with the name of the action', () => {
    both(
      createTool('t').action({ name: 'a', schema: z.string() as never, handler }),
      'Action "a" of builder "t": the schema must describe an object, because the arguments of a tool are an object; it accepts string. Wrap it, for example: z.object({ value: … }).',
    );
  });

  test.each([
    [{ timeoutMs: 0 }, refused('timeoutMs')],
    [{ secrets: ['pin'] }, 'Tool "t.a": unknown argument "pin" in secrets.'],
    [
      { confirm: 'preview' },
      `Tool "t.a" must have both confirm: 'preview' and a preview function, or neither.`,
    ],
  ])('%j is refused as in a single tool', (change, message) => {
    both(createTool('t').action({ name: 'a', handler, ...change } as never), message);
  });

  test('a refused builder leaves a registry as it was', () => {
    const registry = new ToolRegistry();
    const wrong = createTool('t')
      .action({ name: 'fine', handler })
      .action({ name: 'a', schema: z.object({ n: z.number() }), examples: [{}], handler });
    const changes: unknown[] = [];
    registry.onChange((change) => changes.push(change));
    expect(() => registry.registerAll([createTool('u').action({ name: 'x', handler }), wrong])).toThrow(
      'Example 1',
    );
    expect([registry.size, registry.listTools(), changes]).toEqual([0, [], []]);
  });
});

/** A tool with one failing action for every kind of failure. */
function platform(): GroupedToolBuilder {
  const fail = (thrown: unknown) => (): never => {
    throw thrown;
  };
  return createTool('platform')
    .group('users', (users) =>
      users
        .action({
          name: 'create',
          schema: z.object({ email: z.string(), role: z.enum(['admin', 'user']) }),
          handler: () => 'created',
        })
        .action({
          name: 'told',
          handler: fail(new ToolError('No such user.', { suggestions: ['List them.'] })),
        })
        .action({ name: 'returned', handler: () => error('No such user.') })
        .action({ name: 'broken', handler: fail(new TypeError('secret detail')) }),
    )
    .group('billing', (billing) => billing.action({ name: 'list', handler: () => 'listed' }));
}

const KEYS = 'users.create, users.told, users.returned, users.broken, billing.list';

async function call(args: unknown, options: ToolRegistryOptions = {}): Promise<McpCallToolResult> {
  return new ToolRegistry(options).register(platform()).executeTool({ name: 'platform', arguments: args });
}

describe('an action that is not said', () => {
  test.each([undefined, null, {}, { action: undefined }, { action: null }, { action: '' }, { email: 'x' }])(
    '%j is answered with the names there are',
    async (args) => {
      expect(await call(args)).toEqual({
        content: [{ type: 'text', text: `action is required. Available: ${KEYS}` }],
        isError: true,
        _meta: { 'toolwright/error': { code: 'INVALID_ARGUMENTS' } },
      });
    },
  );
});

describe('an action that does not exist', () => {
  test.each([
    'nothing like it',
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'create',
    'users',
    7,
    true,
    {},
    ['users.create'],
  ])('%j is answered with the names there are', async (action) => {
    expect(textOf(await call({ action }))).toBe(`Unknown action. Available: ${KEYS}`);
  });

  test('is answered with the nearest name, where there is one', async () => {
    expect(await call({ action: 'users.creat' })).toEqual({
      content: [
        {
          type: 'text',
          text: `Unknown action. Available: ${KEYS}\nSuggestion: Did you mean "users.create"?`,
        },
      ],
      isError: true,
      _meta: {
        'toolwright/error': { code: 'INVALID_ARGUMENTS', suggestions: ['Did you mean "users.create"?'] },
      },
    });
    expect(textOf(await call({ action: 'Billing.List' }))).toContain('Did you mean "billing.list"?');
  });

  test('suggests nothing that is hidden from the caller', async () => {
    const registry = new ToolRegistry().register(
      createTool('t')
        .action({ name: 'remove', scopes: ['admin'], handler })
        .action({ name: 'list', handler }),
    );
    expect(textOf(await registry.executeTool({ name: 't', arguments: { action: 'remov' } }))).toBe(
      'Unknown action. Available: list',
    );
  });

  test('names at most two hundred of very many', async () => {
    const builder = createTool('t');
    for (let index = 0; index < 203; index += 1) builder.action({ name: `a${index}`, handler });
    const text = String(textOf(await builder.execute({})));
    expect(text).toMatch(/^action is required\. Available: a0, .+, a199 and 3 more$/);
  });
});

describe('arguments that are no object', () => {
  test.each(['users.create', 7, true, ['users.create']])('%j are refused', async (args) => {
    expect(textOf(await call(args))).toBe(
      "Invalid arguments for tool 'platform'.\n- (arguments): must be an object with the arguments by name (expected: object)",
    );
  });
});

describe('errors of an action', () => {
  test('is said with its name when the arguments do not fit', async () => {
    expect(await call({ action: 'users.create', email: 7 })).toEqual({
      content: [
        {
          type: 'text',
          text: '[platform/users.create] Validation failed: email: Invalid input: expected string, received number (expected: string; received: 7 (number)); role: Invalid option: expected one of "admin"|"user" (expected: one of "admin", "user"; received: nothing)',
        },
      ],
      isError: true,
      _meta: {
        'toolwright/error': {
          code: 'INVALID_ARGUMENTS',
          issues: [
            {
              path: ['email'],
              message: 'Invalid input: expected string, received number',
              expected: 'string',
              received: '7 (number)',
            },
            {
              path: ['role'],
              message: 'Invalid option: expected one of "admin"|"user"',
              expected: 'one of "admin", "user"',
              received: 'nothing',
            },
          ],
        },
      },
    });
  });

  test.each(['users.told', 'users.returned'])('is said with its name when %s says it', async (action) => {
    const result = await call({ action });
    expect(String(textOf(result)).split('\n')[0]).toBe(`[platform/${action}] No such user.`);
    expect(result._meta).toMatchObject({ 'toolwright/error': { code: 'TOOL_ERROR' } });
  });

  test('keeps its suggestions', async () => {
    expect(textOf(await call({ action: 'users.told' }))).toBe(
      '[platform/users.told] No such user.\nSuggestion: List them.',
    );
  });

  test('is hidden when it was not meant for the caller, but says where it was', async () => {
    const { logger, entries } = recordLog();
    const errorHandler = new ErrorHandler({ logger, createReference: () => 'ref-1' });
    const result = await call({ action: 'users.broken' }, { errorHandler, logger });
    expect(result).toEqual({
      content: [
        {
          type: 'text',
          text: "[platform/users.broken] Tool 'platform.users.broken' failed unexpectedly. The details are in the server's log under the reference ref-1.",
        },
      ],
      isError: true,
      _meta: { 'toolwright/error': { code: 'TOOL_FAILED', reference: 'ref-1' } },
    });
    expect(entries).toContainEqual({
      level: 'error',
      message: 'tool call failed',
      fields: {
        reference: 'ref-1',
        tool: 'platform.users.broken',
        operation: 'platform.users.broken',
        error: expect.objectContaining({ name: 'TypeError', message: 'secret detail' }) as unknown,
      },
    });
  });

  test('leaves what goes right as it is', async () => {
    expect(await call({ action: 'users.create', email: 'a', role: 'user' })).toEqual({
      content: [{ type: 'text', text: 'created' }],
    });
  });

  test('says the prefixed name where the registry is mounted', async () => {
    const outer = new ToolRegistry();
    outer.mount('v1', new ToolRegistry().register(platform()));
    const say = async (args: object): Promise<unknown> =>
      textOf(await outer.executeTool({ name: 'v1_platform', arguments: args }));
    expect(await say({ action: 'users.returned' })).toBe('[v1_platform/users.returned] No such user.');
    expect(await say({ action: 'users.creat' })).toContain('Unknown action. Available: users.create,');
  });
});

describe("with invalidArguments: 'protocol-error'", () => {
  const reply = (args: unknown) =>
    new ToolRegistry({ invalidArguments: 'protocol-error' })
      .register(platform())
      .handleCall({ name: 'platform', arguments: args });

  test.each([
    [{}, `is required. Available: ${KEYS}`],
    [{ action: 'users.creat' }, `is unknown. Available: ${KEYS}. Did you mean "users.create"?`],
  ])('%j is an error of the protocol', async (args, message) => {
    expect(await reply(args)).toEqual({
      kind: 'protocol-error',
      code: -32602,
      reason: 'INVALID_ARGUMENTS',
      message: `Invalid arguments for tool 'platform'. action: ${message}`,
      data: { issues: [{ path: ['action'], message }] },
    });
  });

  test('arguments that do not fit are one too', async () => {
    expect(await reply({ action: 'users.create', email: 'a', role: 'x' })).toMatchObject({
      kind: 'protocol-error',
      code: -32602,
      reason: 'INVALID_ARGUMENTS',
      message:
        'Invalid arguments for tool \'platform.users.create\'. role: Invalid option: expected one of "admin"|"user" (expected: one of "admin", "user"; received: "x" (string))',
      data: { issues: [{ path: ['role'] }] },
    });
  });

  test('arguments that are no object are one too', async () => {
    expect(await reply('users.create')).toMatchObject({
      kind: 'protocol-error',
      message:
        "Invalid arguments for tool 'platform'. (arguments): must be an object with the arguments by name (expected: object)",
    });
  });

  test('an error returned by an action is not a protocol error', async () => {
    expect(await reply({ action: 'users.returned' })).toMatchObject({
      kind: 'result',
      result: { isError: true, content: [{ text: '[platform/users.returned] No such user.' }] },
    });
  });
});
