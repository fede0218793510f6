import type { Logger } from '../../errors/logger.ts';
import type { Servable } from '../convert/convert.ts';
import { isJoinedSchema } from '../nodes/joined-schema.ts';
import { isNode } from '../nodes/json-node.ts';
import type { SchemaNode } from '../nodes/json-node.ts';
import { isStandardSchema } from '../nodes/schema-types.ts';
import type { PatternLimits } from '../expressions/bounded-expression.ts';
import { checkPatterns } from '../expressions/check-patterns.ts';
import type { JudgedPatterns, SlowPatterns } from '../expressions/check-patterns.ts';
import { judgePattern, MAX_CHARS, MAX_CHECK_STEPS, MAX_STRINGS } from '../../pattern-judge/judge-pattern.ts';
import type { LinearPattern, Steps } from '../../pattern-judge/judge-pattern.ts';
import { createLengthGuard } from './length-guard.ts';
import type { LengthGuard } from './length-guard.ts';
import { compilePattern } from '../expressions/pattern.ts';
import type { PatternUse } from '../expressions/pattern-uses.ts';
import { StepBudget } from '../expressions/step-budget.ts';
import { findZodExpressions } from '../expressions/zod-expressions.ts';

/** Keeps long strings from patterns that would be slow on them. */
export interface PatternGuard {
  /** Finds strings that are too long to be valid. Runs before the validators: those try all patterns, to report all issues. */
  readonly findTooLong: LengthGuard | undefined;
  /** Finds strings that may be valid but that the validator must not get. */
  readonly findUntried: LengthGuard | undefined;
  /** Limits that the validators apply themselves. */
  readonly limits: PatternLimits;
  /** Step budget that the patterns of one check share. */
  readonly budget: StepBudget;
}

/** Options of {@link guardPatterns}. */
export interface GuardOptions {
  readonly owner: string;
  readonly side: 'input' | 'output';
  /** JSON Schema that is advertised instead of the converted one; facts known about the converted schema do not apply to it. */
  readonly override?: SchemaNode;
  readonly slowPatterns?: SlowPatterns;
  readonly logger?: Pick<Logger, 'warning'>;
}

/**
 * Judges every pattern that a value may be matched against. In input, strings above a bound are rejected, and the documents are changed to
 * advertise it. In output, patterns are not tried on such strings. Undefined if there is nothing to guard.
 */
export function guardPatterns(
  documents: readonly Servable[],
  schema: unknown,
  { owner, side, override, slowPatterns = 'refuse', logger }: GuardOptions,
): PatternGuard | undefined {
  if (slowPatterns === 'allow') return undefined;
  if (override === undefined && documents.every(isFast)) return undefined;
  const expressions = expressionsOf(schema);
  const judged = documents
    .filter(({ hasPatterns }) => hasPatterns || expressions.length > 0)
    .map(({ document }) => ({
      document,
      ...checkPatterns({ owner, document, expressions, slowPatterns, logger }),
    }));
  if (areHarmless(judged)) return undefined;
  const maxLengths = new Map<string, number>();
  const steps = new Map<string, Steps>();
  for (const [source, expression] of judged.flatMap((each) => [...each.expressions])) {
    // A limit counts UTF-16 code units, of which a character has up to two.
    maxLengths.set(source, 2 * expression.maxLength);
    steps.set(source, expression.steps);
  }
  const budget = new StepBudget(steps);
  const limits: PatternLimits = {
    maxLengths,
    areLongValid: side === 'output',
    mayTry: (source, length) => budget.mayTry(source, length),
  };
  const isCounting = isBoundable(schema);
  const tooLong: LengthGuard[] = [];
  const untried: LengthGuard[] = [];
  for (const { document, declared, automatic, unbounded } of judged) {
    const all = [...declared, ...automatic, ...(isCounting ? [] : unbounded)];
    const add = (guards: LengthGuard[], uses: readonly PatternUse[], counts: boolean): void => {
      if (uses.length > 0)
        guards.push(createLengthGuard(document, uses, { limits, counts, skipsRuledOut: isCounting }));
    };
    if (side === 'input') {
      add(tooLong, all, !isCounting);
      for (const use of automatic) advertise(use);
    } else {
      add(tooLong, declared, false);
      if (!isCounting) add(untried, all, true);
    }
  }
  return { findTooLong: together(tooLong), findUntried: together(untried), limits, budget };
}

/** Whether all expressions of a schema are known and fast, so that their locations do not matter. */
function isFast({ expressions }: Servable): boolean {
  if (expressions === undefined) return false;
  const costs: Cost[] = [];
  for (const expression of expressions) {
    // The expression as the library runs it, and as the document advertises it.
    const [own, shown] = [judgePattern(expression), judgePattern(compilePattern(expression.source))];
    if (own.kind !== 'linear' || shown.kind !== 'linear') return false;
    costs.push({
      each: Math.max(own.cost.each, shown.cost.each),
      fixed: Math.max(own.cost.fixed, shown.cost.fixed),
    });
  }
  return areCheap(costs);
}

/** Whether no message can be so large that patterns take long: neither one long string nor many short ones. */
function areHarmless(judged: readonly JudgedPatterns[]): boolean {
  if (judged.some(({ declared, automatic }) => declared.length + automatic.length > 0)) return false;
  const isBounded = judged.some(({ expressions }) =>
    [...expressions.values()].some(({ maxLength }) => Number.isFinite(maxLength)),
  );
  const costs = judged.flatMap(({ linear }) => linear.map(({ cost }) => cost));
  return !isBounded && areCheap(costs);
}

type Cost = Pick<LinearPattern['cost'], 'each' | 'fixed'>;

function areCheap(costs: readonly Cost[]): boolean {
  const each = costs.reduce((sum, cost) => sum + cost.each, 0);
  const fixed = costs.reduce((sum, cost) => sum + cost.fixed, 0);
  return each * MAX_CHARS <= MAX_CHECK_STEPS && fixed * MAX_STRINGS <= MAX_CHECK_STEPS;
}

function together(guards: readonly LengthGuard[]): LengthGuard | undefined {
  return guards.length === 0 ? undefined : (value) => guards.flatMap((guard) => guard(value));
}

/** Adds the bound to the document: `maxLength` of the string or of the keys. */
function advertise({ whole, isForKeys, bound }: PatternUse): void {
  const target = isForKeys ? namesOf(whole) : whole;
  const { maxLength } = target as { maxLength?: unknown };
  if (typeof maxLength !== 'number' || maxLength > bound) Object.assign(target, { maxLength: bound });
}

function namesOf(object: SchemaNode): SchemaNode {
  const { propertyNames } = object as { propertyNames?: unknown };
  if (isNode(propertyNames)) return propertyNames;
  const names: SchemaNode = {};
  if (propertyNames !== false) Object.assign(object, { propertyNames: names });
  return names;
}

/** Whether the validator applies limits and counts matches: Zod, and JSON Schema through a compiler. Other libraries do not. */
function isBoundable(schema: unknown): boolean {
  if (isJoinedSchema(schema)) return schema.parts.every(isBoundable);
  return !isStandardSchema(schema) || schema['~standard'].vendor === 'zod';
}

function expressionsOf(schema: unknown): RegExp[] {
  if (isJoinedSchema(schema)) return schema.parts.flatMap(expressionsOf);
  if (!isStandardSchema(schema)) return [];
  return schema['~standard'].vendor === 'zod' ? findZodExpressions(schema) : [];
}
