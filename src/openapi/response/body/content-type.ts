/** What an answer says of its body. */
export interface ContentType {
  /** Type and subtype in small letters; empty where there is none, or nonsense. */
  readonly essence: string;
  readonly charset: string | undefined;
}

const ESSENCE = /^\s*([\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100})\s*(?:;|$)/;
const CHARSET = /;\s*charset="?([\w.:-]{1,40})"?\s*(?:;|$)/i;

/** The parts of a `Content-Type` header that matter. */
export function parseContentType(header = ''): ContentType {
  const essence = ESSENCE.exec(header)?.[1] ?? '';
  return { essence: essence.toLowerCase(), charset: CHARSET.exec(header)?.[1] };
}

const UTF_8 = new TextDecoder();

/** Bytes as text of an encoding; as UTF-8 where nothing names one, or nobody knows it. Invalid bytes are replaced. */
export function decodeText(body: Uint8Array, encoding: string | undefined): string {
  if (encoding === undefined) return UTF_8.decode(body);
  try {
    return new TextDecoder(encoding).decode(body);
  } catch {
    return UTF_8.decode(body);
  }
}

/** The encoding that the first bytes tell, as browsers read them. */
export function findByteOrder([first, second]: Uint8Array): string | undefined {
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return first === 0xff && second === 0xfe ? 'utf-16le' : undefined;
}
