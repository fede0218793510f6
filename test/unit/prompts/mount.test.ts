import { describe, expect, test } from 'vitest';
import { PromptsManager } from '../../../src/index.ts';
import type { Middleware } from '../../../src/index.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { duplicate, refused } from '../../support/refused.ts';

function managerWith(name: string, ...prompts: string[]): PromptsManager {
  return new PromptsManager({
    name,
    prompts: prompts.map((prompt) => ({
      name: prompt,
      arguments: [{ name: 'tone' }],
      complete: { tone: ['strict'] },
      handler: ({ context }) => `${context.name}/${context.operation}`,
    })),
  });
}

const names = (prompts: PromptsManager): string[] => prompts.getAllPrompts().map(({ name }) => name);

async function textOf(prompts: PromptsManager, name: string): Promise<unknown> {
  const reply = await prompts.getPrompt({ name });
  return reply.kind === 'value' ? reply.value.messages[0]?.content : reply;
}

describe('a mounted prompts manager', () => {
  test('appears under its prefix, at the place where it was mounted', async () => {
    const outer = managerWith('outer', 'first');
    outer.mount('users', managerWith('users', 'list', 'create'));
    outer.addPrompt({ name: 'last', template: 'Last' });
    expect(names(outer)).toEqual(['first', 'users_list', 'users_create', 'last']);
    expect(outer.size).toBe(4);
    expect(outer.list({})[1]).toMatchObject({
      key: 'users_list',
      json: '{"name":"users_list","arguments":[{"name":"tone","required":false}]}',
    });
    expect(await textOf(outer, 'users_list')).toEqual({ type: 'text', text: 'users_list/list' });
    expect(await textOf(outer, 'list')).toEqual({
      kind: 'protocol-error',
      code: -32602,
      reason: 'UNKNOWN_PROMPT',
      message: 'Unknown prompt: list',
      data: { suggestions: ['last'] },
    });
  });

  test('is completed under its prefix', async () => {
    const outer = new PromptsManager();
    outer.mount('users', managerWith('users', 'list'));
    const request = { ref: 'users_list', value: 's', arguments: {} };
    expect(await outer.complete({ ...request, argument: 'tone' })).toEqual({
      kind: 'value',
      value: { values: ['strict'], total: 1, hasMore: false },
    });
    expect(await outer.complete({ ...request, argument: 'x' })).toMatchObject({ value: { values: [] } });
  });

  test('takes another separator, and an empty prefix', () => {
    const outer = new PromptsManager();
    outer.mount('a', managerWith('a', 'x'), { separator: '.' });
    outer.mount('', managerWith('b', 'y'));
    expect(names(outer)).toEqual(['a.x', 'y']);
  });

  test('is live: what it gains and loses later appears and disappears, and is announced with its prefix', () => {
    const [top, outer, inner] = [managerWith('top'), managerWith('outer'), managerWith('inner', 'x')];
    top.mount('t', outer);
    outer.mount('i', inner);
    const seen: unknown[] = [];
    top.onChange((change) => seen.push([change, names(top)]));
    inner.addPrompt({ name: 'y', template: 'Y' });
    expect(outer.removePrompt('i_x')).toBe(false);
    inner.removePrompt('x');
    expect(seen).toEqual([
      [{ added: ['t_i_y'], removed: [] }, ['t_i_x', 't_i_y']],
      [{ added: [], removed: ['t_i_x'] }, ['t_i_y']],
    ]);
  });

  test('goes when it is unmounted, and can be mounted again', () => {
    const [outer, inner] = [managerWith('outer'), managerWith('inner', 'x')];
    const unmount = outer.mount('i', inner);
    const seen: unknown[] = [];
    outer.onChange((change) => seen.push(change));
    unmount();
    unmount();
    expect([names(outer), names(inner)]).toEqual([[], ['x']]);
    inner.addPrompt({ name: 'y', template: 'Y' });
    outer.mount('i', inner);
    expect(names(outer)).toEqual(['i_x', 'i_y']);
    expect(seen).toEqual([
      { added: [], removed: ['i_x'] },
      { added: ['i_x', 'i_y'], removed: [] },
    ]);
  });

  test('a mount that would take a name is refused and changes nothing', () => {
    const outer = managerWith('outer', 'users_list');
    const users = managerWith('users', 'list');
    expect(() => outer.mount('users', users)).toThrow(
      duplicate('Prompt', 'users_list', ['prompts manager "outer"', 'prompts manager "users"']),
    );
    expect(names(outer)).toEqual(['users_list']);
    users.addPrompt({ name: 'more', template: 'More' });
    expect(names(outer)).toEqual(['users_list']);
  });

  test('a prompt that is added later and collides in the outer manager is refused in the inner one', () => {
    const [outer, inner] = [managerWith('outer', 'i_x'), managerWith('inner')];
    outer.mount('i', inner);
    expect(() => inner.addPrompt({ name: 'x', template: 'X' })).toThrow(duplicate('Prompt', 'i_x'));
    expect([inner.size, names(outer)]).toEqual([0, ['i_x']]);
  });

  test('wrong mounts are refused', () => {
    const [outer, inner] = [managerWith('outer'), managerWith('inner', 'x')];
    outer.mount('i', inner);
    expect(() => outer.mount('i', inner)).toThrow(
      'Prompts manager "inner" is already mounted in "outer" under "i".',
    );
    expect(() => inner.mount('o', outer)).toThrow(
      'Prompts manager "outer" cannot be mounted in "inner": it already contains "inner".',
    );
    expect(() => outer.mount('a b', managerWith('other'))).toThrow(refused('name'));
    expect(() => outer.mount('x', {} as never)).toThrow(
      "mount takes a prefix and a PromptsManager: prompts.mount('users', userPrompts).",
    );
  });
});

describe('properties of a prompt survive mounting', () => {
  test('both policies must agree, each by the name it knows', async () => {
    const asked: string[] = [];
    const inner = new PromptsManager({
      policy: ({ name }) => (asked.push(name), name !== 'hidden'),
      prompts: ['open', 'hidden', 'kept'].map((name) => ({ name, template: name })),
    });
    const outer = new PromptsManager({ policy: ({ name }) => (asked.push(name), name !== 'i_kept') });
    outer.mount('i', inner);
    expect(names(outer)).toEqual(['i_open']);
    expect(new Set(asked)).toEqual(new Set(['open', 'i_open', 'hidden', 'kept', 'i_kept']));
    for (const name of ['i_hidden', 'i_kept'])
      expect(await outer.getPrompt({ name })).toMatchObject({ reason: 'UNKNOWN_PROMPT' });
  });

  test('scopes hide it from callers without them', () => {
    const outer = new PromptsManager();
    outer.mount('i', new PromptsManager({ prompts: [{ name: 'x', scopes: ['admin'], template: 'X' }] }));
    expect([names(outer), outer.variesByCaller]).toEqual([[], true]);
    const admin = { principal: { id: 'ada', scopes: ['admin'] } };
    expect(outer.getAllPrompts(admin).map(({ name }) => name)).toEqual(['i_x']);
  });

  test('the middleware of both managers stands around it and its completers, that of the outer one outside', async () => {
    const seen: string[] = [];
    const note =
      (who: string): Middleware =>
      ({ subject, next }) => {
        seen.push(`${who}: ${subject.name}`);
        return next();
      };
    const inner = managerWith('inner', 'x');
    inner.use(note('inner'));
    const outer = new PromptsManager();
    outer.mount('i', inner);
    outer.use(note('outer'));
    await outer.getPrompt({ name: 'i_x' });
    await outer.complete({ ref: 'i_x', argument: 'tone', value: '', arguments: {} });
    await inner.getPrompt({ name: 'x' });
    expect(seen).toEqual(['outer: i_x', 'inner: x', 'outer: i_x', 'inner: x', 'inner: x']);
  });

  test('its rate limit is that of its own manager', async () => {
    const limited = { name: 'inner', rateLimit: { limit: 1, perMs: 60_000 }, clock: new FakeClock() };
    const inner = new PromptsManager({ ...limited, prompts: [{ name: 'x', template: 'X' }] });
    const outer = new PromptsManager({ prompts: [{ name: 'y', template: 'Y' }] });
    outer.mount('i', inner);
    const kinds: string[] = [];
    for (const name of ['i_x', 'i_x', 'y', 'y']) kinds.push((await outer.getPrompt({ name })).kind);
    expect(kinds).toEqual(['value', 'protocol-error', 'value', 'value']);
  });
});
