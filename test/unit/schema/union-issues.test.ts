import { toStandardJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { Issue } from '../../../src/errors/issue.ts';
import { compileInput, validate } from './compile.ts';

const issuesOf = (schema: unknown, value: unknown): [string, string][] => {
  const result = validate(compileInput(schema), value);
  const issues: readonly Issue[] = result.ok ? [] : result.issues;
  return issues.map(({ path, message }) => [path.join('.'), message]);
};

describe('a value that fits no alternative of a union', () => {
  const zod = z.object({
    u: z.union([z.object({ a: z.string(), x: z.number() }), z.object({ b: z.number() }), z.string()]),
  });

  test('gets the issues of the closest alternative, with paths', () => {
    expect(issuesOf(zod, { u: { b: 'two' } })).toEqual([
      ['u', 'Invalid input'],
      ['u.b', 'Invalid input: expected number, received string'],
    ]);
    expect(issuesOf(zod, { u: { a: 1, x: 1 } })[1]).toEqual([
      'u.a',
      'Invalid input: expected string, received number',
    ]);
  });

  test('gets no details if it is of another type', () => {
    expect(issuesOf(zod, { u: 7 })).toEqual([['u', 'Invalid input']]);
  });

  test('gets the issues through nested unions', () => {
    const nested = z.object({
      u: z.union([z.object({ in: z.union([z.object({ n: z.number() }), z.null()]) }), z.null()]),
    });
    expect(issuesOf(nested, { u: { in: { n: 'x' } } }).map(([path]) => path)).toEqual([
      'u',
      'u.in',
      'u.in.n',
    ]);
  });

  test('gets the issues of Valibot as well', () => {
    const valibot = toStandardJsonSchema(
      v.object({ u: v.union([v.object({ a: v.string() }), v.object({ b: v.number() })]) }),
    );
    expect(issuesOf(valibot, { u: { a: 1 } }).map(([path]) => path)).toEqual(['u', 'u.a', 'u.b']);
  });
});
