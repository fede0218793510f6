import { describe, expect, test } from 'vitest';
import {
  createServer,
  createTool,
  defineActionGroup,
  defineGroupedTool,
  DefinitionError,
  ToolRegistry,
} from '../../../../src/index.ts';
import type { GroupedToolBuilder } from '../../../../src/index.ts';

type Mode = 'challenge' | 'hide' | undefined;

/** The settings from the outside in: server, registry, grouped tool, group, action. */
type Settings = readonly [server: Mode, registry: Mode, tool: Mode, group: Mode, action: Mode];

const only = (missingScopes: Mode): { missingScopes?: 'challenge' | 'hide' } =>
  missingScopes === undefined ? {} : { missingScopes };

function chained([, , tool, group, action]: Settings, ran: string[]): GroupedToolBuilder {
  const builder = createTool('platform').scopes('platform');
  if (tool !== undefined) builder.missingScopes(tool);
  return builder.group('users', (users) => {
    users.scopes('users', 'platform');
    if (group !== undefined) users.missingScopes(group);
    users.action({
      name: 'ban',
      scopes: ['users', 'ban'],
      ...only(action),
      handler: () => String(ran.push('ban')),
    });
  });
}

function written([, , tool, group, action]: Settings, ran: string[]): GroupedToolBuilder {
  const ban = { scopes: ['users', 'ban'], ...only(action), handler: () => String(ran.push('ban')) };
  const users = defineActionGroup({ scopes: ['users', 'platform'], ...only(group), actions: { ban } });
  return defineGroupedTool<unknown>({
    name: 'platform',
    scopes: ['platform'],
    ...only(tool),
    groups: { users },
  });
}

const CASES: readonly [Settings, 'challenge' | 'hide'][] = [
  [[undefined, undefined, undefined, undefined, undefined], 'hide'],
  [['challenge', undefined, undefined, undefined, undefined], 'challenge'],
  [['challenge', 'hide', undefined, undefined, undefined], 'hide'],
  [['hide', 'challenge', undefined, undefined, undefined], 'challenge'],
  [[undefined, undefined, 'challenge', undefined, undefined], 'challenge'],
  [['challenge', 'challenge', 'hide', undefined, undefined], 'hide'],
  [[undefined, undefined, undefined, 'challenge', undefined], 'challenge'],
  [[undefined, 'hide', 'hide', 'challenge', undefined], 'challenge'],
  [['challenge', 'challenge', 'challenge', 'hide', undefined], 'hide'],
  [['hide', 'hide', 'hide', 'hide', 'challenge'], 'challenge'],
  [['challenge', 'challenge', 'challenge', 'challenge', 'hide'], 'hide'],
];

describe.each([
  ['createTool', chained],
  ['defineGroupedTool', written],
])('missingScopes of %s', (_name, build) => {
  test.each(CASES)('server, registry, tool, group, action %j: %s', async (settings, expected) => {
    const ran: string[] = [];
    const registry = new ToolRegistry(only(settings[1])).register(build(settings, ran));
    const server = createServer({
      name: 'one',
      version: '1.0.0',
      tools: registry,
      exposure: 'flat',
      ...only(settings[0]),
    });
    const tools = server.tools?.surface({ exposure: 'flat' });
    const caller = { principal: { id: 'ada', scopes: ['users'] } };
    expect(tools?.listTools(caller).map(({ name }) => name)).toEqual(
      expected === 'hide' ? [] : ['platform_users_ban'],
    );
    const reply = await tools?.handleCall({ name: 'platform_users_ban', ...caller });
    expect(reply).toMatchObject({ reason: expected === 'hide' ? 'UNKNOWN_TOOL' : 'INSUFFICIENT_SCOPE' });
    if (expected === 'challenge')
      expect(reply).toMatchObject({ data: { requiredScopes: ['platform', 'users', 'ban'] } });
    expect(ran).toEqual([]);
    await server.close();
  });
});

test('a tree of a registry keeps the setting of its groups', () => {
  const source = new ToolRegistry().register(
    chained([undefined, undefined, 'challenge', undefined, undefined], []),
  );
  const copy = ToolRegistry.fromGroup(source.toGroup(), { exposure: 'flat' });
  expect(copy.listTools().map(({ name }) => name)).toEqual(['platform_users_ban']);
});

test('a mounted registry keeps the setting of its groups', () => {
  const source = new ToolRegistry().register(
    chained([undefined, undefined, undefined, 'challenge', undefined], []),
  );
  const outer = new ToolRegistry({ exposure: 'flat', missingScopes: 'hide' });
  outer.mount('inner', source);
  expect(outer.listTools().map(({ name }) => name)).toEqual(['inner_platform_users_ban']);
});

test('a tool that names a scope twice is challenged with it once', async () => {
  const registry = new ToolRegistry({ missingScopes: 'challenge' }).register({
    name: 'drop',
    description: 'Drops',
    inputSchema: {},
    scopes: ['drop', 'all', 'drop'],
    handler: () => 'dropped',
  });
  expect(await registry.handleCall({ name: 'drop' })).toMatchObject({
    data: { requiredScopes: ['drop', 'all'] },
  });
});

describe('a wrong missingScopes is rejected', () => {
  const wrong = 'show' as 'hide';
  const message = (owner: string): DefinitionError =>
    new DefinitionError(`${owner}: missingScopes must be "hide" or "challenge"; received "show".`);

  test.each([
    ['builder', 'Builder "notes"', () => createTool('notes').missingScopes(wrong)],
    [
      'group',
      'Group "g" of builder "notes"',
      () => createTool('notes').group('g', (group) => group.missingScopes(wrong)),
    ],
    [
      'object',
      'Builder "notes"',
      () => defineGroupedTool<unknown>({ name: 'notes', missingScopes: wrong, actions: {} }),
    ],
  ])('of a %s', (_kind, owner, define) => {
    expect(define).toThrow(message(owner).message);
  });

  test.each([
    ['scopes', 'scopes.0 must be one scope'],
    ['tags', 'tags must be a string'],
  ] as const)('%s of a group are strings', (member, complaint) => {
    const list = ['a'] as unknown as string;
    expect(() => createTool('notes').group('g', (group) => group[member](list))).toThrow(
      `Group "g" of builder "notes": ${complaint}`,
    );
  });
});
