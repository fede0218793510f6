import { encode as encodeToon } from '@toon-format/toon';
import { findJsonRefusal } from '../base/json/find-json-refusal.ts';
import { toMarkdownTable } from './markdown-table.ts';
import { createMinifyScope } from './minify-scope.ts';
import type { MinifyScope } from './minify-scope.ts';
import { MAX_RESULT_DEPTH, REASONS, serialize } from './serialize.ts';
import type { TextFormat } from './tool-response.ts';

/** Options of {@link ResponseFormatter.format}. */
export interface FormatOptions {
  /** Text format. Default: the formatter's setting. */
  readonly as?: TextFormat;
  /** JSON without white space. Default: the override of the call, else the formatter's setting. */
  readonly minify?: boolean;
  /**
   * Maximum size in bytes; larger values throw an `UnserializableError` while they are serialized, because a value
   * that is small in memory may be endless as text. Escapes are not counted. Default: 16,777,216.
   */
  readonly maxBytes?: number;
}

/** The part of {@link ResponseFormatter} that a registry needs; any object with these methods can replace it. */
export interface ResponseFormatterLike {
  /** Formats a value as text. Throws `UnserializableError` if that is impossible. */
  format(value: unknown, options?: FormatOptions): string;
  /** Runs a function in which `format` uses the given choice. */
  runWithMinifyOverride<TResult>(minify: boolean | undefined, run: () => TResult): TResult;
}

/** Options of {@link ResponseFormatter}. */
export interface ResponseFormatterOptions {
  /** `markdown` writes tables for arrays of similar flat objects and JSON for other values. Default: `json`. */
  readonly format?: TextFormat;
  /** JSON without white space. Default: true. */
  readonly minify?: boolean;
  /** Spaces per level if JSON is not minified. Default: 2. */
  readonly prettySpaces?: number;
}

/** A value cannot be serialized. The message gives the reason and is safe to show. */
export class UnserializableError extends Error {
  override readonly name = 'UnserializableError';
}

/** A value can be serialized, but exceeds the maximum size. */
export class TooLongError extends UnserializableError {}

const MAX_BYTES = 16_777_216;

/** Maximum ratio of the size of JSON to that of the other formats, which list the keys of an array once. */
const JSON_PER_BYTE = 4;

/**
 * Formats results as text.
 *
 * @example
 * const formatter = new ResponseFormatter({ format: 'markdown' });
 * formatter.format([{ id: 1, title: 'Buy milk' }]); // a Markdown table
 */
export class ResponseFormatter implements ResponseFormatterLike {
  readonly #options: Required<ResponseFormatterOptions>;
  readonly #scope: MinifyScope = createMinifyScope();

  constructor(options: ResponseFormatterOptions = {}) {
    const { format = 'json', minify = true, prettySpaces = 2 } = options;
    this.#options = { format, minify, prettySpaces };
  }

  /** Formats a value as text; a string stays unchanged. */
  format(value: unknown, options: FormatOptions = {}): string {
    if (typeof value === 'string') return value;
    const as = options.as ?? this.#options.format;
    if (as === 'json') return this.#json(value, options);
    // Other formats get the JSON value, so that dates and getters look the same in every format.
    const { maxBytes = MAX_BYTES } = options;
    if (isTooLongForAll(value, maxBytes)) throw new TooLongError(REASONS.large);
    const json = this.#json(value, { minify: true, maxBytes: maxBytes * JSON_PER_BYTE });
    const plain = JSON.parse(json) as unknown;
    if (as === 'toon') return encodeToon(plain);
    return toMarkdownTable(plain) ?? this.#json(plain, options);
  }

  /** Runs a function in which {@link ResponseFormatter.format} uses the given choice. */
  runWithMinifyOverride<TResult>(minify: boolean | undefined, run: () => TResult): TResult {
    return minify === undefined ? run() : this.#scope.run(minify, run);
  }

  #json(value: unknown, { minify: choice, maxBytes = MAX_BYTES }: FormatOptions): string {
    const minify = choice ?? this.#scope.current() ?? this.#options.minify;
    const serialized = serialize(value, { maxBytes, spaces: minify ? 0 : this.#options.prettySpaces });
    if (serialized.ok) return serialized.json;
    throw new (serialized.isTooLarge ? TooLongError : UnserializableError)(serialized.reason);
  }
}

/** Whether a value is too large in every format. */
function isTooLongForAll(value: unknown, maxBytes: number): boolean {
  try {
    return findJsonRefusal(value, { maxBytes, maxDepth: MAX_RESULT_DEPTH, isTabular: true }) === 'large';
  } catch {
    // The serialization that follows reports the reason.
    return false;
  }
}
