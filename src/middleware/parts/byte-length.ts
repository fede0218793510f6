const encoder = new TextEncoder();

/** How many bytes a text takes in UTF-8. */
export function byteLength(text: string): number {
  return encoder.encode(text).byteLength;
}

/** How many bytes one code point takes, alone or as part of a string in JSON. */
type Cost = (codePoint: number) => number;

/** In UTF-8. Half a pair is written as a replacement character of three bytes. */
export const rawCost: Cost = (codePoint) => {
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x10000 ? 3 : 4;
};

/** As `JSON.stringify` writes it. */
export const jsonCost: Cost = (codePoint) => {
  if (codePoint === QUOTE || codePoint === BACKSLASH || SHORT_ESCAPES.has(codePoint)) return 2;
  if (codePoint < 0x20 || (codePoint >= 0xd800 && codePoint <= 0xdfff)) return 6;
  return rawCost(codePoint);
};

const QUOTE = 34;
const BACKSLASH = 92;
/** \b \t \n \f \r */
const SHORT_ESCAPES: ReadonlySet<number> = new Set([8, 9, 10, 12, 13]);

/** The bytes of the ellipsis that a cut text ends with. */
export const ELLIPSIS_BYTES = 3;

/** The longest start of a text that takes so many bytes with an ellipsis behind it. Never ends within a surrogate pair. */
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
