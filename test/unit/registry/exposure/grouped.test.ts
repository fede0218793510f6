import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { createTool, ToolRegistry } from '../../../../src/index.ts';
import type { Caller, GroupedToolBuilder, McpTool, ToolDefinition } from '../../../../src/index.ts';
import { duplicate, unknownToolReply } from '../../../support/refused.ts';

const admin: Caller = { principal: { id: 'ada', scopes: ['admin'] } };

/** Three actions for all callers and one for administrators. */
function users(): GroupedToolBuilder {
  return createTool('users')
    .description('Manages users')
    .action({ name: 'list', description: 'Lists users', readOnly: true, handler: () => 'listed' })
    .action({
      name: 'create',
      description: 'Creates a user',
      schema: z.object({ email: z.string().describe('Where to write to') }),
      handler: ({ input }) => `created ${input.email}`,
    })
    .action({
      name: 'purge',
      description: 'Erases a user for good',
      destructive: true,
      scopes: ['admin'],
      schema: z.object({ email: z.string().describe('Whom to erase'), reason: z.enum(['gdpr', 'spam']) }),
      examples: [{ email: 'ada@example.com', reason: 'gdpr' }],
      handler: ({ input }) => `purged ${input.email}`,
    });
}

const single = (name: string): ToolDefinition<z.ZodObject> => ({
  name,
  description: `The tool ${name}`,
  inputSchema: z.object({}),
  handler: () => name,
});

const names = (tools: readonly McpTool[]): string[] => tools.map((tool) => tool.name);

describe('a grouped tool of which a caller may see a part', () => {
  test('is listed with the visible actions alone: in enum, fields, description and annotations', () => {
    const registry = new ToolRegistry().register(users());
    expect(registry.listTools()).toEqual([
      {
        name: 'users',
        description:
          "Manages users. Actions: list, create\n\nWorkflow:\n- 'list': Lists users\n- 'create': Creates a user. Requires: email",
        inputSchema: {
          type: 'object',
          properties: {
            action: { type: 'string', enum: ['list', 'create'], description: 'The action to perform.' },
            email: { type: 'string', description: 'Where to write to. Required for: create' },
          },
          required: ['action'],
        },
        annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
      },
    ]);
  });

  test('is listed whole to those who may see all of it', () => {
    const registry = new ToolRegistry().register(users());
    expect(registry.listTools(admin)).toEqual([
      {
        name: 'users',
        description:
          'Manages users. Actions: list, create, purge\n\nWorkflow:\n- \'list\': Lists users\n- \'create\': Creates a user. Requires: email\n- \'purge\': Erases a user for good. Requires: email, reason ⚠️ DESTRUCTIVE\n\nExamples:\n- {"action":"purge","email":"ada@example.com","reason":"gdpr"}',
        inputSchema: {
          type: 'object',
          properties: {
            action: {
              type: 'string',
              enum: ['list', 'create', 'purge'],
              description: 'The action to perform.',
            },
            email: {
              type: 'string',
              description: 'Where to write to. Required for: create\nWhom to erase. Required for: purge',
            },
            reason: { type: 'string', enum: ['gdpr', 'spam'], description: 'Required for: purge' },
          },
          required: ['action'],
        },
        annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
      },
    ]);
  });

  test('no trace of a hidden action is in the bytes of the list', () => {
    const text = new ToolRegistry().register(users()).listToolsJson();
    for (const trace of ['purge', 'Erases', 'gdpr', 'reason', 'Whom', 'DESTRUCTIVE', 'Examples'])
      expect(text).not.toContain(trace);
  });

  test('answers a hidden action like one that never existed, and names only what is visible', async () => {
    const registry = new ToolRegistry().register(users());
    const call = (action: string): Promise<unknown> =>
      registry.handleCall({ name: 'users', arguments: { action, email: 'x', reason: 'spam' } });
    expect(await call('purge')).toEqual({
      kind: 'result',
      result: {
        content: [{ type: 'text', text: 'Unknown action. Available: list, create' }],
        isError: true,
        _meta: { 'toolwright/error': { code: 'INVALID_ARGUMENTS' } },
      },
    });
    expect(await call('purge')).toEqual(await call('nosuch'));
  });

  test('never suggests a hidden action for a typo, and does suggest it to those who see it', async () => {
    const registry = new ToolRegistry().register(users());
    const typo = { name: 'users', arguments: { action: 'purgee' } };
    expect((await registry.executeTool(typo)).content).toEqual([
      { type: 'text', text: 'Unknown action. Available: list, create' },
    ]);
    expect((await registry.executeTool({ ...typo, ...admin })).content).toEqual([
      {
        type: 'text',
        text: 'Unknown action. Available: list, create, purge\nSuggestion: Did you mean "purge"?',
      },
    ]);
  });

  test('asks for the action where none is given, with the visible ones', async () => {
    const registry = new ToolRegistry().register(users());
    for (const args of [undefined, {}, { action: null }, { action: '' }])
      expect((await registry.executeTool({ name: 'users', arguments: args })).content).toEqual([
        { type: 'text', text: 'action is required. Available: list, create' },
      ]);
    for (const action of [7, ['list'], {}, 'constructor', '__proto__', 'toString'])
      expect((await registry.executeTool({ name: 'users', arguments: { action } })).content).toEqual([
        { type: 'text', text: 'Unknown action. Available: list, create' },
      ]);
    expect((await registry.executeTool({ name: 'users', arguments: ['list'] })).isError).toBe(true);
  });

  test('runs what is visible, and what is hidden only for those who may', async () => {
    const registry = new ToolRegistry().register(users());
    const purge = { name: 'users', arguments: { action: 'purge', email: 'x', reason: 'spam' } };
    expect((await registry.executeTool({ name: 'users', arguments: { action: 'list' } })).content).toEqual([
      { type: 'text', text: 'listed' },
    ]);
    expect((await registry.executeTool(purge)).isError).toBe(true);
    expect((await registry.executeTool({ ...purge, ...admin })).content).toEqual([
      { type: 'text', text: 'purged x' },
    ]);
  });
});

describe('a grouped tool of which a caller may see nothing', () => {
  const secret = (): ToolRegistry =>
    new ToolRegistry()
      .register(single('accounts'))
      .register(createTool('vault').action({ name: 'open', scopes: ['admin'], handler: () => 'opened' }));

  test('is not listed', () => {
    expect(names(secret().listTools())).toEqual(['accounts']);
    expect(names(secret().listTools(admin))).toEqual(['accounts', 'vault']);
  });

  test.each([
    ['with the action', { action: 'open' }],
    ['with another action', { action: 'nosuch' }],
    ['without an action', {}],
    ['with arguments that are no object', 7],
  ])('answers exactly like an unknown tool, called %s', async (_title, args) => {
    const registry = secret();
    const hidden = await registry.handleCall({ name: 'vault', arguments: args });
    expect(hidden).toEqual(unknownToolReply('vault'));
    const unknown = await registry.handleCall({ name: 'vxxxx', arguments: args });
    expect(JSON.stringify(hidden).replace('vault', 'vxxxx')).toBe(JSON.stringify(unknown));
  });

  test('is never suggested to those who cannot see it', async () => {
    const registry = secret();
    expect(await registry.handleCall({ name: 'vaults' })).toEqual(unknownToolReply('vaults'));
    expect(await registry.handleCall({ name: 'vaults', ...admin })).toMatchObject({
      data: { suggestions: ['vault'] },
    });
  });

  test('flat and canonical names lead nowhere on a grouped surface', async () => {
    const registry = new ToolRegistry().register(users());
    for (const name of ['users_list', 'users.list', 'users/list'])
      expect((await registry.handleCall({ name })).kind).toBe('protocol-error');
  });
});

describe('reads and writes kept apart', () => {
  const split = (): ToolRegistry =>
    new ToolRegistry({ splitReadWrite: true })
      .register(users())
      .register(single('ping'))
      .register(createTool('clock').action({ name: 'now', readOnly: true, handler: () => 'now' }));

  test('each half has its own actions and true annotations, also of a tool of one kind', () => {
    const listed = split().listTools(admin);
    expect(names(listed)).toEqual(['users_read', 'users_write', 'ping', 'clock_read']);
    expect(listed.map((tool) => tool.annotations)).toEqual([
      { readOnlyHint: true, destructiveHint: false, idempotentHint: false },
      { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
      undefined,
      { readOnlyHint: true, destructiveHint: false, idempotentHint: false },
    ]);
    type Fields = { action?: { enum?: unknown } };
    const fields = listed.map(({ inputSchema }) => inputSchema['properties'] as Fields);
    expect(fields.map(({ action }) => action?.enum)).toEqual([
      ['list'],
      ['create', 'purge'],
      undefined,
      ['now'],
    ]);
  });

  test('names are the same for every caller, however little of a half it sees', async () => {
    const registry = new ToolRegistry({ splitReadWrite: true }).register(
      createTool('files')
        .action({ name: 'read', readOnly: true, handler: () => 'read' })
        .action({ name: 'write', scopes: ['admin'], handler: () => 'written' }),
    );
    expect(names(registry.listTools())).toEqual(['files_read']);
    expect(names(registry.listTools(admin))).toEqual(['files_read', 'files_write']);
    const hidden = await registry.handleCall({ name: 'files_write', arguments: { action: 'write' } });
    expect(hidden).toMatchObject(unknownToolReply('files_write'));
  });

  test('an action is called through its own half alone', async () => {
    const registry = split();
    const call = (name: string, action: string): Promise<unknown> =>
      registry.handleCall({ name, arguments: { action, email: 'x' } });
    expect(await call('users_read', 'list')).toMatchObject({ result: { content: [{ text: 'listed' }] } });
    expect(await call('users_write', 'create')).toMatchObject({
      result: { content: [{ text: 'created x' }] },
    });
    expect(await call('users_read', 'create')).toMatchObject({
      result: { isError: true, content: [{ text: 'Unknown action. Available: list' }] },
    });
    expect(await call('users_write', 'list')).toMatchObject({
      result: { isError: true, content: [{ text: 'Unknown action. Available: create' }] },
    });
    expect(await call('users', 'list')).toMatchObject(unknownToolReply('users'));
  });

  test('a name tells nothing of hidden actions: it is the same with and without them', () => {
    const open = createTool('files').action({ name: 'read', readOnly: true, handler: () => 'read' });
    const writes = createTool('logs').action({ name: 'append', handler: () => 'appended' });
    const registry = new ToolRegistry({ splitReadWrite: true }).registerAll([open, writes]);
    const before = registry.listToolsJson();
    expect(names(registry.listTools())).toEqual(['files_read', 'logs_write']);
    for (const [name, readOnly] of [['files', false] as const, ['logs', true] as const])
      registry.register(
        createTool(name).action({ name: 'secret', readOnly, scopes: ['admin'], handler: () => 1 }),
        { merge: true },
      );
    expect(registry.listToolsJson()).toBe(before);
    expect(names(registry.listTools(admin))).toEqual([
      'files_read',
      'files_write',
      'logs_write',
      'logs_read',
    ]);
  });

  test('a tool that gains its first write keeps the name of its reads', () => {
    const registry = new ToolRegistry({ splitReadWrite: true }).register(
      createTool('clock').action({ name: 'now', readOnly: true, handler: () => 'now' }),
    );
    expect(names(registry.listTools())).toEqual(['clock_read']);
    registry.register(createTool('clock').action({ name: 'set', handler: () => 'set' }), { merge: true });
    expect(names(registry.listTools())).toEqual(['clock_read', 'clock_write']);
  });

  test('a tool named like a half is refused where a surface splits, whichever comes first', () => {
    const message = duplicate('Tool', 'users_read', [
      '"Manages users" (by the name of a half) in registry "toolwright"',
      '"The tool users_read" in registry "toolwright"',
    ]);
    expect(() =>
      new ToolRegistry({ splitReadWrite: true }).register(users()).register(single('users_read')),
    ).toThrow(message);
    expect(() =>
      new ToolRegistry({ splitReadWrite: true }).register(single('users_write')).register(users()),
    ).toThrow(duplicate('Tool', 'users_write'));
    const late = new ToolRegistry().register(users());
    late.surface({ splitReadWrite: true });
    expect(() => late.register(single('users_read'))).toThrow(message);
  });

  test('a surface that would split into a taken name is refused, and the registry goes on as before', () => {
    const registry = new ToolRegistry().register(users()).register(single('users_read'));
    expect(() => registry.surface({ splitReadWrite: true })).toThrow(duplicate('Tool', 'users_read'));
    expect(names(registry.listTools())).toEqual(['users', 'users_read']);
    registry.register(single('users_write'));
    expect(names(registry.surface().listTools())).toEqual(['users', 'users_read', 'users_write']);
  });

  test('a mounted tool that would clash with a half is refused where its registry is mounted', () => {
    const outer = new ToolRegistry({ splitReadWrite: true }).register(single('in_users_read'));
    expect(() => outer.mount('in', new ToolRegistry({ name: 'inner' }).register(users()))).toThrow(
      duplicate('Tool', 'in_users_read'),
    );
    const inner = new ToolRegistry({ name: 'inner' });
    outer.mount('in', inner);
    expect(() => inner.register(users())).toThrow(duplicate('Tool', 'in_users_read'));
  });

  test('without a splitting surface such a name is free', () => {
    const registry = new ToolRegistry().register(users()).register(single('users_read'));
    expect(names(registry.listTools())).toEqual(['users', 'users_read']);
  });
});

test('hints of a whole tool are omitted for its halves where they may be wrong', () => {
  const registry = new ToolRegistry({ splitReadWrite: true }).register(
    createTool('files')
      .annotations({ destructiveHint: true, readOnlyHint: false, openWorldHint: false })
      .action({ name: 'look', readOnly: true, handler: () => 1 })
      .action({ name: 'move', handler: () => 1 }),
  );
  expect(registry.listTools().map(({ name, annotations }) => [name, annotations])).toEqual([
    [
      'files_read',
      { openWorldHint: false, readOnlyHint: true, destructiveHint: false, idempotentHint: false },
    ],
    [
      'files_write',
      { openWorldHint: false, readOnlyHint: false, destructiveHint: false, idempotentHint: false },
    ],
  ]);
});
