/** Returns whether a text matches a pattern. */
export type TextTest = (text: string) => boolean;

/**
 * Compiles a pattern in which `*` matches any number of characters, including slashes; other characters match
 * themselves in any case. The pieces between the stars are searched one after the other, without backtracking.
 */
export function compileGlob(pattern: string): TextTest {
  const pieces = pattern.toLowerCase().split('*');
  const [first = '', ...others] = pieces;
  const last = others.pop();
  if (last === undefined) return (text) => text.toLowerCase() === first;
  const inner = others.filter((piece) => piece !== '');
  return (text) => {
    const small = text.toLowerCase();
    if (!small.startsWith(first)) return false;
    let at = first.length;
    for (const piece of inner) {
      const found = small.indexOf(piece, at);
      if (found === -1) return false;
      at = found + piece.length;
    }
    return small.length - last.length >= at && small.endsWith(last);
  };
}
