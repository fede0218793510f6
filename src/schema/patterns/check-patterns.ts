import { SchemaError } from '../../errors/errors.ts';
import type { Logger } from '../../errors/logger.ts';
import type { SchemaNode } from '../json-node.ts';
import { compilePattern } from '../pattern.ts';
import { judgePattern } from './judge/judge-pattern.ts';
import type { PatternVerdict } from './judge/judge-pattern.ts';
import { createLengthGuard } from './length-guard.ts';
import type { LengthGuard } from './length-guard.ts';
import { findPatternUses } from './pattern-uses.ts';
import type { PatternUse } from './pattern-uses.ts';

/** What becomes of a pattern that can take very long on some texts. */
export type SlowPatterns = 'refuse' | 'warn' | 'allow';

/** What {@link checkPatterns} looks at, and what it does about it. */
export interface PatternCheck {
  /** Names the schema in messages. */
  readonly owner: string;
  readonly document: SchemaNode;
  /** Expressions that a library runs by itself. */
  readonly expressions: readonly RegExp[];
  readonly slowPatterns: SlowPatterns;
  readonly logger: Pick<Logger, 'warning'> | undefined;
}

/**
 * Refuses patterns that are slow on texts of a length that is valid. Where only texts that are too long would be slow, gives what keeps
 * those from the patterns.
 */
export function checkPatterns(check: PatternCheck): LengthGuard | undefined {
  const uses = findPatternUses(check.document);
  const sources = new Map(uses.map(({ pattern }) => [pattern, compilePattern(pattern).source]));
  const verdicts = judgeAll([...sources.keys()].map(compilePattern), check.expressions);
  const guarded: PatternUse[] = [];
  for (const use of uses) {
    const verdict = verdicts.get(sources.get(use.pattern) ?? '');
    if (verdict === undefined) continue;
    if (verdict.kind === 'slow' && use.bound <= verdict.harmlessLength) guarded.push(use);
    else report(check, use, verdict);
  }
  const shown = new Set(sources.values());
  for (const { source } of check.expressions) {
    const verdict = shown.has(source) ? undefined : verdicts.get(source);
    if (verdict !== undefined) report(check, { pattern: source }, verdict);
  }
  return guarded.length === 0 ? undefined : createLengthGuard(check.document, guarded);
}

type BadVerdict = Exclude<PatternVerdict, { kind: 'linear' }>;

/** What is bad, by source: a library may run the same one with flags that JSON Schema does not know, so the worst counts. */
function judgeAll(patterns: readonly RegExp[], expressions: readonly RegExp[]): Map<string, BadVerdict> {
  const verdicts = new Map<string, BadVerdict>();
  for (const expression of [...patterns, ...expressions]) {
    const verdict = judgePattern(expression);
    if (verdict.kind === 'linear') continue;
    const known = verdicts.get(expression.source);
    if (known === undefined || harmlessLength(verdict) < harmlessLength(known))
      verdicts.set(expression.source, verdict);
  }
  return verdicts;
}

function harmlessLength(verdict: BadVerdict): number {
  return verdict.kind === 'slow' ? verdict.harmlessLength : -1;
}

function report(
  { owner, slowPatterns, logger }: PatternCheck,
  use: Pick<PatternUse, 'pattern'> & Partial<PatternUse>,
  verdict: BadVerdict,
): void {
  const place = use.path === undefined ? 'behind a transformation' : `at ${use.path}`;
  const message = `${owner}: the pattern ${JSON.stringify(use.pattern)} ${place} ${describe(verdict)} ${advise(use, verdict)}`;
  if (slowPatterns === 'refuse') throw new SchemaError(message);
  logger?.warning(message);
}

function describe(verdict: BadVerdict): string {
  if (verdict.kind === 'unknown') return `could not be judged: ${verdict.reason}.`;
  const text = JSON.stringify(verdict.example(20));
  const growth = Number.isFinite(verdict.degree)
    ? `its time grows with the length to the power of ${Math.round(verdict.degree)}`
    : 'every few characters more multiply its time';
  return `can take very long: on texts like ${text} ${growth}.`;
}

function advise({ path, isForKeys }: Partial<PatternUse>, verdict: BadVerdict): string {
  if (verdict.kind === 'unknown')
    return "Simplify it, or say slowPatterns: 'warn' if you know that it is harmless.";
  if (path === undefined) return 'Simplify it.';
  const bound = isForKeys === true ? 'propertyNames: { maxLength: … }' : 'maxLength';
  return `Simplify it, or take no more than ${verdict.harmlessLength} characters (${bound}).`;
}
