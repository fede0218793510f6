import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { compileInput, run, validate } from './compile.ts';

const NAMES = Array.from({ length: 20 }, (_, index) => `r${index}`);
const withNames = <TMember>(member: TMember): Record<string, TMember> =>
  Object.fromEntries(NAMES.map((name) => [name, member]));
const ITEM = {
  type: 'object',
  properties: withNames({ type: 'string' }),
  required: NAMES,
};

/** Lists of objects with 20 required members, in every library. */
const LISTS: Readonly<Record<string, unknown>> = {
  zod: z.object({ a: z.array(z.object(withNames(z.string()))) }),
  'zod, nullable': z.object({ a: z.array(z.object(withNames(z.string()))).nullable() }),
  'zod, one of two lists': z.object({
    a: z.union([z.array(z.object(withNames(z.string()))), z.array(z.object(withNames(z.number())))]),
  }),
  'zod, as a record': z.object({ a: z.record(z.string(), z.object(withNames(z.string()))) }),
  arktype: type({ a: type(withNames('string')).array() }),
  valibot: toStandardJsonSchema(v.object({ a: v.array(v.object(withNames(v.string()))) })),
  'json-schema': { type: 'object', properties: { a: { type: 'array', items: ITEM } } },
  'json-schema, by reference': {
    type: 'object',
    properties: { a: { type: 'array', items: { $ref: '#/$defs/item' } } },
    $defs: { item: ITEM },
  },
};

/** Objects that count the reads of their members: each issue causes at least one. */
function createEmpty(): { make: () => object; reads: () => number } {
  let reads = 0;
  const handler: ProxyHandler<object> = {
    get: (target, key): unknown => {
      if (key === 'r19') reads += 1;
      return Reflect.get(target, key);
    },
    has: (target, key) => {
      if (key === 'r19') reads += 1;
      return Reflect.has(target, key);
    },
    getOwnPropertyDescriptor: (target, key) => {
      if (key === 'r19') reads += 1;
      return Reflect.getOwnPropertyDescriptor(target, key);
    },
  };
  return { make: () => new Proxy({}, handler), reads: () => reads };
}

function toArguments(name: string, elements: readonly unknown[]): { a: unknown } {
  return { a: name.includes('record') ? Object.fromEntries(elements.map((e, i) => [`k${i}`, e])) : elements };
}

describe('a large value with more issues than are reported', () => {
  test.each(Object.keys(LISTS))('is not checked to its end: %s', (name) => {
    const { make, reads } = createEmpty();
    const value = toArguments(name, Array.from({ length: 2000 }, make));
    const result = validate(compileInput(LISTS[name], { unknownArguments: 'keep' }), value);
    const issues = result.ok ? [] : result.issues;
    expect(issues.at(-1)).toEqual({ path: [], message: 'has more problems that are not listed' });
    expect(issues.length).toBeGreaterThan(20);
    expect(issues.length).toBeLessThanOrEqual(101);
    expect(reads()).toBeLessThan(500);
  });

  test.each(Object.keys(LISTS))('is explained like a small one: %s', (name) => {
    const small = run(LISTS[name], toArguments(name, [{}]));
    const large = run(
      LISTS[name],
      toArguments(
        name,
        Array.from({ length: 2000 }, () => ({})),
      ),
    );
    const about = (result: typeof small): unknown =>
      result.ok ? [] : result.issues.filter(({ path }) => path.length === 3 && path[2] === 'r0').slice(0, 1);
    expect(about(small)).toHaveLength(1);
    expect(about(large)).toEqual(about(small));
  });

  test.each(Object.keys(LISTS))('is accepted if there are none: %s', (name) => {
    const value = toArguments(
      name,
      Array.from({ length: 2000 }, (_, index) => withNames(`n${index}`)),
    );
    expect(run(LISTS[name], value)).toEqual({ ok: true, value });
  });

  test.each(Object.keys(LISTS))('has all its issues listed if they are few: %s', (name) => {
    const elements = Array.from({ length: 2000 }, () => withNames<unknown>('n'));
    elements[1999] = { ...withNames('n'), r3: null };
    const result = run(LISTS[name], toArguments(name, elements));
    const issues = result.ok ? [] : result.issues;
    expect(issues.some(({ path }) => path.at(-1) === 'r3')).toBe(true);
    expect(issues.some(({ path }) => path.length === 0)).toBe(false);
  });
});

describe('alternatives that do not fit, where another one does', () => {
  const first = z.object(withNames(z.string()));
  const empty = (length: number): { a: object[] } => ({ a: Array.from({ length }, () => ({})) });

  test('do not keep more issues than memory holds', () => {
    const schema = z.object({ a: z.union([z.array(first), z.array(z.object({}))]) });
    expect(run(schema, empty(9000))).toEqual({ ok: true, value: empty(9000) });
    const result = run(schema, empty(11_000));
    expect(result).toMatchObject({
      ok: false,
      issues: [{ message: expect.stringMatching(/^takes too much memory to validate/) as string }],
    });
  });

  test('do not limit alternatives of elements', () => {
    const schema = z.object({ a: z.array(z.union([first, z.object({})])) });
    expect(run(schema, empty(11_000))).toEqual({ ok: true, value: empty(11_000) });
  });

  test('are left at their first issue by a JSON Schema', () => {
    const { make, reads } = createEmpty();
    const lists = [{ type: 'array', items: ITEM }, { type: 'array' }];
    const value = { a: Array.from({ length: 11_000 }, make) };
    expect(run({ type: 'object', properties: { a: { anyOf: lists } } }, value).ok).toBe(true);
    expect(reads()).toBeLessThan(500);
  });
});

describe('a validator that accepts what its JSON Schema does not', () => {
  test('decides', () => {
    const schema = z.object({ a: z.array(z.coerce.number()), b: z.array(z.string().catch('none')) });
    const value = { a: Array.from({ length: 3000 }, () => '7'), b: Array.from({ length: 3000 }, () => 1) };
    expect(run(schema, value)).toEqual({
      ok: true,
      value: { a: Array.from({ length: 3000 }, () => 7), b: Array.from({ length: 3000 }, () => 'none') },
    });
  });

  test('is asked again about more of the value', () => {
    const schema = z.object({ a: z.array(z.coerce.number()), b: z.array(z.object({ c: z.string() })) });
    const value = { a: Array.from({ length: 500 }, () => '7'), b: Array.from({ length: 9000 }, () => ({})) };
    const result = run(schema, value);
    const issues = result.ok ? [] : result.issues;
    expect(issues).toHaveLength(101);
    expect(issues[0]?.path).toEqual(['b', 0, 'c']);
    expect(issues.at(-1)?.message).toBe('has more problems that are not listed');
  });
});

describe('the part of a value that is not checked', () => {
  test('is not reported as missing, and tells alternatives apart', () => {
    const list = z.array(z.object(withNames(z.string())));
    const schema = z.discriminatedUnion('kind', [
      z.object({ list, kind: z.literal('x'), names: z.array(z.string()).min(1) }),
      z.object({ list, kind: z.literal('y'), count: z.number() }),
    ]);
    const value = { list: Array.from({ length: 2000 }, () => ({})), kind: 'x', names: ['n'] };
    const result = run(schema, value);
    const paths = result.ok ? [] : result.issues.slice(0, -1).map(({ path }) => path[0]);
    expect(new Set(paths)).toEqual(new Set(['list']));
  });

  test('of results of handlers is bounded as well', () => {
    const { make, reads } = createEmpty();
    const output = compileInput(LISTS['zod'], { side: 'output' });
    const result = validate(output, { a: Array.from({ length: 2000 }, make) });
    expect(result.ok).toBe(false);
    expect(reads()).toBeLessThan(500);
  });
});

describe('a JSON Schema does not collect more errors than are reported', () => {
  const required = Array.from({ length: 100 }, (_, index) => `r${index}`);
  const conditional = { if: { type: 'object' }, then: { required } };
  const dynamic = { $dynamicAnchor: 'node', ...conditional, properties: { a: { $dynamicRef: '#node' } } };
  const listOf = (items: unknown, $defs: object = {}): object => ({
    type: 'object',
    properties: { a: { type: 'array', items } },
    $defs,
  });
  const empty = { a: Array.from({ length: 200 }, () => ({})) };

  test.each<[string, object, object]>([
    ['conditions', listOf(conditional), empty],
    ['references beside dynamic ones', listOf({ $ref: '#/$defs/n' }, { n: dynamic }), empty],
    [
      'references beside unevaluated members',
      listOf({ $ref: '#/$defs/n' }, { n: { ...conditional, unevaluatedProperties: false } }),
      empty,
    ],
    [
      'dependencies',
      listOf({ type: 'object', dependentRequired: { k: required } }),
      { a: Array.from({ length: 200 }, () => ({ k: 1 })) },
    ],
  ])('%s', (_, schema, value) => {
    const validated = run(schema, value, { unknownArguments: 'keep' });
    const issues = validated.ok ? [] : validated.issues;
    expect(issues[0]?.path.slice(0, 2)).toEqual(['a', 0]);
    expect(issues.at(-1)).toMatchObject({ path: [], message: 'has more problems that are not listed' });
    expect(issues.length).toBeLessThanOrEqual(100);
  });

  test('errors of an alternative do not matter where another one fits', () => {
    const schema = { type: 'object', anyOf: [listOf(conditional), listOf({ type: 'object' })] };
    expect(run(schema, empty, { unknownArguments: 'keep' })).toEqual({ ok: true, value: empty });
  });

  test('errors of an alternative that does not matter are not shown', () => {
    const schema = {
      type: 'object',
      anyOf: [listOf(conditional), listOf({ type: 'object' })],
      properties: { n: { type: 'integer' } },
    };
    const validated = run(schema, { ...empty, n: 'x' }, { unknownArguments: 'keep' });
    expect(validated.ok ? [] : validated.issues.map(({ path, message }) => [path, message])).toEqual([
      [['n'], 'must be integer'],
      [[], 'has more problems that are not listed'],
    ]);
  });
});

test('holes of an array are counted before a validator sees them', () => {
  let complaints = 0;
  const error = (): string => {
    complaints += 1;
    return 'no';
  };
  const schema = z.object({ a: z.array(z.string({ error })) });
  // oxlint-disable-next-line no-new-array -- with holes
  const validated = run(schema, { a: new Array(20_000) }, { side: 'output' });
  expect(validated.ok).toBe(false);
  expect(complaints).toBeLessThan(1000);
});

test('alternatives of values that fit none are not compared without end', () => {
  let reads = 0;
  const ownKeys = (): string[] => {
    reads += 1;
    return [];
  };
  const anyOf = Array.from({ length: 500 }, (_, k) => ({ const: { k } }));
  const schema = { type: 'object', properties: { a: { type: 'array', items: { anyOf } } } };
  const validated = run(schema, { a: Array.from({ length: 1000 }, () => new Proxy({}, { ownKeys })) });
  expect(validated.ok).toBe(false);
  expect(reads).toBeLessThan(300_000);
});

test('the words for a schema are written once, and only those that are shown', () => {
  const values = Array.from({ length: 5000 }, (_, k) => ({ k }));
  const schema = { type: 'object', properties: { a: { type: 'array', items: { enum: values } } } };
  const compiled = compileInput(schema);
  validate(compiled, { a: [1] });
  const written = vi.spyOn(JSON, 'stringify');
  const validated = validate(compiled, { a: Array.from({ length: 100 }, () => 1) });
  const calls = written.mock.calls.length;
  written.mockRestore();
  expect(validated.ok ? '' : validated.issues[0]?.expected).toMatch(/^one of \{"k":0\}, .* and 4970 more$/);
  expect(calls).toBeLessThan(2000);
});
