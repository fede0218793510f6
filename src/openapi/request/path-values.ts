import { assertPathValue, refusePathValue } from '../../outbound/fill-path.ts';
import { percentEncode, percentEncodeExcept } from '../../outbound/percent-encode.ts';
import type { Parameter, ValueStyle } from '../model/operation.ts';
import { entriesOf, isCompound, isNothing, itemsOf, joinInner, toText } from './values/argument-values.ts';
import { writeContent } from './values/content-values.ts';
import type { PlannedParameter } from './request-plan.ts';
import { delimiterOf } from './values/write-pairs.ts';
import type { Encode } from './values/write-pairs.ts';

/** What a segment may have beside letters and digits, without `/` and without what styles use themselves. */
const KEPT_IN_SEGMENT = ":@!$&'()*+";

/** Writes a value for the path, encoded; every single text in it is one that cannot lead elsewhere. */
export function writePathValue(planned: PlannedParameter, given: unknown): string {
  const { argument, parameter } = planned;
  const value = joinInner(given, parameter.innerDelimiters);
  if (isNothing(value)) throw refusePathValue(argument, 'it is missing');
  if (planned.allowSlashes === true && !isCompound(value) && parameter.contentType === undefined)
    return writeSingle(parameter, encodeSegments(argument, toText(value)));
  if (parameter.contentType !== undefined)
    return encodeText(argument, writeContent(parameter.contentType, value), percentEncode);
  const encode = encoderOf(parameter, value);
  const write = (part: unknown): string => encodeText(argument, toText(part), encode);
  const written = isCompound(value)
    ? writeCompound(parameter, value, write)
    : writeSingle(parameter, write(value));
  if (written === '') throw refusePathValue(argument, 'it is empty');
  return written;
}

type Write = (part: unknown) => string;

// defence: single-values-of-a-path
function encodeText(argument: string, text: string, encode: Encode): string {
  assertPathValue(argument, text);
  const encoded = encode(text);
  // Where encoded text passes as it is, servers see what it decodes to, and some decode that once more.
  if (encode !== percentEncode) assertPathValue(argument, decodePassed(argument, encoded));
  return encoded;
}

/** Somewhere on the way, what is encoded may be taken for slashes: so each part has to be one that cannot lead elsewhere. */
function encodeSegments(argument: string, text: string): string {
  for (const segment of text.split('/')) {
    assertPathValue(argument, segment);
    // Some servers cut off parameters, and some drop what nobody sees.
    const [start = ''] = segment.split(/[;?#%]/);
    assertPathValue(argument, start.replaceAll(/[\s\p{Default_Ignorable_Code_Point}]/gu, ''));
  }
  return percentEncode(text);
}

function decodePassed(argument: string, encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    throw refusePathValue(argument, 'it has percent signs that encode no character');
  }
}

function encoderOf({ allowReserved, style }: ValueStyle, value: unknown): Encode {
  if (!allowReserved) return percentEncode;
  const separators = isCompound(value) || style === 'matrix' ? '' : ',;=';
  return (text) => percentEncodeExcept(text, KEPT_IN_SEGMENT + separators);
}

function writeSingle({ style, name }: Parameter, text: string): string {
  if (style === 'label') return `.${text}`;
  if (style === 'matrix') return `;${percentEncode(name)}=${text}`;
  return text;
}

/** As the specifications have it: delimited lists are those of Swagger 2.0. A style that a path does not have counts as `simple`. */
function writeCompound(parameter: Parameter, value: object, write: Write): string {
  const { style, explode } = parameter;
  if (!explode) {
    const items = Array.isArray(value) ? itemsOf(value) : entriesOf(value).flat();
    const joined = items.map(write).join(delimiterOf({ style, encode: percentEncode }));
    return items.length === 0 ? '' : writeSingle(parameter, joined);
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
