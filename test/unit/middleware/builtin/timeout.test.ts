import { describe, expect, test } from 'vitest';
import { retry } from '../../../../src/middleware/builtin/retry.ts';
import { timeout } from '../../../../src/middleware/builtin/timeout.ts';
import { FakeClock } from '../../../support/fake-clock.ts';
import { chainOf, deferred, settle, subjectOf, TestContext } from './harness.ts';

describe('timeout', () => {
  test('a call within its timeout passes, and leaves neither a timer nor a signal behind', async () => {
    const clock = new FakeClock();
    const context = new TestContext();
    const { cancellation } = context;
    expect(await chainOf(() => 'in time', [timeout({ ms: 100, clock })])({}, context)).toBe('in time');
    const throwing = chainOf(() => Promise.reject(new Error('broken')), [timeout({ ms: 100, clock })]);
    await expect(throwing({}, context)).rejects.toThrow('broken');
    expect([clock.pending, context.cancellation === cancellation]).toEqual([0, true]);
  });

  test('a late call fails with TIMED_OUT, at the deadline and not before', async () => {
    const clock = new FakeClock();
    let failure: unknown;
    const late = chainOf(() => new Promise(() => {}), [timeout({ ms: 100, clock })])();
    late.catch((error: unknown) => (failure = error));
    clock.advance(99);
    await settle();
    expect(failure).toBeUndefined();
    clock.advance(1);
    await settle();
    expect(failure).toMatchObject({
      name: 'CallRefusedError',
      code: 'TIMED_OUT',
      message: "'things' did not finish within 100 ms and was stopped.",
    });
  });

  test('the handler sees its signal aborted, the call does not', async () => {
    const clock = new FakeClock();
    const context = new TestContext();
    let seen: AbortSignal | undefined;
    const handler = ({ context: { signal } }: { context: { signal: AbortSignal } }): Promise<unknown> => {
      seen = signal;
      return new Promise(() => {});
    };
    const late = chainOf(handler, [timeout({ ms: 100, clock })])({}, context);
    clock.advance(100);
    await expect(late).rejects.toMatchObject({ code: 'TIMED_OUT' });
    expect([seen?.aborted, (seen?.reason as Error | undefined)?.name, context.signal.aborted]).toEqual([
      true,
      'TimeoutError',
      false,
    ]);
  });

  test('late results and late rejections are dropped', async () => {
    const clock = new FakeClock();
    const unhandled: unknown[] = [];
    const onUnhandled = (error: unknown): void => void unhandled.push(error);
    process.on('unhandledRejection', onUnhandled);
    for (const end of ['resolve', 'reject'] as const) {
      const work = deferred();
      const late = chainOf(() => work.promise, [timeout({ ms: 100, clock })])();
      clock.advance(100);
      await expect(late).rejects.toMatchObject({ code: 'TIMED_OUT' });
      work[end](new Error('late'));
      await settle();
    }
    process.off('unhandledRejection', onUnhandled);
    expect(unhandled).toEqual([]);
  });

  test('a retry in front of it tries again, with a signal that is not aborted', async () => {
    const clock = new FakeClock();
    const context = new TestContext();
    const signals: AbortSignal[] = [];
    const chain = chainOf(
      ({ context: { signal } }) => {
        signals.push(signal);
        return signals.length === 1 ? new Promise(() => {}) : 'second';
      },
      [retry({ backoffMs: 0, clock }), timeout({ ms: 100, clock })],
      subjectOf({ isReadOnly: true }),
    );
    const result = chain({}, context);
    clock.advance(100);
    expect(await result).toBe('second');
    expect(signals.map((signal) => signal.aborted)).toEqual([true, false]);
  });

  test('a deadline inside a deadline: the outer one ends both, and the call may continue', async () => {
    const clock = new FakeClock();
    const context = new TestContext();
    let seen: AbortSignal | undefined;
    const middleware = [timeout({ ms: 100, clock }), timeout({ ms: 500, clock })];
    const late = chainOf((call) => ((seen = call.context.signal), new Promise(() => {})), middleware)(
      {},
      context,
    );
    clock.advance(100);
    await expect(late).rejects.toMatchObject({
      message: "'things' did not finish within 100 ms and was stopped.",
    });
    expect([seen?.aborted, context.signal.aborted]).toEqual([true, false]);
    clock.advance(400);
    await settle();
  });

  test.each([0, -1, Number.NaN, 2_147_483_648])('a deadline of %d ms is refused when it is made', (ms) => {
    expect(() => timeout({ ms })).toThrow(/^timeout: ms must be a number from 1 to 2147483647/);
  });
});
