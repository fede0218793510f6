import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import { describe, expectTypeOf, test } from 'vitest';
import * as z from 'zod';
import {
  defineTool,
  defineToolFor,
  error,
  jsonSchema,
  success,
  tool,
  toolFor,
  ToolRegistry,
  toonSuccess,
} from '../../src/index.ts';
import type { InferSchemaInput, InferSchemaOutput, McpCallToolResult, ToolContext } from '../../src/index.ts';
import { connectTestClient } from '../../src/testing.ts';

const base = { name: 't', description: 'T' } as const;
const withDefault = z.object({ a: z.number().default(1), b: z.string().transform(Number) });
const sum = z.object({ sum: z.number() });

describe('input is inferred from the schema', () => {
  test('of Zod: after defaults and transforms', () => {
    defineTool({
      ...base,
      inputSchema: withDefault,
      handler: ({ input }) => expectTypeOf(input).toEqualTypeOf<{ a: number; b: number }>(),
    });
    expectTypeOf<InferSchemaInput<typeof withDefault>>().toEqualTypeOf<{
      a?: number | undefined;
      b: string;
    }>();
  });

  test('of ArkType', () => {
    defineTool({
      ...base,
      inputSchema: type({ a: 'number', 'b?': 'string' }),
      handler: ({ input }) => expectTypeOf(input).toEqualTypeOf<{ a: number; b?: string }>(),
    });
  });

  test('of Valibot', () => {
    defineTool({
      ...base,
      inputSchema: toStandardJsonSchema(v.object({ a: v.optional(v.number(), 1) })),
      handler: ({ input }) => expectTypeOf(input).toEqualTypeOf<{ a: number }>(),
    });
  });

  test('of JSON Schema: named, or a record', () => {
    const point = jsonSchema<{ x: number }>({ type: 'object', properties: { x: { type: 'number' } } });
    defineTool({
      ...base,
      inputSchema: point,
      handler: ({ input }) => expectTypeOf(input).toEqualTypeOf<{ x: number }>(),
    });
    defineTool({
      ...base,
      inputSchema: { type: 'object', properties: { x: { type: 'number' } } },
      handler: ({ input }) => expectTypeOf(input).toEqualTypeOf<Record<string, unknown>>(),
    });
    expectTypeOf<InferSchemaOutput<typeof point>>().toEqualTypeOf<{ x: number }>();
  });

  test('in register, without defineTool', () => {
    new ToolRegistry().register({
      ...base,
      inputSchema: withDefault,
      handler: ({ input }) => expectTypeOf(input.a).toEqualTypeOf<number>(),
    });
  });

  test('a schema that cannot say itself as JSON Schema is a compile error', () => {
    // @ts-expect-error a bare Valibot schema has no JSON Schema
    defineTool({ ...base, inputSchema: v.object({ a: v.number() }), handler: () => 1 });
    // @ts-expect-error a number is no schema
    defineTool({ ...base, inputSchema: 7, handler: () => 1 });
  });
});

describe('output is checked against the schema', () => {
  test('valid programs compile, in every form', () => {
    defineTool({ ...base, inputSchema: z.object({}), outputSchema: sum, handler: () => ({ sum: 1 }) });
    defineTool({ ...base, inputSchema: z.object({}), outputSchema: sum, handler: async () => ({ sum: 1 }) });
    defineTool({
      ...base,
      inputSchema: z.object({}),
      outputSchema: sum,
      handler: () => success({ sum: 1 }, { text: 'one' }),
    });
    defineTool({
      ...base,
      inputSchema: z.object({}),
      outputSchema: sum,
      handler: () => toonSuccess({ sum: 1 }),
    });
    defineTool({ ...base, inputSchema: z.object({}), outputSchema: sum, handler: () => error('no') });
    defineTool({
      ...base,
      inputSchema: z.object({}),
      outputSchema: sum,
      handler: () => ({ content: [], structuredContent: { sum: 1 } }),
    });
  });

  test('invalid programs are compile errors', () => {
    // @ts-expect-error a string is no number
    defineTool({ ...base, inputSchema: z.object({}), outputSchema: sum, handler: () => ({ sum: 'one' }) });
    // @ts-expect-error nothing is no sum
    defineTool({ ...base, inputSchema: z.object({}), outputSchema: sum, handler: () => undefined });
    defineTool({
      ...base,
      inputSchema: z.object({}),
      outputSchema: sum,
      // @ts-expect-error a string is no number, also later
      handler: async () => ({ sum: 'one' }),
    });
    defineTool({
      ...base,
      inputSchema: z.object({}),
      outputSchema: sum,
      // @ts-expect-error success must carry the right value
      handler: () => success({ sum: 'one' }),
    });
    new ToolRegistry().register({
      ...base,
      inputSchema: z.object({}),
      outputSchema: sum,
      // @ts-expect-error the same in register
      handler: () => ({ total: 1 }),
    });
    defineTool({
      ...base,
      inputSchema: z.object({}),
      outputSchema: sum,
      // @ts-expect-error structured content is checked too
      handler: () => ({ content: [], structuredContent: { sum: 'one' } }),
    });
  });

  test('without a schema anything goes', () => {
    defineTool({ ...base, inputSchema: z.object({}), handler: () => new Date() });
  });
});

describe('context', () => {
  test('has the standard members', () => {
    defineTool({
      ...base,
      inputSchema: z.object({}),
      handler: ({ context }) => {
        expectTypeOf(context.signal).toEqualTypeOf<AbortSignal>();
        expectTypeOf(context.accessToken).toEqualTypeOf<string | undefined>();
        expectTypeOf(context.rawArguments).toEqualTypeOf<Readonly<Record<string, unknown>>>();
        // @ts-expect-error nobody said there is a database
        return context.db;
      },
    });
  });

  test('has what the registry was built for', () => {
    new ToolRegistry<{ db: string[] }>({ createContext: () => ({ db: [] }) }).register({
      ...base,
      inputSchema: z.object({}),
      handler: ({ context }) => expectTypeOf(context.db).toEqualTypeOf<string[]>(),
    });
  });

  test('a tool that needs more than the registry has is a compile error', () => {
    const needsDb = defineToolFor<{ db: string[] }>()({
      ...base,
      inputSchema: z.object({}),
      handler: ({ context }) => context.db.length,
    });
    new ToolRegistry<{ db: string[] }>().register(needsDb).registerAll([needsDb]);
    new ToolRegistry<{ db: string[]; more: number }>().register(needsDb);
    // @ts-expect-error this registry has no db
    new ToolRegistry().register(needsDb);
    // @ts-expect-error this registry has no db
    new ToolRegistry().registerAll([needsDb]);
    // @ts-expect-error the factory must make what the registry promises
    new ToolRegistry<{ db: string[] }>({ createContext: () => ({ db: 1 }) });
  });

  test('a tool that needs nothing fits every registry', () => {
    const plain = defineTool({ ...base, inputSchema: z.object({}), handler: () => 1 });
    new ToolRegistry<{ db: string[] }>().register(plain).registerAll([plain]);
  });
});

describe('decorated methods', () => {
  test('that fit compile', () => {
    class Tools {
      @tool({ description: 'A', inputSchema: withDefault, outputSchema: sum })
      add(input: { a: number; b: number }): { sum: number } {
        return { sum: input.a + input.b };
      }
      @tool({ description: 'B', inputSchema: withDefault })
      async later(input: z.infer<typeof withDefault>, context: ToolContext): Promise<string> {
        return `${input.a} ${context.name}`;
      }
      @tool({ description: 'C', inputSchema: z.object({ n: z.number() }), outputSchema: sum })
      field = ({ n }: { n: number }): { sum: number } => ({ sum: n });
      @(toolFor<{ db: string[] }>()({ description: 'D', inputSchema: z.object({}) }))
      db(_input: object, context: ToolContext<{ db: string[] }>): number {
        return context.db.length;
      }
    }
    return Tools;
  });

  test('that do not fit are compile errors', () => {
    class Tools {
      // @ts-expect-error b is a number after the transform
      @tool({ description: 'A', inputSchema: withDefault })
      wrongInput(input: { a: number; b: string }): string {
        return input.b;
      }
      // @ts-expect-error the output must have a sum
      @tool({ description: 'B', inputSchema: withDefault, outputSchema: sum })
      wrongOutput(): { total: number } {
        return { total: 1 };
      }
      // @ts-expect-error the field's function must take what the schema gives
      @tool({ description: 'C', inputSchema: z.object({ n: z.number() }) })
      wrongField = ({ n }: { n: string }): string => n;
      // @ts-expect-error nobody said there is a database
      @tool({ description: 'D', inputSchema: z.object({}) })
      wrongContext(_input: object, context: ToolContext<{ db: string[] }>): number {
        return context.db.length;
      }
    }
    return Tools;
  });
});

describe('calls', () => {
  const registry = new ToolRegistry<{ db: string[] }>();

  test('in this process give a result of the protocol', () => {
    expectTypeOf(registry.executeTool({ name: 'x' })).toEqualTypeOf<Promise<McpCallToolResult>>();
    // @ts-expect-error the context has the registry's type
    void registry.routeCall({ db: 1 }, 'x');
  });

  test('through the test client are typed by the definition', async () => {
    const add = defineTool({
      ...base,
      inputSchema: withDefault,
      outputSchema: sum,
      handler: () => ({ sum: 1 }),
    });
    const client = connectTestClient(new ToolRegistry().register(add));
    expectTypeOf((await client.call(add, { b: '1' })).structured).toEqualTypeOf<{ sum: number }>();
    // @ts-expect-error b is a string before the transform
    await client.call(add, { b: 1 });
    await client.call(add, { b: '1', confirmation_token: 'token' });
    // @ts-expect-error misspelt
    await client.call(add, { b: '1', confirmation_tokn: 'token' });
  });

  test('through the test client take the token of a preview, whatever the schema is', async () => {
    const client = connectTestClient(new ToolRegistry());
    const token = { confirmation_token: 'token' };
    const handler = (): number => 1;
    const none = defineTool({ ...base, inputSchema: z.object({}), handler });
    await client.call(none, {});
    await client.call(none, token);
    // @ts-expect-error misspelt
    await client.call(none, { confirmation_tokn: 'token' });
    await client.call(defineTool({ ...base, inputSchema: {}, handler }), token);
    await client.call(defineTool({ ...base, inputSchema: { type: 'object' }, handler }), { n: 1, ...token });
    const numbers = defineTool({ ...base, inputSchema: z.record(z.string(), z.number()), handler });
    await client.call(numbers, { n: 1 });
    await client.call(numbers, { n: 1, ...token });
    // @ts-expect-error not a number
    await client.call(numbers, { n: 'one' });
    const either = z.discriminatedUnion('k', [
      z.object({ k: z.literal('a'), n: z.number() }),
      z.object({ k: z.literal('b') }),
    ]);
    await client.call(defineTool({ ...base, inputSchema: either, handler }), { k: 'a', n: 1, ...token });
    // @ts-expect-error a has an n
    await client.call(defineTool({ ...base, inputSchema: either, handler }), { k: 'a', ...token });
  });
});
