import { describe, expect, expectTypeOf, test } from 'vitest';
import * as z from 'zod';
import { createServer, createTool, jsonSchema, ToolRegistry } from '../../../src/index.ts';
import { recordLog } from '../../support/log-recorder.ts';
import { duplicate, refused } from '../../support/refused.ts';

interface Passing {
  readonly next: () => never;
}

const base = { name: 's', version: '1' } as const;
const echo = { description: 'Echo', inputSchema: z.object({ text: z.string() }) };

describe('registerTool', () => {
  test('takes a definition, a builder, or name, definition and handler', async () => {
    const server = createServer(base)
      .registerTool({ ...echo, name: 'one', handler: ({ input }) => input.text })
      .registerTool('two', echo, (args, context) => {
        expectTypeOf(args).toEqualTypeOf<{ text: string }>();
        return `${context.name}: ${args.text}`;
      })
      .registerTool(createTool('three').action({ name: 'go', handler: () => 'gone' }));
    expect(server.tools?.listTools().map(({ name }) => name)).toEqual(['one', 'two', 'three']);
    expect(await server.tools?.executeTool({ name: 'two', arguments: { text: 'hi' } })).toEqual({
      content: [{ type: 'text', text: 'two: hi' }],
    });
  });

  test('takes raw JSON Schema and a whole result', async () => {
    const server = createServer(base);
    server.registerTool(
      'shout',
      {
        name: 'shout',
        description: 'Shouts',
        inputSchema: jsonSchema<{ text: string }>({
          type: 'object',
          properties: { text: { type: 'string' } },
          required: ['text'],
        }),
      },
      async (args) => ({ content: [{ type: 'text', text: args.text.toUpperCase() }] }),
    );
    expect(await server.tools?.executeTool({ name: 'shout', arguments: { text: 'hi' } })).toEqual({
      content: [{ type: 'text', text: 'HI' }],
    });
  });

  test('adds to the server beside a registry that was given, and leaves the registry as it was', async () => {
    const registry = new ToolRegistry().register({ ...echo, name: 'one', handler: () => '' });
    const server = createServer({
      ...base,
      tools: registry,
      extraTools: [{ ...echo, name: 'two', handler: () => '' }],
    });
    server.registerTool('three', echo, () => '');
    registry.register({ ...echo, name: 'four', handler: () => '' });
    expect(server.tools?.listTools().map(({ name }) => name)).toEqual(['one', 'four', 'two', 'three']);
    expect(registry.listTools().map(({ name }) => name)).toEqual(['one', 'four']);
    expect(() => server.registerTool('one', echo, () => '')).toThrow(duplicate('Tool', 'one'));
    expect(() => registry.register({ ...echo, name: 'two', handler: () => '' })).toThrow(
      duplicate('Tool', 'two'),
    );
    expect([
      server.unregisterTool('one'),
      server.unregisterTool('two'),
      server.unregisterTool('one'),
    ]).toEqual([true, true, false]);
    expect(registry.has('one')).toBe(false);
    await server.close();
    // The registry does not reference the server any more.
    expect(registry.register({ ...echo, name: 'three', handler: () => '' }).size).toBe(2);
  });

  test('refuses what is taken or wrong, and leaves everything as it was', () => {
    const server = createServer(base);
    expect(() => server.registerTool('a b', echo, () => '')).toThrow('a b');
    expect(server.tools).toBeUndefined();
    server.registerTool('two', echo, () => '');
    expect(() => server.registerTool('two', echo, () => '')).toThrow(duplicate('Tool', 'two'));
    expect(() => server.registerTool('two', { ...echo, name: 'three' }, () => '')).toThrow(
      'registerTool got two names for one tool: "two" and "three".',
    );
    expect(() => server.registerTool('four', echo, undefined as never)).toThrow(
      'Tool "four": handler is required.',
    );
    expect(() => server.registerTool(5 as never, echo, () => '')).toThrow(
      'registerTool takes a definition, or a name',
    );
    expect(server.tools?.size).toBe(1);
  });

  test('cannot add to a surface', () => {
    const server = createServer({ ...base, tools: new ToolRegistry().surface() });
    expect(() => server.registerTool('two', echo, () => '')).toThrow(
      'Server "s" serves a surface. Register tools with the registry of the surface.',
    );
  });
});

describe('registerPrompt and registerResource', () => {
  test('make the managers that were not there', () => {
    const server = createServer(base);
    expect([server.tools, server.prompts, server.resources]).toEqual([undefined, undefined, undefined]);
    server
      .registerPrompt({ name: 'greet', arguments: [{ name: 'who' }], template: 'Hello {{who}}' })
      .registerResource({ uri: 'a://b', name: 'b', text: 'B' })
      .registerResource({
        uriTemplate: 'a://t/{x}',
        name: 't',
        contentProvider: ({ variables }) => variables.x,
      });
    expect([server.prompts?.size, server.resources?.size]).toEqual([1, 2]);
  });

  test('refuse what is taken', () => {
    const server = createServer({
      ...base,
      prompts: [{ name: 'greet', template: '' }],
      resources: [{ uri: 'a://b', name: 'b', text: '' }],
    });
    expect(() => server.registerPrompt({ name: 'greet', template: '' })).toThrow(
      duplicate('Prompt', 'greet'),
    );
    expect(() => server.registerResource({ uri: 'a://b', name: 'b', text: '' })).toThrow(
      duplicate('Resource', 'a://b'),
    );
  });

  test('that were refused leave no manager behind', () => {
    const server = createServer(base);
    expect(() => server.registerPrompt({ name: 'p', template: '{{x}}' })).toThrow('{{x}}');
    expect(() => server.registerResource({ uri: 'nowhere', name: 'b', text: '' })).toThrow('absolute URI');
    expect([server.prompts, server.resources]).toEqual([undefined, undefined]);
  });

  test('have the settings of the server', async () => {
    const server = createServer<{ db: string }>({ ...base, createContext: () => ({ db: 'the db' }) });
    server.registerPrompt({ name: 'p', handler: ({ context }) => context.db });
    expect(await server.prompts?.getPrompt({ name: 'p' })).toMatchObject({
      value: { messages: [{ content: { text: 'the db' } }] },
    });
  });
});

test('unregister says whether there was anything', () => {
  const server = createServer(base);
  expect([
    server.unregisterTool('t'),
    server.unregisterPrompt('p'),
    server.unregisterResource('a://b'),
  ]).toEqual([false, false, false]);
  server
    .registerTool('t', echo, () => '')
    .registerPrompt({ name: 'p', template: '' })
    .registerResource({ uri: 'a://b', name: 'b', text: '' });
  expect([
    server.unregisterTool('t'),
    server.unregisterPrompt('p'),
    server.unregisterResource('a://b'),
  ]).toEqual([true, true, true]);
  expect([server.tools?.size, server.prompts?.size, server.resources?.size]).toEqual([0, 0, 0]);
});

describe('extraTools', () => {
  const two = { ...echo, name: 'two', handler: () => '' };

  test('come behind the others, and are enough by themselves', () => {
    const one = { ...echo, name: 'one', handler: () => '' };
    for (const tools of [[one], new ToolRegistry().register(one)]) {
      const server = createServer({ ...base, tools, extraTools: [two] });
      expect(server.tools?.listTools().map(({ name }) => name)).toEqual(['one', 'two']);
    }
    expect(createServer({ ...base, extraTools: [two] }).tools?.size).toBe(1);
  });

  test.each([
    ['destructures', ({ text }: { text: string }) => text],
    ['reads', (args: { text: string }) => args.text],
    ['reads behind middleware', (args: { text: string }) => args.text, [({ next }: Passing) => next()]],
  ])('a handler that %s an argument off its parameter is told so', async (_how, handler, middleware = []) => {
    const { logger, entries } = recordLog();
    const shout = { ...echo, name: 'shout', handler, middleware };
    const server = createServer({ ...base, logger, extraTools: [shout as never] });
    const result = await server.tools?.executeTool({ name: 'shout', arguments: { text: 'hi' } });
    expect(result?.isError).toBe(true);
    expect(entries.find(({ level }) => level === 'error')?.fields).toMatchObject({
      error: {
        message:
          '"shout": the handler reads "text" from its parameter, which is { input, context }. Read input.text, or register a function of the arguments: server.registerTool(name, definition, (args) => …).',
      },
    });
  });

  test('a handler may look at its parameter as at any object', async () => {
    const tag = (call: object): string => Object.prototype.toString.call(call);
    const inputSchema = z.object({ toString: z.string().optional(), then: z.string().optional() });
    const look = {
      ...echo,
      name: 'look',
      inputSchema,
      handler: (call: object) =>
        `${tag(call)} ${Object.keys(call).join()} ${JSON.stringify({ ...call, context: 0 })}`,
    };
    const server = createServer({ ...base, extraTools: [look] });
    expect(await server.tools?.executeTool({ name: 'look', arguments: { toString: 'x' } })).toEqual({
      content: [
        { type: 'text', text: '[object Object] input,context {"input":{"toString":"x"},"context":0}' },
      ],
    });
  });

  test('are refused where they cannot be', () => {
    expect(() => createServer({ ...base, tools: [two], extraTools: [two] })).toThrow(
      duplicate('Tool', 'two'),
    );
    expect(() => createServer({ ...base, tools: new ToolRegistry().surface(), extraTools: [two] })).toThrow(
      'createServer: use either a surface or extraTools, not both.',
    );
    expect(() => createServer({ ...base, extraTools: 5 as never })).toThrow(refused('extraTools'));
  });
});
