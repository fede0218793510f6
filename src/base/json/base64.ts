/** Encodes bytes as base64. */
export function toBase64(bytes: Uint8Array): string {
  let binary = '';
  // In chunks, because a call takes a limited number of arguments.
  for (let start = 0; start < bytes.length; start += 8192) {
    binary += String.fromCharCode(...bytes.subarray(start, start + 8192));
  }
  return btoa(binary);
}

/** Decodes base64; undefined if it is not canonical: `atob` alone accepts spaces and missing padding. */
export function fromBase64(text: string): Uint8Array | undefined {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined;
  try {
    const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
    // Unused bits must be zero; otherwise several texts would decode to the same bytes.
    return toBase64(bytes) === text ? bytes : undefined;
  } catch {
    return undefined;
  }
}

/** Encodes bytes as base64url, without padding. */
export function toBase64Url(bytes: Uint8Array): string {
  return toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Decodes base64url; undefined if it is not canonical. */
export function fromBase64Url(text: string): Uint8Array | undefined {
  if (!/^[\w-]*$/.test(text)) return undefined;
  const padded = text.padEnd(Math.ceil(text.length / 4) * 4, '=');
  return fromBase64(padded.replaceAll('-', '+').replaceAll('_', '/'));
}
