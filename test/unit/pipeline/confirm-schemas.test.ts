import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { createTool, ToolRegistry } from '../../../src/index.ts';
import type { McpCallToolResult } from '../../../src/index.ts';

const silent = { debug() {}, info() {}, warning() {}, error() {} };

function textOf({ content: [first] }: McpCallToolResult): string {
  return first?.type === 'text' ? first.text : '';
}

/** The token as a reader finds it in the text. */
function tokenOf(result: McpCallToolResult): string {
  const token = /confirmation_token "([0-9a-f]+)"/.exec(textOf(result))?.[1];
  if (token === undefined) throw new Error(`no token in: ${textOf(result)}`);
  return token;
}

const codeOf = ({ _meta }: McpCallToolResult): unknown =>
  (_meta?.['toolwright/error'] as { code?: unknown } | undefined)?.code;

const call = (registry: ToolRegistry, given: Readonly<Record<string, unknown>>): Promise<McpCallToolResult> =>
  registry.executeTool({ name: 'transfer', arguments: given });

describe('structured output and confirmation', () => {
  const registry = (): ToolRegistry =>
    new ToolRegistry({ logger: silent }).register({
      name: 'transfer',
      description: 'T',
      inputSchema: z.object({ id: z.string() }),
      outputSchema: z.object({ moved: z.int() }),
      confirm: 'preview',
      preview: ({ input }) => ({ would: input.id }),
      handler: () => ({ moved: 1 }),
    });

  test('both shapes are advertised, and both results fit', async () => {
    const it = registry();
    const [tool] = it.listTools();
    const fits = new Ajv2020({ strict: false }).compile(tool?.outputSchema ?? false);
    expect(tool?.outputSchema?.['type']).toBe('object');
    const first = await call(it, { id: 'a' });
    const content = first.structuredContent as { confirmation_token: string };
    expect(content).toEqual({
      confirmation_token: expect.stringMatching(/^[0-9a-f]{36}$/),
      expires_in_ms: 120_000,
      preview: { would: 'a' },
    });
    expect(fits(content), JSON.stringify(fits.errors)).toBe(true);
    const second = await call(it, { id: 'a', confirmation_token: content.confirmation_token });
    expect(second.structuredContent).toEqual({ moved: 1 });
    expect(fits(second.structuredContent), JSON.stringify(fits.errors)).toBe(true);
    expect(fits({ moved: 'x' })).toBe(false);
    expect(fits({})).toBe(false);
  });

  test('a preview of any shape fits, and so does none', async () => {
    for (const preview of ['text', 7, null, ['a'], { deep: { er: 1 } }, undefined]) {
      const it = new ToolRegistry({ logger: silent }).register({
        name: 'transfer',
        description: 'T',
        inputSchema: z.object({}),
        outputSchema: z.object({ moved: z.int() }),
        confirm: 'preview',
        preview: () => preview,
        handler: () => ({ moved: 1 }),
      });
      const fits = new Ajv2020({ strict: false }).compile(it.listTools()[0]?.outputSchema ?? false);
      const { structuredContent } = await call(it, {});
      expect(fits(structuredContent), JSON.stringify(structuredContent)).toBe(true);
    }
  });

  test('a recursive output keeps its references', async () => {
    const tree = z.object({
      name: z.string(),
      get children() {
        return z.array(tree);
      },
    });
    const it = new ToolRegistry({ logger: silent }).register({
      name: 'transfer',
      description: 'T',
      inputSchema: z.object({}),
      outputSchema: tree,
      confirm: 'preview',
      preview: () => 'shown',
      handler: () => ({ name: 'a', children: [{ name: 'b', children: [] }] }),
    });
    const fits = new Ajv2020({ strict: false }).compile(it.listTools()[0]?.outputSchema ?? false);
    const first = await call(it, {});
    expect(fits(first.structuredContent)).toBe(true);
    const second = await call(it, { confirmation_token: tokenOf(first) });
    expect(fits(second.structuredContent), JSON.stringify(fits.errors)).toBe(true);
  });

  test('an output that is no object cannot be told apart, and is refused at registration', () => {
    expect(() =>
      new ToolRegistry().register({
        name: 'transfer',
        description: 'T',
        inputSchema: z.object({}),
        outputSchema: z.array(z.number()),
        confirm: 'preview',
        preview: () => 1,
        handler: () => [1],
      }),
    ).toThrow('Tool "transfer": confirm: \'preview\' needs an outputSchema with an object at its root.');
  });
});

describe('where unknown arguments are refused', () => {
  const either = z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('a'), x: z.string() }),
    z.object({ kind: z.literal('b'), y: z.number() }),
  ]);
  const schemas: [string, z.ZodType, Record<string, unknown>][] = [
    ['a plain object', z.object({ x: z.string() }), { x: 'x' }],
    ['a strict object', z.strictObject({ x: z.string() }), { x: 'x' }],
    ['alternatives', either, { kind: 'a', x: 'x' }],
    [
      'an intersection',
      z.intersection(z.object({ x: z.string() }), z.object({ y: z.number() })),
      { x: 'x', y: 1 },
    ],
  ];

  test.each(schemas)('the token is taken and advertised, beside %s', async (_title, inputSchema, given) => {
    const registry = new ToolRegistry({ logger: silent, unknownArguments: 'reject' }).register({
      name: 'transfer',
      description: 'T',
      inputSchema,
      confirm: 'preview',
      preview: () => 'shown',
      handler: () => 'done',
    });
    const fits = new Ajv2020({ strict: false }).compile(registry.listTools()[0]?.inputSchema ?? false);
    const first = await call(registry, given);
    expect(fits(given), JSON.stringify(fits.errors)).toBe(true);
    const second = { ...given, confirmation_token: tokenOf(first) };
    expect(textOf(await call(registry, second))).toBe('done');
    expect(fits(second), JSON.stringify(fits.errors)).toBe(true);
    expect(fits({ ...second, stranger: 1 })).toBe(false);
    expect(codeOf(await call(registry, { ...given, stranger: 1 }))).toBe('INVALID_ARGUMENTS');
  });

  test('a tool without confirmation refuses the token like any other stranger', async () => {
    const registry = new ToolRegistry({ logger: silent, unknownArguments: 'reject' }).register({
      name: 'transfer',
      description: 'T',
      inputSchema: z.object({}),
      handler: () => 'done',
    });
    expect(codeOf(await call(registry, { confirmation_token: 'x' }))).toBe('INVALID_ARGUMENTS');
  });
});

describe('definitions', () => {
  const base = { name: 'transfer', description: 'T', inputSchema: z.object({}), handler: () => 1 };
  const together = 'Tool "transfer" must have both confirm: \'preview\' and a preview function, or neither.';

  test('confirm and preview belong together', () => {
    expect(() => new ToolRegistry().register({ ...base, preview: () => 1 })).toThrow(together);
    expect(() => new ToolRegistry().register({ ...base, confirm: 'preview' })).toThrow(together);
  });

  test('read-only tools cannot require confirmation', () => {
    const confirm = { confirm: 'preview', preview: () => 1 } as const;
    expect(() =>
      new ToolRegistry().register({ ...base, ...confirm, annotations: { readOnlyHint: true } }),
    ).toThrow(
      'Tool "transfer" is read-only (readOnlyHint), so it must not have confirm. Remove one of them.',
    );
    expect(() =>
      new ToolRegistry().register(
        createTool('t').action({ name: 'a', readOnly: true, ...confirm, handler: () => 1 }),
      ),
    ).toThrow('so it must not have confirm');
  });

  test('another word for confirm, or a preview that is no function, is refused', () => {
    expect(() =>
      new ToolRegistry().register({ ...base, confirm: 'always' as never, preview: () => 1 }),
    ).toThrow('confirm');
    expect(() =>
      new ToolRegistry().register({ ...base, confirm: 'preview', preview: 'text' as never }),
    ).toThrow('preview');
  });

  test('an argument of the same name is refused', () => {
    expect(() =>
      new ToolRegistry().register({
        ...base,
        inputSchema: z.object({ confirmation_token: z.string() }),
        confirm: 'preview',
        preview: () => 1,
      }),
    ).toThrow(
      'Tool "transfer": the argument name "confirmation_token" is reserved by confirm: \'preview\'. Rename the argument.',
    );
  });

  test('an argument of the same name is refused in one of several alternatives too', () => {
    expect(() =>
      new ToolRegistry().register({
        ...base,
        inputSchema: z.discriminatedUnion('kind', [
          z.object({ kind: z.literal('a'), confirmation_token: z.string() }),
          z.object({ kind: z.literal('b') }),
        ]),
        confirm: 'preview',
        preview: () => 1,
      }),
    ).toThrow('the argument name "confirmation_token" is reserved by confirm');
  });
});
