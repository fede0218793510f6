/** So many random bits that nobody guesses it, as hexadecimal digits. A UUID has a few less. */
export function createId(bytes = 16): string {
  const random = globalThis.crypto.getRandomValues(new Uint8Array(bytes));
  return Array.from(random, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
