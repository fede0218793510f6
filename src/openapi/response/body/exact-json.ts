import { endOfString, findExcess } from '../../../base/json/json-depth.ts';
import { createId } from '../../../base/random-id.ts';

/** What became of a text that should be JSON. */
export type ParsedJson =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'invalid' }
  | { readonly kind: 'too-deep' }
  | { readonly kind: 'too-many' };

/** Deeper than any data is; a small text of brackets would become a large value. */
export const MAX_JSON_DEPTH = 512;

/** As many values cost 0.4 s and 40 MB at the worst (an object with so many members); 8 MiB of text can hold 40 times as many. */
// defence: limit-of-values
export const MAX_JSON_VALUES = 100_000;

/**
 * Reads JSON so that {@link writeJson} gives back every number as it came: ids of 64 bits do not fit a number, and a model that reads
 * a rounded one would ask for something else. Such numbers are kept as marked texts; see {@link toPlain}.
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

/** A value of {@link parseJson} as text, without blanks. */
export function writeJson(value: unknown): string {
  const json = JSON.stringify(value);
  return json.includes(MARK) ? json.replaceAll(MARKED, '$1') : json;
}

/**
 * A value of {@link parseJson} for programs, which read numbers as doubles: integers that would be rounded are strings of digits, as are
 * numbers that are too large for a double.
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

/** A value of {@link parseJson} with numbers for numbers, however they are rounded: for checks, never to be shown. */
export function toPlain(value: unknown): unknown {
  const json = JSON.stringify(value);
  return json.includes(MARK) ? JSON.parse(json.replaceAll(MARKED, '$1')) : value;
}

/** The digits of a number that is kept as a text; other texts as they are. */
export function withoutMark(text: string): string {
  return text.startsWith(MARK) ? text.slice(MARK.length) : text;
}

/** Some servers put this in front, so that browsers do not take their answers for scripts. */
const GUARD = ")]}'";

function withoutGuard(text: string): string {
  return text.slice(text.includes('\n') ? text.indexOf('\n') : GUARD.length);
}

/** Random, so that no answer can contain it. */
const MARK = `number ${createId()} `;
const MARKED = new RegExp(`"${MARK}([-+.0-9eE]+)"`, 'g');

/** A long row of digits, or a large exponent. */
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

/** Only what is a number in JSON: the rest is for the parser to refuse. */
const PROPER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

function isRounded(number: string): boolean {
  if (!PROPER.test(number)) return false;
  const value = Number(number);
  if (!Number.isFinite(value)) return true;
  return number.length > 15 && !/[eE]/.test(number) && String(value) !== number;
}
