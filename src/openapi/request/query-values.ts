import { percentEncode, percentEncodeExcept } from '../../outbound/percent-encode.ts';
import type { Parameter } from '../model/operation.ts';
import { isCompound, joinInner, toText } from './values/argument-values.ts';
import { writeContent } from './values/content-values.ts';
import { writeFormText } from './form-body.ts';
import { readMediaType } from './values/media-type.ts';
import { joinPairs, KEPT_IN_QUERY, toNamedStyle, writePairs } from './values/write-pairs.ts';
import type { PairStyle } from './values/write-pairs.ts';

/** Serializes a value for the query. */
export type WriteQueryValue = (value: unknown) => string;

/** Chooses the serialization of a query parameter. A style that a query does not allow counts as `form`. */
export function compileQueryValue(parameter: Parameter): WriteQueryValue {
  const { name, style, explode, allowReserved, contentType, innerDelimiters } = parameter;
  if (parameter.in === 'querystring') return (value) => writeWholeQuery(contentType ?? FORM, value);
  if (contentType !== undefined)
    return (value) => `${percentEncode(name)}=${percentEncode(writeContent(contentType, value))}`;
  const how: PairStyle = {
    style: toNamedStyle(style),
    explode,
    encodeName: percentEncode,
    encode: allowReserved ? (text) => percentEncodeExcept(text, `${KEPT_IN_QUERY},`) : percentEncode,
    encodeItem: allowReserved ? (text) => percentEncodeExcept(text, KEPT_IN_QUERY) : percentEncode,
  };
  return (value) => joinPairs(writePairs(name, joinInner(value, innerDelimiters), how), '&');
}

/** Serializes a parameter that is the whole query. A string for a form is already encoded. */
function writeWholeQuery(contentType: string, value: unknown): string {
  if (readMediaType(contentType).kind !== 'form') return percentEncode(writeContent(contentType, value));
  if (isCompound(value)) return writeFormText(value);
  const text = toText(value);
  return percentEncodeExcept(text.startsWith('?') ? text.slice(1) : text, `${KEPT_IN_QUERY},&+`);
}

const FORM = 'application/x-www-form-urlencoded';
