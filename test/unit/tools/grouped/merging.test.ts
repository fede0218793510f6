import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import {
  answer,
  createTool,
  defineMiddleware,
  DefinitionError,
  DuplicateNameError,
  error,
  ToolRegistry,
} from '../../../../src/index.ts';
import type {
  AnyToolDefinition,
  GroupedToolBuilder,
  McpCallToolResult,
  McpTool,
} from '../../../../src/index.ts';
import { duplicate } from '../../../support/refused.ts';

const textOf = ({ content }: McpCallToolResult): unknown => (content[0] as { text?: unknown }).text;
const deny = defineMiddleware(() => answer(error('denied')));

/** A flat builder of one action that returns its key. */
function users(action: string, description = `Part ${action}`): GroupedToolBuilder {
  return createTool('users')
    .description(description)
    .action({ name: action, handler: ({ context }) => `ran ${context.name}` });
}

function single(name: string, description = `Single ${name}`): AnyToolDefinition {
  return { name, description, inputSchema: z.object({}), handler: () => `ran ${name}` };
}

function actionsOf(tool: McpTool | undefined): unknown {
  const { properties } = (tool?.inputSchema ?? {}) as { properties?: Record<string, { enum?: unknown }> };
  return Object.values(properties ?? {})[0]?.enum;
}

async function call(registry: ToolRegistry, args: object, name = 'users'): Promise<unknown> {
  return textOf(await registry.executeTool({ name, arguments: args }));
}

describe('two builders of one name', () => {
  test('are refused with both names and the way out, and nothing changes', () => {
    const registry = new ToolRegistry({ name: 'main' }).register(users('list'));
    const changes: unknown[] = [];
    registry.onChange((change) => changes.push(change));
    const expected = new DuplicateNameError('Tool', 'users', {
      claimants: ['"Part list" in registry "main"', '"Part delete" in registry "main"'],
      advice: 'Rename one of them, or register the second with { merge: true }.',
    });
    expect(() => registry.register(users('delete'))).toThrow(expected);
    expect(() => registry.register(users('delete'), {})).toThrow(expected);
    expect(() => registry.register(users('delete'), { merge: false })).toThrow(expected);
    expect([actionsOf(registry.findTool('users')), changes]).toEqual([['list'], []]);
  });

  test('without descriptions are named by the tool', () => {
    const registry = new ToolRegistry({ name: 'main' }).register(
      createTool('users').action({ name: 'a', handler: () => 1 }),
    );
    expect(() => registry.register(createTool('users').action({ name: 'b', handler: () => 1 }))).toThrow(
      duplicate('Tool', 'users', [
        'the grouped tool "users" in registry "main"',
        'the grouped tool "users" in registry "main"',
      ]),
    );
  });

  test('are refused in one batch too, all or none', () => {
    const registry = new ToolRegistry();
    expect(() => registry.registerAll([users('a'), users('b')])).toThrow(duplicate('Tool', 'users'));
    expect(registry.size).toBe(0);
    registry.registerAll([users('a'), users('b')], { merge: true });
    expect(actionsOf(registry.findTool('users'))).toEqual(['a', 'b']);
  });
});

describe('merged builders', () => {
  test('are one tool with the actions of both, at the place of the first', async () => {
    const registry = new ToolRegistry()
      .register(users('list'))
      .registerAll([single('other')])
      .register(users('delete'), { merge: true });
    expect(registry.listTools().map(({ name }) => name)).toEqual(['users', 'other']);
    expect(registry.size).toBe(2);
    expect(registry.findTool('users')?.description).toBe('Part list. Part delete. Actions: list, delete');
    expect(await call(registry, { action: 'list' })).toBe('ran users.list');
    expect(await call(registry, { action: 'delete' })).toBe('ran users.delete');
    expect(await call(registry, { action: 'x' })).toBe('Unknown action. Available: list, delete');
  });

  test('are announced by the actions that came', () => {
    const registry = new ToolRegistry().register(users('list'));
    const changes: unknown[] = [];
    registry.onChange((change) => changes.push(change));
    registry.register(users('delete'), { merge: true });
    expect(changes).toEqual([{ added: ['users.delete'], removed: [] }]);
  });

  test('merge is no condition: the first builder of a name needs no other', () => {
    const registry = new ToolRegistry().register(users('list'), { merge: true });
    expect(registry.size).toBe(1);
  });

  test('say one description once', () => {
    const registry = new ToolRegistry()
      .register(users('list', 'Manages users.'))
      .register(users('delete', 'Manages users.'), { merge: true });
    expect(registry.findTool('users')?.description).toBe('Manages users. Actions: list, delete');
  });

  test.each([true, false])('keep their own middleware (the denying one first: %s)', async (denyFirst) => {
    const [open, closed] = [users('list'), users('delete').use(deny)];
    const registry = new ToolRegistry();
    for (const builder of denyFirst ? [closed, open] : [open, closed])
      registry.register(builder, { merge: true });
    expect(await call(registry, { action: 'list' })).toBe('ran users.list');
    expect(await call(registry, { action: 'delete' })).toBe('[users/delete] denied');
    const flat = registry.surface({ exposure: 'flat' });
    expect(textOf(await flat.executeTool({ name: 'users_list' }))).toBe('ran users.list');
    expect(textOf(await flat.executeTool({ name: 'users_delete' }))).toBe('[users/delete] denied');
    const search = registry.surface({ exposure: 'search' });
    const found = await search.executeTool({ name: 'call_tool', arguments: { name: 'users.delete' } });
    expect(textOf(found)).toBe('[users/delete] denied');
  });

  test('keep their own middleware when the registry gets more of it later', async () => {
    const seen: unknown[] = [];
    const registry = new ToolRegistry()
      .register(users('list'))
      .register(users('delete').use(deny), { merge: true });
    registry.use(({ subject, next }) => {
      seen.push(subject.name);
      return next();
    });
    expect(await call(registry, { action: 'list' })).toBe('ran users.list');
    expect(await call(registry, { action: 'delete' })).toBe('[users/delete] denied');
    expect(seen).toEqual(['users.list', 'users.delete']);
  });

  test('keep the middleware of their groups and actions', async () => {
    const registry = new ToolRegistry()
      .register(
        createTool('p').group('g', (group) =>
          group.use(deny).action({ name: 'closed', handler: () => 'ran' }),
        ),
      )
      .register(
        createTool('p').group('g', (group) =>
          group
            .action({ name: 'open', handler: () => 'ran' })
            .action({ name: 'own', middleware: [deny], handler: () => 'ran' }),
        ),
        { merge: true },
      );
    const answers = [];
    for (const action of ['g.closed', 'g.open', 'g.own']) answers.push(await call(registry, { action }, 'p'));
    expect(answers).toEqual(['[p/g.closed] denied', 'ran', '[p/g.own] denied']);
  });

  test('keep their own tags', () => {
    const registry = new ToolRegistry()
      .register(users('list').tags('public'))
      .register(users('delete').tags('internal'), { merge: true });
    const actions = (filter: object): unknown => registry.getTools(filter).map(actionsOf);
    expect(actions({ tags: ['public'] })).toEqual([['list']]);
    expect(actions({ tags: ['internal'] })).toEqual([['delete']]);
    expect(actions({ tags: ['public', 'internal'] })).toEqual([]);
  });

  test('a tag that is excluded hides its own actions only, for list and call', async () => {
    const registry = new ToolRegistry({ policy: { exclude: ['internal'] } })
      .register(users('list').tags('public'))
      .register(users('delete').tags('internal'), { merge: true });
    expect(actionsOf(registry.listTools()[0])).toEqual(['list']);
    expect(await call(registry, { action: 'delete' })).toBe('Unknown action. Available: list');
  });

  test('keep their own scopes', async () => {
    const registry = new ToolRegistry()
      .register(users('list'))
      .register(createTool('users').action({ name: 'delete', scopes: ['admin'], handler: () => 'deleted' }), {
        merge: true,
      });
    const as = async (scopes: string[]): Promise<unknown[]> => {
      const principal = { id: 'p', scopes };
      const result = await registry.executeTool({
        name: 'users',
        arguments: { action: 'delete' },
        principal,
      });
      return [actionsOf(registry.listTools({ principal })[0]), textOf(result)];
    };
    expect(await as([])).toEqual([['list'], 'Unknown action. Available: list']);
    expect(await as(['admin'])).toEqual([['list', 'delete'], 'deleted']);
  });

  test('keep their own common schema', async () => {
    const registry = new ToolRegistry()
      .register(
        createTool('users')
          .commonSchema(z.object({ workspace: z.string() }))
          .action({ name: 'list', handler: ({ input }) => JSON.stringify(input) }),
      )
      .register(
        createTool('users')
          .commonSchema(z.object({ tenant: z.number() }))
          .action({ name: 'delete', handler: ({ input }) => JSON.stringify(input) }),
        { merge: true },
      );
    const all = { workspace: 'w', tenant: 1 };
    expect(await call(registry, { action: 'list', ...all })).toBe('{"workspace":"w"}');
    expect(await call(registry, { action: 'delete', ...all })).toBe('{"tenant":1}');
    expect(await call(registry, { action: 'delete', workspace: 'w' })).toMatch(
      /^\[users\/delete\] Validation failed: tenant: /,
    );
    expect(registry.findTool('users')?.inputSchema).toMatchObject({
      required: ['action'],
      properties: {
        workspace: { description: 'Required for: list' },
        tenant: { description: 'Required for: delete' },
      },
    });
  });

  test('may be flat and hierarchical', async () => {
    const registry = new ToolRegistry().register(users('list')).register(
      createTool('users').group('admin', (admin) =>
        admin.action({ name: 'ban', handler: ({ context }) => `ran ${context.name}` }),
      ),
      { merge: true },
    );
    expect(actionsOf(registry.findTool('users'))).toEqual(['list', 'admin.ban']);
    expect(registry.findTool('users')?.description).toBe('Part list. Modules: list | admin (ban)');
    expect(await call(registry, { action: 'list' })).toBe('ran users.list');
    expect(await call(registry, { action: 'admin.ban' })).toBe('ran users.admin.ban');
  });

  test('three of them work like two', async () => {
    const registry = new ToolRegistry().registerAll([users('a'), users('b').use(deny)], { merge: true });
    registry.register(users('c'), { merge: true });
    expect([
      await call(registry, { action: 'a' }),
      await call(registry, { action: 'b' }),
      await call(registry, { action: 'c' }),
    ]).toEqual(['ran users.a', '[users/b] denied', 'ran users.c']);
  });
});

describe('the annotations of merged builders are the careful reading of all', () => {
  const merged = (first: GroupedToolBuilder, second: GroupedToolBuilder): unknown =>
    new ToolRegistry().registerAll([first, second], { merge: true }).findTool('users')?.annotations;
  const reading = (name: string): GroupedToolBuilder =>
    createTool('users').action({ name, readOnly: true, idempotent: true, handler: () => 1 });

  test('the tool is destructive if one action is', () => {
    const wiping = createTool('users').action({ name: 'wipe', destructive: true, handler: () => 1 });
    expect(merged(reading('list'), wiping)).toEqual({
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
    });
  });

  test('the tool is read-only if all actions are', () => {
    expect(merged(reading('a'), reading('b'))).toEqual({
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
    });
  });

  test('hints of one builder do not apply to the actions of the other', () => {
    const stating = reading('a').annotations({
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
    });
    const wiping = (): GroupedToolBuilder =>
      createTool('users').action({ name: 'wipe', destructive: true, handler: () => 1 });
    const careful = { readOnlyHint: false, destructiveHint: true, idempotentHint: false };
    expect(merged(stating, wiping())).toEqual(careful);
    expect(
      merged(
        wiping(),
        reading('a').annotations({ readOnlyHint: true, destructiveHint: false, idempotentHint: true }),
      ),
    ).toEqual(careful);
  });

  test('an open world stated by one is an open world', () => {
    const open = (name: string): GroupedToolBuilder => reading(name).annotations({ openWorldHint: true });
    const closed = (name: string): GroupedToolBuilder => reading(name).annotations({ openWorldHint: false });
    expect(merged(open('a'), closed('b'))).toMatchObject({ openWorldHint: true });
    expect(merged(closed('a'), open('b'))).toMatchObject({ openWorldHint: true });
    expect(merged(closed('a'), closed('b'))).toMatchObject({ openWorldHint: false });
  });

  test('a closed world stated by one says nothing of the other', () => {
    // Without a hint, the protocol assumes an open world.
    const closed = (name: string): GroupedToolBuilder => reading(name).annotations({ openWorldHint: false });
    expect(merged(closed('a'), reading('b'))).not.toMatchObject({ openWorldHint: false });
    expect(merged(reading('a'), closed('b'))).not.toMatchObject({ openWorldHint: false });
  });
});

describe('builders that cannot be merged', () => {
  test('builders with different discriminators', () => {
    const registry = new ToolRegistry().register(users('list'));
    expect(() => registry.register(users('delete').discriminator('op'), { merge: true })).toThrow(
      new DefinitionError(
        'Builders of the tool "users" cannot be merged: their discriminators differ ("action" and "op"). Use the same one.',
        { option: 'discriminator', expected: 'action', received: 'op' },
      ),
    );
    expect(actionsOf(registry.findTool('users'))).toEqual(['list']);
    registry.register(users('delete'), { merge: true });
    expect(actionsOf(registry.findTool('users'))).toEqual(['list', 'delete']);
  });

  test('builders with different discriminators in one batch', () => {
    const registry = new ToolRegistry();
    expect(() =>
      registry.registerAll([users('list'), users('delete').discriminator('op')], { merge: true }),
    ).toThrow('Builders of the tool "users" cannot be merged');
    expect(registry.size).toBe(0);
  });

  test('builders with different discriminators that meet in an outer registry', () => {
    const outer = new ToolRegistry({ name: 'outer' }).register(users('list'));
    const inner = new ToolRegistry({ name: 'inner' });
    outer.mount('', inner);
    expect(() => inner.register(users('delete').discriminator('op'), { merge: true })).toThrow(
      duplicate('Tool', 'users'),
    );
    expect(() => outer.register(users('delete').discriminator('op'), { merge: true })).toThrow(
      'Builders of the tool "users" cannot be merged',
    );
    expect(actionsOf(outer.findTool('users'))).toEqual(['list']);
  });

  test('a mounted registry with definitions of the outer registry, if joining was not requested', () => {
    const outer = new ToolRegistry({ name: 'outer' }).register(users('list'));
    const inner = new ToolRegistry({ name: 'inner' });
    outer.mount('', inner);
    expect(() => inner.register(users('delete'), { merge: true })).toThrow(DuplicateNameError);
    outer.register(users('delete'), { merge: true });
    expect(actionsOf(outer.findTool('users'))).toEqual(['list', 'delete']);
  });

  test('actions of one key', () => {
    const registry = new ToolRegistry({ name: 'main' }).register(users('list', 'First'));
    const message = duplicate('Tool', 'users.list', [
      '"First" in registry "main"',
      '"Second" in registry "main"',
    ]);
    expect(() => registry.register(users('list', 'Second'), { merge: true })).toThrow(message);
    expect(() => registry.register(users('list', 'Second'))).toThrow(DuplicateNameError);
  });

  test('a builder with itself', () => {
    const builder = users('list');
    const registry = new ToolRegistry().register(builder);
    expect(() => registry.register(builder, { merge: true })).toThrow(DuplicateNameError);
  });

  test('actions whose flat names are one name', () => {
    const registry = new ToolRegistry().register(
      createTool('t').group('a_b', (group) => group.action({ name: 'c', handler: () => 1 })),
    );
    expect(() =>
      registry.register(
        createTool('t').group('a', (group) => group.action({ name: 'b_c', handler: () => 1 })),
        { merge: true },
      ),
    ).toThrow(duplicate('Tool', 't_a_b_c'));
  });

  test('a builder and a single tool, in either order', () => {
    const first = new ToolRegistry({ name: 'main' }).registerAll([single('users')]);
    // With the usual advice, because merging was requested and is not possible.
    const claim = (one: string, other: string): Error =>
      new DuplicateNameError('Tool', 'users', {
        claimants: [`"${one}" in registry "main"`, `"${other}" in registry "main"`],
      });
    expect(() => first.register(users('list'), { merge: true })).toThrow(claim('Single users', 'Part list'));
    const second = new ToolRegistry({ name: 'main' }).register(users('list'));
    expect(() => second.registerAll([single('users')], { merge: true })).toThrow(
      claim('Part list', 'Single users'),
    );
  });

  test('two single tools, whatever is asked for', () => {
    const registry = new ToolRegistry().registerAll([single('a')]);
    expect(() => registry.registerAll([single('a')], { merge: true })).toThrow(DuplicateNameError);
  });
});

describe('unregister', () => {
  test('removes all that was merged under a name, and frees every name', () => {
    const registry = new ToolRegistry()
      .register(users('list'))
      .registerAll([single('other')])
      .register(users('delete'), { merge: true });
    const changes: unknown[] = [];
    registry.onChange((change) => changes.push(change));
    expect(registry.unregister('users')).toBe(true);
    expect(registry.listTools().map(({ name }) => name)).toEqual(['other']);
    expect(changes).toEqual([{ added: [], removed: ['users.list', 'users.delete'] }]);
    expect([registry.has('users'), registry.has('users.delete'), registry.unregister('users')]).toEqual([
      false,
      false,
      false,
    ]);
    registry.registerAll([single('users'), single('users_delete'), single('users.list')]);
    expect(registry.size).toBe(4);
  });

  test('does not take a single action', () => {
    const registry = new ToolRegistry().register(users('list'));
    expect([registry.unregister('users.list'), registry.unregister('users_list'), registry.size]).toEqual([
      false,
      false,
      1,
    ]);
  });
});

describe('flat names', () => {
  const COLLISION = duplicate('Tool', 'users_create', [
    '"Part create" (by the flat name of its action "create") in registry "main"',
    '"Single users_create" in registry "main"',
  ]);

  test('of an action and a tool collide at registration, in either order', () => {
    const registry = new ToolRegistry({ name: 'main' }).register(users('create'));
    expect(() => registry.registerAll([single('users_create')])).toThrow(COLLISION);
    const reversed = new ToolRegistry({ name: 'main' }).registerAll([single('users_create')]);
    expect(() => reversed.register(users('create'))).toThrow(
      duplicate('Tool', 'users_create', [
        '"Single users_create" in registry "main"',
        '"Part create" (by the flat name of its action "create") in registry "main"',
      ]),
    );
    expect(() =>
      new ToolRegistry({ name: 'main' }).registerAll([users('create'), single('users_create')]),
    ).toThrow(COLLISION);
  });

  test('collide with canonical names as little as the separator lets them', () => {
    const registry = new ToolRegistry({ flatSeparator: '-' }).register(users('create'));
    registry.registerAll([single('users_create')]);
    expect(() => registry.registerAll([single('users-create')])).toThrow("Tool with name 'users-create'");
    expect(() => registry.registerAll([single('users.create')])).toThrow("Tool with name 'users.create'");
    expect(registry.size).toBe(2);
  });

  test('of two actions of one builder collide', () => {
    const builder = createTool('t')
      .group('a_b', (group) => group.action({ name: 'c', handler: () => 1 }))
      .group('a', (group) => group.action({ name: 'b_c', handler: () => 1 }));
    expect(() => new ToolRegistry().register(builder)).toThrow(duplicate('Tool', 't_a_b_c'));
  });

  test('of two grouped tools collide', () => {
    const registry = new ToolRegistry().register(
      createTool('a').group('b', (group) => group.action({ name: 'c', handler: () => 1 })),
    );
    expect(() => registry.register(createTool('a_b').action({ name: 'c', handler: () => 1 }))).toThrow(
      duplicate('Tool', 'a_b_c'),
    );
  });

  test('collide across mounts, in either order and later', () => {
    const inner = (): ToolRegistry => new ToolRegistry({ name: 'inner' }).register(users('create'));
    const outer = new ToolRegistry({ name: 'outer' }).registerAll([single('v1_users_create')]);
    const message = duplicate('Tool', 'v1_users_create', [
      '"Single v1_users_create" in registry "outer"',
      '"Part create" (by the flat name of its action "create") in registry "inner"',
    ]);
    expect(() => outer.mount('v1', inner())).toThrow(message);
    const mounted = new ToolRegistry({ name: 'outer' });
    mounted.mount('v1', inner());
    expect(() => mounted.registerAll([single('v1_users_create')])).toThrow(
      duplicate('Tool', 'v1_users_create'),
    );
    const late = new ToolRegistry({ name: 'inner' });
    outer.mount('v1', late);
    expect(() => late.register(users('create'))).toThrow(message);
    expect([outer.size, late.size]).toEqual([1, 0]);
  });
});

describe('grouped tools of a mounted registry', () => {
  test('appear under the prefix in every name, and work', async () => {
    const inner = new ToolRegistry({ name: 'inner' }).register(
      createTool('users')
        .use(({ subject, next }) => (subject.action === 'ban' ? answer('stopped') : next()))
        .action({ name: 'list', handler: ({ context }) => [context.name, context.action, context.operation] })
        .action({ name: 'ban', handler: () => 'banned' }),
    );
    const outer = new ToolRegistry({ name: 'outer' });
    const seen: unknown[] = [];
    outer.use(({ subject, next }) => {
      seen.push([subject.name, subject.tool, subject.action]);
      return next();
    });
    outer.mount('v1', inner);
    expect(outer.listTools().map((tool) => [tool.name, actionsOf(tool)])).toEqual([
      ['v1_users', ['list', 'ban']],
    ]);
    expect([outer.has('v1_users'), outer.has('v1_users.ban'), outer.size]).toEqual([true, true, 1]);
    expect(await call(outer, { action: 'list' }, 'v1_users')).toBe('["v1_users.list","list","users.list"]');
    expect(await call(outer, { action: 'ban' }, 'v1_users')).toBe('stopped');
    const flat = outer.surface({ exposure: 'flat' });
    expect(flat.listTools().map(({ name }) => name)).toEqual(['v1_users_list', 'v1_users_ban']);
    expect(textOf(await flat.executeTool({ name: 'v1_users_ban' }))).toBe('stopped');
    expect(seen).toEqual([
      ['v1_users.list', 'v1_users', 'list'],
      ['v1_users.ban', 'v1_users', 'ban'],
      ['v1_users.ban', 'v1_users', 'ban'],
    ]);
  });

  test('follow what is merged and removed later', () => {
    const [outer, inner] = [new ToolRegistry(), new ToolRegistry().register(users('list'))];
    outer.mount('v1', inner);
    const changes: unknown[] = [];
    outer.onChange((change) => changes.push(change));
    inner.register(users('delete'), { merge: true });
    expect(actionsOf(outer.findTool('v1_users'))).toEqual(['list', 'delete']);
    inner.unregister('users');
    expect(outer.size).toBe(0);
    expect(changes).toEqual([
      { added: ['v1_users.delete'], removed: [] },
      { added: [], removed: ['v1_users.list', 'v1_users.delete'] },
    ]);
  });

  test('of one name under two prefixes are two tools', async () => {
    const outer = new ToolRegistry();
    outer.mount('a', new ToolRegistry().register(users('list').use(deny)));
    outer.mount('b', new ToolRegistry().register(users('list')));
    expect(await call(outer, { action: 'list' }, 'a_users')).toBe('[a_users/list] denied');
    expect(await call(outer, { action: 'list' }, 'b_users')).toBe('ran b_users.list');
  });

  test('are merged with others only where that is asked for, and keep their own middleware', async () => {
    const inner = new ToolRegistry({ name: 'inner' }).register(users('list').use(deny));
    const outer = new ToolRegistry({ name: 'outer' });
    outer.mount('', inner);
    expect(() => outer.register(users('delete'))).toThrow(duplicate('Tool', 'users'));
    outer.register(users('delete'), { merge: true });
    expect(actionsOf(outer.findTool('users'))).toEqual(['list', 'delete']);
    expect(await call(outer, { action: 'list' })).toBe('[users/list] denied');
    expect(await call(outer, { action: 'delete' })).toBe('ran users.delete');
    outer.unregister('users');
    expect(actionsOf(outer.findTool('users'))).toEqual(['list']);
  });
});
