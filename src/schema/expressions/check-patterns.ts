import { SchemaError } from '../../errors/errors.ts';
import type { Logger } from '../../errors/logger.ts';
import type { SchemaNode } from '../nodes/json-node.ts';
import { compilePattern } from './pattern.ts';
import { judgePattern, mostSteps } from '../../pattern-judge/judge-pattern.ts';
import type { LinearPattern, PatternVerdict, Steps } from '../../pattern-judge/judge-pattern.ts';
import { toUnicodePattern } from './unicode-pattern.ts';
import { findPatternUses } from './pattern-uses.ts';
import type { PatternUse } from './pattern-uses.ts';

/** Handling of patterns that can take very long: reject or bound them (`'refuse'`), warn, or do not judge them (`'allow'`). */
export type SlowPatterns = 'refuse' | 'warn' | 'allow';

/** Options of {@link checkPatterns}. */
export interface PatternCheck {
  /** Name of the schema in messages. */
  readonly owner: string;
  readonly document: SchemaNode;
  /** Expressions that a library runs itself. */
  readonly expressions: readonly RegExp[];
  readonly slowPatterns: Exclude<SlowPatterns, 'allow'>;
  readonly logger: Pick<Logger, 'warning'> | undefined;
}

/** The judged patterns, by the kind of their bound. */
export interface JudgedPatterns {
  /** Uses where the schema itself makes longer strings invalid. */
  readonly declared: readonly PatternUse[];
  /** Uses with a bound that was added here. */
  readonly automatic: readonly PatternUse[];
  /** Uses without a bound. */
  readonly unbounded: readonly PatternUse[];
  /** Costs of the linear patterns without a bound, one per use. */
  readonly linear: readonly LinearPattern[];
  /** Limits of the expressions that have any, by source. */
  readonly expressions: ReadonlyMap<string, JudgedExpression>;
}

/** Limits of one expression. */
export interface JudgedExpression {
  /** Maximum string length, in characters. */
  readonly maxLength: number;
  readonly steps: Steps;
}

/**
 * Judges every pattern. Rejects exponential ones, unless the schema itself allows only short strings. Patterns that are or may be slow on
 * long strings get a bound.
 */
export function checkPatterns(check: PatternCheck): JudgedPatterns {
  const uses = findPatternUses(check.document);
  const sources = new Map(uses.map(({ pattern }) => [pattern, compilePattern(pattern).source]));
  const verdicts = judgeAll([...sources.keys()].map(compilePattern), check.expressions);
  const declared: PatternUse[] = [];
  const automatic: PatternUse[] = [];
  const unbounded: PatternUse[] = [];
  const linear: LinearPattern[] = [];
  const reporter = new Reporter(check);
  for (const use of uses) {
    const verdict = verdicts.get(sources.get(use.pattern) ?? '');
    if (verdict === undefined) continue;
    if (verdict.kind === 'linear') {
      unbounded.push(use);
      linear.push(verdict);
    } else if ('maxLength' in verdict && use.bound <= verdict.maxLength) declared.push(use);
    else if (reporter.isBounded(use, verdict)) automatic.push({ ...use, bound: verdict.maxLength });
  }
  const shown = new Set(sources.values());
  for (const { source } of check.expressions) {
    const form = formOf(source);
    const verdict = shown.has(form) ? undefined : verdicts.get(form);
    if (verdict?.kind === 'linear') linear.push(verdict);
    else if (verdict !== undefined) reporter.isBounded({ pattern: source }, verdict);
  }
  const expressions = check.slowPatterns === 'refuse' ? toExpressions(verdicts, check.expressions) : NONE;
  return { declared, automatic, unbounded, linear, expressions };
}

const NONE: ReadonlyMap<string, JudgedExpression> = new Map();

type BadVerdict = Exclude<PatternVerdict, { kind: 'linear' }>;
type BoundedVerdict = Extract<PatternVerdict, { kind: 'bounded' }>;

/** The source as JSON Schema documents have it: valid in Unicode mode. */
function formOf(source: string): string {
  return toUnicodePattern(source) ?? source;
}

/** Verdicts by source: a library may run the same pattern with flags that JSON Schema does not have, so the worst verdict counts. */
function judgeAll(patterns: readonly RegExp[], expressions: readonly RegExp[]): Map<string, PatternVerdict> {
  const verdicts = new Map<string, PatternVerdict>();
  for (const expression of [...patterns, ...expressions]) {
    const verdict = judgePattern(expression);
    const form = formOf(expression.source);
    const known = verdicts.get(form);
    verdicts.set(form, known === undefined ? verdict : worse(verdict, known));
  }
  return verdicts;
}

function worse(one: PatternVerdict, other: PatternVerdict): PatternVerdict {
  if (one === other) return one;
  const [worst, better] = harmlessLength(one) < harmlessLength(other) ? [one, other] : [other, one];
  if (worst.kind === 'unknown' || better.kind === 'unknown') return worst;
  return { ...worst, steps: mostSteps([worst.steps, better.steps]) };
}

function harmlessLength(verdict: PatternVerdict): number {
  if (verdict.kind === 'linear') return Number.POSITIVE_INFINITY;
  return 'maxLength' in verdict ? verdict.maxLength : -1;
}

function toExpressions(
  verdicts: ReadonlyMap<string, PatternVerdict>,
  expressions: readonly RegExp[],
): Map<string, JudgedExpression> {
  const judged = new Map(
    Array.from(verdicts, ([form, verdict]): [string, JudgedExpression] => [
      form,
      { maxLength: harmlessLength(verdict), steps: verdict.kind === 'unknown' ? () => 0 : verdict.steps },
    ]),
  );
  // A library runs them unchanged.
  for (const { source } of expressions) {
    const known = judged.get(formOf(source));
    if (known !== undefined) judged.set(source, known);
  }
  return judged;
}

/** A pattern; its path is unknown if only a library runs it. */
type JudgedUse = Pick<PatternUse, 'pattern'> & Partial<PatternUse>;

/** Rejects patterns, or warns about each of them once. */
class Reporter {
  readonly #check: PatternCheck;
  readonly #warned = new Set<string>();

  constructor(check: PatternCheck) {
    this.#check = check;
  }

  /** Whether the pattern gets a bound. */
  isBounded(use: JudgedUse, verdict: BadVerdict): verdict is BoundedVerdict {
    const { owner, slowPatterns } = this.#check;
    const where = use.path === undefined ? 'behind a transformation' : `at ${use.path}`;
    const problem = `${owner}: the pattern ${JSON.stringify(use.pattern)} ${where} ${describe(verdict)}`;
    const isBounded = slowPatterns === 'refuse' && verdict.kind === 'bounded';
    if (slowPatterns === 'refuse' && !isBounded) throw new SchemaError(`${problem} ${advise(use, verdict)}`);
    if (this.#warned.has(use.pattern)) return isBounded;
    this.#warned.add(use.pattern);
    const consequence = isBounded
      ? `It is matched against at most ${verdict.maxLength} characters. Simplify it, or set ${boundOf(use)} to that or less.`
      : advise(use, verdict);
    this.#check.logger?.warning(`${problem} ${consequence}`);
    return isBounded;
  }
}

function describe(verdict: BadVerdict): string {
  if (verdict.kind === 'unknown') return `could not be judged: ${verdict.reason}.`;
  if ('each' in verdict) return `takes up to ${verdict.each} steps for every character.`;
  if (verdict.example === undefined) return 'is not proven to be fast on long strings.';
  const growth =
    verdict.kind === 'bounded'
      ? `its time grows with the length to the power of ${Math.round(verdict.degree ?? 2)}`
      : 'its time grows exponentially with the length';
  return `can take very long: on strings like ${JSON.stringify(verdict.example(20))} ${growth}.`;
}

function advise(use: JudgedUse, verdict: BadVerdict): string {
  if (verdict.kind === 'unknown')
    return "Simplify it, or set slowPatterns: 'warn' if you know that it is harmless.";
  if (use.path === undefined) return 'Simplify it.';
  return `Simplify it, or limit the strings to ${verdict.maxLength} characters (${boundOf(use)}).`;
}

function boundOf({ isForKeys }: JudgedUse): string {
  return isForKeys === true ? 'propertyNames: { maxLength: … }' : 'maxLength';
}
