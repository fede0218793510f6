import { ToolError, ToolwrightError } from '../../errors/errors.ts';
import type { ValidationError } from '../../errors/errors.ts';
import { refuseArgument } from './values/argument-values.ts';
import { isConcreteMediaType } from './values/media-type.ts';
import type { ReadFile } from './request-plan.ts';

/** Reads the content of a URI. */
export type ReadUri = ((uri: string) => Promise<ReadFile>) | undefined;

/** Reads a file argument: base64, a `data:` URL, or another URI. Name and type in the argument win. */
export async function readFileArgument(
  argument: string,
  value: unknown,
  readUri: ReadUri,
): Promise<ReadFile> {
  const { data, uri, name, mimeType } = toParts(argument, value);
  if (mimeType !== undefined && !isConcreteMediaType(mimeType))
    throw refuseArgument(argument, 'has an invalid mimeType: expected a media type such as image/png');
  const file =
    data === undefined ? await readFrom(argument, uri ?? '', readUri) : { bytes: readBase64(argument, data) };
  return { bytes: file.bytes, mimeType: mimeType ?? file.mimeType, name: name ?? file.name };
}

interface FileParts {
  readonly data?: string | undefined;
  readonly uri?: string | undefined;
  readonly name?: string | undefined;
  readonly mimeType?: string | undefined;
}

function toParts(argument: string, value: unknown): FileParts {
  if (typeof value === 'string') return isDataUrl(value) ? { uri: value } : { data: value };
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw noFile(argument);
  const textOf = (key: string): string | undefined => {
    const member: unknown = Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
    return typeof member === 'string' ? member : undefined;
  };
  const parts = {
    data: textOf('data'),
    uri: textOf('uri'),
    name: textOf('name'),
    mimeType: textOf('mimeType'),
  };
  if ((parts.data === undefined) === (parts.uri === undefined)) throw noFile(argument);
  return parts;
}

function noFile(argument: string): ValidationError {
  return refuseArgument(
    argument,
    'must be a file: base64, or an object with either "data" (base64) or "uri"',
  );
}

/** Decodes base64 of either alphabet, with or without padding, with spaces and line breaks. */
function readBase64(argument: string, text: string): Uint8Array {
  const plain = text.replaceAll(/\s/g, '');
  const isPadded = plain.endsWith('=');
  const isBase64 =
    /^[\w+/-]*={0,2}$/.test(plain) && plain.length % 4 !== 1 && (!isPadded || plain.length % 4 === 0);
  if (!isBase64)
    throw refuseArgument(argument, 'must be base64; send a file with a URI as {"uri": "\u2026"}');
  return Buffer.from(plain, 'base64');
}

async function readFrom(argument: string, uri: string, readUri: ReadUri): Promise<ReadFile> {
  if (isDataUrl(uri)) return readDataUrl(argument, uri);
  if (readUri === undefined)
    throw refuseArgument(
      argument,
      'names a URI, which this server cannot read. Send the file as base64 in "data", or as a data: URL',
    );
  try {
    return await readUri(uri);
  } catch (cause) {
    // Our own errors are meant for the caller; others may contain internals.
    if (cause instanceof ToolwrightError) throw cause;
    throw new ToolError(`The file of the argument "${argument}" could not be read.`, { cause });
  }
}

function isDataUrl(text: string): boolean {
  return /^data:/i.test(text);
}

/** Decodes `data:image/png;base64,iVBO` and `data:,text%20as%20it%20is`. */
function readDataUrl(argument: string, url: string): ReadFile {
  const comma = url.indexOf(',');
  if (comma === -1) throw refuseArgument(argument, 'has a data: URL without a comma');
  const head = url.slice('data:'.length, comma).trim();
  const isBase64 = /;\s*base64$/i.test(head);
  const mimeType = isBase64 ? head.slice(0, head.lastIndexOf(';')).trim() : head;
  const bytes = percentDecode(url.slice(comma + 1));
  return {
    bytes: isBase64 ? readBase64(argument, bytes.toString('latin1')) : bytes,
    mimeType: isConcreteMediaType(mimeType) ? mimeType : undefined,
  };
}

/** Decodes to bytes, which need not be text. */
function percentDecode(text: string): Buffer {
  const binary = Buffer.from(text, 'utf8')
    .toString('latin1')
    .replaceAll(/%([\dA-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(binary, 'latin1');
}
