/** Unpaired surrogates: they have no UTF-8 encoding, and `encodeURIComponent` throws on them. */
const LONE_SURROGATE = /[\uD800-\uDFFF]/gu;

/** Percent-encodes text for any part of a URL: all characters except letters, digits and `-._~` (RFC 3986). */
// defence: encoding-of-a-query
export function percentEncode(text: string): string {
  return encodeURIComponent(text.replaceAll(LONE_SURROGATE, '\uFFFD')).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Same, but keeps the characters of `kept` and existing percent-encoding (RFC 6570, reserved expansion). */
export function percentEncodeExcept(text: string, kept: string): string {
  return text.replaceAll(/%[\dA-Fa-f]{2}|[^\w.~-]/gu, (piece) =>
    piece.length === 3 || kept.includes(piece) ? piece : percentEncode(piece),
  );
}
