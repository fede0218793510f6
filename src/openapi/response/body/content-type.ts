/** Parsed content type of a response. */
export interface ContentType {
  /** Type and subtype in lower case; empty if missing or invalid. */
  readonly essence: string;
  readonly charset: string | undefined;
}

const ESSENCE = /^\s*([\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100})\s*(?:;|$)/;
const CHARSET = /;\s*charset="?([\w.:-]{1,40})"?\s*(?:;|$)/i;

/** Parses a `Content-Type` header. */
export function parseContentType(header = ''): ContentType {
  const essence = ESSENCE.exec(header)?.[1] ?? '';
  return { essence: essence.toLowerCase(), charset: CHARSET.exec(header)?.[1] };
}

const UTF_8 = new TextDecoder();

/** Decodes bytes as text; as UTF-8 if the encoding is missing or unknown. Invalid bytes are replaced. */
export function decodeText(body: Uint8Array, encoding: string | undefined): string {
  if (encoding === undefined) return UTF_8.decode(body);
  try {
    return new TextDecoder(encoding).decode(body);
  } catch {
    return UTF_8.decode(body);
  }
}

/** The encoding of a byte order mark, as in browsers. */
export function findByteOrder([first, second]: Uint8Array): string | undefined {
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return first === 0xff && second === 0xfe ? 'utf-16le' : undefined;
}
