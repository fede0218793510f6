import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { createTool, defineTool, ToolRegistry } from '../../../src/index.ts';
import type { AnyToolDefinition } from '../../../src/index.ts';
import { ToolAnnotations } from '../../../src/model.ts';
import { recordLog } from '../../support/log-recorder.ts';
import { unknownToolReply } from '../../support/refused.ts';

const empty = z.object({});

function sample(): ToolRegistry {
  return new ToolRegistry()
    .register({
      name: 'zeta',
      title: 'Zeta',
      description: 'Last letter, first tool',
      inputSchema: z.object({ n: z.number().default(3) }),
      outputSchema: z.object({ n: z.number() }),
      annotations: { readOnlyHint: true },
      category: 'Letters',
      tags: ['greek', 'public'],
      icons: [{ src: 'data:image/png;base64,AA==' }],
      _meta: { 'example.com/x': 1 },
      handler: ({ input }) => input,
    })
    .register({ name: 'alpha', description: 'A', inputSchema: empty, tags: ['greek'], handler: () => 1 })
    .register({ name: 'wipe', description: 'W', inputSchema: empty, tags: ['internal'], handler: () => 1 });
}

describe('listTools', () => {
  test('shows everything a definition says, in the order of registration', () => {
    expect(sample().listTools()).toEqual([
      {
        name: 'zeta',
        title: 'Zeta',
        description: 'Last letter, first tool',
        inputSchema: {
          $schema: 'https://json-schema.org/draft/2020-12/schema',
          type: 'object',
          properties: { n: { default: 3, type: 'number' } },
        },
        outputSchema: {
          $schema: 'https://json-schema.org/draft/2020-12/schema',
          type: 'object',
          properties: { n: { type: 'number' } },
          required: ['n'],
          additionalProperties: false,
        },
        annotations: { readOnlyHint: true },
        icons: [{ src: 'data:image/png;base64,AA==' }],
        _meta: { 'example.com/x': 1, 'toolwright/category': 'Letters' },
        category: 'Letters',
      },
      {
        name: 'alpha',
        description: 'A',
        inputSchema: {
          $schema: 'https://json-schema.org/draft/2020-12/schema',
          type: 'object',
          properties: {},
        },
      },
      {
        name: 'wipe',
        description: 'W',
        inputSchema: {
          $schema: 'https://json-schema.org/draft/2020-12/schema',
          type: 'object',
          properties: {},
        },
      },
    ]);
  });

  test('the JSON text says the same and is the same bytes every time and in every registry', () => {
    const registry = sample();
    const text = registry.listToolsJson();
    expect(JSON.parse(text)).toEqual({ tools: registry.getAllTools() });
    expect(registry.listToolsJson()).toBe(text);
    expect(sample().listToolsJson()).toBe(text);
  });

  test('a listed tool cannot be changed from outside', () => {
    const registry = sample();
    const [tool] = registry.getAllTools();
    expect(() => Object.assign(tool ?? {}, { name: 'other' })).toThrow(TypeError);
    expect(() => Object.assign(tool?.inputSchema ?? {}, { type: 'string' })).toThrow(TypeError);
  });

  test('metadata.annotations count where annotations say nothing', () => {
    const registry = new ToolRegistry().register({
      name: 'a',
      description: 'A',
      inputSchema: empty,
      metadata: { annotations: { readOnlyHint: true, openWorldHint: true } },
      annotations: { openWorldHint: false },
      handler: () => 1,
    });
    expect(registry.listTools()[0]?.annotations).toEqual({ readOnlyHint: true, openWorldHint: false });
  });

  test('metadata.annotations may have members of their own', () => {
    const registry = new ToolRegistry().register({
      name: 'a',
      description: 'A',
      inputSchema: empty,
      metadata: { annotations: { readOnlyHint: true, costHint: { cents: 3 } } },
      handler: () => 1,
    });
    expect(registry.listTools()[0]?.annotations).toEqual({ readOnlyHint: true, costHint: { cents: 3 } });
  });

  test('a ToolAnnotations fits wherever annotations are taken; its extensions are members beside the hints', () => {
    const annotations = new ToolAnnotations({
      title: 'A',
      extensions: { costHint: 'high', title: 'B', extensions: { more: 1 } },
    });
    const action = { readOnly: true, handler: () => 1 };
    const registry = new ToolRegistry({ exposure: 'grouped', splitReadWrite: true })
      .register({ name: 'a', description: 'A', inputSchema: empty, annotations, handler: () => 1 })
      .register({
        name: 'b',
        description: 'B',
        inputSchema: empty,
        metadata: { annotations },
        handler: () => 1,
      })
      .register(
        createTool('c')
          .annotations(annotations)
          .action({ name: 'x', ...action }),
      );
    const listed = registry.listTools().map((tool) => tool.annotations);
    expect(listed).toEqual([
      { title: 'A', costHint: 'high' },
      { title: 'A', costHint: 'high' },
      { title: 'A', costHint: 'high', readOnlyHint: true, destructiveHint: false, idempotentHint: false },
    ]);
  });
});

describe('getTools', () => {
  test.each([
    [{}, ['zeta', 'alpha', 'wipe']],
    [{ tags: ['greek'] }, ['zeta', 'alpha']],
    [{ tags: ['greek', 'public'] }, ['zeta']],
    [{ anyTag: ['public', 'internal'] }, ['zeta', 'wipe']],
    [{ exclude: ['internal', 'public'] }, ['alpha']],
    [{ category: 'Letters' }, ['zeta']],
    [{ tags: [] }, ['zeta', 'alpha', 'wipe']],
    [{ anyTag: [] }, []],
  ])('%j selects %j', (filter, names) => {
    expect(
      sample()
        .getTools(filter)
        .map((tool) => tool.name),
    ).toEqual(names);
  });
});

describe('getToolDefinitions', () => {
  test('gives back what was written', () => {
    const definition = defineTool({ name: 'a', description: 'A', inputSchema: empty, handler: () => 1 });
    expect(new ToolRegistry().register(definition).getToolDefinitions()[0]).toBe(definition);
  });
});

describe('the policy', () => {
  const registry = sample();
  const guarded = new ToolRegistry({
    policy: (tool, { principal }) => !tool.tags.includes('internal') || principal?.id === 'root',
  });
  guarded.registerAll(registry.getToolDefinitions());

  test('decides what is listed', () => {
    const names = (id: string): string[] => guarded.listTools({ principal: { id } }).map((tool) => tool.name);
    expect([names('ada'), names('root')]).toEqual([
      ['zeta', 'alpha'],
      ['zeta', 'alpha', 'wipe'],
    ]);
    expect(JSON.parse(guarded.listToolsJson({ principal: { id: 'ada' } })).tools).toHaveLength(2);
  });

  test('decides what is called: a hidden tool answers exactly like one that does not exist', async () => {
    const hidden = await guarded.handleCall({ name: 'wipe', principal: { id: 'ada' } });
    const missing = await guarded.handleCall({ name: 'wine', principal: { id: 'ada' } });
    expect(hidden).toEqual(unknownToolReply('wipe'));
    expect(missing).toEqual(unknownToolReply('wine'));
    expect((await guarded.handleCall({ name: 'wipe', principal: { id: 'root' } })).kind).toBe('result');
  });

  test('keeps what is hidden out of suggestions, not even by taking a place among them', async () => {
    const tool = (name: string, tags: string[] = []): AnyToolDefinition => ({
      name,
      description: name,
      tags,
      inputSchema: empty,
      handler: () => 1,
    });
    const open = ['item_a', 'item_b', 'item_c'].map((name) => tool(name));
    const options = { policy: ({ tags }: { tags: readonly string[] }) => !tags.includes('internal') };
    const withHidden = new ToolRegistry(options).registerAll([
      tool('item_d', ['internal']),
      tool('item_x', ['internal']),
      ...open,
    ]);
    const without = new ToolRegistry(options).registerAll(open);
    expect(await withHidden.handleCall({ name: 'item_d' })).toEqual(
      await without.handleCall({ name: 'item_d' }),
    );
    expect(await without.handleCall({ name: 'item_d' })).toMatchObject({
      data: { suggestions: ['item_a', 'item_b', 'item_c'] },
    });
  });

  test('decides on what was registered, whatever becomes of the definition', () => {
    const tags = ['internal'];
    const registry = new ToolRegistry({ policy: (tool) => !tool.tags.includes('internal') });
    registry.register({ name: 'a', description: 'A', inputSchema: empty, tags, handler: () => 1 });
    tags.length = 0;
    expect(registry.listTools()).toEqual([]);
  });

  test('that returns a promise hides the tool, with a warning, and does not end the process', async () => {
    const { logger, entries } = recordLog();
    const registry = new ToolRegistry({
      logger,
      policy: (async () => {
        throw new Error('store is down');
      }) as never,
    }).register({ name: 'a', description: 'A', inputSchema: empty, handler: () => 1 });
    expect(registry.listTools()).toEqual([]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(entries[0]?.message).toBe('the policy must return a boolean, not a promise; the tool is hidden');
  });

  test('that fails hides the tool', async () => {
    const broken = new ToolRegistry({
      logger: { debug() {}, info() {}, warning() {}, error() {} },
      policy: () => {
        throw new Error('policy store is down');
      },
    }).register({ name: 'a', description: 'A', inputSchema: empty, handler: () => 1 });
    expect(broken.listTools()).toEqual([]);
    expect((await broken.handleCall({ name: 'a' })).kind).toBe('protocol-error');
  });
});

test('nothing inside a listed tool can be changed from outside', () => {
  const [tool] = sample().getAllTools();
  expect(() => Object.assign(tool?.annotations ?? {}, { readOnlyHint: false })).toThrow(TypeError);
  expect(() => Object.assign(tool?._meta ?? {}, { x: 1 })).toThrow(TypeError);
});
