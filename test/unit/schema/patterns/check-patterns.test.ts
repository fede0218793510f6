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
import type { ToolSettingsOptions } from '../../../../src/tools/compile/settings-options.ts';
import { recordLog } from '../../../support/log-recorder.ts';
import { refused } from '../../../support/refused.ts';

/** The time doubles with every second character. */
const EXPONENTIAL = '^(a+)+$';
/** Quadratic; harmless up to 573 characters. */
const QUADRATIC = String.raw`^\d+\.?\d*$`;
/** Would take the engine seconds, and forever with the exponential pattern. */
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
    expect(refusalOf(textSchema({ pattern: EXPONENTIAL }))).toBe(
      'Tool "t": the input schema: the pattern "^(a+)+$" at #/properties/text can take very long: ' +
        'on strings like "aaaaaaaaaaaaaaaaaaaA" its time grows exponentially with the length. ' +
        'Simplify it, or limit the strings to 13 characters (maxLength).',
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
    // The types do not allow advertising one Zod schema and enforcing another.
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

  test('at every depth, also with a discriminator', async () => {
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
    ['too long', { pattern: EXPONENTIAL, maxLength: 100_000 }],
    [
      'bounded in one alternative only',
      { anyOf: [{ pattern: EXPONENTIAL, maxLength: 10 }, { type: 'string' }] },
    ],
    [
      'bounded under a condition only',
      { pattern: EXPONENTIAL, if: { minLength: 5 }, then: { maxLength: 10 } },
    ],
    ['bounded for what it must not be', { pattern: EXPONENTIAL, not: { maxLength: 10 } }],
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

const BOUND = 573;

describe('a pattern whose time grows with a power of the length is taken with a bound', () => {
  const decimal = /^\d+\.?\d*$/;
  const price = z.string().regex(decimal);
  type Node = Readonly<Record<string, unknown>>;
  /** The schema, a value with a text of a length, and the position of the advertised bound. */
  const places: [string, Schema, (text: string) => Node, Node][] = [
    ['Zod', z.object({ text: price }), (text) => ({ text }), { properties: { text: { maxLength: BOUND } } }],
    [
      'Zod, where its own bound is too large',
      z.object({ text: price.max(5000) }),
      (text) => ({ text }),
      { properties: { text: { maxLength: BOUND } } },
    ],
    [
      'ArkType',
      type({ text: decimal }),
      (text) => ({ text }),
      { properties: { text: { maxLength: BOUND } } },
    ],
    [
      'Valibot',
      toStandardJsonSchema(v.object({ text: v.pipe(v.string(), v.regex(decimal)) })),
      (text) => ({ text }),
      { properties: { text: { maxLength: BOUND } } },
    ],
    [
      'JSON Schema',
      textSchema({ pattern: QUADRATIC }),
      (text) => ({ text }),
      { properties: { text: { maxLength: BOUND } } },
    ],
    [
      'a reference',
      { $defs: { a: { pattern: QUADRATIC } }, type: 'object', properties: { text: { $ref: '#/$defs/a' } } },
      (text) => ({ text }),
      { properties: { text: { $ref: '#/$defs/a', maxLength: BOUND } } },
    ],
    [
      'an alternative',
      z.object({ text: z.union([z.number(), price]) }),
      (text) => ({ text }),
      { properties: { text: { maxLength: BOUND } } },
    ],
    [
      'a list',
      z.object({ text: z.array(z.object({ deep: price })) }),
      (deep) => ({ text: [{ deep }] }),
      { properties: { text: { items: { properties: { deep: { maxLength: BOUND } } } } } },
    ],
    [
      'names of keys',
      z.object({ text: z.record(price, z.string()) }),
      (key) => ({ text: { [key]: 'x' } }),
      { properties: { text: { propertyNames: { maxLength: BOUND } } } },
    ],
    [
      'keys',
      { type: 'object', patternProperties: { [QUADRATIC]: { type: 'string' } } },
      (key) => ({ [key]: 'x' }),
      { propertyNames: { maxLength: BOUND } },
    ],
    [
      'a schema that contains itself',
      {
        $defs: {
          tree: {
            type: 'object',
            properties: { text: { pattern: QUADRATIC }, next: { $ref: '#/$defs/tree' } },
          },
        },
        $ref: '#/$defs/tree',
        type: 'object',
      },
      (text) => ({ next: { next: { text } } }),
      { $defs: { tree: { properties: { text: { maxLength: BOUND } } } } },
    ],
  ];

  test.each(places)(
    'of %s: advertised, enforced, and mentioned once',
    async (_kind, schema, valueOf, advertised) => {
      const { logger, entries } = recordLog();
      const registry = registryOf(schema, { logger });
      expect(entries.map(({ level }) => level)).toEqual(['warning']);
      expect(entries[0]?.message).toContain(`It is matched against at most ${BOUND} characters.`);
      expect(registry.findTool('t')?.inputSchema).toMatchObject(advertised);
      expect(await textOf(registry, valueOf('1'.repeat(BOUND)))).toBe('fine');
      const refusal = await textOf(registry, valueOf('1'.repeat(BOUND + 1)));
      expect(refusal).toContain(`at most ${BOUND} characters`);
      expect(await textOf(registry, valueOf(LONG.digits))).toContain(`at most ${BOUND} characters`);
    },
  );

  test('the warning says why, and what to do', () => {
    const { logger, entries } = recordLog();
    registryOf(textSchema({ pattern: QUADRATIC }), { logger });
    expect(entries[0]?.message).toBe(
      String.raw`Tool "t": the input schema: the pattern "^\\d+\\.?\\d*$" at #/properties/text can take very long: ` +
        'on strings like "0000000000000000000a" its time grows with the length to the power of 2. ' +
        'It is matched against at most 573 characters. Simplify it, or set maxLength to that or less.',
    );
  });

  test('of several patterns the shortest bound counts, and each is mentioned once', async () => {
    const { logger, entries } = recordLog();
    const text = z.string().regex(decimal).regex(/.*5.*/);
    const registry = registryOf(z.object({ text, again: text }), { logger });
    expect(entries.length).toBe(2);
    expect(await textOf(registry, { text: '5'.repeat(497), again: '5' })).toBe('fine');
    expect(await textOf(registry, { text: '5'.repeat(498), again: '5' })).toContain('at most 497 characters');
  });

  test.each<[string, Schema]>([
    ['behind a transformation', z.object({ text: z.string().transform(String).pipe(price) })],
    [
      'in a lazy part',
      z.object({ text: z.preprocess((text) => text, z.string()).pipe(z.lazy(() => price)) }),
    ],
    [
      'in a template',
      z.object({
        text: z
          .string()
          .transform((text) => `v${text}`)
          .pipe(z.templateLiteral(['v', price])),
      }),
    ],
  ])(
    'one of Zod %s, that JSON Schema does not tell, fails on a long text without being tried',
    async (_where, schema) => {
      const { logger, entries } = recordLog();
      const registry = registryOf(schema, { logger });
      expect(entries.length).toBe(1);
      expect(await textOf(registry, { text: '15' })).toBe('fine');
      expect(await textOf(registry, { text: LONG.digits })).toContain('text:');
      // It would match if it were tried.
      expect(await textOf(registry, { text: '1'.repeat(60_000) })).toContain('text:');
    },
  );

  test('the schema of the author is not changed', () => {
    const schema = z.object({ text: price });
    const document = {
      type: 'object' as const,
      properties: { text: { type: 'string', pattern: QUADRATIC } },
    };
    registryOf(schema, { logger: recordLog().logger });
    registryOf(document, { logger: recordLog().logger });
    expect(schema.safeParse({ text: '1'.repeat(2000) }).success).toBe(true);
    expect(schema.safeParse({ text: `${'1'.repeat(2000)}x` }).success).toBe(false);
    expect(document).toEqual({
      type: 'object',
      properties: { text: { type: 'string', pattern: QUADRATIC } },
    });
  });

  test('alternatives that a constant tells apart: no pattern of the others is tried', async () => {
    const alternatives = [
      {
        type: 'object',
        properties: {
          kind: { const: 'price' },
          value: { type: 'string', pattern: EXPONENTIAL, maxLength: 10 },
        },
      },
      { type: 'object', properties: { kind: { const: 'note' }, value: { type: 'string' } } },
    ];
    const schemas: Schema[] = [
      { type: 'object', properties: { item: { anyOf: alternatives } } },
      z.object({
        item: z.union([
          z.object({
            kind: z.literal('price'),
            value: z
              .string()
              .max(10)
              .regex(/^(a+)+$/),
          }),
          z.object({ kind: z.literal('note'), value: z.string() }),
        ]),
      }),
    ];
    for (const schema of schemas)
      expect(await textOf(registryOf(schema), { item: { kind: 'note', value: LONG.letters } })).toBe('fine');
  });
});

describe('of output that is longer than the bound the pattern is not tried', () => {
  const long = `${'1'.repeat(60_000)}x`;
  const decimal = /^\d+\.?\d*$/;

  function returning(outputSchema: Schema, value: unknown): ToolRegistry {
    return new ToolRegistry({ logger: recordLog().logger }).register({
      name: 't',
      description: 'T',
      inputSchema: z.object({}),
      outputSchema: outputSchema as typeof EMPTY,
      handler: () => value as never,
    });
  }
  const EMPTY = z.object({});

  test.each<[string, Schema]>([
    ['Zod', z.object({ text: z.string().regex(decimal), other: z.number() })],
    ['ArkType', type({ text: decimal, other: 'number', '+': 'delete' })],
    [
      'Valibot',
      toStandardJsonSchema(v.object({ text: v.pipe(v.string(), v.regex(decimal)), other: v.number() })),
    ],
    [
      'JSON Schema',
      {
        type: 'object',
        properties: { text: { type: 'string', pattern: QUADRATIC }, other: { type: 'number' } },
        required: ['text', 'other'],
      },
    ],
  ])('%s: a good result does not fail, and the bound is not advertised', async (_kind, schema) => {
    const registry = returning(schema, { text: long, other: 1 });
    const result = await registry.executeTool({ name: 't' });
    expect(result.structuredContent).toEqual({ text: long, other: 1 });
    expect(registry.findTool('t')?.outputSchema).not.toMatchObject({
      properties: { text: { maxLength: BOUND } },
    });
    const short = await returning(schema, { text: '1x', other: 1 }).executeTool({ name: 't' });
    expect(short.isError).toBe(true);
  });

  test.each<[string, Schema]>([
    ['Zod', z.object({ text: z.string().regex(decimal) })],
    ['Valibot', toStandardJsonSchema(v.object({ text: v.pipe(v.string(), v.regex(decimal)) }))],
  ])('%s: what the schema would have dropped is dropped', async (_kind, schema) => {
    const result = await returning(schema, { text: long, secret: 'x' }).executeTool({ name: 't' });
    expect(result.structuredContent).toEqual({ text: long });
  });

  test('the rest is checked: Zod and JSON Schema', async () => {
    const schemas = [
      z.object({ text: z.string().regex(decimal), other: z.number() }),
      { type: 'object' as const, properties: { text: { pattern: QUADRATIC }, other: { type: 'number' } } },
    ];
    for (const schema of schemas) {
      const result = await returning(schema, { text: long, other: 'one' }).executeTool({ name: 't' });
      expect(result.isError).toBe(true);
    }
  });

  test('a declared maxLength fails as before', async () => {
    const schema = z.object({ text: z.string().max(40).regex(decimal) });
    expect((await returning(schema, { text: long }).executeTool({ name: 't' })).isError).toBe(true);
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

  test('can be set on a server', () => {
    const tools = [
      { name: 't', description: 'T', inputSchema: textSchema({ pattern: EXPONENTIAL }), handler: () => 1 },
    ];
    expect(() => createServer({ name: 's', version: '1', tools })).toThrow('can take very long');
    expect(() => createServer({ name: 's', version: '1', tools, slowPatterns: 'allow' })).not.toThrow();
  });

  test('is one of three', () => {
    expect(() => new ToolRegistry({ slowPatterns: 'never' as 'warn' })).toThrow(refused('slowPatterns'));
  });
});
