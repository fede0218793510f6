/** SHA-256 as hexadecimal text. Keys that may hold a token or arguments never reach a store in the clear. */
export async function hash(text: string): Promise<string> {
  const digest = await globalThis.crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
