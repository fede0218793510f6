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

/** A test for patterns that compiles each one once. Belongs to one schema, so that it goes when the schema goes. */
export function createPatternTest(): (pattern: string, text: string) => boolean {
  const compiled = new Map<string, RegExp>();
  return (pattern, text) => {
    let expression = compiled.get(pattern);
    if (expression === undefined) {
      expression = compilePattern(pattern);
      compiled.set(pattern, expression);
    }
    return expression.test(text);
  };
}
