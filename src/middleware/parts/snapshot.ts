import { createError, createSuccess, responseKind } from '../../format/tool-response.ts';
import type { ErrorResponse, SuccessResponse } from '../../format/tool-response.ts';
import { toExactText } from '../../format/exact-text.ts';

/** An independent copy of a handler's result. Plain data, so that any store can keep it. */
export interface Snapshot {
  readonly kind: 'value' | 'success' | 'error';
  /** The value itself, or the members of a `success` or `error` value. */
  readonly parts: unknown;
}

/** The copy; undefined if there is no exact one, or if it is longer than `maxChars` as JSON. */
export function takeSnapshot(value: unknown, maxChars: number): Snapshot | undefined {
  try {
    const kind = responseKind(value) ?? 'value';
    // Without the symbol that marks these values: neither a clone nor a store preserves it.
    const parts = kind === 'value' ? value : Object.fromEntries(Object.entries(value as object));
    if (toExactText(parts, maxChars) === undefined) return undefined;
    return { kind, parts: structuredClone(parts) };
  } catch {
    return undefined;
  }
}

/** A new copy of the handler's result for each caller. */
export function openSnapshot({ kind, parts }: Snapshot): unknown {
  const copy: unknown = structuredClone(parts);
  if (kind === 'success') return createSuccess(copy as SuccessResponse);
  return kind === 'error' ? createError(copy as ErrorResponse) : copy;
}

/** Whether a value from a store is a snapshot. */
export function isSnapshot(value: unknown): value is Snapshot {
  if (typeof value !== 'object' || value === null) return false;
  const { kind } = value as { kind?: unknown };
  return kind === 'value' || kind === 'success' || kind === 'error';
}
