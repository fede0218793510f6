import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import {
  createServer,
  defineGroupedTool,
  definePrompt,
  SchemaError,
  ToolRegistry,
} from '../../../../src/index.ts';
import type { Schema } from '../../../../src/index.ts';
import type { ToolSettingsOptions } from '../../../../src/tools/compile/tool-settings.ts';
import { recordLog } from '../../../support/log-recorder.ts';

/** Twice as long with every second character. */
const EXPONENTIAL = '^(a+)+$';
/** Four times as long for twice the length; harmless up to about 3,000 characters. */
const QUADRATIC = String.raw`^\d+\.?\d*$`;
/** Would take the engine seconds, and the exponential one more than a lifetime. */
const LONG = { digits: `${'1'.repeat(60_000)}x`, letters: `${'a'.repeat(60_000)}x` };

function registryOf(inputSchema: Schema, options: ToolSettingsOptions = {}): ToolRegistry {
  return new ToolRegistry(options).register({
    name: 't',
    description: 'T',
    inputSchema,
    handler: () => 'fine',
  });
}

function refusalOf(inputSchema: Schema, options: ToolSettingsOptions = {}): string | undefined {
  try {
    registryOf(inputSchema, options);
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(SchemaError);
    return (error as Error).message;
  }
}

async function textOf(registry: ToolRegistry, args: Readonly<Record<string, unknown>>): Promise<string> {
  const [block] = (await registry.executeTool({ name: 't', arguments: args })).content;
  return block?.type === 'text' ? block.text : '';
}

const textSchema = (rest: object): Schema => ({
  type: 'object',
  properties: { text: { type: 'string', ...rest } },
});

describe('a slow pattern is refused at registration', () => {
  test('with the tool, the place, the pattern, an example and what to do', () => {
    expect(refusalOf(textSchema({ pattern: QUADRATIC }))).toBe(
      String.raw`Tool "t": the input schema: the pattern "^\\d+\\.?\\d*$" at #/properties/text can take very long: ` +
        'on texts like "0000000000000000000a" its time grows with the length to the power of 2. ' +
        'Simplify it, or take no more than 1398 characters (maxLength).',
    );
    expect(refusalOf(textSchema({ pattern: EXPONENTIAL }))).toBe(
      'Tool "t": the input schema: the pattern "^(a+)+$" at #/properties/text can take very long: ' +
        'on texts like "aaaaaaaaaaaaaaaaaaaA" every few characters more multiply its time. ' +
        'Simplify it, or take no more than 14 characters (maxLength).',
    );
  });

  test.each<[string, Schema]>([
    ['Zod', z.object({ text: z.string().regex(/^(a+)+$/) })],
    ['what is said beside a plain type', z.object({ text: z.string().meta({ pattern: EXPONENTIAL }) })],
    ['ArkType', type({ text: /^(a+)+$/ })],
    ['Valibot', toStandardJsonSchema(v.object({ text: v.pipe(v.string(), v.regex(/^(a+)+$/)) }))],
    ['JSON Schema', textSchema({ pattern: EXPONENTIAL })],
    [
      'a reference',
      { $defs: { a: { pattern: EXPONENTIAL } }, type: 'object', properties: { text: { $ref: '#/$defs/a' } } },
    ],
    ['an alternative', z.object({ text: z.union([z.number(), z.string().regex(/^(a+)+$/)]) })],
    ['a list', z.object({ text: z.array(z.object({ deep: z.string().regex(/^(a+)+$/) })) })],
    ['a condition', { type: 'object', properties: { text: { if: { pattern: EXPONENTIAL }, else: false } } }],
    ['keys', { type: 'object', patternProperties: { [EXPONENTIAL]: { type: 'string' } } }],
    ['names of keys', z.object({ text: z.record(z.string().regex(/^(a+)+$/), z.string()) })],
  ])('of %s', (_kind, schema) => {
    expect(refusalOf(schema)).toContain('can take very long');
  });

  test.each<[string, Schema]>([
    ['flags', z.object({ text: z.string().regex(/^(a|A)+$/i) })],
    [
      'what stands behind a transformation',
      z.object({
        text: z
          .string()
          .transform(String)
          .pipe(z.string().regex(/^(a+)+$/)),
      }),
    ],
    [
      'lazy parts',
      z.object({
        text: z.lazy(() =>
          z
            .string()
            .transform(String)
            .pipe(z.string().regex(/^(a+)+$/)),
        ),
      }),
    ],
    ['the host of a URL', z.object({ text: z.url({ hostname: /^(a+)+$/ }) })],
  ])('of Zod, although JSON Schema does not tell: %s', (_what, schema) => {
    expect(refusalOf(schema)).toContain('can take very long');
  });

  test('of an output, of an override, of an action and of a prompt', () => {
    const slow = z.object({ text: z.string().regex(/^(a+)+$/) });
    const refused = /can take very long/;
    const definition = { name: 't', description: 'T', handler: () => ({ text: '' }) };
    const registry = new ToolRegistry();
    expect(() => registry.register({ ...definition, inputSchema: z.object({}), outputSchema: slow })).toThrow(
      refused,
    );
    const metadata = { inputJsonSchema: { type: 'object' as const } };
    expect(() => registry.register({ ...definition, inputSchema: slow, metadata })).toThrow(refused);
    // Types do not let anybody show one Zod schema and mean another.
    const plain = { inputJsonSchema: z.object({ text: z.string() }) as unknown as { type: 'object' } };
    expect(() => registry.register({ ...definition, inputSchema: slow, metadata: plain })).toThrow(refused);
    const actions = { a: { handler: () => 1 } };
    const builder = defineGroupedTool({ name: 'g', description: 'G', commonSchema: slow, actions });
    expect(() => registry.register(builder)).toThrow(refused);
    const prompts = [definePrompt({ name: 'p', inputSchema: slow, handler: () => 'p' })];
    expect(() => createServer({ name: 's', version: '1', prompts })).toThrow(refused);
  });

  test('one that cannot be judged is refused too, and the message says how to keep it', () => {
    const words = Array.from({ length: 4000 }, (_, index) => `w${index * 7919}`).join('|');
    expect(refusalOf(textSchema({ pattern: `^(?:(?:${words})-?)*$` }))).toContain("slowPatterns: 'warn'");
  });
});

describe('a slow pattern is fine where texts are short', () => {
  test.each<[string, Schema]>([
    [
      'Zod',
      z.object({
        text: z
          .string()
          .max(40)
          .regex(/^\d+\.?\d*$/),
      }),
    ],
    [
      'Zod, in whatever order',
      z.object({
        text: z
          .string()
          .regex(/^\d+\.?\d*$/)
          .max(40),
      }),
    ],
    [
      'Zod, optional and nullable',
      z.object({
        text: z
          .string()
          .max(40)
          .regex(/^\d+\.?\d*$/)
          .nullable()
          .optional(),
      }),
    ],
    ['ArkType', type({ text: type(/^\d+\.?\d*$/).and('string <= 40') })],
    [
      'Valibot',
      toStandardJsonSchema(v.object({ text: v.pipe(v.string(), v.maxLength(40), v.regex(/^\d+\.?\d*$/)) })),
    ],
    ['JSON Schema', textSchema({ pattern: QUADRATIC, maxLength: 40 })],
    ['allOf', textSchema({ allOf: [{ pattern: QUADRATIC }, { maxLength: 40 }] })],
    [
      'a reference',
      {
        $defs: { a: { pattern: QUADRATIC } },
        type: 'object',
        properties: { text: { $ref: '#/$defs/a', maxLength: 40 } },
      },
    ],
    [
      'alternatives that are all short',
      textSchema({ anyOf: [{ pattern: QUADRATIC, maxLength: 40 }, { enum: ['none'] }] }),
    ],
  ])('%s: longer ones are refused before the pattern is tried', async (_kind, schema) => {
    const registry = registryOf(schema);
    expect(await textOf(registry, { text: '1.5' })).toBe('fine');
    expect(await textOf(registry, { text: LONG.digits })).toContain('text: must have at most 40 characters');
  });

  test('at every depth, also where alternatives are told apart by a constant', async () => {
    const item = z.discriminatedUnion('kind', [
      z.object({
        kind: z.literal('price'),
        value: z
          .string()
          .max(40)
          .regex(/^\d+\.?\d*$/),
      }),
      z.object({ kind: z.literal('note'), value: z.string() }),
    ]);
    const registry = registryOf(z.object({ items: z.array(item) }));
    expect(await textOf(registry, { items: [{ kind: 'note', value: LONG.digits }] })).toBe('fine');
    const wrong = {
      items: [
        { kind: 'price', value: '1' },
        { kind: 'price', value: LONG.digits },
      ],
    };
    expect(await textOf(registry, wrong)).toContain('items[1].value: must have at most 40 characters');
  });

  test('for keys as well', async () => {
    const schema: Schema = {
      type: 'object',
      propertyNames: { maxLength: 12 },
      patternProperties: { [EXPONENTIAL]: { type: 'number' } },
    };
    const registry = registryOf(schema);
    expect(await textOf(registry, { aaa: 1 })).toBe('fine');
    expect(await textOf(registry, { [LONG.letters]: 1 })).toContain(
      'must have keys of at most 12 characters',
    );
  });

  test.each<[string, object]>([
    ['too long', { pattern: QUADRATIC, maxLength: 100_000 }],
    [
      'bounded in one alternative only',
      { anyOf: [{ pattern: QUADRATIC, maxLength: 40 }, { type: 'string' }] },
    ],
    ['bounded under a condition only', { pattern: QUADRATIC, if: { minLength: 5 }, then: { maxLength: 40 } }],
    ['bounded for what it must not be', { pattern: QUADRATIC, not: { maxLength: 40 } }],
  ])('but not where they are %s', (_why, rest) => {
    expect(refusalOf(textSchema(rest))).toContain('can take very long');
  });

  test('a secret that is too long is not shown', async () => {
    const registry = new ToolRegistry().register({
      name: 't',
      description: 'T',
      secrets: ['text'],
      inputSchema: textSchema({ pattern: QUADRATIC, maxLength: 40 }),
      handler: () => 'fine',
    });
    const text = await textOf(registry, { text: LONG.digits });
    expect(text).toContain('text: is not valid');
    expect(text).not.toContain('11111');
  });
});

describe('slowPatterns', () => {
  test("'warn' names the pattern in the log and takes it", async () => {
    const { logger, entries } = recordLog();
    const registry = registryOf(textSchema({ pattern: QUADRATIC }), { slowPatterns: 'warn', logger });
    expect(entries.map(({ level }) => level)).toEqual(['warning']);
    expect(entries[0]?.message).toContain(String.raw`the pattern "^\\d+\\.?\\d*$" at #/properties/text`);
    expect(await textOf(registry, { text: '1'.repeat(5000) })).toBe('fine');
  });

  test("'allow' takes it without a word", () => {
    const { logger, entries } = recordLog();
    registryOf(textSchema({ pattern: EXPONENTIAL }), { slowPatterns: 'allow', logger });
    expect(entries).toEqual([]);
  });

  test('can be said to a server', () => {
    const tools = [
      { name: 't', description: 'T', inputSchema: textSchema({ pattern: EXPONENTIAL }), handler: () => 1 },
    ];
    expect(() => createServer({ name: 's', version: '1', tools })).toThrow('can take very long');
    expect(() => createServer({ name: 's', version: '1', tools, slowPatterns: 'allow' })).not.toThrow();
  });

  test('is one of three', () => {
    expect(() => new ToolRegistry({ slowPatterns: 'never' as 'warn' })).toThrow(
      `The registry option slowPatterns must be 'refuse', 'warn' or 'allow'; it is "never".`,
    );
  });
});
