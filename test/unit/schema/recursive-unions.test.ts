import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { compileInput, validate } from './compile.ts';

/** Two alternatives without a distinguishing required member, so both are tried at every level. */
const zodNode: z.ZodType = z.union([
  z.object({ n: z.number() }),
  z.object({
    a: z.string().optional(),
    get next() {
      return zodNode;
    },
  }),
  z.object({
    b: z.string().optional(),
    get next() {
      return zodNode;
    },
  }),
]);

const DEPTH = 40;
const MAX_READS = 10_000;

/** A value whose innermost object counts its reads. Too many end the test: 2 ** 40 would never end. */
function createDeep(leaf: object): { value: unknown; reads: () => number } {
  let reads = 0;
  const count = (): void => {
    reads += 1;
    if (reads > MAX_READS) throw new Error('read too often');
  };
  let value: object = new Proxy(leaf, {
    get: (target, key): unknown => {
      count();
      return Reflect.get(target, key);
    },
    ownKeys: (target) => {
      count();
      return Reflect.ownKeys(target);
    },
  });
  for (let level = 0; level < DEPTH; level += 1) value = { next: value };
  return { value: { root: value }, reads: () => reads };
}

describe('a recursive union of like alternatives, forty levels deep', () => {
  const schema = z.object({ root: zodNode });

  test.each([
    ['where unknown arguments are rejected', { unknownArguments: 'reject' }],
    ['where arguments are repaired', { repair: true }],
    ['where arguments are repaired and unknown ones rejected', { repair: true, unknownArguments: 'reject' }],
  ] as const)('a wrong leaf is found with bounded work %s', (_, options) => {
    const { value, reads } = createDeep({ n: 'x' });
    expect(validate(compileInput(schema, options), value).ok).toBe(false);
    expect(reads()).toBeLessThan(MAX_READS);
  });

  test('an unknown key at the leaf is found with bounded work', () => {
    const { value, reads } = createDeep({ n: 1, extra: true });
    const result = validate(compileInput(schema, { unknownArguments: 'reject' }), value);
    expect(result.ok ? [] : result.issues.map((issue) => issue.path.at(-1))).toEqual(['extra']);
    expect(reads()).toBeLessThan(MAX_READS);
  });
});

test('cached checks of a value do not outlive the call', () => {
  const schema = z.object({
    v: z.union([
      z.object({ n: z.number(), a: z.string().optional() }),
      z.object({ n: z.string(), b: z.string().optional() }),
    ]),
  });
  const compiled = compileInput(schema, { unknownArguments: 'reject' });
  const v: Record<string, unknown> = { n: 1 };
  expect(validate(compiled, { v })).toEqual({ ok: true, value: { v: { n: 1 } } });
  Object.assign(v, { n: 'x', b: 'y' });
  expect(validate(compiled, { v })).toEqual({ ok: true, value: { v: { n: 'x', b: 'y' } } });
});
