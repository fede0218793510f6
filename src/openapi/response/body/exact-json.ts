import { endOfString, findExcess } from '../../../base/json/json-depth.ts';
import { createId } from '../../../base/random-id.ts';

/** Result of parsing JSON. */
export type ParsedJson =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'invalid' }
  | { readonly kind: 'too-deep' }
  | { readonly kind: 'too-many' };

/** Maximum nesting: a small text of brackets would become a large value. */
export const MAX_JSON_DEPTH = 512;

/**
 * This number of values costs at most 0.4 s and 40 MB (as an object with that many members); 8 MiB of text can contain 40 times as many.
 */
// defence: limit-of-values
export const MAX_JSON_VALUES = 100_000;

/**
 * Parses JSON so that {@link writeJson} returns every number unchanged: 64-bit ids do not fit a number, and a model that reads
 * a rounded one would request something else. Such numbers are kept as marked strings; see {@link toPlain}.
 */
export function parseJson(text: string, maxValues: number = MAX_JSON_VALUES): ParsedJson {
  const json = text.startsWith(GUARD) ? withoutGuard(text) : text;
  const excess = findExcess(json, MAX_JSON_DEPTH, maxValues);
  if (excess !== undefined) return { kind: excess === 'depth' ? 'too-deep' : 'too-many' };
  try {
    return { kind: 'value', value: JSON.parse(MAY_BE_ROUNDED.test(json) ? markNumbers(json) : json) };
  } catch {
    return { kind: 'invalid' };
  }
}

/** Serializes a value of {@link parseJson} as compact JSON. */
export function writeJson(value: unknown): string {
  const json = JSON.stringify(value);
  return json.includes(MARK) ? json.replaceAll(MARKED, '$1') : json;
}

/**
 * Converts a value of {@link parseJson} for programs, which read numbers as doubles: integers that would be rounded become strings of
 * digits, and so do numbers that are too large for a double.
 */
// defence: digits-in-answers
export function toStructuredJson(value: unknown): unknown {
  const json = JSON.stringify(value);
  if (!json.includes(MARK)) return value;
  return JSON.parse(
    json.replaceAll(MARKED, (_, number: string) =>
      /[.eE]/.test(number) && Number.isFinite(Number(number)) ? number : `"${number}"`,
    ),
  );
}

/** Converts a value of {@link parseJson} to plain numbers, rounded if necessary: for validation only, never for results. */
export function toPlain(value: unknown): unknown {
  const json = JSON.stringify(value);
  return json.includes(MARK) ? JSON.parse(json.replaceAll(MARKED, '$1')) : value;
}

/** The digits of a number that is kept as a marked string; other strings unchanged. */
export function withoutMark(text: string): string {
  return text.startsWith(MARK) ? text.slice(MARK.length) : text;
}

/** Prefix that some servers send so that browsers do not run responses as scripts. */
const GUARD = ")]}'";

function withoutGuard(text: string): string {
  return text.slice(text.includes('\n') ? text.indexOf('\n') : GUARD.length);
}

/** Random, so that no response can contain it. */
const MARK = `number ${createId()} `;
const MARKED = new RegExp(`"${MARK}([-+.0-9eE]+)"`, 'g');

/** A long run of digits, or a large exponent. */
const MAY_BE_ROUNDED = /[\d.]{16}|\d[eE]\+?\d{3}/;
const NUMBER = /-?\d[\d.eE+-]*/y;

function markNumbers(json: string): string {
  const pieces: string[] = [];
  let done = 0;
  for (let index = 0; index < json.length; index += 1) {
    const code = json.charCodeAt(index);
    if (code === QUOTE) index = endOfString(json, index);
    else if (code === MINUS || (code >= ZERO && code <= NINE)) {
      NUMBER.lastIndex = index;
      const number = NUMBER.exec(json)?.[0] ?? '-';
      if (isRounded(number)) {
        pieces.push(json.slice(done, index), `"${MARK}${number}"`);
        done = index + number.length;
      }
      index += number.length - 1;
    }
  }
  pieces.push(json.slice(done));
  return pieces.join('');
}

const QUOTE = 34;
const MINUS = 45;
const ZERO = 48;
const NINE = 57;

/** Valid JSON numbers only; the parser rejects everything else. */
const PROPER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

function isRounded(number: string): boolean {
  if (!PROPER.test(number)) return false;
  const value = Number(number);
  if (!Number.isFinite(value)) return true;
  return number.length > 15 && !/[eE]/.test(number) && String(value) !== number;
}
