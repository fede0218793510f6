import { compilePattern } from '../../schema/pattern.ts';
import { judgePattern } from '../../schema/patterns/judge/judge-pattern.ts';
import type { SchemaNode } from '../../schema/json-node.ts';
import type { Conversion } from './schema-converter.ts';

/** The longest text that the pattern is fast on, or why it cannot be used. */
type Verdict = { readonly maxLength: number } | { readonly problem: string };

/** `pattern`, if JavaScript can run it and nobody can make it run for minutes. */
export function convertPattern(
  { pattern }: SchemaNode,
  { maxLength }: SchemaNode,
  at: Conversion,
): SchemaNode {
  if (typeof pattern !== 'string' || pattern === '') return {};
  const verdict = judge(pattern);
  if ('problem' in verdict) {
    at.problem(`the pattern ${show(pattern)} ${verdict.problem}; it is left out`);
    return {};
  }
  const longest = typeof maxLength === 'number' ? maxLength : Number.POSITIVE_INFINITY;
  if (longest <= verdict.maxLength) return { pattern };
  at.problem(`the pattern ${show(pattern)} can take very long; it is left out`);
  return {};
}

/** Whether a pattern for keys can be used, whatever the keys. */
export function isUsablePattern(pattern: string): boolean {
  const verdict = judge(pattern);
  return 'maxLength' in verdict && verdict.maxLength === Number.POSITIVE_INFINITY;
}

function show(pattern: string): string {
  return JSON.stringify(pattern.length > 100 ? `${pattern.slice(0, 100)}\u2026` : pattern);
}

function judge(pattern: string): Verdict {
  try {
    // Clients compile it without Unicode mode as well.
    RegExp(pattern);
    const found = judgePattern(compilePattern(pattern));
    if (found.kind === 'linear') return { maxLength: Number.POSITIVE_INFINITY };
    return found.kind === 'slow' ? { maxLength: found.harmlessLength } : { problem: 'cannot be judged' };
  } catch {
    return { problem: 'is no regular expression of JavaScript' };
  }
}
