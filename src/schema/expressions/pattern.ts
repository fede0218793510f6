import { boundExpression } from './bounded-expression.ts';
import type { PatternLimits } from './bounded-expression.ts';
import { findVerdict } from '../../pattern-judge/judge-pattern.ts';
import { toUnicodePattern } from './unicode-pattern.ts';

/** A pattern of a schema as a regular expression in Unicode mode, also where it is written for the other mode. */
export function compilePattern(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'u');
  } catch (error) {
    const rewritten = toUnicodePattern(pattern);
    if (rewritten === undefined) throw error;
    return new RegExp(rewritten, 'u');
  }
}

/**
 * A pattern that was judged, as an expression that is not tried on texts that are too long for it: those do not match. `limits`: where
 * matches are counted.
 */
export function compileGuardedPattern(pattern: string, limits?: PatternLimits): RegExp {
  const expression = compilePattern(pattern);
  const verdict = findVerdict(expression);
  const maxLength =
    verdict !== undefined && 'maxLength' in verdict ? verdict.maxLength : Number.POSITIVE_INFINITY;
  return boundExpression(expression, {
    areLongValid: false,
    ...limits,
    maxLengths: new Map([[expression.source, maxLength]]),
  });
}

/** Whether a text matches a pattern. */
export type PatternTest = (pattern: string, text: string) => boolean;

/** A test for patterns that compiles each one once. Belongs to one schema, so that it goes when the schema goes. */
export function createPatternTest(limits?: PatternLimits): PatternTest {
  const compiled = new Map<string, RegExp>();
  return (pattern, text) => {
    let expression = compiled.get(pattern);
    if (expression === undefined)
      compiled.set(pattern, (expression = compileGuardedPattern(pattern, limits)));
    return expression.test(text);
  };
}
