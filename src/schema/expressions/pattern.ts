import { boundExpression } from './bounded-expression.ts';
import type { PatternLimits } from './bounded-expression.ts';
import { findVerdict } from '../../pattern-judge/judge-pattern.ts';
import { toUnicodePattern } from './unicode-pattern.ts';

/** Compiles a pattern of a schema in Unicode mode, even if it was written for the other mode. */
export function compilePattern(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'u');
  } catch (error) {
    const rewritten = toUnicodePattern(pattern);
    if (rewritten === undefined) throw error;
    return new RegExp(rewritten, 'u');
  }
}

/** Compiles a judged pattern so that it does not match strings above its limits. `limits`: counts the matches. */
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

/** Creates a test that compiles each pattern once. It belongs to one schema and is collected with it. */
export function createPatternTest(limits?: PatternLimits): PatternTest {
  const compiled = new Map<string, RegExp>();
  return (pattern, text) => {
    let expression = compiled.get(pattern);
    if (expression === undefined)
      compiled.set(pattern, (expression = compileGuardedPattern(pattern, limits)));
    return expression.test(text);
  };
}
