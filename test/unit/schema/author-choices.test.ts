import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { compileInput, run, validate } from './compile.ts';
import { unknownArgument } from '../../support/refused.ts';

const MODES = ['strip', 'reject'] as const;

/** Explicitly open objects. */
const OPEN: Readonly<Record<string, unknown>> = {
  'z.looseObject': z.looseObject({ a: z.string() }),
  'z.object().catchall()': z.object({ a: z.string() }).catchall(z.number()),
  'ArkType index signature': type({ a: 'string', '[string]': 'unknown' }),
  'v.objectWithRest': toStandardJsonSchema(v.objectWithRest({ a: v.string() }, v.unknown())),
  'additionalProperties: true': {
    type: 'object',
    properties: { a: { type: 'string' } },
    additionalProperties: true,
  },
  'unevaluatedProperties: true': {
    type: 'object',
    properties: { a: { type: 'string' } },
    unevaluatedProperties: true,
  },
  'a pattern for other keys': {
    type: 'object',
    properties: { a: { type: 'string' } },
    patternProperties: { '': true },
  },
};

/** Explicitly closed objects. */
const CLOSED: Readonly<Record<string, unknown>> = {
  'z.strictObject': z.strictObject({ a: z.string() }),
  "ArkType '+': 'reject'": type({ '+': 'reject', a: 'string' }),
  'v.strictObject': toStandardJsonSchema(v.strictObject({ a: v.string() })),
  'additionalProperties: false': {
    type: 'object',
    properties: { a: { type: 'string' } },
    additionalProperties: false,
  },
  'unevaluatedProperties: false': {
    type: 'object',
    allOf: [{ properties: { a: { type: 'string' } } }],
    unevaluatedProperties: false,
  },
};

/** Maps from any key to a value. */
const MAPS: Readonly<Record<string, unknown>> = {
  'z.record': z.object({ map: z.record(z.string(), z.object({ x: z.number() })) }),
  'ArkType index signature': type({ map: { '[string]': { x: 'number' } } }),
  'v.record': toStandardJsonSchema(v.object({ map: v.record(v.string(), v.object({ x: v.number() })) })),
  'additionalProperties with a schema': {
    type: 'object',
    properties: {
      map: {
        type: 'object',
        additionalProperties: { type: 'object', properties: { x: { type: 'number' } }, required: ['x'] },
      },
    },
  },
};

describe.each(MODES)('in %s mode', (unknownArguments) => {
  test.each(Object.entries(OPEN))('%s keeps unknown keys', (_, schema) => {
    const value = { a: 's', other: 1 };
    expect(run(schema, value, { unknownArguments })).toEqual({ ok: true, value });
  });

  test.each(Object.entries(CLOSED))('%s refuses unknown keys and names the allowed ones', (_, schema) => {
    expect(run(schema, { a: 's', other: 1 }, { unknownArguments })).toEqual({
      ok: false,
      issues: [{ path: ['other'], message: unknownArgument('a') }],
    });
    expect(run(schema, { a: 's' }, { unknownArguments })).toEqual({ ok: true, value: { a: 's' } });
  });

  test.each(Object.entries(MAPS))('%s keeps every key', (_, schema) => {
    const value = { map: { p: { x: 1 }, q: { x: 2 } } };
    expect(run(schema, value, { unknownArguments })).toEqual({ ok: true, value });
  });

  test('an object without any listed key takes every key', () => {
    const schema = { type: 'object', properties: { free: { type: 'object' } } };
    const value = { free: { p: 1 } };
    expect(run(schema, value, { unknownArguments })).toEqual({ ok: true, value });
  });

  test('an object with an empty list of keys takes none', () => {
    const result = run(z.object({}), { a: 1 }, { unknownArguments });
    expect(result).toEqual(
      unknownArguments === 'strip'
        ? { ok: true, value: {} }
        : {
            ok: false,
            issues: [{ path: ['a'], message: unknownArgument() }],
          },
    );
  });

  test('values of a map are still closed or stripped inside', () => {
    for (const schema of Object.values(MAPS)) {
      const result = run(schema, { map: { p: { x: 1, y: 2 } } }, { unknownArguments });
      if (unknownArguments === 'strip') expect(result).toEqual({ ok: true, value: { map: { p: { x: 1 } } } });
      else expect(result).toMatchObject({ ok: false, issues: [{ path: ['map', 'p', 'y'] }] });
    }
  });
});

describe('features that a library lacks', () => {
  test('v.looseObject says nothing about other keys in JSON Schema, so reject mode closes it; objectWithRest is the way out', () => {
    const loose = toStandardJsonSchema(v.looseObject({ a: v.string() }));
    expect(run(loose, { a: 's', b: 1 }, { unknownArguments: 'strip' })).toEqual({
      ok: true,
      value: { a: 's', b: 1 },
    });
    expect(run(loose, { a: 's', b: 1 }, { unknownArguments: 'reject' }).ok).toBe(false);
  });

  test("ArkType's empty object lists no keys, so it takes every key", () => {
    expect(run(type({}), { a: 1 }, { unknownArguments: 'reject' })).toEqual({ ok: true, value: { a: 1 } });
  });
});

describe('long lists of keys', () => {
  test('at most fifty allowed keys are named', () => {
    const shape = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [`k${index}`, z.string().optional()]),
    );
    const result = run(z.strictObject(shape), { other: 1 });
    const message = result.ok ? '' : (result.issues[0]?.message ?? '');
    expect(message).toMatch(/k48, k49 and 10 more\.$/);
  });

  test('at most a hundred problems are listed, and the rest is counted', () => {
    const strangers = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`x${index}`, 1]));
    const schema = compileInput(z.object({ list: z.array(z.string()) }), { unknownArguments: 'reject' });
    const result = validate(schema, { ...strangers, list: Array.from({ length: 70 }, () => 1) });
    const issues = result.ok ? [] : result.issues;
    expect(issues).toHaveLength(101);
    expect(issues.at(-1)).toEqual({ path: [], message: 'has 4970 more problems that are not listed' });
  });
});
