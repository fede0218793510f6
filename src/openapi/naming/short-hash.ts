const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const OFFSET = 0x811c9dc5;
const PRIME = 0x01000193;

/** Number of characters of {@link shortHash}. */
export const SHORT_HASH_LENGTH = 7;

/**
 * A hash of seven characters, the first of them a letter. Tool names contain it, so it must never change between versions or machines. It
 * is not cryptographic (FNV-1a, mixed once more).
 */
export function shortHash(text: string): string {
  let hash = OFFSET;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    hash = Math.imul(hash ^ (unit & 0xff), PRIME);
    hash = Math.imul(hash ^ (unit >>> 8), PRIME);
  }
  // Keys mostly differ in their last characters; without this only the last digits would differ.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = (hash ^ (hash >>> 13)) >>> 0;
  const rest = Math.floor(hash / LETTERS.length).toString(36);
  return LETTERS.charAt(hash % LETTERS.length) + rest.padStart(SHORT_HASH_LENGTH - 1, '0');
}
