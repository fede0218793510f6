/* oxlint-disable prefer-add-event-listener, no-misused-promises -- what handlers do */
import { describe, expect, test, vi } from 'vitest';
import { GuardedController } from '../../../src/middleware/parts/guarded-controller.ts';

function guarded(): { readonly controller: GuardedController; readonly failures: string[] } {
  const failures: string[] = [];
  const error = (message: string, fields?: Readonly<Record<string, unknown>>): void => {
    failures.push(`${message}: ${(fields?.['error'] as { message: string } | undefined)?.message}`);
  };
  return { controller: new GuardedController({ error }), failures };
}

const fail = (): never => {
  throw new Error('careless');
};
const LOGGED = 'an abort listener of a call failed: careless';

/** Waits until all errors have been raised. */
const settled = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

describe('errors of signal listeners are logged, and not thrown', () => {
  test.each<[string, (signal: AbortSignal) => void]>([
    ['a function', (signal) => signal.addEventListener('abort', fail)],
    ['an object', (signal) => signal.addEventListener('abort', { handleEvent: fail })],
    ['an asynchronous function', (signal) => signal.addEventListener('abort', async () => fail())],
    ['a property', (signal) => (signal.onabort = fail)],
  ])('%s', async (_, listen) => {
    const { controller, failures } = guarded();
    listen(controller.signal);
    controller.abort(new Error('stop'));
    await settled();
    expect(failures).toEqual([LOGGED]);
  });

  test('the others are called all the same', () => {
    const { controller } = guarded();
    const other = vi.fn();
    controller.signal.addEventListener('abort', fail);
    controller.signal.addEventListener('abort', other);
    controller.abort('stop');
    expect(other).toHaveBeenCalledOnce();
  });
});

describe('a guarded signal is a signal like any other', () => {
  test('it is one, and says why it was aborted', () => {
    const { controller } = guarded();
    expect(controller.signal).toBeInstanceOf(AbortSignal);
    controller.abort('stop');
    expect([controller.signal.aborted, controller.signal.reason]).toEqual([true, 'stop']);
    expect(() => controller.signal.throwIfAborted()).toThrow('stop');
  });

  test('signals of others follow it', () => {
    const { controller } = guarded();
    const following = AbortSignal.any([controller.signal, AbortSignal.timeout(60_000)]);
    controller.abort('stop');
    expect(following.reason).toBe('stop');
  });

  test('a listener that is added twice is called once, and not at all once it is removed', () => {
    const { controller } = guarded();
    const [twice, removed, once] = [vi.fn(), vi.fn(), vi.fn()];
    controller.signal.addEventListener('abort', twice);
    controller.signal.addEventListener('abort', twice);
    controller.signal.addEventListener('abort', removed);
    controller.signal.removeEventListener('abort', removed);
    controller.signal.addEventListener('abort', once, { once: true });
    controller.abort('stop');
    expect([twice, removed, once].map((listener) => listener.mock.calls.length)).toEqual([1, 0, 1]);
    expect(twice.mock.calls[0]?.[0]).toMatchObject({ type: 'abort' });
  });

  test('onabort gives back what was set', () => {
    const { controller } = guarded();
    const [first, second] = [vi.fn(), vi.fn()];
    expect(controller.signal.onabort).toBeNull();
    controller.signal.onabort = first;
    expect(controller.signal.onabort).toBe(first);
    controller.signal.onabort = second;
    controller.abort('stop');
    controller.signal.onabort = null;
    expect(controller.signal.onabort).toBeNull();
    expect([first, second].map((handler) => handler.mock.calls.length)).toEqual([0, 1]);
  });

  test('requests take it', async () => {
    const { controller } = guarded();
    controller.abort(new Error('stop'));
    await expect(fetch('http://127.0.0.1:1', { signal: controller.signal })).rejects.toThrow('stop');
  });
});
