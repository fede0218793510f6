import { toUnicodePattern } from '../../schema/expressions/unicode-pattern.ts';
import type { SchemaNode } from '../../schema/nodes/json-node.ts';
import type { Conversion, Converter } from './model/conversion.ts';

/** Converts `pattern` if JavaScript supports it and it is fast: a slow one needs a small `maxLength`. */
export function convertPattern(
  { pattern, maxLength }: SchemaNode,
  { patterns }: Converter,
  at: Conversion,
): SchemaNode {
  if (typeof pattern !== 'string' || pattern === '') return {};
  const longest = typeof maxLength === 'number' ? maxLength : Number.POSITIVE_INFINITY;
  const problem = patterns.findProblem(pattern, longest);
  if (problem === undefined) return { pattern: writePattern(pattern, at) };
  at.problem(`the pattern ${show(pattern)} ${problem}; it is left out`);
  return {};
}

/** A usable pattern in Unicode mode, as clients compile it. */
export function writePattern(pattern: string, at: Conversion): string {
  const written = toUnicodePattern(pattern) ?? pattern;
  if (written !== pattern)
    at.problem(
      `the pattern ${show(pattern)} is not valid in Unicode mode; it is written as ${show(written)}, which means the same`,
    );
  return written;
}

function show(pattern: string): string {
  return JSON.stringify(pattern.length > 100 ? `${pattern.slice(0, 100)}\u2026` : pattern);
}
