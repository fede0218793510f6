import { htmlToText } from './html-to-text.ts';
import { removeTerminalSequences } from './terminal-sequences.ts';

/** Anything but plain ASCII without HTML: most texts have none of it. */
const UNUSUAL = /[^\n\t -~]|[<&]/;
/** Runs of unusual characters: the slow Unicode expressions are only applied to them. */
const UNUSUAL_RUN = /[^\n\t -~]+/g;
const LINE_END = /\r\n?|[\v\f\u0085\u2028\u2029]/g;
/**
 * Invisible characters: zero-width and bidirectional characters, tags, soft hyphens, variation selectors, annotation marks, controls, and
 * unpaired surrogates. A character with an emoji form keeps one variation selector.
 */
const INVISIBLE =
  /(\p{Extended_Pictographic}[\ufe0e\ufe0f])|\p{Default_Ignorable_Code_Point}|[\ufff9-\ufffb]|\p{Cs}|(?![\n\t])\p{Cc}/gu;
const SPACE = /\p{Zs}/gu;

/**
 * Converts a text of a document to plain text: without HTML, invisible and bidirectional characters, controls and terminal sequences, so
 * that a model reads what a person sees. Returns an empty string for values other than strings, numbers and booleans. Never throws.
 */
export function cleanText(text: unknown): string {
  if (typeof text === 'number' || typeof text === 'boolean') return String(text);
  if (typeof text !== 'string') return '';
  // Entities may encode hidden characters, and hidden characters may split entities.
  const long = text.slice(0, MAX_TEXT);
  const plain = UNUSUAL.test(long) ? removeHidden(htmlToText(removeHidden(long))) : long;
  return tidyLines(plain);
}

/**
 * Removes invisible characters and terminal sequences from a text of a document. Markdown and HTML stay, because models read them. Never
 * throws.
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

/** Cache of a few long texts, because operations share descriptions. */
const longOnes = new Map<string, string>();
const LONG = 2000;
const MAX_KEPT = 20;

/** Maximum length: no text that is shown is nearly as long, and cleaning a megabyte for each of a thousand operations would take long. */
const MAX_TEXT = 20_000;

/** Whether a text has invisible characters. Line ends and tabs are visible. */
// defence: no-hidden-names
export function hasHidden(text: string): boolean {
  if (!UNUSUAL.test(text)) return false;
  return removeTerminalSequences(text).replace(INVISIBLE, '$1') !== text;
}

/** Removes invisible characters and terminal sequences; everything else stays. */
// defence: no-hidden-text
export function removeHidden(text: string): string {
  if (!UNUSUAL.test(text)) return text;
  return removeTerminalSequences(text.replace(LINE_END, '\n')).replace(UNUSUAL_RUN, (run) =>
    run.replace(INVISIBLE, '$1').replace(SPACE, ' '),
  );
}

/** Removes trailing whitespace of lines and repeated empty lines. */
function tidyLines(text: string): string {
  if (!text.includes('\n')) return text.trim();
  const lines: string[] = [];
  for (const line of text.split('\n')) {
    const kept = line.trimEnd();
    if (kept !== '' || lines.at(-1) !== '') lines.push(kept);
  }
  return lines.join('\n').trim();
}
