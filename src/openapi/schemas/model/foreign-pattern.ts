import { toUnicodePattern } from '../../../schema/expressions/unicode-pattern.ts';

/** Letters that mean something behind a backslash in other languages, and only themselves in JavaScript. */
const FOREIGN_ESCAPES: ReadonlySet<string> = new Set('AaCEeGgHhIiJjKLlMmNOoQqRUVXYyZz');

/** Whether a pattern is one of another language that JavaScript takes all the same: `\A`, `\z`, `[[:alpha:]]`, `a{,3}`. */
export function isForeignPattern(pattern: string): boolean {
  if (/\[:\^?[a-z]+:\]/.test(pattern)) return true;
  const escapes = [...pattern.matchAll(/\\([\s\S])(\{?)/g)];
  if (escapes.some(([, letter = '']) => FOREIGN_ESCAPES.has(letter))) return true;
  // Elsewhere a repetition; here five characters.
  if (/(?<!\\)\{,\d+\}/.test(pattern)) return true;
  // Known in Unicode mode alone, and here not even there.
  return (
    escapes.some(([, letter = '', brace]) => brace !== '' && 'pPux'.includes(letter)) && !isKnown(pattern)
  );
}

/** Whether all of these escapes have a meaning in Unicode mode; what else keeps a pattern out of that mode is rewritten. */
function isKnown(pattern: string): boolean {
  const written = toUnicodePattern(pattern) ?? '';
  return [...pattern.matchAll(/\\([pPux])\{/g)].length === [...written.matchAll(/\\([pPux])\{/g)].length;
}
