import { findJsonRefusal } from '../base/json/find-json-refusal.ts';
import type { JsonRefusal } from '../base/json/find-json-refusal.ts';

/** Result of {@link serialize}: the JSON text, or the reason why there is none. */
export type Serialized =
  | { readonly ok: true; readonly json: string }
  | {
      readonly ok: false;
      readonly reason: string;
      /** Whether the value is only too large. */
      readonly isTooLarge: boolean;
    };

/**
 * Maximum nesting, which every JSON implementation between here and the client can handle. `JSON.stringify` itself
 * fails near 5,000 levels, and code that serializes the reply again needs room on the stack.
 */
export const MAX_RESULT_DEPTH = 512;

/** Options of {@link serialize}. */
export interface SerializeOptions {
  /** Maximum size in bytes. Escapes are not counted: the text may have up to six times as many bytes. */
  readonly maxBytes: number;
  /** Spaces per level. Default: 0. */
  readonly spaces?: number | undefined;
}

/**
 * Serializes a value as JSON, or returns the reason why it cannot: BigInt, bytes, cycles, too deep, too large, a
 * throwing getter or `toJSON`.
 */
export function serialize(value: unknown, { maxBytes, spaces = 0 }: SerializeOptions): Serialized {
  let json: string | undefined;
  try {
    const refusal = findJsonRefusal(value, { maxBytes, spaces, maxDepth: MAX_RESULT_DEPTH });
    if (refusal !== undefined)
      return { ok: false, reason: REASONS[refusal], isTooLarge: refusal === 'large' };
    json = JSON.stringify(value, undefined, spaces) as string | undefined;
  } catch (thrown) {
    return { ok: false, reason: reasonFor(thrown), isTooLarge: false };
  }
  if (json !== undefined) return { ok: true, json };
  return { ok: false, reason: `${NAMES[typeof value] ?? 'it'} has no JSON form`, isTooLarge: false };
}

const { Buffer: nodeBuffer } = globalThis as { readonly Buffer?: { byteLength(text: string): number } };

/** Node counts without encoding, which takes a tenth of the time. */
const byteLengthOf = (text: string): number =>
  nodeBuffer?.byteLength(text) ?? new TextEncoder().encode(text).byteLength;

/** Size of a text in UTF-8 bytes; if it is surely below `limit`, only its length. */
export function sizeWithin(text: string, limit: number): number {
  // A UTF-16 unit takes at most three bytes.
  return text.length * 3 < limit ? text.length : byteLengthOf(text);
}

/** Reasons why a value cannot be sent. */
export const REASONS: Readonly<Record<JsonRefusal, string>> = {
  large: 'it is too large',
  deep: `it is nested deeper than ${MAX_RESULT_DEPTH} levels`,
  cycle: 'it contains itself (a cycle)',
  bytes:
    'it contains bytes (a typed array or a buffer), which have no JSON form; convert them to a base64 string, such as the data of an image, or leave them out',
};

const NAMES: Readonly<Record<string, string>> = {
  undefined: 'undefined',
  function: 'a function',
  symbol: 'a symbol',
};

/**
 * Does not include messages of foreign code: a `toJSON` may put anything into its error, and throw when that is
 * read.
 */
function reasonFor(thrown: unknown): string {
  try {
    if (thrown instanceof RangeError)
      return thrown.message.includes('string length') ? REASONS.large : REASONS.deep;
    const message = thrown instanceof TypeError ? thrown.message : '';
    if (message.includes('BigInt')) return 'it contains a BigInt; convert it to a string or a number';
    if (message.includes('circular')) return REASONS.cycle;
  } catch {
    // The error does not come from JSON.stringify.
  }
  return 'one of its members throws when it is read';
}
