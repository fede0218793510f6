/** End of a part of a text with at most `maxChars` characters: at the end of a line if one is near. */
export function findCut(text: string, start: number, maxChars: number): number {
  // A surrogate pair must fit, or the parts would never advance.
  const end = start + Math.max(maxChars, 2);
  if (end >= text.length) return text.length;
  const line = text.lastIndexOf('\n', end - 1) + 1;
  // A short part costs another call, which is worse than a broken line.
  if (line > start + maxChars / 2) return line;
  return splitsPair(text, end) ? end - 1 : end;
}

/** Whether a cut at this index would split a surrogate pair. */
export function splitsPair(text: string, index: number): boolean {
  return isBetween(text.charCodeAt(index - 1), 0xd800) && isBetween(text.charCodeAt(index), 0xdc00);
}

function isBetween(code: number, first: number): boolean {
  return code >= first && code < first + 0x400;
}

/** The beginning of a text, with an ellipsis if something is left out. */
export function shorten(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  return `${text.slice(0, splitsPair(text, maxChars) ? maxChars - 1 : maxChars)}…`;
}
