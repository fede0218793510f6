import { boundExpression } from './bounded-expression.ts';
import type { PatternLimits } from './bounded-expression.ts';
import { findVerdict } from '../../pattern-judge/judge-pattern.ts';

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

/** A pattern that was judged, with a text that is too long for it as one that does not match: it is refused for its length anyway. */
export function compileGuardedPattern(pattern: string): RegExp {
  const expression = compilePattern(pattern);
  const maxLengths = new Map([[expression.source, maxLengthOf(expression)]]);
  return boundExpression(expression, { maxLengths, areLongValid: false });
}

/** The longest text that an expression may be tried on, as far as it was judged. */
function maxLengthOf(expression: RegExp): number {
  const verdict = findVerdict(expression);
  return verdict !== undefined && 'maxLength' in verdict ? verdict.maxLength : Number.POSITIVE_INFINITY;
}

/** Whether a text matches a pattern. */
export type PatternTest = (pattern: string, text: string) => boolean;

/**
 * A test for patterns that compiles each one once. Belongs to one schema, so that it goes when the schema goes. A text that is too long for
 * a slow pattern does not match: it is refused for its length anyway. `limits`: where matches are counted.
 */
export function createPatternTest(limits?: PatternLimits): PatternTest {
  const compiled = new Map<string, { readonly expression: RegExp; readonly maxLength: number }>();
  return (pattern, text) => {
    let known = compiled.get(pattern);
    if (known === undefined) {
      const expression = compilePattern(pattern);
      known = { expression, maxLength: maxLengthOf(expression) };
      compiled.set(pattern, known);
    }
    const { expression, maxLength } = known;
    if (text.length > maxLength) return false;
    if (limits?.mayTry?.(expression.source, text.length) === false) return limits.areLongValid;
    return expression.test(text);
  };
}
