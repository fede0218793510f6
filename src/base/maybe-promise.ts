/** A value that may still be on its way. What is synchronous stays so: that is the hot path. */
export type MaybePromise<TValue> = TValue | PromiseLike<TValue>;

/** Whether something must be awaited. */
export function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return (
    value !== null &&
    (typeof value === 'object' || typeof value === 'function') &&
    typeof (value as { then?: unknown }).then === 'function'
  );
}
