import { findJsonRefusal } from '../base/json/find-json-refusal.ts';
import type { JsonRefusal } from '../base/json/find-json-refusal.ts';

/** Whether a value can be sent, and as what. */
export type Serialized =
  | { readonly ok: true; readonly json: string }
  | {
      readonly ok: false;
      readonly reason: string;
      /** Whether the only reason is its size. */
      readonly isTooLarge: boolean;
    };

/**
 * Nesting that every JSON writer and reader on the way can handle. `JSON.stringify` itself gives up near 5,000 levels, and
 * whoever serialises the reply again needs room on the stack.
 */
export const MAX_RESULT_DEPTH = 512;

/** How a value is written. */
export interface SerializeOptions {
  /** What is larger is given up on the way. Escapes are not counted: a text may still have six times as many bytes. */
  readonly maxBytes: number;
  /** Blanks per level. Default: none. */
  readonly spaces?: number | undefined;
}

/** The value as JSON text, or why it has none: BigInt, bytes, cycles, too deep, too large, a getter or `toJSON` that throws. */
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

/** Node counts without writing the bytes, which takes a tenth of the time. */
const byteLengthOf = (text: string): number =>
  nodeBuffer?.byteLength(text) ?? new TextEncoder().encode(text).byteLength;

/** How many bytes a text has in UTF-8; where that is surely less than `limit`, only its length. */
export function sizeWithin(text: string, limit: number): number {
  // A UTF-16 unit takes at most three bytes.
  return text.length * 3 < limit ? text.length : byteLengthOf(text);
}

/** Why a value cannot be sent, in words. */
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

/** Messages of foreign code stay inside: a `toJSON` may put anything into its error, and throw when that is read. */
function reasonFor(thrown: unknown): string {
  try {
    if (thrown instanceof RangeError)
      return thrown.message.includes('string length') ? REASONS.large : REASONS.deep;
    const message = thrown instanceof TypeError ? thrown.message : '';
    if (message.includes('BigInt')) return 'it contains a BigInt; convert it to a string or a number';
    if (message.includes('circular')) return REASONS.cycle;
  } catch {
    // Not an error of JSON.stringify's own, then.
  }
  return 'one of its members throws when it is read';
}
