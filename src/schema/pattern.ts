import { findVerdict } from './patterns/judge/judge-pattern.ts';

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

/** A pattern, with a text that is too long for it as one that does not match: it is refused for its length anyway. */
export function compileGuardedPattern(pattern: string): { test(text: string): boolean } {
  const expression = compilePattern(pattern);
  const verdict = findVerdict(expression);
  if (verdict?.kind !== 'slow') return expression;
  const { harmlessLength } = verdict;
  return { test: (text) => text.length <= harmlessLength && expression.test(text) };
}

/**
 * A test for patterns that compiles each one once. Belongs to one schema, so that it goes when the schema goes. A text that is too long for
 * a slow pattern does not match: it is refused for its length anyway.
 */
export function createPatternTest(): (pattern: string, text: string) => boolean {
  const compiled = new Map<string, { readonly expression: RegExp; readonly maxLength: number }>();
  return (pattern, text) => {
    let known = compiled.get(pattern);
    if (known === undefined) {
      const expression = compilePattern(pattern);
      const verdict = findVerdict(expression);
      const maxLength = verdict?.kind === 'slow' ? verdict.harmlessLength : Number.POSITIVE_INFINITY;
      known = { expression, maxLength };
      compiled.set(pattern, known);
    }
    return text.length <= known.maxLength && known.expression.test(text);
  };
}
