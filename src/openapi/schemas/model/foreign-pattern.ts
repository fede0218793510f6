/** Letters that mean something behind a backslash in other languages, and only themselves in JavaScript. */
const FOREIGN_ESCAPES: ReadonlySet<string> = new Set('AaCEeGgHhIiJjKLlMmNOoQqRUVXYyZz');

/** Whether a pattern is one of another language that JavaScript takes all the same: `\A`, `\z`, `[[:alpha:]]`. */
export function isForeignPattern(pattern: string): boolean {
  if (/\[:\^?[a-z]+:\]/.test(pattern)) return true;
  const escapes = [...pattern.matchAll(/\\([\s\S])(\{?)/g)];
  if (escapes.some(([, letter = '']) => FOREIGN_ESCAPES.has(letter))) return true;
  // Known in Unicode mode alone.
  return (
    escapes.some(([, letter = '', brace]) => brace !== '' && 'pPux'.includes(letter)) && !isUnicode(pattern)
  );
}

function isUnicode(pattern: string): boolean {
  try {
    RegExp(pattern, 'u');
    return true;
  } catch {
    return false;
  }
}
