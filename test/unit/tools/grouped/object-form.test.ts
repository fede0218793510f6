import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import {
  createTool,
  defineActionGroup,
  defineGroupedTool,
  defineMiddleware,
  DefinitionError,
  GroupedToolBuilder,
  ToolRegistry,
} from '../../../../src/index.ts';
import type { McpCallToolResult } from '../../../../src/index.ts';
import { refused } from '../../../support/refused.ts';

const textOf = ({ content }: McpCallToolResult): unknown => (content[0] as { text?: unknown }).text;

const withTrace = (name: string, trace: string[]) =>
  defineMiddleware(({ next }) => {
    trace.push(name);
    return next();
  });

describe('the object form of a flat tool', () => {
  test('is the builder that the chain makes', () => {
    const handler = (): number => 1;
    const common = z.object({ workspace: z.string() });
    const schema = z.object({ id: z.string() });
    const outputSchema = z.object({ done: z.boolean() });
    const config = defineGroupedTool({
      name: 'projects',
      title: 'Projects',
      description: 'Manages projects',
      discriminator: 'op',
      annotations: { openWorldHint: false },
      tags: ['work', 'beta'],
      commonSchema: common,
      actions: {
        list: { readOnly: true, idempotent: true, tags: ['safe'], handler },
        delete: {
          description: 'Deletes one',
          destructive: true,
          schema,
          outputSchema,
          omitCommonFields: ['workspace'],
          examples: [{ id: '7' }],
          handler: () => ({ done: true }),
        },
      },
    });
    const chain = createTool('projects')
      .title('Projects')
      .description('Manages projects')
      .discriminator('op')
      .annotations({ openWorldHint: false })
      .tags('work', 'beta')
      .commonSchema(common)
      .action({ name: 'list', readOnly: true, idempotent: true, tags: ['safe'], handler })
      .action({
        name: 'delete',
        description: 'Deletes one',
        destructive: true,
        schema,
        outputSchema,
        omitCommonFields: ['workspace'],
        examples: [{ id: '7' }],
        handler: () => ({ done: true }),
      });
    expect(config).toBeInstanceOf(GroupedToolBuilder);
    expect(config.buildToolDefinition()).toEqual(chain.buildToolDefinition());
    expect(config.getActionMetadata()).toEqual(chain.getActionMetadata());
    expect([config.getName(), config.getTags()]).toEqual(['projects', ['work', 'beta']]);
  });

  test('calls its handlers with common and own fields', async () => {
    const tool = defineGroupedTool({
      name: 'projects',
      commonSchema: z.object({ workspace: z.string() }),
      actions: {
        create: {
          schema: z.object({ title: z.string() }),
          handler: ({ input, context }) => `${context.action}: ${input.workspace}/${input.title}`,
        },
      },
    });
    expect(textOf(await tool.execute({}, { action: 'create', workspace: 'w', title: 't' }))).toBe(
      'create: w/t',
    );
  });

  test('names an action by its key, whatever the object says', () => {
    const tool = defineGroupedTool({
      name: 't',
      actions: { real: { name: 'other', handler: () => 1 } as never },
    });
    expect(tool.getActionNames()).toEqual(['real']);
  });

  test('is described in TOON, and by other strategies, where that is asked for', () => {
    const tool = (more: object) =>
      defineGroupedTool({ name: 't', actions: { a: { handler: () => 1 } }, ...more });
    const strategies = { toonDescriptionGenerator: () => 'toon', descriptionGenerator: () => 'plain' };
    expect(tool({ strategies }).buildToolDefinition().description).toBe('plain');
    expect(tool({ strategies, toonDescription: false }).buildToolDefinition().description).toBe('plain');
    expect(tool({ strategies, toonDescription: true }).buildToolDefinition().description).toBe('toon');
  });

  test('is not finished: a chain may go on', () => {
    const tool = defineGroupedTool({ name: 't', actions: { a: { handler: () => 1 } } });
    tool.action({ name: 'b', handler: () => 2 });
    expect(tool.getActionNames()).toEqual(['a', 'b']);
  });
});

describe('the object form of a hierarchical tool', () => {
  test('is the builder that the chain makes', () => {
    const handler = (): number => 1;
    const config = defineGroupedTool({
      name: 'platform',
      groups: {
        users: defineActionGroup({
          description: 'Manages users',
          tags: ['people'],
          commonSchema: z.object({ team: z.string() }),
          actions: { list: { readOnly: true, handler }, ban: { destructive: true, handler } },
        }),
        system: defineActionGroup({ actions: { ping: { handler } } }),
      },
    });
    const chain = createTool('platform')
      .group('users', 'Manages users', (users) =>
        users
          .tags('people')
          .commonSchema(z.object({ team: z.string() }))
          .action({ name: 'list', readOnly: true, handler })
          .action({ name: 'ban', destructive: true, handler }),
      )
      .group('system', (system) => system.action({ name: 'ping', handler }));
    expect(config.buildToolDefinition()).toEqual(chain.buildToolDefinition());
    expect(config.getActionMetadata()).toEqual(chain.getActionMetadata());
    const flat = (builder: GroupedToolBuilder): unknown =>
      new ToolRegistry({ exposure: 'flat' }).register(builder).listTools();
    expect(flat(config)).toEqual(flat(chain));
  });

  test('one group serves several tools', async () => {
    const users = defineActionGroup({ actions: { who: { handler: ({ context }) => context.name } } });
    const [a, b] = ['a', 'b'].map((name) => defineGroupedTool({ name, groups: { users, people: users } }));
    expect(textOf((await a?.execute({}, { action: 'users.who' })) as McpCallToolResult)).toBe('a.users.who');
    expect(textOf((await b?.execute({}, { action: 'people.who' })) as McpCallToolResult)).toBe(
      'b.people.who',
    );
  });

  test('runs middleware of tool, group and action in this order', async () => {
    const trace: string[] = [];
    const tool = defineGroupedTool({
      name: 't',
      middleware: [withTrace('tool 1', trace), withTrace('tool 2', trace)],
      groups: {
        g: defineActionGroup({
          middleware: [withTrace('group', trace)],
          actions: {
            a: { middleware: [withTrace('action', trace)], handler: () => trace.push('handler') },
            b: { handler: () => trace.push('handler b') },
          },
        }),
      },
    });
    await tool.execute({}, { action: 'g.a' });
    await tool.execute({}, { action: 'g.b' });
    expect(trace).toEqual([
      'tool 1',
      'tool 2',
      'group',
      'action',
      'handler',
      'tool 1',
      'tool 2',
      'group',
      'handler b',
    ]);
  });
});

describe('an object that is no tool', () => {
  test('has both actions and groups', () => {
    expect(() =>
      defineGroupedTool({
        name: 'platform',
        actions: { a: { handler: () => 1 } },
        groups: { g: defineActionGroup({ actions: { b: { handler: () => 1 } } }) },
      }),
    ).toThrow(refused('group', { expected: 'action' }));
  });

  test('has neither, which is found when it is built', () => {
    const tool = defineGroupedTool({ name: 'platform' });
    expect(() => tool.buildToolDefinition()).toThrow(
      new DefinitionError(
        'Builder "platform" has no actions. Add one with .action() or .group() before it is built.',
        { option: 'actions' },
      ),
    );
  });

  test('has an action or a group with a dot in its name', () => {
    expect(() => defineGroupedTool({ name: 't', actions: { 'a.b': { handler: () => 1 } } })).toThrow(
      'Action name "a.b" of builder "t" must not contain dots.',
    );
    const group = defineActionGroup({ actions: { a: { handler: () => 1 } } });
    expect(() => defineGroupedTool({ name: 't', groups: { 'g.h': group } })).toThrow(
      'Group name "g.h" of builder "t" must not contain dots.',
    );
    const dotted = defineActionGroup({ actions: { 'a.b': { handler: () => 1 } } });
    expect(() => defineGroupedTool({ name: 't', groups: { g: dotted } })).toThrow(
      'Action name "a.b" of builder "t" must not contain dots.',
    );
  });

  test('has an empty group', () => {
    const empty = defineActionGroup({ actions: {} });
    expect(() => defineGroupedTool({ name: 't', groups: { g: empty } })).toThrow(
      'Group "g" of builder "t" has no actions. Add one with .action().',
    );
  });

  test('has an action without a handler', () => {
    expect(() => defineGroupedTool({ name: 't', actions: { a: {} as never } })).toThrow(refused('handler'));
  });

  test('has a group that was not made with defineActionGroup', () => {
    const raw = { actions: { a: { handler: () => 1 } } };
    expect(() => defineGroupedTool({ name: 't', groups: { g: raw as never } })).toThrow(DefinitionError);
  });
});
