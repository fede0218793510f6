import { assertPathValue, refusePathValue } from '../../outbound/fill-path.ts';
import type { Slashes } from '../../outbound/fill-path.ts';
import { percentEncode, percentEncodeExcept } from '../../outbound/percent-encode.ts';
import type { Parameter } from '../model/operation.ts';
import { entriesOf, itemsOf, joinInner, readArgument, toText } from './values/argument-values.ts';
import type { Arguments } from './values/argument-values.ts';
import { writeContent } from './values/content-values.ts';
import type { PlannedParameter } from './request-plan.ts';
import { delimiterOf } from './values/write-pairs.ts';
import type { Encode } from './values/write-pairs.ts';

/** Characters allowed in a segment beside letters and digits, without `/` and the delimiters of styles. */
const KEPT_IN_SEGMENT = ":@!$&'()*+";

/** Serializes the argument of a path parameter, encoded; each string in it is checked so that it cannot change the path. */
export type WritePathValue = (input: Arguments) => string;

/** Chooses the serialization of a path parameter. */
export function compilePathValue(planned: PlannedParameter): WritePathValue {
  const { argument, parameter, allowSlashes } = planned;
  const { contentType, allowReserved, style, innerDelimiters } = parameter;
  const prefix = prefixOf(parameter);
  const slashes: Slashes = allowSlashes === false ? 'refused' : 'encoded';
  const encodePart = allowReserved ? keepReserved('') : percentEncode;
  const encodeSingle = allowReserved && style !== 'matrix' ? keepReserved(',;=') : encodePart;
  const single: Writing = isSpanning(planned)
    ? { encode: (text) => text.split('/').map(encodeSingle).join('/'), slashes: 'kept' }
    : { encode: encodeSingle, slashes };
  const writePart: Write = (part) => encodeText(argument, toText(part), { encode: encodePart, slashes });
  return (input) => {
    const value = readArgument(input, argument);
    if (value === undefined || value === null) throw refusePathValue(argument, 'it is missing');
    if (contentType !== undefined)
      return encodeText(argument, writeContent(contentType, value), { encode: percentEncode, slashes });
    if (typeof value !== 'object') return prefix + encodeText(argument, toText(value), single);
    const written = writeCompound(parameter, joinInner(value, innerDelimiters) as object, writePart);
    if (written === '') throw refusePathValue(argument, 'it is empty');
    return written;
  };
}

type Write = (part: unknown) => string;

/** Options for a single string. */
interface Writing {
  readonly encode: Encode;
  readonly slashes: Slashes;
}

// defence: single-values-of-a-path
function encodeText(argument: string, text: string, { encode, slashes }: Writing): string {
  assertPathValue(argument, text, slashes);
  const encoded = encode(text);
  // Where encoded text is passed on, servers decode it, and some decode it twice.
  if (encode !== percentEncode) assertPathValue(argument, decodePassed(argument, encoded), slashes);
  return encoded;
}

/** Whether the value of a parameter may be several segments of the path. */
export function isSpanning({ parameter, allowSlashes }: PlannedParameter): boolean {
  return parameter.spansSegments && allowSlashes !== false;
}

function decodePassed(argument: string, encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    throw refusePathValue(argument, 'it has invalid percent-encoding');
  }
}

function keepReserved(separators: string): Encode {
  return (text) => percentEncodeExcept(text, KEPT_IN_SEGMENT + separators);
}

/** Prefix of one value. */
function prefixOf({ style, name }: Parameter): string {
  if (style === 'label') return '.';
  return style === 'matrix' ? `;${percentEncode(name)}=` : '';
}

/** As in the specifications: delimited arrays are those of Swagger 2.0. A style that a path does not allow counts as `simple`. */
function writeCompound(parameter: Parameter, value: object, write: Write): string {
  const { style, explode } = parameter;
  if (!explode) {
    const items = Array.isArray(value) ? itemsOf(value) : entriesOf(value).flat();
    const joined = items.map(write).join(delimiterOf({ style, encode: percentEncode }));
    return items.length === 0 ? '' : prefixOf(parameter) + joined;
  }
  const parts = Array.isArray(value)
    ? itemsOf(value).map((item) =>
        style === 'matrix' ? `${percentEncode(parameter.name)}=${write(item)}` : write(item),
      )
    : entriesOf(value).map(([key, member]) => `${write(key)}=${write(member)}`);
  if (style === 'label') return parts.map((part) => `.${part}`).join('');
  if (style === 'matrix') return parts.map((part) => `;${part}`).join('');
  return parts.join(',');
}
