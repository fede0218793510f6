import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { ToolRegistry } from '../../../src/index.ts';
import type { AnyToolDefinition } from '../../../src/index.ts';
import { duplicate, refused, unknownArgument } from '../../support/refused.ts';

function registryWith(name: string, ...tools: string[]): ToolRegistry {
  const registry = new ToolRegistry({ name });
  for (const tool of tools) {
    registry.register({
      name: tool,
      description: `${tool} of ${name}`,
      inputSchema: z.object({ n: z.number().optional() }),
      handler: ({ context }) => `${context.name}/${context.operation}`,
    });
  }
  return registry;
}

const names = (registry: ToolRegistry): string[] => registry.listTools().map((tool) => tool.name);
const call = async (registry: ToolRegistry, name: string): Promise<unknown> =>
  (await registry.executeTool({ name })).content[0];

describe('a mounted registry', () => {
  test('appears under its prefix, at the place where it was mounted', async () => {
    const outer = registryWith('outer', 'first');
    outer.mount('users', registryWith('users', 'list', 'create'));
    outer.register({ name: 'last', description: 'L', inputSchema: z.object({}), handler: () => 1 });
    expect(names(outer)).toEqual(['first', 'users_list', 'users_create', 'last']);
    expect(await call(outer, 'users_list')).toEqual({ type: 'text', text: 'users_list/list' });
  });

  test('takes another separator, and an empty prefix', () => {
    const outer = registryWith('outer');
    outer.mount('a', registryWith('a', 'x'), { separator: '.' });
    outer.mount('', registryWith('b', 'y'));
    expect(names(outer)).toEqual(['a.x', 'y']);
  });

  test('is live: what it gains and loses later appears and disappears, and is announced with its prefix', () => {
    const [outer, inner] = [registryWith('outer'), registryWith('inner', 'x')];
    const top = registryWith('top');
    top.mount('t', outer);
    outer.mount('i', inner);
    const seen: unknown[] = [];
    top.onChange((change) => seen.push([change, names(top)]));
    inner.register({ name: 'y', description: 'Y', inputSchema: z.object({}), handler: () => 1 });
    inner.unregister('x');
    expect(seen).toEqual([
      [{ added: ['t_i_y'], removed: [] }, ['t_i_x', 't_i_y']],
      [{ added: [], removed: ['t_i_x'] }, ['t_i_y']],
    ]);
  });

  test('goes when it is unmounted, and can be mounted again', () => {
    const [outer, inner] = [registryWith('outer'), registryWith('inner', 'x')];
    const unmount = outer.mount('i', inner);
    const removed: unknown[] = [];
    outer.onChange((change) => removed.push(change));
    unmount();
    unmount();
    inner.unregister('x');
    expect(removed).toEqual([{ added: [], removed: ['i_x'] }]);
    expect(names(outer)).toEqual([]);
    outer.mount('i', inner);
    expect(outer.size).toBe(0);
  });

  test('keeps nothing after clear', () => {
    const [outer, inner] = [registryWith('outer', 'own'), registryWith('inner', 'x')];
    outer.mount('i', inner);
    outer.clear();
    const heard: unknown[] = [];
    outer.onChange((change) => heard.push(change));
    inner.register({ name: 'y', description: 'Y', inputSchema: z.object({}), handler: () => 1 });
    expect([names(outer), heard]).toEqual([[], []]);
  });

  test('can be mounted twice under different prefixes', () => {
    const [outer, inner] = [registryWith('outer'), registryWith('inner', 'x')];
    outer.mount('a', inner);
    outer.mount('b', inner);
    inner.register({ name: 'y', description: 'Y', inputSchema: z.object({}), handler: () => 1 });
    expect(names(outer)).toEqual(['a_x', 'a_y', 'b_x', 'b_y']);
  });
});

describe('names across mounts', () => {
  test('a mount that would take a name is refused and changes nothing', () => {
    const outer = registryWith('outer', 'users_list');
    const users = registryWith('users', 'list');
    expect(() => outer.mount('users', users)).toThrow(
      duplicate('Tool', 'users_list', [
        '"users_list of outer" in registry "outer"',
        '"list of users" in registry "users"',
      ]),
    );
    users.register({ name: 'y', description: 'Y', inputSchema: z.object({}), handler: () => 1 });
    expect(names(outer)).toEqual(['users_list']);
  });

  test('a later registration that collides in the outer registry is refused in the inner one', () => {
    const [outer, users] = [registryWith('outer', 'users_list'), registryWith('users')];
    outer.mount('users', users);
    expect(() =>
      users.register({ name: 'list', description: 'L', inputSchema: z.object({}), handler: () => 1 }),
    ).toThrow(duplicate('Tool', 'users_list'));
    expect([names(outer), names(users)]).toEqual([['users_list'], []]);
  });

  test('a registry is mounted once under a prefix, and two mounts never give one name', () => {
    const [outer, inner] = [registryWith('outer'), registryWith('inner')];
    outer.mount('x', inner);
    expect(() => outer.mount('x', inner)).toThrow(
      'Registry "inner" is already mounted in "outer" under "x".',
    );
    const [wide, twice] = [registryWith('wide'), registryWith('twice')];
    wide.mount('a', twice);
    wide.mount('a_b', twice);
    const tool = (name: string): AnyToolDefinition => ({
      name,
      description: name,
      inputSchema: z.object({}),
      handler: () => 1,
    });
    expect(() => twice.registerAll([tool('b_c'), tool('c')])).toThrow(duplicate('Tool', 'a_b_c'));
    expect([names(wide), names(twice)]).toEqual([[], []]);
  });

  test('a value that is not a registry, or not a prefix, is rejected with the correct call', () => {
    const outer = registryWith('outer');
    const message = "mount takes a prefix and a ToolRegistry: registry.mount('users', usersRegistry).";
    expect(() => outer.mount('x', [] as never)).toThrow(message);
    expect(() => outer.mount(registryWith('inner') as never, 'x' as never)).toThrow(message);
    expect(() => outer.mount('my tools', registryWith('inner'))).toThrow(refused('name'));
  });

  test('a prefix that makes a name too long or illegal is refused', () => {
    const outer = registryWith('outer');
    expect(() => outer.mount('x'.repeat(120), registryWith('inner', 'long_name'))).toThrow(refused('name'));
    expect(() => outer.mount('a b', registryWith('inner', 'x'))).toThrow(
      refused('name', { received: '"a b_x"' }),
    );
  });

  test('a registry cannot be mounted in itself or in what it contains', () => {
    const [a, b] = [registryWith('a'), registryWith('b')];
    a.mount('b', b);
    expect(() => b.mount('a', a)).toThrow('Registry "a" cannot be mounted in "b": it already contains "b".');
    expect(() => a.mount('a', a)).toThrow('Registry "a" cannot be mounted in "a": it already contains "a".');
  });
});

describe('properties of a tool survive mounting', () => {
  test('its registry decides on unknown arguments, limits and errors', async () => {
    const inner = new ToolRegistry({
      name: 'inner',
      unknownArguments: 'reject',
      rateLimit: { limit: 1, perMs: 60_000 },
    });
    inner.register({ name: 'x', description: 'X', inputSchema: z.object({}), handler: () => 'ran' });
    const outer = new ToolRegistry({ name: 'outer' });
    outer.mount('i', inner);
    const replies = [];
    for (const args of [{ extra: 1 }, {}]) {
      replies.push((await outer.executeTool({ name: 'i_x', arguments: args })).content[0]);
    }
    expect(replies).toEqual([
      {
        type: 'text',
        text: `Invalid arguments for tool 'i_x'.\n- extra: ${unknownArgument()}`,
      },
      { type: 'text', text: 'Too many calls. Try again in 60 s.' },
    ]);
  });

  test.each([undefined, null, 1, 'yes', Promise.resolve(true)])(
    'a policy that says %j hides the tool, mounted or not',
    async (answer) => {
      const inner = new ToolRegistry({ policy: () => answer as never });
      inner.register({ name: 'x', description: 'X', inputSchema: z.object({}), handler: () => 1 });
      const outer = new ToolRegistry();
      outer.mount('i', inner);
      expect([inner.listTools(), outer.listTools()]).toEqual([[], []]);
      expect((await outer.handleCall({ name: 'i_x' })).kind).toBe('protocol-error');
    },
  );

  test('both policies must agree', () => {
    const inner = new ToolRegistry({
      policy: (tool, { principal }) => principal?.id !== 'eve' && tool.name === 'x',
    });
    inner.register({ name: 'x', description: 'X', inputSchema: z.object({}), handler: () => 1 });
    inner.register({ name: 'y', description: 'Y', inputSchema: z.object({}), handler: () => 1 });
    const outer = new ToolRegistry({
      policy: (tool, { principal }) => principal?.id !== 'mallory' && tool.name === 'i_x',
    });
    outer.mount('i', inner);
    const seenBy = (id: string): string[] => outer.listTools({ principal: { id } }).map((tool) => tool.name);
    expect([seenBy('ada'), seenBy('eve'), seenBy('mallory')]).toEqual([['i_x'], [], []]);
  });
});
