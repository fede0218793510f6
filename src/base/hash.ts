/** SHA-256 as hexadecimal text, so that keys with tokens or arguments never reach a store in plain text. */
export async function hash(text: string): Promise<string> {
  const digest = await globalThis.crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
