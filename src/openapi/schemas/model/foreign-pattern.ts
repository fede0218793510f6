import { toUnicodePattern } from '../../../schema/expressions/unicode-pattern.ts';

/** Letters that have a meaning after a backslash in other languages, and none in JavaScript. */
const FOREIGN_ESCAPES: ReadonlySet<string> = new Set('AaCEeGgHhIiJjKLlMmNOoQqRUVXYyZz');

/** Whether a pattern uses syntax of another language that JavaScript accepts with another meaning: `\A`, `\z`, `[[:alpha:]]`, `a{,3}`. */
export function isForeignPattern(pattern: string): boolean {
  if (/\[:\^?[a-z]+:\]/.test(pattern)) return true;
  const escapes = [...pattern.matchAll(/\\([\s\S])(\{?)/g)];
  if (escapes.some(([, letter = '']) => FOREIGN_ESCAPES.has(letter))) return true;
  // A quantifier in other languages; five characters in JavaScript.
  if (/(?<!\\)\{,\d+\}/.test(pattern)) return true;
  // Only supported in Unicode mode, and not all of them.
  return (
    escapes.some(([, letter = '', brace]) => brace !== '' && 'pPux'.includes(letter)) && !isKnown(pattern)
  );
}

/** Whether all of these escapes are supported in Unicode mode; other obstacles to that mode are rewritten. */
function isKnown(pattern: string): boolean {
  const written = toUnicodePattern(pattern) ?? '';
  return [...pattern.matchAll(/\\([pPux])\{/g)].length === [...written.matchAll(/\\([pPux])\{/g)].length;
}
