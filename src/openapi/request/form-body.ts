import { percentEncodeExcept } from '../../outbound/percent-encode.ts';
import { isNothing, itemsOf, joinInner } from './values/argument-values.ts';
import type { BodyField } from './body-fields.ts';
import { writeContent } from './values/content-values.ts';
import { joinPairs, KEPT_IN_QUERY, toNamedStyle, writePairs } from './values/write-pairs.ts';
import type { Pair } from './values/write-pairs.ts';

/**
 * Serializes `application/x-www-form-urlencoded`. A property whose encoding has a style is written like a query parameter; without one, an
 * array is repeated and an object is JSON, as in the specification.
 */
export function writeForm(fields: readonly BodyField[]): string {
  return joinPairs(fields.flatMap(writeField), '&');
}

/** Serializes an object as a form. */
export function writeFormText(value: object): string {
  return writeForm(
    Object.entries(value).map(([name, member]) => ({
      name,
      argument: name,
      value: member,
      isFile: false,
      encoding: undefined,
    })),
  );
}

function writeField({ name, value, encoding }: BodyField): Pair[] {
  const { style, contentType = 'text/plain' } = encoding ?? {};
  if (isNothing(value)) return [];
  if (style === undefined) {
    const items = Array.isArray(value) ? itemsOf(value) : [value];
    return items.map((item) => [encodeForm(name), encodeForm(writeContent(contentType, item))]);
  }
  const { explode, allowReserved } = style;
  return writePairs(name, joinInner(value, style.innerDelimiters), {
    style: toNamedStyle(style.style),
    explode,
    encodeName: encodeForm,
    encode: allowReserved ? (text) => encodeFormExcept(text, `${KEPT_IN_QUERY},`) : encodeForm,
    encodeItem: allowReserved ? (text) => encodeFormExcept(text, KEPT_IN_QUERY) : encodeForm,
  });
}

/** As in the URL standard: a space is a plus. */
function encodeForm(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1);
}

function encodeFormExcept(text: string, kept: string): string {
  return percentEncodeExcept(text, kept).replaceAll('%20', '+');
}
