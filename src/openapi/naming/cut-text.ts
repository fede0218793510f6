const ELLIPSIS = '\u2026';
/** Sentence ends: one of these before a space, or the end of a line. */
const SENTENCE_ENDS = '.!?\u3002';

/**
 * Cuts a text to at most `maxChars` characters. It ends with the last whole sentence or word that fits, and an ellipsis, unless that would
 * drop more than half of the room.
 */
export function cutText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  if (maxChars < 1) return '';
  const least = Math.floor(maxChars / 2);
  const sentence = endOfSentence(text, maxChars - 2, least);
  if (sentence !== undefined) return `${text.slice(0, sentence).trimEnd()} ${ELLIPSIS}`;
  return text.slice(0, endOfWord(text, maxChars - 1, least)).trimEnd() + ELLIPSIS;
}

function endOfSentence(text: string, most: number, least: number): number | undefined {
  for (let end = most; end >= Math.max(least, 1); end -= 1) {
    if (text[end] === '\n') return end;
    if (isBlank(text, end) && SENTENCE_ENDS.includes(text.charAt(end - 1))) return end;
  }
  return undefined;
}

function endOfWord(text: string, most: number, least: number): number {
  for (let end = most; end >= Math.max(least, 1); end -= 1) if (isBlank(text, end)) return end;
  const last = text.charCodeAt(most - 1);
  // Do not split a surrogate pair.
  return last >= 0xd800 && last <= 0xdbff ? most - 1 : most;
}

function isBlank(text: string, at: number): boolean {
  const character = text[at];
  return character === ' ' || character === '\n' || character === '\t';
}
