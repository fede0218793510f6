import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { formatIssue } from '../../../src/errors/issue.ts';
import type { Issue } from '../../../src/errors/issue.ts';
import { run } from './compile.ts';

function issuesOf(schema: unknown, value: unknown): readonly Issue[] {
  const result = run(schema, value);
  return result.ok ? [] : result.issues;
}

const of = (node: object): object => ({ type: 'object', properties: { v: node } });

describe('expected values', () => {
  test.each([
    [{ type: 'integer', minimum: 1, maximum: 5 }, 'integer ≥ 1 and ≤ 5'],
    [
      { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1, multipleOf: 0.5 },
      'number > 0 and < 1 in steps of 0.5',
    ],
    [{ type: 'string', minLength: 3, maxLength: 9 }, 'string of 3 to 9 characters'],
    [{ type: 'string', format: 'email' }, 'string (email)'],
    [{ type: 'string', pattern: '^a' }, 'string matching ^a'],
    [{ type: 'array', minItems: 1, maxItems: 2 }, 'array of 1 to 2 elements'],
    [{ enum: ['json', 'toon', 7] }, 'one of "json", "toon", 7'],
    [{ const: 'x' }, '"x"'],
    [{ type: ['string', 'null'] }, 'string or null'],
    [{ anyOf: [{ type: 'string' }, { const: 5 }] }, 'string or 5'],
    [{ anyOf: [{ type: 'string' }, { type: 'string' }] }, 'string'],
    [{ allOf: [{ type: 'number' }, { minimum: 3 }] }, 'number ≥ 3'],
    [{ $ref: '#/properties/other', description: 'a reference' }, 'boolean'],
  ])('%j reads as "%s"', (node, expected) => {
    const schema = { type: 'object', properties: { v: node, other: { type: 'boolean' } } };
    expect(issuesOf(schema, { v: {} })[0]).toMatchObject({ path: ['v'], expected });
  });

  test('a long enumeration is cut and counted', () => {
    const schema = of({ enum: Array.from({ length: 100 }, (_, index) => index) });
    expect(issuesOf(schema, { v: 'x' })[0]?.expected).toMatch(/^one of 0, 1, .+, 29 and 70 more$/);
  });

  test('a place that the schema leaves open expects nothing in particular', () => {
    expect(issuesOf(of({ not: {} }), { v: 1 })[0]).not.toHaveProperty('expected');
  });
});

describe('received values', () => {
  test.each([
    ['text', '"text" (string)'],
    ['x'.repeat(100), `"${'x'.repeat(60)}…" (string)`],
    [3, '3 (number)'],
    [true, 'true (boolean)'],
    [null, 'null'],
    [[1, 2], 'an array of 2'],
    [{ a: 1 }, 'an object with 1 keys'],
  ])('%j is described', (value, received) => {
    expect(issuesOf(of({ const: 'other' }), { v: value })[0]).toMatchObject({ received });
  });

  test.each([
    ['undefined', undefined, 'nothing'],
    ['a BigInt', 7n, '7 (bigint)'],
    ['a function', () => 1, 'a function'],
  ])('%s, which no JSON can carry, is described', (_, value, received) => {
    expect(issuesOf(z.object({ v: z.string() }), { v: value })[0]).toMatchObject({ received });
  });
});

describe('paths', () => {
  const map = {
    type: 'object',
    properties: {
      map: { type: 'object', additionalProperties: { type: 'array', items: { type: 'number' } } },
    },
  };

  test('a key made of digits stays a key, with its zeros, and an index is a number', () => {
    expect(issuesOf(map, { map: { '007': [1, 'x'] } })).toMatchObject([
      { path: ['map', '007', 1], expected: 'number', received: '"x" (string)' },
    ]);
  });

  test('keys with slashes and tildes are written as they are', () => {
    expect(issuesOf(map, { map: { 'a/b~c': ['x'] } })[0]?.path).toEqual(['map', 'a/b~c', 0]);
  });

  test.each([
    ['zod', z.object({ 'a b': z.object({ list: z.array(z.number()) }) })],
    ['arktype', type({ 'a b': { list: 'number[]' } })],
    ['valibot', toStandardJsonSchema(v.object({ 'a b': v.object({ list: v.array(v.number()) }) }))],
  ])('%s gives the same path', (_, schema) => {
    expect(issuesOf(schema, { 'a b': { list: [1, 'x'] } })[0]?.path).toEqual(['a b', 'list', 1]);
  });

  test('an issue about the whole input has an empty path', () => {
    const ark = type({ a: 'number' }).narrow((_, context) => context.mustBe('even'));
    expect(issuesOf(ark, { a: 1 })[0]?.path).toEqual([]);
    const zod = z.object({ a: z.number() }).refine(() => false, 'must be even');
    expect(issuesOf(zod, { a: 1 })[0]?.path).toEqual([]);
  });
});

describe('messages', () => {
  test("ArkType's path in front of its message is taken off", () => {
    expect(issuesOf(type({ user: { name: 'string' } }), { user: { name: 1 } }).map(formatIssue)).toEqual([
      'user.name: must be a string (was a number) (expected: string; received: 1 (number))',
    ]);
    const [choice] = issuesOf(type({ color: '"red"|"blue"' }), { color: 'green' });
    expect(choice?.message).toBe('must be "blue" or "red" (was "green")');
  });

  test('the words of an author are kept, also where they begin with the path', () => {
    const words = 'failfast and maxfail are mutually exclusive';
    const at = { path: ['failfast'], message: words };
    const zod = z.object({ failfast: z.boolean() }).refine(() => false, { ...at });
    const valibot = toStandardJsonSchema(v.object({ failfast: v.boolean(words) }));
    const arktype = type({ failfast: type('string').configure({ message: () => words }) });
    for (const [schema, failfast] of [
      [zod, true],
      [valibot, 1],
      [arktype, 1],
    ] as const)
      expect(issuesOf(schema, { failfast })[0]).toMatchObject(at);
  });

  test('a message that quotes a large input is cut', () => {
    const schema = type({ a: 'string' }).narrow((_, context) => context.mustBe('short'));
    expect(issuesOf(schema, { a: 'x'.repeat(100_000) })[0]?.message).toHaveLength(501);
  });

  test('one line says everything about an issue', () => {
    const schema = z.object({ limit: z.int().min(1) });
    expect(issuesOf(schema, { limit: 0 }).map(formatIssue)).toEqual([
      'limit: Too small: expected number to be >=1 (expected: integer ≥ 1; received: 0 (number))',
    ]);
  });

  test('a missing member of a JSON Schema is reported at its own path', () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };
    expect(issuesOf(schema, {})).toEqual([
      { path: ['a'], message: 'is required', expected: 'string', received: 'nothing' },
    ]);
  });
});

describe('keywords that Ajv knows and the dialect does not', () => {
  test('nullable and id are notes, as in 2020-12', () => {
    const schema = of({ type: 'string', nullable: true, id: 'x' });
    expect(run(schema, { v: null }).ok).toBe(false);
    expect(run(schema, { v: 's' }).ok).toBe(true);
    expect(run(of({ nullable: true }), { v: null }).ok).toBe(true);
  });

  test('$async does not make validation asynchronous', () => {
    expect(run({ ...of({ type: 'string' }), $async: true }, { v: 1 }).ok).toBe(false);
  });

  test('fields called like these keywords are fields', () => {
    const schema = { type: 'object', properties: { id: { type: 'string' }, nullable: { type: 'string' } } };
    expect(run(schema, { id: 1, nullable: 1 })).toMatchObject({
      issues: [{ path: ['id'] }, { path: ['nullable'] }],
    });
  });

  test('formats are enforced and unknown ones ignored', () => {
    expect(run(of({ type: 'string', format: 'email' }), { v: 'no' }).ok).toBe(false);
    expect(run(of({ type: 'string', format: 'colour' }), { v: 'no' }).ok).toBe(true);
  });

  test('two documents may carry one $id', () => {
    const schema = { $id: 'https://example.com/same', ...of({ type: 'string' }) };
    expect(run(schema, { v: 's' }).ok).toBe(true);
    expect(run({ ...schema, ...of({ type: 'number' }) }, { v: 1 }).ok).toBe(true);
  });
});
