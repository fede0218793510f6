import type { Clock } from './clock.ts';

/** The value of a promise, if it settles in time; otherwise rejects, and later results are dropped. */
export function withinTime<TValue>(promise: PromiseLike<TValue>, clock: Clock, ms: number): Promise<TValue> {
  return new Promise((resolve, reject) => {
    const cancel = clock.schedule(
      () => reject(new DOMException(`Timed out after ${ms} ms`, 'TimeoutError')),
      ms,
    );
    promise.then(
      (value) => {
        cancel();
        resolve(value);
      },
      (error: unknown) => {
        cancel();
        reject(error instanceof Error ? error : new Error(String(error)));
      },
    );
  });
}
