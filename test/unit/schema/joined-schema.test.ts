import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { scope, type } from 'arktype';
import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { joinSchemas } from '../../../src/schema/nodes/joined-schema.ts';
import type { Schema } from '../../../src/schema/nodes/schema-types.ts';
import { compileInput, createJudge, run, validate } from './compile.ts';

const noCompiler = (): never => {
  throw new Error('Ajv was asked for');
};

describe('a schema joined from no parts', () => {
  test('is an object without arguments, and needs no Ajv', () => {
    const compiled = compileInput(joinSchemas([]), { jsonSchemaCompiler: noCompiler });
    expect(compiled.jsonSchema).toEqual({ type: 'object', properties: {} });
    expect(validate(compiled, { a: 1, b: 2 })).toEqual({ ok: true, value: {} });
  });

  test('refuses arguments where unknown ones are rejected', () => {
    const compiled = compileInput(joinSchemas([]), {
      jsonSchemaCompiler: noCompiler,
      unknownArguments: 'reject',
    });
    expect(compiled.jsonSchema).toEqual({ type: 'object', properties: {}, additionalProperties: false });
    expect(validate(compiled, {})).toEqual({ ok: true, value: {} });
    expect(validate(compiled, { a: 1 })).toMatchObject({ ok: false, issues: [{ path: ['a'] }] });
  });

  test('refuses what is no object', () => {
    expect(run(joinSchemas([]), 'text')).toMatchObject({
      ok: false,
      issues: [{ path: [], message: 'must be an object' }],
    });
  });
});

test('a schema joined from one part is that part', () => {
  const part = z.object({ a: z.string() });
  expect(joinSchemas([part])).toBe(part);
  expect(joinSchemas([joinSchemas([]), part])).toBe(part);
});

const COMMON: Readonly<Record<string, Schema>> = {
  zod: z.object({ tenant: z.string(), limit: z.number().default(10) }),
  arktype: type({ tenant: 'string', limit: 'number = 10' }),
  valibot: toStandardJsonSchema(v.object({ tenant: v.string(), limit: v.optional(v.number(), 10) })),
};
const STRICT: Readonly<Record<string, Schema>> = {
  zod: z.strictObject({ title: z.string() }),
  arktype: type({ '+': 'reject', title: 'string' }),
  valibot: toStandardJsonSchema(v.strictObject({ title: v.string() })),
  'json-schema': {
    type: 'object',
    properties: { title: { type: 'string' } },
    required: ['title'],
    additionalProperties: false,
  },
};
const PAIRS = Object.keys(COMMON).flatMap((a) => Object.keys(STRICT).map((b) => [a, b] as const));

describe.each(PAIRS)('%s joined with a strict object of %s', (a, b) => {
  const joined = joinSchemas([COMMON[a] as Schema, STRICT[b] as Schema]);
  const compiled = compileInput(joined);

  test('is advertised as one object', () => {
    expect(compiled.jsonSchema).toMatchObject({
      type: 'object',
      properties: { tenant: { type: 'string' }, limit: { type: 'number' }, title: { type: 'string' } },
      required: ['tenant', 'title'],
      additionalProperties: false,
    });
    expect(compiled.jsonSchema).not.toHaveProperty('allOf');
  });

  test('takes the fields of both and fills in defaults', () => {
    expect(validate(compiled, { tenant: 't', title: 'x' })).toEqual({
      ok: true,
      value: { tenant: 't', limit: 10, title: 'x' },
    });
  });

  test('reports the issues of both, and the unknown key', () => {
    const validated = validate(compiled, { tenant: 1, title: 2, tytle: 3 });
    expect(validated.ok).toBe(false);
    const paths = validated.ok ? [] : validated.issues.map(({ path }) => path.join('.'));
    expect(paths.toSorted()).toEqual(['tenant', 'title', 'tytle']);
  });
});

describe('the document of a joined schema', () => {
  test('the last part that speaks of further keys has the say', () => {
    const strict = z.strictObject({ a: z.string() });
    const open = z.object({ b: z.string() }).catchall(z.number());
    const opened = compileInput(joinSchemas([strict, open]));
    expect(opened.jsonSchema).toMatchObject({ additionalProperties: { type: 'number' } });
    expect(validate(opened, { a: 'x', b: 'y', c: 3 })).toEqual({ ok: true, value: { a: 'x', b: 'y', c: 3 } });
    expect(validate(opened, { a: 'x', b: 'y', c: 'z' })).toMatchObject({
      ok: false,
      issues: [{ path: ['c'] }],
    });

    const closed = compileInput(joinSchemas([open, strict]));
    expect(closed.jsonSchema).toMatchObject({ additionalProperties: false });
    expect(validate(closed, { a: 'x', b: 'y', c: 3 })).toMatchObject({
      ok: false,
      issues: [{ path: ['c'] }],
    });

    const silent = compileInput(joinSchemas([strict, z.object({ b: z.string() })]));
    expect(silent.jsonSchema).toMatchObject({ additionalProperties: false });
  });

  test('conflicting definitions get different names, and each validates its own values', () => {
    const withName = (key: string, name: object): Schema => ({
      type: 'object',
      properties: { [key]: { $ref: '#/$defs/Name' } },
      $defs: { Name: name },
    });
    const compiled = compileInput(
      joinSchemas([withName('a', { type: 'string' }), withName('b', { type: 'number' })]),
    );
    expect(compiled.jsonSchema).toEqual({
      type: 'object',
      properties: { a: { $ref: '#/$defs/Name' }, b: { $ref: '#/$defs/Name-2' } },
      $defs: { Name: { type: 'string' }, 'Name-2': { type: 'number' } },
    });
    expect(validate(compiled, { a: 'x', b: 1 })).toEqual({ ok: true, value: { a: 'x', b: 1 } });
    expect(validate(compiled, { a: 1, b: 'x' })).toMatchObject({ ok: false, issues: [{}, {}] });
  });

  test('a recursive part refers to itself, not to the whole', () => {
    const tree = z.object({
      value: z.number(),
      get next() {
        return tree.optional();
      },
    });
    const compiled = compileInput(joinSchemas([z.object({ tenant: z.string() }), tree]));
    expect(compiled.jsonSchema).toMatchObject({
      type: 'object',
      properties: {
        tenant: { type: 'string' },
        value: { type: 'number' },
        next: { $ref: '#/$defs/root' },
      },
      required: ['tenant', 'value'],
      $defs: { root: { type: 'object', required: ['value'] } },
    });
    const value = { tenant: 't', value: 1, next: { value: 2 } };
    expect(createJudge(compiled)(value)).toBe(true);
    expect(validate(compiled, value)).toEqual({ ok: true, value });
  });

  test('a root that is a reference stays beside the other parts', () => {
    const node = scope({ node: { v: 'number', 'children?': 'node[]' } }).export().node;
    const compiled = compileInput(joinSchemas([z.strictObject({ a: z.string() }), node]));
    expect(compiled.jsonSchema).toMatchObject({ type: 'object', allOf: [{}, { type: 'object' }] });
    const value = { a: 'x', v: 1, children: [{ v: 2 }] };
    expect(createJudge(compiled)(value)).toBe(true);
    expect(validate(compiled, value)).toEqual({ ok: true, value });
    expect(createJudge(compiled)({ ...value, z: 1 })).toBe(false);
    expect(validate(compiled, { ...value, z: 1 })).toMatchObject({ ok: false, issues: [{ path: ['z'] }] });
  });

  test('a union of strict objects leaves the fields of the other parts alone', () => {
    const union = z.union([
      z.strictObject({ kind: z.literal('a'), x: z.number() }),
      z.strictObject({ kind: z.literal('b') }),
    ]);
    const compiled = compileInput(joinSchemas([z.object({ tenant: z.string() }), union]));
    const accepts = createJudge(compiled);
    const good = { tenant: 't', kind: 'a', x: 1 };
    expect(accepts(good)).toBe(true);
    expect(validate(compiled, good)).toEqual({ ok: true, value: good });
    const bad = { tenant: 't', kind: 'b', x: 1 };
    expect(accepts(bad)).toBe(false);
    expect(validate(compiled, bad).ok).toBe(false);
  });

  test('a definition that is opened for the others stays closed where it describes a member', () => {
    const compiled = compileInput(
      joinSchemas([
        z.object({ tenant: z.string() }),
        {
          $ref: '#/$defs/Point',
          $defs: {
            Point: {
              type: 'object',
              properties: { x: { type: 'number' }, next: { $ref: '#/$defs/Point' } },
              additionalProperties: false,
            },
          },
        },
      ]),
    );
    const accepts = createJudge(compiled);
    expect(accepts({ tenant: 't', x: 1, next: { x: 2 } })).toBe(true);
    expect(accepts({ tenant: 't', x: 1, next: { x: 2, tenant: 't' } })).toBe(false);
    expect(validate(compiled, { tenant: 't', x: 1, next: { x: 2 } }).ok).toBe(true);
    expect(validate(compiled, { tenant: 't', x: 1, next: { x: 2, tenant: 't' } }).ok).toBe(false);
  });

  test('a root that is opened for the others stays closed where it describes its own members', () => {
    const chain = {
      type: 'object',
      properties: { x: { type: 'number' }, next: { $ref: '#' } },
      minProperties: 1,
      additionalProperties: false,
    };
    const compiled = compileInput(joinSchemas([z.object({ tenant: z.string() }), chain]));
    const accepts = createJudge(compiled);
    expect(accepts({ tenant: 't', x: 1, next: { x: 2 } })).toBe(true);
    expect(accepts({ tenant: 't', x: 1, next: { tenant: 't' } })).toBe(false);
    expect(validate(compiled, { tenant: 't', x: 1, next: { x: 2, tenant: 't' } }).ok).toBe(false);
  });

  test('names of a record and patterns count for the keys that no other part has', () => {
    const compiled = compileInput(
      joinSchemas([
        z.object({ tenant: z.string() }),
        z.record(z.string().regex(/^n_/), z.number()),
        { type: 'object', patternProperties: { '^p_': { type: 'boolean' } } },
      ]),
    );
    const accepts = createJudge(compiled);
    const good = { tenant: 't', n_1: 1, p_1: true };
    expect(accepts(good)).toBe(true);
    expect(validate(compiled, good)).toEqual({ ok: true, value: good });
    for (const bad of [
      { ...good, n_1: 'x' },
      { ...good, other: 1 },
      { ...good, p_1: 1 },
    ]) {
      expect(accepts(bad)).toBe(false);
      expect(validate(compiled, bad).ok).toBe(false);
    }
  });

  test('a part that describes no object is refused', () => {
    expect(() => compileInput(joinSchemas([z.object({ a: z.string() }), z.string()]))).toThrow(
      'Tool "t": the input schema must describe an object',
    );
  });

  test('a reference that leads nowhere in its own part is not caught by another part', () => {
    const parts: Schema[] = [
      { type: 'object', properties: { a: { $ref: '#/$defs/Name' } }, $defs: { Name: { type: 'string' } } },
      { type: 'object', properties: { b: { $ref: '#/$defs/Name' } } },
    ];
    expect(() => compileInput(joinSchemas(parts))).toThrow(
      '$ref "#/$defs/Name" at #/properties/b cannot be resolved',
    );
  });
});

describe('the check of a joined schema', () => {
  test('the output of one part is not undone by an open part', () => {
    const parts = [z.object({ a: z.string().transform((text) => text.length) }), type({ b: 'string' })];
    const expected = { ok: true, value: { a: 3, b: 'x' } };
    expect(run(joinSchemas(parts), { a: 'abc', b: 'x' })).toEqual(expected);
    expect(run(joinSchemas(parts.toReversed()), { a: 'abc', b: 'x' })).toEqual(expected);
  });

  test('keys that no part knows are dropped, at every depth, also where a library keeps them', () => {
    const joined = joinSchemas([z.object({ a: z.string() }), type({ b: { c: 'string' } })]);
    expect(run(joined, { a: 'x', b: { c: 'y', d: 1 }, e: 2 })).toEqual({
      ok: true,
      value: { a: 'x', b: { c: 'y' } },
    });
  });

  test('stays synchronous without asynchronous parts', () => {
    const compiled = compileInput(joinSchemas([z.object({ a: z.string() }), z.object({ b: z.string() })]));
    expect(compiled.validate({ a: 'x', b: 'y' })).not.toBeInstanceOf(Promise);
  });

  test('waits for asynchronous parts and runs each of their checks once', async () => {
    let runs = 0;
    const late = z.object({ a: z.string().refine(async (text) => ((runs += 1), text === 'x')) });
    const compiled = compileInput(joinSchemas([late, z.object({ b: z.string() })]));
    expect(await compiled.validate({ a: 'x', b: 'y' })).toEqual({ ok: true, value: { a: 'x', b: 'y' } });
    expect(runs).toBe(1);
    expect(await compiled.validate({ a: 'no', b: 1 })).toMatchObject({
      ok: false,
      issues: [{ path: ['a'] }, { path: ['b'] }],
    });
  });

  test('parts that reject leave no rejection unhandled', async () => {
    const unhandled: unknown[] = [];
    const listen = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', listen);
    const failing = (key: string, delay: number): Schema =>
      z.object({
        [key]: z.string().refine(async () => {
          await new Promise((resolve) => setTimeout(resolve, delay));
          throw new Error(`late ${key}`);
        }),
      });
    // Zod turns an error of a check into a promise; other libraries throw.
    const document = { type: 'object', properties: { c: { type: 'string' } } };
    const throwing: Schema = {
      '~standard': {
        version: 1,
        vendor: 'other',
        validate: () => {
          throw new Error('at once');
        },
        jsonSchema: { input: () => document, output: () => document },
      },
    };
    try {
      const both = compileInput(joinSchemas([failing('a', 1), failing('b', 5)]));
      await expect(both.validate({ a: 'x', b: 'y' })).rejects.toThrow('late a');
      const mixed = compileInput(joinSchemas([failing('a', 1), throwing]));
      expect(() => mixed.validate({ a: 'x', c: 'y' })).toThrow('at once');
      await new Promise((resolve) => setTimeout(resolve, 20));
    } finally {
      process.off('unhandledRejection', listen);
    }
    expect(unhandled).toEqual([]);
  });

  test('a part that makes no object of its fields is a mistake that is named', () => {
    const joined = joinSchemas([
      z.object({ a: z.string() }).transform(({ a }) => a),
      z.object({ b: z.string() }),
    ]);
    expect(() => run(joined, { a: 'x', b: 'y' })).toThrow(
      'the transform of one part did not return an object',
    );
  });

  test('a key named __proto__ never becomes a prototype', () => {
    const joined = joinSchemas([z.object({ a: z.string() }), z.looseObject({ b: z.string() })]);
    const validated = run(joined, JSON.parse('{"a":"x","b":"y","__proto__":{"admin":true}}'));
    const value = validated.ok ? validated.value : undefined;
    expect((value as { admin?: unknown }).admin).toBeUndefined();
  });
});

describe('an override of a joined schema', () => {
  const override = {
    type: 'object',
    properties: { a: { type: 'string', maxLength: 3 }, when: { type: 'string' } },
    required: ['a', 'when'],
  };

  test('is advertised and enforced beside the parts', () => {
    const joined = joinSchemas([z.object({ a: z.string().min(2) }), z.object({ when: z.string() })]);
    const compiled = compileInput(joined, { override });
    expect(compiled.jsonSchema).toEqual(override);
    expect(validate(compiled, { a: 'abc', when: 'now' })).toEqual({
      ok: true,
      value: { a: 'abc', when: 'now' },
    });
    expect(validate(compiled, { a: 'abcd', when: 'now' }).ok).toBe(false);
    expect(validate(compiled, { a: 'a', when: 'now' }).ok).toBe(false);
  });

  test('helps a part that has no form in JSON, also beside a strict one', () => {
    const dated = z.object({ when: z.preprocess((text) => new Date(String(text)), z.date()) });
    const joined = joinSchemas([z.strictObject({ a: z.string() }), dated]);
    expect(() => compileInput(joined)).toThrow('cannot be converted to JSON Schema');
    expect(run(joined, { a: 'x', when: '2020-01-01' }, { override })).toEqual({
      ok: true,
      value: { a: 'x', when: new Date('2020-01-01') },
    });
  });
});

test('a supplied argument of any part is advertised as optional', () => {
  const joined = joinSchemas([z.object({ tenant: z.string() }), z.object({ b: z.string() })]);
  const compiled = compileInput(joined, { suppliedArguments: ['tenant'] });
  expect(compiled.jsonSchema).toMatchObject({ required: ['b'] });
  expect(validate(compiled, { b: 'x' }).ok).toBe(false);
});

test('a joined schema accepts the same values as its document', () => {
  const first: readonly Schema[] = [
    z.object({ a: z.string(), b: z.number().optional() }),
    z.strictObject({ a: z.string() }),
    z.looseObject({ a: z.string() }),
    type({ a: 'string', 'b?': 'number' }),
    z.union([z.strictObject({ a: z.string() }), z.object({ b: z.number() })]),
    z.object({ a: z.string() }).catchall(z.number()),
    {
      $ref: '#/$defs/A',
      $defs: { A: { type: 'object', properties: { a: {} }, additionalProperties: false } },
    },
  ];
  const second: readonly Schema[] = [
    z.object({ c: z.string(), d: z.boolean().optional() }),
    z.strictObject({ c: z.string().optional() }),
    z.object({ c: z.string().optional() }).catchall(z.string()),
    { type: 'object', properties: { c: { type: 'string' } }, required: ['c'], unevaluatedProperties: false },
    {
      anyOf: [{ type: 'object', properties: { c: { const: 'x' } }, required: ['c'] }, STRICT['json-schema']],
    },
    z.union([z.object({ c: z.literal('x') }), z.strictObject({ d: z.boolean() })]),
  ];
  const compiled = first.flatMap((one) =>
    second.flatMap((two) =>
      [joinSchemas([one, two]), joinSchemas([two, one])].map((joined) =>
        compileInput(joined, { unknownArguments: 'reject' }),
      ),
    ),
  );
  const judges = compiled.map(createJudge);
  const scalar = fc.constantFrom<unknown>('x', 'x', 1, true);
  const known = { a: scalar, b: fc.constantFrom<unknown>(1, 'x'), c: scalar, d: scalar };
  const value = fc.oneof(
    { weight: 4, arbitrary: fc.record(known, { requiredKeys: [] }) },
    { weight: 1, arbitrary: fc.record({ ...known, e: scalar, title: scalar }, { requiredKeys: ['a', 'c'] }) },
  );
  let accepted = 0;
  fc.assert(
    fc.property(value, (candidate) => {
      for (const [index, schema] of compiled.entries()) {
        const isAccepted = judges[index]?.(candidate) === true;
        if (isAccepted) accepted += 1;
        expect([index, validate(schema, candidate).ok]).toEqual([index, isAccepted]);
      }
    }),
    { numRuns: 60 },
  );
  expect(accepted).toBeGreaterThan(50);
});
