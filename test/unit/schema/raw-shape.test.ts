import { type } from 'arktype';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import * as z3 from 'zod/v3';
import * as mini from 'zod/mini';
import { createTool, defineTool, tool, ToolRegistry, toolsFrom } from '../../../src/index.ts';
import { PromptsManager } from '../../../src/index.ts';
import type { Schema } from '../../../src/index.ts';
import { unknownArgument } from '../../support/refused.ts';

const described = { name: 't', description: 'T' };

function registryOf(inputSchema: Schema, options: object = {}): ToolRegistry {
  return new ToolRegistry().register({
    ...described,
    inputSchema,
    handler: ({ input }) => input,
    ...options,
  });
}

async function call(registry: ToolRegistry, args: object): Promise<unknown> {
  const result = await registry.executeTool({ name: 't', arguments: { ...args } });
  return JSON.parse((result.content[0] as { text: string }).text.replace(/^(?!\{).*/s, 'null'));
}

async function textOf(registry: ToolRegistry, args: object): Promise<string> {
  const result = await registry.executeTool({ name: 't', arguments: { ...args } });
  return (result.content[0] as { text: string }).text;
}

describe('a raw shape', () => {
  test('is advertised as z.object says it', () => {
    const fields = [
      { n: z.number(), s: z.string().optional() },
      { n: z.number().min(1).default(2), u: z.union([z.string(), z.number()]) },
      { id: z.string().meta({ id: 'Id' }), ids: z.array(z.string().regex(/^[a-z]+$/)) },
    ];
    for (const shape of fields) {
      expect(registryOf(shape).findTool('t')?.inputSchema).toEqual(
        registryOf(z.object(shape as never)).findTool('t')?.inputSchema,
      );
      expect(registryOf({}, { outputSchema: shape }).findTool('t')?.outputSchema).toEqual(
        registryOf({}, { outputSchema: z.object(shape as never) }).findTool('t')?.outputSchema,
      );
    }
  });

  test('validates: defaults are filled in, optional members stay out, others are dropped', async () => {
    const registry = registryOf({ n: z.number().default(2), s: z.string().optional() });
    expect(await call(registry, { other: 1 })).toEqual({ n: 2 });
    expect(await call(registry, { n: 3, s: 'x' })).toEqual({ n: 3, s: 'x' });
  });

  test('complaints name the member, at every depth', async () => {
    const registry = registryOf({ n: z.number(), in: z.object({ list: z.array(z.string()) }) });
    expect(await textOf(registry, { in: { list: ['a', 1] } })).toBe(
      [
        "Invalid arguments for tool 't'.",
        '- n: Invalid input: expected number, received undefined (expected: number; received: nothing)',
        '- in.list[1]: Invalid input: expected string, received number (expected: string; received: 1 (number))',
      ].join('\n'),
    );
  });

  test('a member that is required is required, also where it takes anything', async () => {
    expect(await textOf(registryOf({ any: z.unknown(), n: z.int() }), { n: 1 })).toContain(
      '- any: is required',
    );
  });

  test('unknown arguments are refused where that is asked for', async () => {
    expect(
      await textOf(registryOf({ n: z.number() }, { unknownArguments: 'reject' }), { n: 1, m: 2 }),
    ).toContain(`- m: ${unknownArgument('n')}`);
  });

  test('asynchronous members are waited for, each run once', async () => {
    let runs = 0;
    const registry = registryOf({
      a: z.string().refine(async (text) => ((runs += 1), text !== 'no')),
      b: z.number(),
    });
    expect(await call(registry, { a: 'yes', b: 1 })).toEqual({ a: 'yes', b: 1 });
    expect(runs).toBe(1);
    expect(await textOf(registry, { a: 'no', b: 1 })).toContain('- a: Invalid input');
  });

  test('members may come from other libraries', async () => {
    const registry = registryOf({ a: type('string'), n: z.number() });
    expect(registry.findTool('t')?.inputSchema).toEqual({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: { a: { type: 'string' }, n: { type: 'number' } },
      required: ['a', 'n'],
    });
    expect(await call(registry, { a: 'x', n: 1 })).toEqual({ a: 'x', n: 1 });
    expect(await textOf(registry, { a: 1, n: 1 })).toContain('- a: must be a string (was a number)');
  });

  test('`{}` takes no arguments', async () => {
    expect(registryOf({}).findTool('t')?.inputSchema).toEqual({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {},
    });
    expect(await call(registryOf({}), { n: 1 })).toEqual({});
  });

  test('slow patterns of members are refused', () => {
    expect(() => registryOf({ s: z.string().regex(/^(a+)+$/) })).toThrow('can take very long');
  });

  test('a member may be called __proto__ or like a keyword', async () => {
    const shape = JSON.parse('{"__proto__":1,"type":1}') as Record<string, unknown>;
    for (const name of Object.keys(shape))
      Object.defineProperty(shape, name, { value: z.number(), enumerable: true });
    const registry = registryOf(shape);
    expect(await textOf(registry, JSON.parse('{"__proto__":7,"type":1}') as object)).toContain('"type":1');
  });
});

describe('a raw shape is taken', () => {
  test('as output schema', async () => {
    const sum = defineTool({
      ...described,
      inputSchema: { a: z.number(), b: z.number() },
      outputSchema: { sum: z.number() },
      handler: ({ input }) => ({ sum: input.a + input.b }),
    });
    const result = await new ToolRegistry()
      .register(sum)
      .executeTool({ name: 't', arguments: { a: 1, b: 2 } });
    expect(result.structuredContent).toEqual({ sum: 3 });
  });

  test('by decorators', async () => {
    class Tools {
      @tool({ description: 'D', inputSchema: { n: z.number() } })
      double({ n }: { n: number }): number {
        return n * 2;
      }
    }
    const registry = new ToolRegistry().registerAll(toolsFrom(new Tools()));
    expect((await registry.executeTool({ name: 'double', arguments: { n: 4 } })).content).toEqual([
      { type: 'text', text: '8' },
    ]);
  });

  test('by actions and common schemas, also where fields are left out', async () => {
    const notes = createTool('notes')
      .commonSchema({ space: z.string(), limit: z.number().default(5) })
      .action({ name: 'find', schema: { word: z.string() }, handler: ({ input }) => input })
      .action({ name: 'all', omitCommonFields: ['limit'], handler: ({ input }) => input });
    const found = await notes.execute({}, { action: 'find', space: 's', word: 'w' });
    expect(found.content).toEqual([{ type: 'text', text: '{"space":"s","limit":5,"word":"w"}' }]);
    const all = await notes.execute({}, { action: 'all', space: 's' });
    expect(all.content).toEqual([{ type: 'text', text: '{"space":"s"}' }]);
  });

  test('by prompts', async () => {
    const prompts = new PromptsManager().addPrompt({
      name: 'p',
      inputSchema: { who: z.string(), times: z.number().optional() },
      handler: ({ input }) => `${input.who} ${input.times}`,
    });
    expect(prompts.getAllPrompts()[0]?.arguments).toEqual([
      { name: 'who', required: true },
      { name: 'times', required: false },
    ]);
    const reply = await prompts.getPrompt({ name: 'p', arguments: { who: 'Ada', times: '2' } });
    expect(JSON.stringify(reply)).toContain('Ada 2');
  });
});

describe('schemas of another Zod', () => {
  const refusal = (schema: unknown): string => {
    try {
      registryOf(schema as Schema);
    } catch (error) {
      return String(error);
    }
    return 'none';
  };

  test('Zod 3 is told to be updated, also as a field', () => {
    expect(refusal(z3.object({ a: z3.string() }))).toBe(
      'SchemaError: Tool "t": the input schema cannot be converted to JSON Schema. This needs Zod 4.2 or newer. Update it: npm install zod@latest.',
    );
    expect(refusal({ a: z.string(), b: z3.string() })).toBe(
      'SchemaError: Tool "t": the input schema: the field "b" cannot be converted to JSON Schema. This needs Zod 4.2 or newer. Update it: npm install zod@latest.',
    );
  });

  test('Zod before 3.24, which has no Standard Schema, as well', () => {
    const old = { _def: { typeName: 'ZodObject' }, parse: () => ({}) };
    expect(refusal(old)).toBe(
      'SchemaError: Tool "t": the input schema is a Zod 3 schema. This needs Zod 4.2 or newer. Update it: npm install zod@latest.',
    );
    expect(refusal({ a: { _def: { typeName: 'ZodString' } } })).toBe(
      'SchemaError: Tool "t": the input schema: the field "a" is a Zod 3 schema. This needs Zod 4.2 or newer. Update it: npm install zod@latest.',
    );
  });

  test('Zod Mini is told where to import from', () => {
    expect(refusal(mini.object({ a: mini.string() }))).toContain(
      'Zod Mini has no JSON Schema. Import z from "zod" instead of "zod/mini".',
    );
  });

  test('Zod 3 works where its JSON Schema is given', async () => {
    const registry = registryOf(z3.object({ a: z3.string() }) as unknown as Schema, {
      metadata: {
        inputJsonSchema: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
      },
    });
    expect(await call(registry, { a: 'x' })).toEqual({ a: 'x' });
  });

  test('a field without a schema is named', () => {
    expect(refusal({ a: z.string(), b: 'text' })).toBe(
      'SchemaError: Tool "t": the input schema: the field "b" has no schema. Add one, for example: b: z.string().',
    );
  });
});
