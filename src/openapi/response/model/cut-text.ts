/** Where a part of a text ends that starts there and has at most so many characters: at the end of a line if there is one near. */
export function findCut(text: string, start: number, maxChars: number): number {
  // A pair of surrogates has to fit, or nothing would ever be shown.
  const end = start + Math.max(maxChars, 2);
  if (end >= text.length) return text.length;
  const line = text.lastIndexOf('\n', end - 1) + 1;
  // A short part costs a call more than it spares a broken line.
  if (line > start + maxChars / 2) return line;
  return splitsPair(text, end) ? end - 1 : end;
}

/** Whether a cut at this place would tear a character apart. */
export function splitsPair(text: string, index: number): boolean {
  return isBetween(text.charCodeAt(index - 1), 0xd800) && isBetween(text.charCodeAt(index), 0xdc00);
}

function isBetween(code: number, first: number): boolean {
  return code >= first && code < first + 0x400;
}

/** The beginning of a text, and a sign where something is left out. */
export function shorten(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  return `${text.slice(0, splitsPair(text, maxChars) ? maxChars - 1 : maxChars)}…`;
}
