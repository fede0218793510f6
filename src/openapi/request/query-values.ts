import { percentEncode, percentEncodeExcept } from '../../outbound/percent-encode.ts';
import type { Parameter } from '../model/operation.ts';
import { isNothing, joinInner, toText } from './values/argument-values.ts';
import { writeContent } from './values/content-values.ts';
import { writeFormText } from './form-body.ts';
import { readMediaType } from './values/media-type.ts';
import { joinPairs, KEPT_IN_QUERY, toNamedStyle, writePairs } from './values/write-pairs.ts';

/** Writes a parameter of the query; nothing where it has no value. A style that a query does not have counts as `form`. */
export function writeQueryValue(parameter: Parameter, value: unknown): string {
  if (isNothing(value)) return '';
  const { name, style, explode, allowReserved, contentType } = parameter;
  if (contentType !== undefined)
    return `${percentEncode(name)}=${percentEncode(writeContent(contentType, value))}`;
  const pairs = writePairs(name, joinInner(value, parameter.innerDelimiters), {
    style: toNamedStyle(style),
    explode,
    encodeName: percentEncode,
    encode: allowReserved ? (text) => percentEncodeExcept(text, `${KEPT_IN_QUERY},`) : percentEncode,
    encodeItem: allowReserved ? (text) => percentEncodeExcept(text, KEPT_IN_QUERY) : percentEncode,
  });
  return joinPairs(pairs, '&');
}

/** Writes what is the whole query. Text for a form is one that is written already. */
export function writeWholeQuery({ contentType = FORM }: Parameter, value: unknown): string {
  if (isNothing(value)) return '';
  if (readMediaType(contentType).kind !== 'form') return percentEncode(writeContent(contentType, value));
  if (typeof value === 'object') return writeFormText(value);
  const text = toText(value);
  return percentEncodeExcept(text.startsWith('?') ? text.slice(1) : text, `${KEPT_IN_QUERY},&+`);
}

const FORM = 'application/x-www-form-urlencoded';
