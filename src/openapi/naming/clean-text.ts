import { htmlToText } from './html-to-text.ts';
import { removeTerminalSequences } from './terminal-sequences.ts';

/** Anything that is not plain: most texts of most documents have nothing of it. */
const UNUSUAL = /[^\n\t -~]|[<&]/;
/** Expressions about all of Unicode are slow; they only see runs of these. */
const UNUSUAL_RUN = /[^\n\t -~]+/g;
const LINE_END = /\r\n?|[\v\f\u0085\u2028\u2029]/g;
/**
 * What nobody sees: characters that are drawn as nothing (zero-width, bidirectional, tags, soft hyphens, variation selectors), marks for
 * annotations, controls, and halves of characters. A sign that can be drawn as an emoji keeps the one selector that says how.
 */
const INVISIBLE =
  /(\p{Extended_Pictographic}[\ufe0e\ufe0f])|\p{Default_Ignorable_Code_Point}|[\ufff9-\ufffb]|\p{Cs}|(?![\n\t])\p{Cc}/gu;
const SPACE = /\p{Zs}/gu;

/**
 * A text of a document as plain text: without HTML, invisible and bidirectional characters, controls and terminal sequences. What a person
 * sees of it is then what a model reads. Anything that is not a text, a number or a boolean is an empty text. Never throws.
 */
export function cleanText(text: unknown): string {
  if (typeof text === 'number' || typeof text === 'boolean') return String(text);
  if (typeof text !== 'string') return '';
  // Entities may stand for hidden characters, and hidden characters may hide entities.
  const long = text.slice(0, MAX_TEXT);
  const plain = UNUSUAL.test(long) ? removeHidden(htmlToText(removeHidden(long))) : long;
  return tidyLines(plain);
}

/**
 * A text of a document as it is, without anything invisible or meant for a terminal. Markdown and HTML stay: they are what its authors
 * wrote, and models read them. Never throws.
 */
export function tidyText(text: unknown): string {
  if (typeof text === 'number' || typeof text === 'boolean') return String(text);
  if (typeof text !== 'string') return '';
  if (text.length < LONG) return tidyLines(removeHidden(text));
  let tidy = longOnes.get(text);
  if (tidy === undefined) {
    tidy = tidyLines(removeHidden(text.slice(0, MAX_TEXT)));
    if (longOnes.size >= MAX_KEPT) longOnes.clear();
    longOnes.set(text, tidy);
  }
  return tidy;
}

/** Operations share what they refer to, long texts as well. A few are kept, whosever they are: they say nothing but themselves. */
const longOnes = new Map<string, string>();
const LONG = 2000;
const MAX_KEPT = 20;

/** Nothing that is shown is nearly as long; cleaning a megabyte for each of a thousand operations would take a while. */
const MAX_TEXT = 20_000;

/** Whether a text has anything that people do not see. Line ends and tabs are seen. */
// defence: no-hidden-names
export function hasHidden(text: string): boolean {
  if (!UNUSUAL.test(text)) return false;
  return removeTerminalSequences(text).replace(INVISIBLE, '$1') !== text;
}

/** The text without anything invisible or meant for a terminal; all else stays as it is. */
// defence: no-hidden-text
export function removeHidden(text: string): string {
  if (!UNUSUAL.test(text)) return text;
  return removeTerminalSequences(text.replace(LINE_END, '\n')).replace(UNUSUAL_RUN, (run) =>
    run.replace(INVISIBLE, '$1').replace(SPACE, ' '),
  );
}

/** No blanks at the ends of lines, and no more than one empty line in a row. */
function tidyLines(text: string): string {
  if (!text.includes('\n')) return text.trim();
  const lines: string[] = [];
  for (const line of text.split('\n')) {
    const kept = line.trimEnd();
    if (kept !== '' || lines.at(-1) !== '') lines.push(kept);
  }
  return lines.join('\n').trim();
}
