/** Halves of characters: they have no bytes, and `encodeURIComponent` throws on them. */
const LONE_SURROGATE = /[\uD800-\uDFFF]/gu;

/** Text for any place of a URL: everything but letters, digits and `-._~` is encoded (RFC 3986). */
// defence: encoding-of-a-query
export function percentEncode(text: string): string {
  return encodeURIComponent(text.replaceAll(LONE_SURROGATE, '\uFFFD')).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** The same, but the characters of `kept` stay, and so does what is encoded already (RFC 6570, reserved expansion). */
export function percentEncodeExcept(text: string, kept: string): string {
  return text.replaceAll(/%[\dA-Fa-f]{2}|[^\w.~-]/gu, (piece) =>
    piece.length === 3 || kept.includes(piece) ? piece : percentEncode(piece),
  );
}
