/** So many random bits that nobody guesses an id. A UUID has a few less. */
// defence: random-bits
const ID_BYTES = 16;

/** An id of random bits, as hexadecimal digits. */
export function createId(bytes: number = ID_BYTES): string {
  const random = globalThis.crypto.getRandomValues(new Uint8Array(bytes));
  return Array.from(random, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
