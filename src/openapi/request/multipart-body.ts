import { randomBytes } from 'node:crypto';
import { isCompound, isNothing, itemsOf } from './values/argument-values.ts';
import type { BodyField } from './body-fields.ts';
import { firstConcrete, readMediaType } from './values/media-type.ts';
import { readFileArgument } from './read-file-argument.ts';
import type { ReadUri } from './read-file-argument.ts';
import { writeText } from './values/text-body.ts';
import { toNamedStyle, writePairs } from './values/write-pairs.ts';

/** A part of a multipart body. */
interface Part {
  readonly name: string;
  readonly filename?: string | undefined;
  readonly contentType?: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** A body such as `multipart/form-data`, and its boundary. */
export interface MultipartBody {
  readonly boundary: string;
  readonly body: Uint8Array;
}

/** Writes the fields as parts, in their order: an array as a part per item, a file with its name, an object as JSON. */
export async function writeMultipart(fields: readonly BodyField[], readUri: ReadUri): Promise<MultipartBody> {
  const parts = await Promise.all(fields.map((field) => toParts(field, readUri)));
  const written = parts.flat().map(writePart);
  const boundary = findBoundary(written);
  const pieces = written.flatMap((part) => [Buffer.from(`--${boundary}\r\n`), part, Buffer.from('\r\n')]);
  return { boundary, body: Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]) };
}

async function toParts(field: BodyField, readUri: ReadUri): Promise<Part[]> {
  const { name, argument, value, isFile, encoding } = field;
  if (isNothing(value)) return [];
  const headers = encoding?.headers ?? {};
  const items = Array.isArray(value) ? itemsOf(value) : [value];
  if (isFile) {
    return Promise.all(
      items.map(async (item) => {
        const file = await readFileArgument(argument, item, readUri);
        const contentType =
          file.mimeType ?? firstConcrete(encoding?.contentType) ?? 'application/octet-stream';
        // Without a file name, most servers treat a part as text.
        return { name, filename: file.name ?? name, contentType, headers, body: file.bytes };
      }),
    );
  }
  if (encoding?.style !== undefined) {
    const { style, explode } = encoding.style;
    // Nothing is encoded here, even if the document sets `allowReserved`.
    const how = { style: toNamedStyle(style), explode, encodeName: asIs, encode: asIs, encodeItem: asIs };
    return writePairs(name, value, how).map(([key, body]) => ({ name: key, headers, body }));
  }
  return items.map((item) => {
    const contentType =
      firstConcrete(encoding?.contentType) ?? (isCompound(item) ? 'application/json' : undefined);
    const body = writeText(argument, item, readMediaType(contentType ?? 'text/plain'));
    return { name, contentType, headers, body };
  });
}

function asIs(text: string): string {
  return text;
}

function writePart({ name, filename, contentType, headers, body }: Part): Buffer {
  const file = filename === undefined ? '' : `; filename="${quote(filename)}"`;
  const lines = [
    `Content-Disposition: form-data; name="${quote(name)}"${file}`,
    ...(contentType === undefined ? [] : [`Content-Type: ${contentType}`]),
    ...Object.entries(headers)
      .filter(([header]) => !/^content-(?:type|disposition)$/i.test(header))
      .map(([header, value]) => `${header}: ${value}`),
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), Buffer.from(body)]);
}

/** As in browsers: characters that would end the name or the line are encoded. */
function quote(name: string): string {
  // oxlint-disable-next-line no-control-regex -- those are what is looked for
  return name.replaceAll(/["\u0000-\u001F\u007F]/g, (character) => `%${toHex(character)}`);
}

function toHex(character: string): string {
  return character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0');
}

/** A boundary that occurs in no part. */
function findBoundary(parts: readonly Buffer[]): string {
  for (;;) {
    const boundary = `toolwright-${randomBytes(18).toString('hex')}`;
    if (!parts.some((part) => part.includes(boundary))) return boundary;
  }
}
