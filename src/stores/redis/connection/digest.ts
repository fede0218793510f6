import { createHash } from 'node:crypto';

/** SHA-256 of a text, for keys. Of its UTF-16 form: in UTF-8, all lone surrogates are the same character. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text, 'utf16le').digest('base64url');
}
