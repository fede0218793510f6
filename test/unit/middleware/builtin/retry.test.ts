import { describe, expect, test } from 'vitest';
import { CallRefusedError, ToolError, ValidationError } from '../../../../src/errors/errors.ts';
import { createError } from '../../../../src/format/tool-response.ts';
import { retry } from '../../../../src/middleware/builtin/retry.ts';
import type { RetryOptions } from '../../../../src/middleware/builtin/retry.ts';
import { FakeClock } from '../../../support/fake-clock.ts';
import { chainOf, settle, subjectOf, TestContext } from './harness.ts';

const READ_ONLY = subjectOf({ isReadOnly: true });

/** Fails with each of the errors in turn, then succeeds. */
function failing(errors: readonly unknown[]): { handler: () => Promise<unknown>; runs: () => number } {
  let runs = 0;
  const handler = async (): Promise<unknown> => {
    const error = errors[runs];
    runs += 1;
    if (error !== undefined) throw error;
    return 'done';
  };
  return { handler, runs: () => runs };
}

const atOnce: RetryOptions = { backoffMs: 0 };

describe('retried calls', () => {
  test.each([
    ['read-only', { isReadOnly: true }],
    ['idempotent', { isIdempotent: true }],
  ])('%s calls', async (_, given) => {
    const { handler, runs } = failing([new Error('once'), new Error('twice')]);
    expect(await chainOf(handler, [retry(atOnce)], subjectOf(given))()).toBe('done');
    expect(runs()).toBe(3);
  });

  test('all others run once', async () => {
    const { handler, runs } = failing([new Error('once')]);
    await expect(chainOf(handler, [retry(atOnce)], subjectOf({ isDestructive: true }))()).rejects.toThrow(
      'once',
    );
    expect(runs()).toBe(1);
  });

  test('three attempts by default, and then the last error', async () => {
    const { handler, runs } = failing([1, 2, 3, 4].map((run) => new Error(`run ${run}`)));
    await expect(chainOf(handler, [retry(atOnce)], READ_ONLY)()).rejects.toThrow('run 3');
    expect(runs()).toBe(3);
  });

  test.each([
    ['a thrown text', 'text', 2],
    ['TIMED_OUT', new CallRefusedError('TIMED_OUT', 'Slow.'), 2],
    ['BUSY', new CallRefusedError('BUSY', 'Full.'), 2],
    ['RATE_LIMITED', new CallRefusedError('RATE_LIMITED', 'Often.'), 1],
    ['CANCELLED', new CallRefusedError('CANCELLED', 'Gone.'), 1],
    ['RESULT_TOO_LARGE', new CallRefusedError('RESULT_TOO_LARGE', 'Large.'), 1],
    ['a ToolError', new ToolError('No.'), 1],
    ['a ValidationError', new ValidationError([]), 1],
    ['BUSY for longer than we wait', new CallRefusedError('BUSY', 'Full.', { retryAfterMs: 60_000 }), 1],
  ])('%s: %#', async (_, error, wanted) => {
    const { handler, runs } = failing([error]);
    await chainOf(handler, [retry(atOnce)], READ_ONLY)().catch(() => {});
    expect(runs()).toBe(wanted);
  });

  test('a failure as a value is an answer, and not tried again', async () => {
    let runs = 0;
    const handler = (): unknown => ((runs += 1), createError({ message: 'No.', suggestions: [] }));
    await chainOf(handler, [retry(atOnce)], READ_ONLY)();
    expect(runs).toBe(1);
  });

  test('shouldRetry decides instead, and one that throws decides against', async () => {
    const first = failing([new ToolError('No.')]);
    const asked: unknown[] = [];
    const shouldRetry = (...args: unknown[]): boolean => asked.push(args) > 0;
    expect(await chainOf(first.handler, [retry({ ...atOnce, shouldRetry })], READ_ONLY)()).toBe('done');
    expect(asked).toEqual([[expect.objectContaining({ message: 'No.' }), 2]]);
    const second = failing([new Error('the real one')]);
    const broken = (): boolean => expect.fail('broken');
    const chain = chainOf(second.handler, [retry({ ...atOnce, shouldRetry: broken })], READ_ONLY);
    await expect(chain()).rejects.toThrow('the real one');
  });
});

describe('the wait', () => {
  test('is random up to a bound that doubles, up to the longest', async () => {
    const clock = new FakeClock();
    const waits: number[] = [];
    const schedule = (callback: () => void, ms: number): (() => void) => {
      waits.push(ms);
      callback();
      return () => {};
    };
    const { handler } = failing(Array.from({ length: 5 }, () => new Error('broken')));
    const options = { attempts: 6, backoffMs: 100, maxBackoffMs: 1000, random: () => 0.5 };
    const middleware = retry({ ...options, clock: { now: () => clock.now(), schedule } });
    expect(await chainOf(handler, [middleware], READ_ONLY)()).toBe('done');
    expect(waits).toEqual([50, 100, 200, 400, 500]);
  });

  test('is the time that the rejection asks for', async () => {
    const clock = new FakeClock();
    const { handler, runs } = failing([new CallRefusedError('BUSY', 'Full.', { retryAfterMs: 700 })]);
    const result = chainOf(handler, [retry({ clock, random: () => 0 })], READ_ONLY)();
    await settle();
    clock.advance(699);
    await settle();
    expect(runs()).toBe(1);
    clock.advance(1);
    expect(await result).toBe('done');
  });

  test('ends at once when the call is cancelled, and leaves no timer', async () => {
    const clock = new FakeClock();
    const context = new TestContext();
    const { handler, runs } = failing([new Error('broken')]);
    const result = chainOf(handler, [retry({ clock, random: () => 1 })], READ_ONLY)({}, context);
    const failure = expect(result).rejects.toMatchObject({ code: 'CANCELLED' });
    await settle();
    expect(clock.pending).toBe(1);
    context.stop(undefined);
    await failure;
    expect([runs(), clock.pending]).toEqual([1, 0]);
  });

  test('a call that was cancelled while it ran is not tried again', async () => {
    const context = new TestContext();
    let runs = 0;
    const handler = (): never => {
      runs += 1;
      context.stop(undefined);
      throw new Error('broken');
    };
    await expect(chainOf(handler, [retry(atOnce)], READ_ONLY)({}, context)).rejects.toThrow('broken');
    expect(runs).toBe(1);
  });
});

describe('the budget', () => {
  test('10,000 calls that all fail make at most 1,010 retries', async () => {
    let runs = 0;
    const handler = (): Promise<never> => ((runs += 1), Promise.reject(new Error('down')));
    const chain = chainOf(handler, [retry(atOnce)], READ_ONLY);
    for (let call = 0; call < 10_000; call += 1) await chain().catch(() => {});
    // Ten retries of the initial budget, and one for every ten calls.
    expect(runs).toBeGreaterThan(11_000);
    expect(runs).toBeLessThanOrEqual(11_010);
  });

  test('10,000 calls of which a tenth fails: all are saved with at most a tenth more requests', async () => {
    let runs = 0;
    let failed = 0;
    const handler = ({ input }: { input: unknown }): unknown => {
      runs += 1;
      const { calls } = input as { calls: number[] };
      if (calls.push(runs) === 1 && (input as { index: number }).index % 10 === 0) throw new Error('down');
      return 'done';
    };
    const chain = chainOf(handler, [retry(atOnce)], READ_ONLY);
    for (let index = 0; index < 10_000; index += 1)
      await chain({ index, calls: [] }).catch(() => (failed += 1));
    expect([failed, runs]).toEqual([0, 11_000]);
  });

  test('is the middleware’s own', async () => {
    const middleware = retry({ ...atOnce, budget: { ratio: 0, reserve: 1 } });
    const spent = failing([new Error('a')]);
    expect(await chainOf(spent.handler, [middleware], READ_ONLY)()).toBe('done');
    const without = failing([new Error('b')]);
    await expect(chainOf(without.handler, [middleware], READ_ONLY)()).rejects.toThrow('b');
    const other = failing([new Error('c')]);
    expect(
      await chainOf(other.handler, [retry({ ...atOnce, budget: { ratio: 0, reserve: 1 } })], READ_ONLY)(),
    ).toBe('done');
  });

  test.each([
    [{ attempts: 0 }, 'retry: attempts'],
    [{ backoffMs: -1 }, 'retry: backoffMs'],
    [{ budget: { ratio: 2 } }, 'retry: budget.ratio'],
    [{ budget: { reserve: -1 } }, 'retry: budget.reserve'],
  ])('%j is refused when it is made', (options, named) => {
    expect(() => retry(options)).toThrow(named);
  });
});
