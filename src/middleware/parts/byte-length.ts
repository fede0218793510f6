const encoder = new TextEncoder();

/** Length of a text in UTF-8 bytes. */
export function byteLength(text: string): number {
  return encoder.encode(text).byteLength;
}

/** Bytes of one code point, alone or within a JSON string. */
type Cost = (codePoint: number) => number;

/** In UTF-8. An unpaired surrogate is encoded as a replacement character of three bytes. */
export const rawCost: Cost = (codePoint) => {
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x10000 ? 3 : 4;
};

/** As written by `JSON.stringify`. */
export const jsonCost: Cost = (codePoint) => {
  if (codePoint === QUOTE || codePoint === BACKSLASH || SHORT_ESCAPES.has(codePoint)) return 2;
  if (codePoint < 0x20 || (codePoint >= 0xd800 && codePoint <= 0xdfff)) return 6;
  return rawCost(codePoint);
};

const QUOTE = 34;
const BACKSLASH = 92;
/** \b \t \n \f \r */
const SHORT_ESCAPES: ReadonlySet<number> = new Set([8, 9, 10, 12, 13]);

/** Bytes of the ellipsis at the end of a cut text. */
export const ELLIPSIS_BYTES = 3;

/** The longest prefix of a text that fits with an ellipsis into this many bytes. Never splits a surrogate pair. */
export function cutText(text: string, maxBytes: number, cost: Cost): { text: string; kept: number } {
  let left = maxBytes - ELLIPSIS_BYTES;
  let kept = 0;
  while (kept < text.length) {
    const codePoint = text.codePointAt(kept) ?? 0;
    left -= cost(codePoint);
    if (left < 0) break;
    kept += codePoint > 0xffff ? 2 : 1;
  }
  return { text: `${text.slice(0, kept)}…`, kept };
}
