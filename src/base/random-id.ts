/** Enough random bits that an id cannot be guessed; a UUID has slightly fewer. */
// defence: random-bits
const ID_BYTES = 16;

/** A random id in hexadecimal digits. */
export function createId(bytes: number = ID_BYTES): string {
  const random = globalThis.crypto.getRandomValues(new Uint8Array(bytes));
  return Array.from(random, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
