/** What an answer says of its body. */
export interface ContentType {
  /** Type and subtype in small letters; empty where there is none, or nonsense. */
  readonly essence: string;
  readonly charset: string | undefined;
}

/** The parts of a `Content-Type` header that matter. */
export function parseContentType(header: string | undefined): ContentType {
  const [type = '', ...parameters] = (header ?? '').split(';').map((part) => part.trim());
  const essence = type.toLowerCase();
  const charset = parameters
    .map((parameter) => /^charset="?([\w.:-]{1,40})"?$/i.exec(parameter)?.[1])
    .find((label) => label !== undefined);
  return { essence: /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}$/.test(essence) ? essence : '', charset };
}

/** Bytes as text, by the mark at their beginning, else by their charset, else as UTF-8. What is invalid is replaced. */
export function decodeText(body: Uint8Array, charset: string | undefined): string {
  const label = findByteOrder(body) ?? charset ?? 'utf-8';
  try {
    return new TextDecoder(label).decode(body);
  } catch {
    // A label that nobody knows.
    return new TextDecoder().decode(body);
  }
}

/** The encoding that the first bytes tell, as browsers read them. */
export function findByteOrder([first, second]: Uint8Array): string | undefined {
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return first === 0xff && second === 0xfe ? 'utf-16le' : undefined;
}
