import { encode as encodeToon } from '@toon-format/toon';
import { findJsonRefusal } from '../base/json/find-json-refusal.ts';
import { toMarkdownTable } from './markdown-table.ts';
import { createMinifyScope } from './minify-scope.ts';
import type { MinifyScope } from './minify-scope.ts';
import { MAX_RESULT_DEPTH, REASONS, serialize } from './serialize.ts';
import type { TextFormat } from './tool-response.ts';

/** How one value is written. */
export interface FormatOptions {
  readonly as?: TextFormat;
  /** JSON without blanks. Default: the override of the call, else the formatter's setting. */
  readonly minify?: boolean;
  /**
   * What is larger is given up while it is written, with an `UnserializableError`: a value that is small in memory may be without end
   * as text. Escapes are not counted. Default: 16777216.
   */
  readonly maxBytes?: number;
}

/** The part of {@link ResponseFormatter} that a registry needs; inject any object that has it. */
export interface ResponseFormatterLike {
  /** The value as text. Throws `UnserializableError` when it has none. */
  format(value: unknown, options?: FormatOptions): string;
  /** Runs something so that `format` honours the given choice within it. */
  runWithMinifyOverride<TResult>(minify: boolean | undefined, run: () => TResult): TResult;
}

/** Options of {@link ResponseFormatter}. */
export interface ResponseFormatterOptions {
  /** Default: `json`. `markdown` writes tables for lists of like, flat objects and JSON for everything else. */
  readonly format?: TextFormat;
  /** JSON without blanks. Default: true. */
  readonly minify?: boolean;
  /** Blanks per level when JSON is not minified. Default: 2. */
  readonly prettySpaces?: number;
}

/** A value that has no JSON form. The message says why and is safe to show. */
export class UnserializableError extends Error {
  override readonly name = 'UnserializableError';
}

/** A value that has one, but a longer one than was asked for. */
export class TooLongError extends UnserializableError {}

const MAX_BYTES = 16_777_216;

/** How much longer JSON is than the same in the other formats, which name the keys of a list once. */
const JSON_PER_BYTE = 4;

/**
 * Writes results as text.
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

  /** The value as text; a string stays as it is. */
  format(value: unknown, options: FormatOptions = {}): string {
    if (typeof value === 'string') return value;
    const as = options.as ?? this.#options.format;
    if (as === 'json') return this.#json(value, options);
    // The other writers get what JSON makes of the value, so that dates and getters look the same in every format.
    const { maxBytes = MAX_BYTES } = options;
    if (isTooLongForAll(value, maxBytes)) throw new TooLongError(REASONS.large);
    const json = this.#json(value, { minify: true, maxBytes: maxBytes * JSON_PER_BYTE });
    const plain = JSON.parse(json) as unknown;
    if (as === 'toon') return encodeToon(plain);
    return toMarkdownTable(plain) ?? this.#json(plain, options);
  }

  /** Runs something so that {@link ResponseFormatter.format} honours the given choice within it. */
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

/** Whether a value is longer than that in every format. */
function isTooLongForAll(value: unknown, maxBytes: number): boolean {
  try {
    return findJsonRefusal(value, { maxBytes, maxDepth: MAX_RESULT_DEPTH, isTabular: true }) === 'large';
  } catch {
    // Whoever writes it finds out why.
    return false;
  }
}
