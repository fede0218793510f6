import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const BEGIN = '<!-- figures: begin -->';
const END = '<!-- figures: end -->';

/**
 * Writes the figures between the two marks of a page; the rest of the page does not change.
 *
 * @param {string} page its path in the repository
 * @param {string} figures
 */
export function writePage(page, figures) {
  const path = resolve(root, page);
  const text = readFileSync(path, 'utf8');
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (begin === -1 || end < begin) throw new Error(`Missing marks in ${page}: expected ${BEGIN} and ${END}.`);
  writeFileSync(path, `${text.slice(0, begin + BEGIN.length)}\n\n${figures}\n\n${text.slice(end)}`);
}
