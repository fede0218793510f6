import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { mayBeAsyncZod } from '../../../src/schema/zod/zod-async.ts';
import { compileInput } from './compile.ts';

const unhandled: unknown[] = [];
const remember = (reason: unknown): void => {
  unhandled.push(reason);
};

beforeEach(() => {
  unhandled.length = 0;
  process.on('unhandledRejection', remember);
});

afterEach(() => {
  process.off('unhandledRejection', remember);
});

/** Node reports an unhandled rejection after the microtasks, before the next immediate. */
const afterReports = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const isEven = async (value: number): Promise<boolean> => value % 2 === 0;

describe('asynchronous checks', () => {
  test.each([
    ['refine', z.string().refine(async () => Promise.reject(new Error('down')))],
    ['superRefine', z.string().superRefine(async () => Promise.reject(new Error('down')))],
    ['transform', z.string().transform(async () => Promise.reject(new Error('down')))],
    ['preprocess', z.preprocess(async () => Promise.reject(new Error('down')), z.string())],
    [
      'codec',
      z.codec(z.string(), z.string(), {
        decode: async () => Promise.reject(new Error('down')),
        encode: (text) => text,
      }),
    ],
  ])('a rejection of %s rejects the validation and nothing else', async (_, id) => {
    const compiled = compileInput(z.object({ id }), {
      override: { type: 'object', properties: { id: { type: 'string' } } },
    });
    await expect(compiled.validate({ id: 'a' })).rejects.toThrow('down');
    await afterReports();
    expect(unhandled).toEqual([]);
  });

  test('an asynchronous refinement runs once per call', async () => {
    const seen: number[] = [];
    const schema = z.object({
      n: z.number().refine(async (value) => {
        seen.push(value);
        return isEven(value);
      }, 'must be even'),
    });
    const compiled = compileInput(schema);
    expect(await compiled.validate({ n: 2 })).toEqual({ ok: true, value: { n: 2 } });
    expect(await compiled.validate({ n: 3 })).toEqual({
      ok: false,
      issues: [{ path: ['n'], message: 'must be even', expected: 'number', received: '3 (number)' }],
    });
    expect(seen).toEqual([2, 3]);
  });

  test('a function that turns out to return a promise runs once from the second call on', async () => {
    const seen: number[] = [];
    const schema = z.object({
      n: z.number().refine((value) => {
        seen.push(value);
        return isEven(value);
      }),
    });
    const compiled = compileInput(schema);
    await compiled.validate({ n: 2 });
    await compiled.validate({ n: 4 });
    await compiled.validate({ n: 6 });
    expect(seen).toEqual([2, 2, 4, 6]);
  });

  test('a synchronous schema answers at once', () => {
    const schema = z.object({ n: z.number().refine((value) => value > 0) });
    expect(compileInput(schema).validate({ n: 1 })).toEqual({ ok: true, value: { n: 1 } });
  });

  test('a refinement that throws rejects the validation', async () => {
    const schema = z.object({
      n: z.number().refine(() => {
        throw new Error('broken');
      }),
    });
    await expect(compileInput(schema).validate({ n: 1 })).rejects.toThrow('broken');
  });
});

describe('where an async function is found', () => {
  const later = z.number().refine(isEven);
  const recursive = z.object({
    n: later,
    get children() {
      return z.array(recursive);
    },
  });

  test.each([
    ['in an object', z.object({ a: z.object({ b: later }) })],
    ['in an array', z.array(later)],
    ['in a tuple', z.tuple([z.string(), later])],
    ['in a record', z.record(z.string(), later)],
    ['in a union', z.union([z.string(), later])],
    ['in an intersection', z.intersection(z.object({}), z.object({ later }))],
    ['behind optional, nullable and default', later.optional().nullable().default(2)],
    ['behind lazy', z.lazy(() => later)],
    ['in a recursive object', recursive],
    ['behind a pipe', z.string().transform(Number).pipe(later)],
    ['in a custom schema', z.custom(async () => true)],
    ['in a promise', z.promise(z.string())],
  ])('%s', (_, schema) => {
    expect(mayBeAsyncZod(schema)).toBe(true);
  });

  test('nowhere in schemas without one', () => {
    const tree = z.object({
      name: z.string().min(1).regex(/a/).trim(),
      kind: z.enum(['a', 'b']).default('a'),
      size: z.string().transform(Number).catch(0),
      get children() {
        return z.array(tree);
      },
    });
    expect(mayBeAsyncZod(tree)).toBe(false);
  });
});
