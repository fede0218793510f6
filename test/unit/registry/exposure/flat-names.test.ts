import { describe, expect, test } from 'vitest';
import { createTool, defineGroupedTool, ToolRegistry } from '../../../../src/index.ts';
import type { GroupedToolBuilder, McpTool } from '../../../../src/index.ts';
import { connect, SDK_CLIENTS, SDK_SERVERS } from '../../../support/sdk.ts';
import { refused } from '../../../support/refused.ts';

const named = (flatName: string, tool = 'platform'): GroupedToolBuilder =>
  createTool(tool)
    .action({ name: 'create', flatName, handler: () => 'made' })
    .action({ name: 'list', handler: () => 'none' });

const names = (tools: readonly McpTool[]): string[] => tools.map(({ name }) => name);

const pairs = Object.keys(SDK_SERVERS).flatMap((server) =>
  Object.keys(SDK_CLIENTS).map((client) => ({ server, client })),
);

test.each(pairs)('an action has its own flat name for the official $client and $server', async (pair) => {
  const registry = new ToolRegistry({ exposure: 'flat' }).register(named('create_user'));
  await using connection = await connect(registry, pair);
  const { client } = connection;
  expect(names((await client.listTools()).tools)).toEqual(['create_user', 'platform_list']);
  expect((await client.callTool('create_user')).content).toEqual([{ type: 'text', text: 'made' }]);
  await expect(client.callTool('platform_create')).rejects.toMatchObject({ code: -32602 });
});

describe('a flat name', () => {
  test('changes nothing where the action is not listed by itself', async () => {
    const registry = new ToolRegistry().register(named('create_user'));
    expect(names(registry.listTools())).toEqual(['platform']);
    const found = await registry.surface({ exposure: 'search' }).executeTool({
      name: 'call_tool',
      arguments: { name: 'platform.create', arguments: {} },
    });
    expect(found.content).toEqual([{ type: 'text', text: 'made' }]);
    expect(registry.has('platform.create')).toBe(true);
  });

  test('of a mounted registry has the prefix', () => {
    const outer = new ToolRegistry({ exposure: 'flat' });
    outer.mount('crm', new ToolRegistry().register(named('create_user')));
    expect(names(outer.listTools())).toEqual(['crm_create_user', 'crm_platform_list']);
  });

  test('can be given in the object form', () => {
    const platform = defineGroupedTool({
      name: 'platform',
      actions: { create: { flatName: 'create_user', handler: () => 'made' } },
    });
    const registry = new ToolRegistry({ exposure: 'flat' }).register(platform);
    expect(names(registry.listTools())).toEqual(['create_user']);
  });

  test('that another tool has is refused, whatever is shown', () => {
    const registry = new ToolRegistry().register(named('create_user'));
    const claims = `Tool with name 'create_user' already exists (claimed by the grouped tool "platform" (by the flat name of its action "create") in registry "toolwright" and by`;
    expect(() => registry.register(named('create_user', 'other'))).toThrow(claims);
    expect(() => registry.register(createTool('create').action({ name: 'user', handler: () => 1 }))).toThrow(
      claims,
    );
    expect(registry.size).toBe(1);
    const outer = new ToolRegistry().register(named('crm_create_user'));
    expect(() => outer.mount('crm', registry)).toThrow("Tool with name 'crm_create_user' already exists");
  });

  test('frees the name that the action would have had', () => {
    const registry = new ToolRegistry({ exposure: 'flat' }).register(named('create_user'));
    registry.register(
      createTool('other').action({ name: 'x', flatName: 'platform_create', handler: () => 1 }),
    );
    expect(names(registry.listTools())).toEqual(['create_user', 'platform_list', 'platform_create']);
  });

  test.each(['create user', '', 'a'.repeat(129), 'créer'])('%j is no name of a tool', (flatName) => {
    expect(() => new ToolRegistry().register(named(flatName))).toThrow(/Invalid tool name/);
  });

  test('that is not a string is refused with the action', () => {
    expect(() => named(7 as never)).toThrow(refused('flatName'));
  });
});
