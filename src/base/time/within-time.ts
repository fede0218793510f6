import type { Clock } from './clock.ts';

/** What a promise gives, if it does so in time. Else it rejects, and whatever comes later is dropped. */
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
