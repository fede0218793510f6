import type { Issue } from '../errors/issue.ts';

/** What validation found: the value, or every complaint. */
export type Validated<TValue> =
  | { readonly ok: true; readonly value: TValue }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** A value that may still be on its way. Synchronous validators stay synchronous: that is the hot path. */
export type MaybePromise<TValue> = TValue | PromiseLike<TValue>;

/** Whether something must be awaited. */
export function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return (
    value !== null &&
    (typeof value === 'object' || typeof value === 'function') &&
    typeof (value as { then?: unknown }).then === 'function'
  );
}
