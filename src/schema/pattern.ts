/**
 * A pattern of a schema as a regular expression. The specification wants Unicode mode; patterns that libraries take over from
 * plain JavaScript expressions sometimes only work without it.
 */
export function compilePattern(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'u');
  } catch {
    return new RegExp(pattern);
  }
}
