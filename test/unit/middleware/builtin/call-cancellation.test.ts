import { describe, expect, test } from 'vitest';
import { audit } from '../../../../src/middleware/builtin/audit.ts';
import { concurrency } from '../../../../src/middleware/builtin/concurrency.ts';
import { exclusive } from '../../../../src/middleware/builtin/exclusive.ts';
import { resultCache } from '../../../../src/middleware/builtin/result-cache.ts';
import { retry } from '../../../../src/middleware/builtin/retry.ts';
import { timeout } from '../../../../src/middleware/builtin/timeout.ts';
import { cancellationOf, narrowCancellation } from '../../../../src/middleware/parts/call-cancellation.ts';
import { FakeClock } from '../../../support/fake-clock.ts';
import { chainOf, subjectOf, TestContext } from './harness.ts';

describe('the cancellation of a call', () => {
  test('is observed without a signal', () => {
    const context = new TestContext();
    const seen: unknown[] = [];
    cancellationOf(context).onCancel(() => seen.push(cancellationOf(context).reason));
    context.stop('gone');
    context.stop('gone again');
    expect(seen).toEqual(['gone']);
  });

  test('aborts a signal that is read before it and one that is read after it', () => {
    const before = new TestContext();
    const { signal } = before;
    before.stop('gone');
    expect([signal.aborted, signal.reason, before.signal === signal]).toEqual([true, 'gone', true]);
    const after = new TestContext();
    after.stop('gone');
    expect([after.signal.aborted, after.signal.reason]).toEqual([true, 'gone']);
  });

  test.each([
    ['audit', audit({ write: () => {} })],
    ['concurrency', concurrency({ limit: 1 })],
    ['exclusive', exclusive()],
    ['resultCache', resultCache()],
    ['retry', retry()],
    ['timeout', timeout({ ms: 100, clock: new FakeClock() })],
  ])('%s observes it without creating a signal', async (_, middleware) => {
    let reads = 0;
    const context = Object.defineProperty(new TestContext(), 'signal', { get: () => (reads += 1) });
    for (const hint of ['isReadOnly', 'isDestructive'])
      expect(await chainOf(() => 'done', [middleware], subjectOf({ [hint]: true }))({}, context)).toBe(
        'done',
      );
    expect(reads).toBe(0);
  });
});

describe('a narrowed cancellation', () => {
  test('is seen instead of the former one until it is restored', () => {
    const context = new TestContext();
    const { signal, cancellation } = context;
    const narrowed = narrowCancellation(context);
    expect(context.signal).not.toBe(signal);
    narrowed.restore();
    expect([context.signal === signal, context.cancellation === cancellation]).toEqual([true, true]);
  });

  test('is cancelled by itself, and the former one is not', () => {
    const context = new TestContext();
    const { signal } = context;
    const narrowed = narrowCancellation(context);
    const inner = context.signal;
    narrowed.cancel('late');
    expect([inner.aborted, inner.reason, context.hasStopped]).toEqual([true, 'late', true]);
    narrowed.restore();
    expect([signal.aborted, context.hasStopped]).toEqual([false, false]);
  });

  test('is cancelled with the former one, also with one that is cancelled already', () => {
    const context = new TestContext();
    narrowCancellation(context);
    const inner = context.signal;
    context.stop('gone');
    expect([inner.aborted, inner.reason]).toEqual([true, 'gone']);
    const again = new TestContext();
    again.stop('gone before');
    narrowCancellation(again);
    expect(again.signal.reason).toBe('gone before');
  });

  test('within another one: each is restored to the one around it', () => {
    const context = new TestContext();
    const former = context.signal;
    const outer = narrowCancellation(context);
    const outerSignal = context.signal;
    const inner = narrowCancellation(context);
    inner.restore();
    expect(context.signal).toBe(outerSignal);
    outer.restore();
    expect(context.signal).toBe(former);
  });

  test('an outer one that is restored first takes the inner one with it, and a late restore changes nothing', () => {
    const context = new TestContext();
    const former = context.signal;
    const outer = narrowCancellation(context);
    const inner = narrowCancellation(context);
    outer.cancel('late');
    outer.restore();
    expect(context.signal).toBe(former);
    const second = narrowCancellation(context);
    const secondSignal = context.signal;
    inner.restore();
    expect(context.signal).toBe(secondSignal);
    second.restore();
    expect(context.signal).toBe(former);
  });

  test('stopping the call cancels all of them', () => {
    const context = new TestContext();
    const signals = [context.signal];
    for (let depth = 0; depth < 2; depth += 1) {
      narrowCancellation(context);
      signals.push(context.signal);
    }
    context.stop('gone');
    expect(signals.map(({ reason }) => reason as unknown)).toEqual(['gone', 'gone', 'gone']);
  });

  test('a restored one no longer follows the former one', () => {
    const context = new TestContext();
    const narrowed = narrowCancellation(context);
    const inner = context.signal;
    narrowed.restore();
    context.stop('gone');
    expect(inner.aborted).toBe(false);
  });
});
