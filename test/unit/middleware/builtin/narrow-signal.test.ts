import { describe, expect, test } from 'vitest';
import { narrowSignal } from '../../../../src/middleware/parts/narrow-signal.ts';
import { CallContext } from '../../../../src/pipeline/context/call-context.ts';
import { subjectOf, TestContext } from './harness.ts';

describe('a narrowed signal', () => {
  test('is seen instead of the former one until it is restored', () => {
    const context = new TestContext();
    const former = context.signal;
    const narrowed = narrowSignal(context);
    expect(context.signal).not.toBe(former);
    narrowed.restore();
    expect(context.signal).toBe(former);
    expect(Object.hasOwn(context, 'signal')).toBe(false);
  });

  test('aborts by itself, and the former one does not', () => {
    const context = new TestContext();
    const former = context.signal;
    const narrowed = narrowSignal(context);
    const inner = context.signal;
    narrowed.abort('late');
    expect([inner.aborted, inner.reason, former.aborted]).toEqual([true, 'late', false]);
  });

  test('aborts with the former one, also with one that is aborted already', () => {
    const context = new TestContext();
    narrowSignal(context);
    const inner = context.signal;
    context.abort('gone');
    expect([inner.aborted, inner.reason]).toEqual([true, 'gone']);
    const again = new TestContext();
    again.abort('gone before');
    narrowSignal(again);
    expect(again.signal.reason).toBe('gone before');
  });

  test('within another one: each is restored to the one around it', () => {
    const context = new TestContext();
    const outer = narrowSignal(context);
    const outerSignal = context.signal;
    const inner = narrowSignal(context);
    inner.restore();
    expect(context.signal).toBe(outerSignal);
    outer.restore();
    expect(Object.hasOwn(context, 'signal')).toBe(false);
  });

  test('an outer one that is restored first takes the inner one with it, and a late restore changes nothing', () => {
    const context = new TestContext();
    const former = context.signal;
    const outer = narrowSignal(context);
    const inner = narrowSignal(context);
    outer.abort('late');
    outer.restore();
    expect(context.signal).toBe(former);
    const second = narrowSignal(context);
    const secondSignal = context.signal;
    inner.restore();
    expect(context.signal).toBe(secondSignal);
    second.restore();
    expect(context.signal).toBe(former);
  });

  test('a context with a signal of its own gets that one back', () => {
    const { signal } = new AbortController();
    const context = Object.defineProperty(new TestContext(), 'signal', {
      value: signal,
      writable: true,
      configurable: true,
    });
    narrowSignal(context).restore();
    expect(Object.getOwnPropertyDescriptor(context, 'signal')).toMatchObject({
      value: signal,
      writable: true,
    });
  });

  test('the context of the pipeline can be narrowed, and stopping the call aborts both', () => {
    const { log, cache } = new TestContext();
    const subject = subjectOf();
    const parts = { name: 'things', operation: 'things', subject, log, cache, collaborators: {} as never };
    const context = new CallContext(parts, { name: 'things' }, {});
    const former = context.signal;
    const narrowed = narrowSignal(context);
    const inner = context.signal;
    context.stop('gone');
    narrowed.restore();
    expect([inner.reason, former.reason, context.signal === former]).toEqual(['gone', 'gone', true]);
  });

  test('a restored one no longer listens to the former one', () => {
    const context = new TestContext();
    const narrowed = narrowSignal(context);
    const inner = context.signal;
    narrowed.restore();
    context.abort('gone');
    expect(inner.aborted).toBe(false);
  });
});
