const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const OFFSET = 0x811c9dc5;
const PRIME = 0x01000193;

/** How many characters {@link shortHash} gives. */
export const SHORT_HASH_LENGTH = 7;

/**
 * Seven characters that stand for a text, the first of them a letter. Names of tools are made of it, so it must never change: neither
 * from version to version nor from machine to machine. It tells texts apart and keeps no secrets (FNV-1a, mixed once more).
 */
export function shortHash(text: string): string {
  let hash = OFFSET;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    hash = Math.imul(hash ^ (unit & 0xff), PRIME);
    hash = Math.imul(hash ^ (unit >>> 8), PRIME);
  }
  // Keys differ in their last characters most of all; without this so would only the last digits.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = (hash ^ (hash >>> 13)) >>> 0;
  const rest = Math.floor(hash / LETTERS.length).toString(36);
  return LETTERS.charAt(hash % LETTERS.length) + rest.padStart(SHORT_HASH_LENGTH - 1, '0');
}
