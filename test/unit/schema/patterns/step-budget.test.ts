import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { defineGroupedTool, ToolRegistry } from '../../../../src/index.ts';
import type { Schema } from '../../../../src/index.ts';
import { judgePattern } from '../../../../src/pattern-judge/judge-pattern.ts';
import { StepBudget } from '../../../../src/schema/expressions/step-budget.ts';
import { recordLog } from '../../../support/log-recorder.ts';

const { logger } = recordLog();
const decimal = /^\d+\.?\d*$/;
const DECIMAL = decimal.source;
/** Cubic; bounded at 95 characters. */
const cubic = /^\d*\d*\d*$/;
/** At the bound, and valid: only the number of steps exceeds the budget. */
const LONG = '1'.repeat(573);
const TOO_MUCH = 'has too many strings, or too long ones, for the pattern';

function registryOf(inputSchema: Schema, rest: { repairArguments?: boolean } = {}): ToolRegistry {
  const definition = { name: 't', description: 'T', inputSchema, handler: () => 'fine', ...rest };
  return new ToolRegistry({ logger }).register(definition);
}

async function textOf(registry: ToolRegistry, args: Readonly<Record<string, unknown>>): Promise<string> {
  const [block] = (await registry.executeTool({ name: 't', arguments: args })).content;
  return block?.type === 'text' ? block.text : '';
}

function stepsOf(expression: RegExp, length: number): number {
  const verdict = judgePattern(expression);
  return verdict.kind === 'unknown' ? -1 : Math.round(verdict.steps(length));
}

describe('the steps of a pattern at a length', () => {
  test.each([
    [decimal, 5, 200],
    [cubic, 5, 500],
    [/^(\d+\.?)*$/, 5, 500],
    [/.*foo.*/, 20, 2000],
    [z.regexes.email, 20, 500],
    [z.regexes.uuid(4), 36, 200],
  ])('%s takes few at %i', (expression, length, most) => {
    const steps = stepsOf(expression, length);
    expect(steps).toBeGreaterThan(length);
    expect(steps).toBeLessThanOrEqual(most);
  });

  test.each([
    [decimal, 573],
    [/.*foo.*/, 407],
    [cubic, 95],
    [/^(\d+\.?)*$/, 12],
  ])('%s takes about as many as are harmless at its bound, %i', (expression, bound) => {
    const steps = stepsOf(expression, bound);
    expect(steps).toBeGreaterThan(250_000);
    expect(steps).toBeLessThan(750_000);
  });

  test('they grow with the length', () => {
    for (const expression of [decimal, cubic, /^(\d+\.?)*$/, /[a-z]{60}!/, /(?<=a+)b/]) {
      const steps = [1, 2, 3, 5, 8, 12].map((length) => stepsOf(expression, length));
      expect(steps).toEqual(steps.toSorted((a, b) => a - b));
    }
  });

  test('a linear one takes so many for every character', () => {
    expect(stepsOf(/[a-z]{60}!/, 1000)).toBe(122_122);
    expect(judgePattern(/[a-z]{60}!/)).toMatchObject({ kind: 'bounded', each: 122, maxLength: 819_671 });
    expect(judgePattern(/[a-z]{120}!/)).toMatchObject({ kind: 'bounded', each: 242, maxLength: 413_222 });
    expect(judgePattern(/[a-z]{8}!/)).toMatchObject({ kind: 'linear', cost: { each: 18 } });
  });
});

describe('a budget of steps', () => {
  test('ends with the match that is one too many, and begins anew', () => {
    const budget = new StepBudget(new Map([['a', (length: number) => length * 1_000_000]]));
    expect(budget.mayTry('a', 60)).toBe(true);
    expect(budget.mayTry('b', 1_000_000)).toBe(true);
    expect(budget.mayTry('a', 40)).toBe(true);
    expect(budget.exceededBy).toBeUndefined();
    expect(budget.mayTry('a', 1)).toBe(false);
    expect(budget.mayTry('b', 1)).toBe(false);
    expect(budget.exceededBy).toBe('a');
    budget.begin();
    expect(budget.exceededBy).toBeUndefined();
    expect(budget.mayTry('a', 100)).toBe(true);
  });
});

const lists: [string, Schema][] = [
  ['Zod', z.object({ list: z.array(z.string().regex(decimal)) })],
  [
    'Zod, later',
    z.object({
      list: z.array(
        z
          .string()
          .regex(decimal)
          .refine(async () => true),
      ),
    }),
  ],
  ['Zod, with a declared maxLength', z.object({ list: z.array(z.string().regex(decimal).max(573)) })],
  [
    'Zod, behind a transformation',
    z.object({ list: z.array(z.string().transform(String).pipe(z.string().regex(decimal))) }),
  ],
  ['ArkType', type({ list: type(decimal).array() })],
  ['Valibot', toStandardJsonSchema(v.object({ list: v.array(v.pipe(v.string(), v.regex(decimal))) }))],
  [
    'JSON Schema',
    { type: 'object', properties: { list: { type: 'array', items: { type: 'string', pattern: DECIMAL } } } },
  ],
];

describe('all patterns of one call share a budget', () => {
  test.each(lists)('%s: many long strings are refused, many short ones are not', async (_kind, schema) => {
    const registry = registryOf(schema);
    expect(await textOf(registry, { list: Array(50).fill(LONG) })).toBe('fine');
    expect(await textOf(registry, { list: Array(500).fill(LONG) })).toContain(TOO_MUCH);
    expect(await textOf(registry, { list: Array(10_000).fill('12.50') })).toBe('fine');
    expect(await textOf(registry, { list: ['x'] })).not.toContain(TOO_MUCH);
  });

  test('the message names the pattern, and what to do', async () => {
    const registry = registryOf(z.object({ list: z.array(z.string().regex(decimal)) }));
    expect(await textOf(registry, { list: Array(500).fill(LONG) })).toContain(
      String.raw`has too many strings, or too long ones, for the pattern "^\\d+\\.?\\d*$". Send fewer or shorter ones`,
    );
  });

  test.each<[string, Schema]>([
    [
      'patterns of JSON Schema',
      {
        type: 'object',
        properties: { map: { type: 'object', patternProperties: { [cubic.source]: { type: 'number' } } } },
      },
    ],
    ['names of Zod', z.object({ map: z.record(z.string().regex(cubic), z.number()) })],
  ])('keys count: %s', async (_kind, schema) => {
    const registry = registryOf(schema);
    const keysOf = (count: number, length: number): Record<string, number> =>
      Object.fromEntries(
        Array.from({ length: count }, (_, index) => [String(index).padStart(length, '1'), 1]),
      );
    expect(await textOf(registry, { map: keysOf(1000, 94) })).toContain(TOO_MUCH);
    expect(await textOf(registry, { map: keysOf(5000, 5) })).toBe('fine');
  });

  test('so do the keys that parts of a grouped tool share', async () => {
    const commonSchema = {
      type: 'object',
      patternProperties: { [cubic.source]: { type: 'number' } },
    } as const;
    const actions = { a: { handler: () => 'fine' } };
    const registry = new ToolRegistry({ logger }).register(
      defineGroupedTool({ name: 't', description: 'T', commonSchema, actions }),
    );
    const keys = Array.from({ length: 1000 }, (_, index) => [String(index).padStart(94, '1'), 1]);
    expect(await textOf(registry, { action: 'a', ...(Object.fromEntries(keys) as object) })).toContain(
      TOO_MUCH,
    );
  });

  const alternatives = (count: number): RegExp[] =>
    Array.from({ length: count }, (_, index) => new RegExp(String.raw`^\d+\.?\d*${'a'.repeat(index)}$`));
  const sum: [string, (count: number) => Schema][] = [
    [
      'Zod',
      (count) =>
        z.object({ list: z.array(z.union(alternatives(count).map((each) => z.string().regex(each)))) }),
    ],
    [
      'Valibot',
      (count) =>
        toStandardJsonSchema(
          v.object({
            list: v.array(v.union(alternatives(count).map((each) => v.pipe(v.string(), v.regex(each))))),
          }),
        ),
    ],
    [
      'JSON Schema',
      (count) => ({
        type: 'object',
        properties: {
          list: {
            type: 'array',
            items: { anyOf: alternatives(count).map(({ source }) => ({ type: 'string', pattern: source })) },
          },
        },
      }),
    ],
  ];
  test.each(sum)('every alternative counts: %s', async (_kind, schemaOf) => {
    const list = Array(60).fill(`${'1'.repeat(450)}x`);
    expect(await textOf(registryOf(schemaOf(1)), { list })).not.toContain(TOO_MUCH);
    expect(await textOf(registryOf(schemaOf(8)), { list })).toContain(TOO_MUCH);
  });

  test.each(lists.filter(([kind]) => /ArkType|Valibot/.test(kind)))(
    '%s: also in a list that was repaired',
    async (_kind, schema) => {
      const registry = registryOf(schema, { repairArguments: true });
      expect(await textOf(registry, { list: JSON.stringify(['1.5']) })).toBe('fine');
      expect(await textOf(registry, { list: JSON.stringify([`${LONG}1`]) })).toContain(
        'at most 573 characters',
      );
      expect(await textOf(registry, { list: JSON.stringify(Array(500).fill(LONG)) })).toContain(TOO_MUCH);
    },
  );
});

describe('linear patterns', () => {
  const letters = z.string().regex(/[a-z]{60}!/);

  test('that take many steps for every character are bounded', async () => {
    const registry = registryOf(z.object({ text: letters }));
    expect(registry.findTool('t')?.inputSchema).toMatchObject({
      properties: { text: { maxLength: 819_671 } },
    });
    expect(await textOf(registry, { text: 'a'.repeat(1_000_000) })).toContain('at most 819671 characters');
  });

  test('and so are many strings of them', async () => {
    const registry = registryOf(z.object({ list: z.array(letters) }));
    expect(await textOf(registry, { list: Array(4).fill('a'.repeat(250_000)) })).toContain(TOO_MUCH);
    expect(await textOf(registry, { list: Array(1000).fill(`${'a'.repeat(60)}!`) })).toBe('fine');
  });

  test.each<[string, z.ZodType<string>, string]>([
    ['email', z.email(), 'somebody@example.com'],
    ['uuid', z.uuid(), '123e4567-e89b-42d3-a456-426614174000'],
    ['date', z.iso.date(), '2026-01-31'],
    ['datetime', z.iso.datetime(), '2026-01-31T10:00:00Z'],
    ['ipv6', z.ipv6(), '2001:0db8:85a3:0000:0000:8a2e:0370:7334'],
    ['base64', z.base64(), 'aaaa'.repeat(20)],
  ])('that are ordinary take 4 MB: %s', async (_kind, schema, text) => {
    const registry = registryOf(
      z.object({ list: z.array(schema), other: schema.optional(), more: z.array(schema).optional() }),
    );
    expect(
      await textOf(registry, {
        list: Array(Math.min(49_000, Math.floor(4_000_000 / text.length))).fill(text),
      }),
    ).toBe('fine');
    expect(await textOf(registry, { list: ['a'.repeat(4_000_000)] })).not.toContain(TOO_MUCH);
    expect(JSON.stringify(registry.findTool('t')?.inputSchema)).not.toContain('maxLength');
  });

  test.each<[string, (expressions: readonly RegExp[]) => Schema]>([
    ['Zod', (all) => z.object({ text: z.union(all.map((each) => z.string().regex(each))) })],
    [
      'Valibot',
      (all) =>
        toStandardJsonSchema(
          v.object({ text: v.union(all.map((each) => v.pipe(v.string(), v.regex(each)))) }),
        ),
    ],
    [
      'JSON Schema',
      (all) => ({
        type: 'object',
        properties: { text: { anyOf: all.map(({ source }) => ({ pattern: source })) } },
      }),
    ],
  ])('%s: many on one long string count as well', async (_kind, schemaOf) => {
    const all = Array.from({ length: 20 }, (_, index) => new RegExp(`[a-z]{5}${index}!`));
    const registry = registryOf(schemaOf(all));
    expect(await textOf(registry, { text: 'a'.repeat(4_000_000) })).toContain(TOO_MUCH);
    expect(await textOf(registry, { text: 'aaaaa3!' })).toBe('fine');
  });
});

describe('of a result, patterns are not tried any more when the steps are used up', () => {
  const EMPTY = z.object({});
  function returning(outputSchema: Schema, value: unknown): ToolRegistry {
    return new ToolRegistry({ logger }).register({
      name: 't',
      description: 'T',
      inputSchema: EMPTY,
      outputSchema: outputSchema as typeof EMPTY,
      handler: () => value as never,
    });
  }

  test.each(lists.filter(([kind]) => !kind.includes('transformation')))(
    '%s: a good one does not fail',
    async (_kind, schema) => {
      const list = [...Array<string>(500).fill(LONG), 'untried'];
      const result = await returning(schema, { list }).executeTool({ name: 't' });
      expect(result.structuredContent).toEqual({ list });
      const bad = await returning(schema, { list: ['x', LONG] }).executeTool({ name: 't' });
      expect(bad.isError).toBe(true);
    },
  );

  test('the rest is checked: Zod and JSON Schema', async () => {
    for (const [, schema] of lists.filter(([kind]) => kind === 'Zod' || kind === 'JSON Schema')) {
      const list = [...Array<unknown>(500).fill(LONG), 7];
      expect((await returning(schema, { list }).executeTool({ name: 't' })).isError).toBe(true);
    }
  });
});
