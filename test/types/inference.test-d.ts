import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import { describe, expectTypeOf, test } from 'vitest';
import * as v from 'valibot';
import * as z from 'zod';
import * as mini from 'zod/mini';
import {
  createServer,
  createTool,
  defineGroupedTool,
  defineMiddleware,
  definePrompt,
  defineResource,
  defineResourceTemplate,
  defineTool,
  defineToolFor,
  jsonSchema,
  tool,
  toolFor,
  ToolRegistry,
  toolsFrom,
} from '../../src/index.ts';
import type {
  AnyToolDefinition,
  InferSchemaInput,
  ServerOptions,
  ToolDefinition,
  ToolwrightServer,
} from '../../src/index.ts';
import { defineConfig } from '../../src/config.ts';
import { OpenAPIServer } from '../../src/openapi.ts';

const base = { name: 's', version: '1' };
const described = { name: 't', description: 'T' };
const numbers = z.object({ n: z.number().default(1) });
const sum = z.object({ sum: z.number() });

describe('a tool in the array of createServer', () => {
  test('has the input of its own schema, beside others', () => {
    createServer({
      ...base,
      tools: [
        {
          ...described,
          inputSchema: numbers,
          handler: ({ input }) => expectTypeOf(input).toEqualTypeOf<{ n: number }>(),
        },
        {
          ...described,
          inputSchema: z.object({ s: z.string() }),
          outputSchema: sum,
          handler: async ({ input, context }) => {
            expectTypeOf(input).toEqualTypeOf<{ s: string }>();
            expectTypeOf(context.signal).toEqualTypeOf<AbortSignal>();
            return { sum: input.s.length };
          },
        },
        {
          ...described,
          inputSchema: { type: 'object', properties: { a: { type: 'string' } } },
          handler: ({ input }) => expectTypeOf(input).toEqualTypeOf<Record<string, unknown>>(),
        },
        defineTool({ ...described, inputSchema: numbers, handler: ({ input }) => input.n }),
        createTool('grouped').action({ name: 'a', handler: () => 1 }),
      ],
      extraTools: [
        {
          ...described,
          inputSchema: { word: z.string(), times: z.number().optional() },
          confirm: 'preview',
          preview: ({ input }) => expectTypeOf(input.word).toEqualTypeOf<string>(),
          handler: ({ input }) =>
            expectTypeOf(input).toEqualTypeOf<{ word: string; times?: number | undefined }>(),
        },
      ],
    });
  });

  test('a wrong use of the input, the result, a member or the schema is a compile error', () => {
    createServer({
      ...base,
      // @ts-expect-error there is no m
      tools: [{ ...described, inputSchema: numbers, handler: ({ input }) => input.m }],
    });
    createServer({
      ...base,
      // @ts-expect-error a string is no number
      tools: [{ ...described, inputSchema: numbers, outputSchema: sum, handler: () => ({ sum: 'one' }) }],
    });
    createServer({
      ...base,
      // @ts-expect-error no such member
      tools: [{ ...described, inputSchema: numbers, handler: () => 1, tag: 'x' }],
    });
    createServer({
      ...base,
      // @ts-expect-error a bare Valibot schema has no JSON Schema
      tools: [{ ...described, inputSchema: v.object({ a: v.number() }), handler: () => 1 }],
    });
    createServer({
      ...base,
      // @ts-expect-error neither has Zod Mini
      tools: [{ ...described, inputSchema: mini.object({ a: mini.string() }), handler: () => 1 }],
    });
    createServer({
      ...base,
      // @ts-expect-error the same in extraTools
      extraTools: [{ ...described, inputSchema: numbers, handler: ({ input }) => input.m }],
    });
  });

  test('lists that were made elsewhere are taken as they are', () => {
    class Tools {
      @tool({ description: 'D', inputSchema: numbers })
      double({ n }: { n: number }): number {
        return n * 2;
      }
    }
    const options: ServerOptions = { ...base, tools: toolsFrom(new Tools()) };
    expectTypeOf(createServer(options)).toEqualTypeOf<ToolwrightServer>();
    const tools: AnyToolDefinition[] = [defineTool({ ...described, inputSchema: numbers, handler: () => 1 })];
    createServer({ ...base, tools });
    createServer({ ...base, tools: [] });
    new ToolRegistry().registerAll(tools).registerAll(toolsFrom(new Tools())).registerAll(new Set(tools));
    const mixed = [...tools, createTool('grouped').action({ name: 'a', handler: () => 1 })];
    createServer({ ...base, tools: mixed, extraTools: [...mixed, ...tools] });
    new ToolRegistry().registerAll(mixed).registerAll([...mixed]);
  });

  test('has the input of its own schema, of every library', () => {
    createServer({
      ...base,
      tools: [
        {
          ...described,
          inputSchema: type({ a: 'number', 'b?': 'string' }),
          outputSchema: type({ sum: 'number' }),
          handler: ({ input }) => {
            expectTypeOf(input).toEqualTypeOf<{ a: number; b?: string }>();
            return { sum: input.a };
          },
        },
        {
          ...described,
          inputSchema: toStandardJsonSchema(v.object({ a: v.optional(v.number(), 1) })),
          handler: ({ input }) => expectTypeOf(input).toEqualTypeOf<{ a: number }>(),
        },
        {
          ...described,
          inputSchema: jsonSchema<{ x: number }>({ type: 'object' }),
          outputSchema: { sum: z.number() },
          handler: ({ input }) => {
            expectTypeOf(input).toEqualTypeOf<{ x: number }>();
            return { sum: input.x };
          },
        },
      ],
    });
    createServer({
      ...base,
      tools: [
        {
          ...described,
          inputSchema: numbers,
          outputSchema: type({ sum: 'number' }),
          // @ts-expect-error a string is no number
          handler: () => ({ sum: 'one' }),
        },
      ],
    });
  });

  test('has them behind a spread as well, and before it', () => {
    const common: AnyToolDefinition[] = [];
    const prompts = [definePrompt({ name: 'p', handler: () => 'x' })];
    const numbersTool = {
      ...described,
      inputSchema: numbers,
    };
    createServer({
      ...base,
      createContext: () => ({ db: 1 }),
      tools: [
        {
          ...numbersTool,
          handler: ({ input }) => expectTypeOf(input).toEqualTypeOf<{ n: number }>(),
        },
        ...common,
        {
          ...described,
          inputSchema: { s: z.string() },
          outputSchema: sum,
          confirm: 'preview',
          preview: ({ input }) => expectTypeOf(input).toEqualTypeOf<{ s: string }>(),
          handler: ({ input, context }) => {
            expectTypeOf(input).toEqualTypeOf<{ s: string }>();
            expectTypeOf(context.db).toEqualTypeOf<number>();
            return { sum: input.s.length };
          },
        },
        {
          ...numbersTool,
          task: { support: 'optional' },
          handler: ({ input }) => expectTypeOf(input).toEqualTypeOf<{ n: number }>(),
        },
      ],
      prompts: [
        ...prompts,
        {
          name: 'q',
          arguments: [{ name: 'file', required: true }],
          handler: ({ input }) => {
            expectTypeOf(input).toEqualTypeOf<{ readonly file: string }>();
            return 'x';
          },
        },
      ],
      resources: [
        ...(prompts.length > 0 ? [defineResource({ uri: 'a://b', name: 'b', text: '' })] : []),
        { uriTemplate: 'a://{c}', name: 'c', contentProvider: ({ variables }) => variables.c },
      ],
    });
    createServer({
      ...base,
      // @ts-expect-error there is no m
      tools: [...common, { ...numbersTool, handler: ({ input }) => input.m }],
    });
    createServer({
      ...base,
      // @ts-expect-error a string is no number
      tools: [
        ...common,
        { ...numbersTool, outputSchema: sum, handler: ({ input }) => ({ sum: `${input.n}` }) },
      ],
    });
  });

  test('may be one of several', () => {
    const one = defineTool({ ...described, inputSchema: numbers, handler: ({ input }) => input.n });
    const other = defineTool({
      ...described,
      inputSchema: { s: z.string() },
      handler: ({ input }) => input.s,
    });
    const isOn = Math.random() > 0.5;
    createServer({
      ...base,
      tools: [
        isOn ? one : other,
        ...(isOn ? [one] : []),
        { ...described, inputSchema: numbers, handler: ({ input }) => input.n },
      ],
    });
  });

  test('is typed the same in registerAll', () => {
    const defined = [defineTool({ ...described, inputSchema: numbers, handler: () => 1 })];
    new ToolRegistry<{ db: number }>({ createContext: () => ({ db: 1 }) }).registerAll([
      {
        ...described,
        inputSchema: { s: z.string() },
        outputSchema: sum,
        handler: ({ input, context }) => {
          expectTypeOf(input).toEqualTypeOf<{ s: string }>();
          return { sum: context.db };
        },
      },
      createTool('grouped').action({ name: 'a', handler: () => 1 }),
      ...defined,
      {
        ...described,
        inputSchema: numbers,
        handler: ({ input }) => expectTypeOf(input).toEqualTypeOf<{ n: number }>(),
      },
    ]);
    new ToolRegistry().registerAll([
      // @ts-expect-error there is no m
      { ...described, inputSchema: numbers, handler: ({ input }) => input.m },
    ]);
    new ToolRegistry().registerAll([
      // @ts-expect-error a string is no number
      { ...described, inputSchema: numbers, outputSchema: sum, handler: () => ({ sum: 'one' }) },
    ]);
  });

  test('is typed the same in a server of an OpenAPI document', () => {
    const load = (): Promise<OpenAPIServer<{ db: number }>> =>
      OpenAPIServer.load({
        document: 'petstore.yaml',
        createContext: () => ({ db: 1 }),
        extraTools: [
          {
            ...described,
            inputSchema: numbers,
            outputSchema: sum,
            handler: ({ input, context }) => {
              expectTypeOf(input).toEqualTypeOf<{ n: number }>();
              return { sum: context.db };
            },
          },
        ],
        prompts: [{ name: 'p', arguments: [{ name: 'a', required: true }], handler: ({ input }) => input.a }],
        resources: [{ uriTemplate: 'a://{b}', name: 'b', contentProvider: ({ variables }) => variables.b }],
      });
    void load;
    const wrong = (): Promise<OpenAPIServer> =>
      OpenAPIServer.load({
        document: 'petstore.yaml',
        // @ts-expect-error there is no m
        extraTools: [{ ...described, inputSchema: numbers, handler: ({ input }) => input.m }],
      });
    void wrong;
  });

  test('literals behind a spread keep their types', () => {
    const defined = defineTool({ ...described, inputSchema: numbers, handler: () => 1 });
    createServer({
      ...base,
      tools: [{ ...defined, task: { support: 'required' }, structuredText: 'short' }],
    });
  });
});

describe('prompts and resources in the arrays of createServer', () => {
  test('are typed by their own schemas, arguments and templates', () => {
    createServer({
      ...base,
      createContext: () => ({ db: 1 }),
      prompts: [
        {
          name: 'schema',
          inputSchema: { n: z.number() },
          handler: ({ input, context }) => {
            expectTypeOf(input).toEqualTypeOf<{ n: number }>();
            expectTypeOf(context.db).toEqualTypeOf<number>();
            return 'x';
          },
        },
        {
          name: 'list',
          arguments: [{ name: 'file', required: true }, { name: 'tone' }],
          handler: ({ input }) => {
            expectTypeOf(input).toEqualTypeOf<{ readonly file: string; readonly tone?: string }>();
            return 'x';
          },
        },
        { name: 'template', arguments: [{ name: 'who' }], template: 'Hello {{who}}' },
        definePrompt({ name: 'defined', inputSchema: numbers, handler: ({ input }) => `${input.n}` }),
      ],
      resources: [
        { uri: 'a://b', name: 'a', contentProvider: ({ uri, context }) => uri + context.db },
        {
          uriTemplate: 'a://{b}/{c}{?d}',
          name: 'a',
          contentProvider: ({ variables }) => {
            expectTypeOf(variables.c).toEqualTypeOf<string>();
            expectTypeOf(variables.d).toEqualTypeOf<string | undefined>();
            return 'x';
          },
        },
        defineResourceTemplate({
          uriTemplate: 'a://{e}',
          name: 'a',
          contentProvider: ({ variables }) => variables.e,
        }),
      ],
    });
    createServer({
      ...base,
      // @ts-expect-error there is no argument m
      prompts: [{ name: 'p', arguments: [{ name: 'n' }], handler: ({ input }) => input.m }],
    });
    createServer({
      ...base,
      // @ts-expect-error there is no variable m
      resources: [{ uriTemplate: 'a://{n}', name: 'a', contentProvider: ({ variables }) => variables.m }],
    });
  });
});

describe('definitions in the arrays of defineConfig', () => {
  const module = { module: './more.js' };

  test('are typed by their own schemas, arguments and templates, beside entries of other kinds', () => {
    defineConfig({
      name: 's',
      tools: [
        module,
        {
          ...described,
          inputSchema: numbers,
          outputSchema: sum,
          handler: ({ input }) => {
            expectTypeOf(input).toEqualTypeOf<{ n: number }>();
            return { sum: input.n };
          },
        },
        { ...described, http: { url: 'https://a.example/{id}' }, arguments: { id: { type: 'integer' } } },
        createTool('grouped').action({ name: 'a', handler: () => 1 }),
      ],
      prompts: [
        module,
        { name: 'template', template: 'Hello' },
        {
          name: 'p',
          arguments: [{ name: 'file', required: true }],
          handler: ({ input }) => {
            expectTypeOf(input).toEqualTypeOf<{ readonly file: string }>();
            return 'x';
          },
        },
      ],
      resources: [
        module,
        { uri: 'a://b', name: 'b', file: './b.md' },
        { uri: 'a://d', name: 'd', directory: './d' },
        {
          uriTemplate: 'a://{n}',
          name: 'n',
          contentProvider: ({ variables }) => {
            expectTypeOf(variables.n).toEqualTypeOf<string>();
            return 'x';
          },
        },
      ],
    });
  });

  test('that are wrong are compile errors', () => {
    defineConfig({
      name: 's',
      // @ts-expect-error there is no m
      tools: [{ ...described, inputSchema: numbers, handler: ({ input }) => input.m }],
    });
    defineConfig({
      name: 's',
      // @ts-expect-error misspelt
      tools: [{ ...described, http: { url: 'https://a.example' }, argumnts: {} }],
    });
    defineConfig({
      name: 's',
      // @ts-expect-error a string is no number
      extraTools: [{ ...described, inputSchema: numbers, outputSchema: sum, handler: () => ({ sum: 'x' }) }],
    });
  });
});

describe('the context', () => {
  const needsDb = defineToolFor<{ db: string[] }>()({
    ...described,
    inputSchema: numbers,
    handler: ({ context }) => context.db.length,
  });

  test('of a server comes from createContext, and from nothing that needs it', () => {
    const server = createServer({ ...base, createContext: async () => ({ db: ['a'] }), tools: [needsDb] });
    expectTypeOf(server).toEqualTypeOf<ToolwrightServer<{ db: string[] }>>();
    // @ts-expect-error this server has no db
    createServer({ ...base, tools: [needsDb] });
    // @ts-expect-error this server has another db
    createServer({ ...base, createContext: () => ({ db: 1 }), tools: [needsDb] });
    // @ts-expect-error the same in extraTools
    createServer({ ...base, extraTools: [needsDb] });
    const builder = createTool<{ db: string[] }>('x').action({ name: 'a', handler: () => 1 });
    // @ts-expect-error the same for builders
    createServer({ ...base, tools: [builder] });
  });

  test('has members that cannot be replaced', () => {
    // @ts-expect-error signal is a standard member
    createServer({ ...base, createContext: () => ({ signal: 1 }) });
    // @ts-expect-error the same later
    createServer({ ...base, createContext: async () => ({ db: 1, log: 'x' }) });
    // @ts-expect-error the same in a registry
    new ToolRegistry({ createContext: () => ({ name: 'x' }) });
    // @ts-expect-error the same in a definition
    defineToolFor<{ name: string }>();
    // @ts-expect-error the same in a decorator
    toolFor<{ principal: string }>();
    // @ts-expect-error the same in a middleware
    defineMiddleware(({ next }) => next({ ask: 1 }));
  });
});

describe('a raw shape', () => {
  const shape = { n: z.number().default(1), s: z.string().optional() };

  test('types input and output, everywhere a schema is taken', () => {
    expectTypeOf<InferSchemaInput<typeof shape>>().toEqualTypeOf<{
      n?: number | undefined;
      s?: string | undefined;
    }>();
    const add = defineTool({
      ...described,
      inputSchema: shape,
      outputSchema: { sum: z.number() },
      handler: ({ input }) => {
        expectTypeOf(input).toEqualTypeOf<{ n: number; s?: string | undefined }>();
        return { sum: input.n };
      },
    });
    expectTypeOf(add).toExtend<ToolDefinition<typeof shape, { sum: z.ZodNumber }>>();
    // @ts-expect-error a string is no number
    defineTool({ ...described, inputSchema: shape, outputSchema: shape, handler: () => ({ n: 'x' }) });
    createTool('g')
      .commonSchema({ space: z.string() })
      .action({
        name: 'a',
        schema: shape,
        handler: ({ input }) =>
          expectTypeOf(input).toEqualTypeOf<{ space: string; n: number; s?: string | undefined }>(),
      });
    definePrompt({
      name: 'p',
      inputSchema: shape,
      handler: ({ input }) => {
        expectTypeOf(input.n).toEqualTypeOf<number>();
        return 'x';
      },
    });
    class Tools {
      @tool({ description: 'D', inputSchema: shape })
      fits(input: { n: number }): number {
        return input.n;
      }
      // @ts-expect-error n is a number
      @tool({ description: 'D', inputSchema: shape })
      fitsNot(input: { n: string }): string {
        return input.n;
      }
    }
    void Tools;
  });
});

describe('the input of an action', () => {
  test('is one flat object, not an intersection', () => {
    const withUser = defineMiddleware(({ next }) => next({ user: 'ada' }));
    createTool('g')
      .use(withUser)
      .commonSchema(z.object({ space: z.string() }))
      .action({
        name: 'a',
        schema: z.object({ id: z.string() }),
        handler: ({ input }) => expectTypeOf(input).toEqualTypeOf<{ space: string; id: string }>(),
      })
      .action({
        name: 'b',
        schema: z.discriminatedUnion('k', [z.object({ k: z.literal('x') }), z.object({ k: z.literal('y') })]),
        handler: ({ input }) =>
          expectTypeOf(input).toEqualTypeOf<{ space: string; k: 'x' } | { space: string; k: 'y' }>(),
      });
    defineGroupedTool({
      name: 'g',
      commonSchema: { space: z.string() },
      actions: {
        a: {
          schema: { id: z.string() },
          handler: ({ input }) => expectTypeOf(input).toEqualTypeOf<{ space: string; id: string }>(),
        },
      },
    });
  });
});

test('arrays in variables, whose members have different schemas, are served', () => {
  const tools = [
    defineTool({
      name: 'a',
      description: 'A',
      inputSchema: z.object({ name: z.string() }),
      handler: ({ input }) => input.name,
    }),
    defineTool({
      name: 'b',
      description: 'B',
      inputSchema: z.object({ text: z.string() }),
      outputSchema: z.object({ words: z.number() }),
      handler: ({ input }) => ({ words: input.text.length }),
    }),
  ];
  const prompts = [
    definePrompt({ name: 'a', arguments: [{ name: 'x', required: true }], handler: ({ input }) => input.x }),
    definePrompt({ name: 'b', inputSchema: z.object({ y: z.string() }), handler: ({ input }) => input.y }),
  ];
  const resources = [
    defineResource({ uri: 'docs://a', name: 'a', text: 'A' }),
    defineResourceTemplate({
      uriTemplate: 'docs://{id}',
      name: 'b',
      contentProvider: ({ variables }) => variables.id,
    }),
  ];
  expectTypeOf(
    createServer({ name: 's', version: '1', tools, extraTools: tools, prompts, resources }),
  ).toEqualTypeOf<ToolwrightServer>();
});
