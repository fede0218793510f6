import { describe, expectTypeOf, test } from 'vitest';
import * as z from 'zod';
import { defineTools, defineToolsFor, success } from '../../src/index.ts';
import type { AnyToolDefinition } from '../../src/index.ts';

describe('defineTools', () => {
  test('types each handler by its own schemas', () => {
    const tools = defineTools({
      add: {
        description: 'Adds',
        inputSchema: z.object({ a: z.number(), b: z.number().default(1) }),
        outputSchema: z.object({ sum: z.number() }),
        handler: ({ input, context }) => {
          expectTypeOf(input).toEqualTypeOf<{ a: number; b: number }>();
          expectTypeOf(context.signal).toEqualTypeOf<AbortSignal>();
          return { sum: input.a + input.b };
        },
      },
      shape: {
        description: 'S',
        inputSchema: { text: z.string() },
        preview: ({ input }) => input.text.length,
        handler: async ({ input }) => input.text.toUpperCase(),
      },
      none: { description: 'N', inputSchema: {}, handler: ({ input }) => Object.keys(input) },
      other: {
        description: 'O',
        inputSchema: {},
        outputSchema: z.object({ ok: z.boolean() }),
        handler: () => success({ ok: true }),
      },
    });
    expectTypeOf(tools).toEqualTypeOf<AnyToolDefinition[]>();
  });

  test('a handler that does not fit its schemas does not compile', () => {
    defineTools({
      right: { description: 'R', inputSchema: { n: z.number() }, handler: ({ input }) => input.n },
      output: {
        description: 'O',
        inputSchema: { n: z.number() },
        outputSchema: z.object({ double: z.number() }),
        // @ts-expect-error the value does not fit the output schema
        handler: ({ input }) => ({ double: String(input.n) }),
      },
      input: {
        description: 'I',
        inputSchema: { n: z.number() },
        // @ts-expect-error there is no such argument
        handler: ({ input }) => input.m,
      },
      // @ts-expect-error a tool needs a handler
      handler: { description: 'H', inputSchema: {} },
      // @ts-expect-error a tool needs an input schema
      schema: { description: 'S', handler: () => 1 },
      // @ts-expect-error a tool needs a description
      description: { inputSchema: {}, handler: () => 1 },
      unknown: {
        description: 'U',
        inputSchema: {},
        handler: () => 1,
        // @ts-expect-error there is no such member
        anotations: {},
      },
    });
  });

  test('of a context of its own', () => {
    const tools = defineToolsFor<{ db: string[] }>()({
      count: {
        description: 'C',
        inputSchema: {},
        handler: ({ context }) => {
          expectTypeOf(context.db).toEqualTypeOf<string[]>();
          return context.db.length;
        },
      },
    });
    expectTypeOf(tools).toEqualTypeOf<AnyToolDefinition<{ db: string[] }>[]>();
    // @ts-expect-error a standard member
    defineToolsFor<{ signal: string }>();
  });
});
