/** A value or a promise of it. Synchronous values stay synchronous, because that is the hot path. */
export type MaybePromise<TValue> = TValue | PromiseLike<TValue>;

/** Whether a value must be awaited. */
export function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return (
    value !== null &&
    (typeof value === 'object' || typeof value === 'function') &&
    typeof (value as { then?: unknown }).then === 'function'
  );
}
