import { refuseArgument, toJson, toText } from './argument-values.ts';
import { parameterOf } from './media-type.ts';
import type { MediaType } from './media-type.ts';

/** Serializes a value as text of a media type. */
export function writeText(argument: string, value: unknown, media: MediaType): string | Uint8Array {
  switch (media.kind) {
    case 'json':
      return toJson(value);
    case 'json-lines':
      return writeEach(value, (item) => `${toJson(item)}\n`);
    case 'json-sequence':
      return writeEach(value, (item) => `\u001E${toJson(item)}\n`);
    case 'xml':
      if (typeof value !== 'string')
        throw refuseArgument(argument, 'must be a string with the XML that is sent');
      return encodeText(argument, value, media);
    case 'form':
    case 'multipart':
    case 'text':
      return encodeText(argument, toText(value), media);
  }
}

/** A string is already serialized and stays unchanged. */
function writeEach(value: unknown, write: (item: unknown) => string): string {
  if (typeof value === 'string') return value;
  return (Array.isArray(value) ? value : [value]).map(write).join('');
}

const LATIN_1 = new Set(['iso-8859-1', 'latin1', 'us-ascii']);

/** Encodes in UTF-8, unless the document names another charset. */
function encodeText(argument: string, text: string, { sent }: MediaType): string | Uint8Array {
  const charset = parameterOf(sent, 'charset');
  if (charset === undefined || !LATIN_1.has(charset)) return text;
  // oxlint-disable-next-line no-control-regex -- everything that is one byte
  if (/[^\u0000-\u00FF]/.test(text))
    throw refuseArgument(argument, `has characters that ${charset} cannot encode`);
  return Buffer.from(text, 'latin1');
}
