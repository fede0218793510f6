import { createError, createSuccess, responseKind } from '../../format/tool-response.ts';
import type { ErrorResponse, SuccessResponse } from '../../format/tool-response.ts';
import { toExactText } from '../../format/exact-text.ts';

/** A copy of a handler's result that is not shared with other code. Plain data, so that any store can keep it. */
export interface Snapshot {
  readonly kind: 'value' | 'success' | 'error';
  /** The value itself, or the parts of what `success` and `error` made. */
  readonly parts: unknown;
}

/** The copy; undefined of what has no exact one, and of what is longer than so many characters as JSON. */
export function takeSnapshot(value: unknown, maxChars: number): Snapshot | undefined {
  try {
    const kind = responseKind(value) ?? 'value';
    // Without the mark of the helpers: it is a symbol, which neither a clone nor a store keeps.
    const parts = kind === 'value' ? value : Object.fromEntries(Object.entries(value as object));
    if (toExactText(parts, maxChars) === undefined) return undefined;
    return { kind, parts: structuredClone(parts) };
  } catch {
    return undefined;
  }
}

/** What the handler returned, made anew for each that asks. */
export function openSnapshot({ kind, parts }: Snapshot): unknown {
  const copy: unknown = structuredClone(parts);
  if (kind === 'success') return createSuccess(copy as SuccessResponse);
  return kind === 'error' ? createError(copy as ErrorResponse) : copy;
}

/** Whether what a store gave is a snapshot. */
export function isSnapshot(value: unknown): value is Snapshot {
  if (typeof value !== 'object' || value === null) return false;
  const { kind } = value as { kind?: unknown };
  return kind === 'value' || kind === 'success' || kind === 'error';
}
