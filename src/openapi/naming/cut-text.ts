const ELLIPSIS = '\u2026';
/** A full stop and the like with a blank behind it, or the end of a line. */
const SENTENCE_ENDS = '.!?\u3002';

/**
 * The text in at most so many characters. A longer one ends with its last whole sentence or word that fits, and an ellipsis; a boundary
 * that would cost more than half of the room is not looked for.
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
  // Half of a character is not a character.
  return last >= 0xd800 && last <= 0xdbff ? most - 1 : most;
}

function isBlank(text: string, at: number): boolean {
  const character = text[at];
  return character === ' ' || character === '\n' || character === '\t';
}
