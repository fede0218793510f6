import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { createTool, ToolRegistry } from '../../../../src/index.ts';
import type { GroupedToolBuilder, McpTool, ToolDefinition } from '../../../../src/index.ts';
import { duplicate, refused, unknownToolReply } from '../../../support/refused.ts';

function platform(): GroupedToolBuilder {
  return createTool('platform')
    .description('The platform')
    .commonSchema(z.object({ tenant: z.string().describe('Whose data') }))
    .group('users', 'Manages users', (users) =>
      users
        .action({ name: 'list', readOnly: true, handler: ({ input }) => `users of ${input.tenant}` })
        .action({
          name: 'create',
          description: 'Creates a user',
          schema: z.object({ name: z.string(), role: z.enum(['user', 'admin']).default('user') }),
          outputSchema: z.object({ name: z.string(), role: z.string() }),
          idempotent: true,
          handler: ({ input }) => ({ name: input.name, role: input.role }),
        }),
    )
    .group('files', (files) =>
      files.action({ name: 'wipe', destructive: true, omitCommonFields: ['tenant'], handler: () => 'wiped' }),
    );
}

const single = (name: string): ToolDefinition<z.ZodObject> => ({
  name,
  description: `The tool ${name}`,
  inputSchema: z.object({}),
  handler: () => name,
});

const names = (tools: readonly McpTool[]): string[] => tools.map((tool) => tool.name);

describe('the flat exposure', () => {
  test('lists every action by itself with all that it says, and single tools beside them', () => {
    const registry = new ToolRegistry({ exposure: 'flat' }).register(platform()).register(single('ping'));
    expect(registry.listTools()).toEqual([
      {
        name: 'platform_users_list',
        description: 'Manages users: users.list',
        inputSchema: {
          $schema: 'https://json-schema.org/draft/2020-12/schema',
          type: 'object',
          properties: { tenant: { type: 'string', description: 'Whose data' } },
          required: ['tenant'],
        },
        annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: false },
      },
      {
        name: 'platform_users_create',
        description: 'Creates a user',
        inputSchema: {
          type: 'object',
          properties: {
            tenant: { type: 'string', description: 'Whose data' },
            name: { type: 'string' },
            role: { type: 'string', enum: ['user', 'admin'], default: 'user' },
          },
          required: ['tenant', 'name'],
        },
        outputSchema: {
          $schema: 'https://json-schema.org/draft/2020-12/schema',
          type: 'object',
          properties: { name: { type: 'string' }, role: { type: 'string' } },
          required: ['name', 'role'],
          additionalProperties: false,
        },
        annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
      },
      {
        name: 'platform_files_wipe',
        description: 'The platform: files.wipe',
        inputSchema: { type: 'object', properties: {} },
        annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
      },
      {
        name: 'ping',
        description: 'The tool ping',
        inputSchema: {
          $schema: 'https://json-schema.org/draft/2020-12/schema',
          type: 'object',
          properties: {},
        },
      },
    ]);
  });

  test('calls an action by its flat name, with common fields, defaults and structured output', async () => {
    const registry = new ToolRegistry({ exposure: 'flat' }).register(platform());
    expect(
      await registry.executeTool({ name: 'platform_users_create', arguments: { tenant: 't', name: 'Ada' } }),
    ).toEqual({
      content: [{ type: 'text', text: '{"name":"Ada","role":"user"}' }],
      structuredContent: { name: 'Ada', role: 'user' },
    });
  });

  test('an error names the action, not the flat name', async () => {
    const registry = new ToolRegistry({ exposure: 'flat' }).register(platform());
    const { content } = await registry.executeTool({ name: 'platform_users_list', arguments: {} });
    expect(content).toEqual([
      {
        type: 'text',
        text: '[platform/users.list] Validation failed: tenant: Invalid input: expected string, received undefined (expected: string; received: nothing)',
      },
    ]);
  });

  test('the grouped name, canonical names and the search tools lead nowhere', async () => {
    const registry = new ToolRegistry({ exposure: 'flat' }).register(platform());
    for (const name of ['platform', 'platform.users.list', 'platform_users', 'call_tool', 'search_tools'])
      expect(
        await registry.handleCall({
          name,
          arguments: { action: 'users.list', tenant: 't', name: 'platform.users.list' },
        }),
      ).toMatchObject(unknownToolReply(name));
  });

  test('a hidden action answers like a name that never existed, and is not suggested', async () => {
    const registry = new ToolRegistry({ exposure: 'flat', policy: { readOnly: true } }).register(platform());
    expect(names(registry.listTools())).toEqual(['platform_users_list']);
    const hidden = await registry.handleCall({ name: 'platform_files_wipe' });
    const unknown = await registry.handleCall({ name: 'platform_files_xxxx' });
    expect(JSON.stringify(hidden).replace('wipe', 'xxxx')).toBe(JSON.stringify(unknown));
    expect(hidden).toEqual(unknownToolReply('platform_files_wipe'));
    expect(await registry.handleCall({ name: 'platform_users_lst' })).toMatchObject({
      data: { suggestions: ['platform_users_list'] },
    });
    expect(await registry.handleCall({ name: 'platform_files_wip' })).not.toHaveProperty('data');
  });
});

describe('the separator of flat names', () => {
  test('stands between tool, group and action', async () => {
    const registry = new ToolRegistry({ exposure: 'flat', flatSeparator: '-' }).register(platform());
    expect(names(registry.listTools())).toEqual([
      'platform-users-list',
      'platform-users-create',
      'platform-files-wipe',
    ]);
    expect((await registry.executeTool({ name: 'platform-files-wipe' })).content).toEqual([
      { type: 'text', text: 'wiped' },
    ]);
  });

  test('a dot makes flat names equal to canonical ones', () => {
    const registry = new ToolRegistry({ exposure: 'flat', flatSeparator: '.' }).register(platform());
    expect(names(registry.listTools())).toEqual([
      'platform.users.list',
      'platform.users.create',
      'platform.files.wipe',
    ]);
  });

  test('one that the protocol does not allow in names is refused at registration', () => {
    expect(() => new ToolRegistry({ flatSeparator: '/' }).register(platform())).toThrow(refused('name'));
  });

  test('a mounted registry keeps its own, under the prefix', () => {
    const outer = new ToolRegistry({ exposure: 'flat' });
    outer.mount('acme', new ToolRegistry({ name: 'inner', flatSeparator: '-' }).register(platform()));
    expect(names(outer.listTools())).toEqual([
      'acme_platform-users-list',
      'acme_platform-users-create',
      'acme_platform-files-wipe',
    ]);
  });
});

describe('collisions of flat names', () => {
  test('are found at registration, whatever the exposure, with both claimants', () => {
    const registry = new ToolRegistry().register(
      createTool('a_b')
        .description('First')
        .action({ name: 'c', handler: () => 1 }),
    );
    expect(() =>
      registry.register(
        createTool('a')
          .description('Second')
          .action({ name: 'b_c', handler: () => 2 }),
      ),
    ).toThrow(
      duplicate('Tool', 'a_b_c', [
        '"First" (by the flat name of its action "c") in registry "toolwright"',
        '"Second" (by the flat name of its action "b_c") in registry "toolwright"',
      ]),
    );
    expect(() => registry.register(single('a_b_c'))).toThrow(duplicate('Tool', 'a_b_c'));
    expect(names(registry.listTools())).toEqual(['a_b']);
  });

  test('are found within one builder: a group and an action that flatten alike', () => {
    const twins = createTool('t')
      .group('a_b', (group) => group.action({ name: 'c', handler: () => 1 }))
      .group('a', (group) => group.action({ name: 'b_c', handler: () => 2 }));
    expect(() => new ToolRegistry().register(twins)).toThrow(duplicate('Tool', 't_a_b_c'));
  });

  test('are found across mounts', () => {
    const outer = new ToolRegistry().register(single('in_platform_files_wipe'));
    expect(() => outer.mount('in', new ToolRegistry({ name: 'inner' }).register(platform()))).toThrow(
      duplicate('Tool', 'in_platform_files_wipe'),
    );
  });
});
