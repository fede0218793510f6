import type { Logger } from '../../errors/logger.ts';
import type { Servable } from '../convert.ts';
import { isJoinedSchema } from '../joined-schema.ts';
import { isNode } from '../json-node.ts';
import type { SchemaNode } from '../json-node.ts';
import { isStandardSchema } from '../schema-types.ts';
import type { PatternLimits } from './bounded-expression.ts';
import { checkPatterns } from './check-patterns.ts';
import type { SlowPatterns } from './check-patterns.ts';
import { createLengthGuard } from './length-guard.ts';
import type { LengthGuard } from './length-guard.ts';
import type { PatternUse } from './pattern-uses.ts';
import { findZodExpressions } from './zod-expressions.ts';

/** What keeps long texts from patterns that would be slow on them. */
export interface PatternGuard {
  /** Texts that are too long to be valid. Asked before any validator runs: those try all patterns, to report everything that is wrong. */
  readonly findTooLong: LengthGuard | undefined;
  /** Texts that may be valid, and that the validator must not see. */
  readonly findUntried: LengthGuard | undefined;
  /** What the validators themselves keep to. */
  readonly limits: PatternLimits | undefined;
}

/** How patterns are guarded. */
export interface GuardOptions {
  readonly owner: string;
  readonly side: 'input' | 'output';
  readonly slowPatterns?: SlowPatterns;
  readonly logger?: Pick<Logger, 'warning'>;
}

const UNGUARDED: PatternGuard = { findTooLong: undefined, findUntried: undefined, limits: undefined };

/**
 * Judges every pattern that a value may meet. Of input, texts above a bound are refused, and the documents say so: they are changed. Of output,
 * patterns are not tried on them.
 */
export function guardPatterns(
  documents: readonly Servable[],
  schema: unknown,
  { owner, side, slowPatterns = 'refuse', logger }: GuardOptions,
): PatternGuard {
  if (slowPatterns === 'allow') return UNGUARDED;
  const expressions = expressionsOf(schema);
  const maxLengths = new Map<string, number>();
  const tooLong: LengthGuard[] = [];
  const untried: LengthGuard[] = [];
  const canBeBounded = isBoundable(schema);
  for (const { document, hasPatterns } of documents) {
    if (!hasPatterns && expressions.length === 0) continue;
    const found = checkPatterns({ owner, document, expressions, slowPatterns, logger });
    // A limit counts UTF-16 code units, of which a character has up to two.
    for (const [source, maxLength] of found.maxLengths) maxLengths.set(source, 2 * maxLength);
    const add = (guards: LengthGuard[], uses: readonly PatternUse[]): void => {
      if (uses.length > 0) guards.push(createLengthGuard(document, uses, canBeBounded));
    };
    if (side === 'input') {
      add(tooLong, [...found.declared, ...found.automatic]);
      for (const use of found.automatic) advertise(use);
    } else {
      add(tooLong, found.declared);
      if (!canBeBounded) add(untried, found.automatic);
    }
  }
  return {
    findTooLong: together(tooLong),
    findUntried: together(untried),
    limits: maxLengths.size === 0 ? undefined : { maxLengths, areLongValid: side === 'output' },
  };
}

function together(guards: readonly LengthGuard[]): LengthGuard | undefined {
  return guards.length === 0 ? undefined : (value) => guards.flatMap((guard) => guard(value));
}

/** Puts the bound into the document, as the schema of the text or of the keys says it. */
function advertise({ place, isForKeys, bound }: PatternUse): void {
  const target = isForKeys ? namesOf(place) : place;
  const { maxLength } = target as { maxLength?: unknown };
  if (typeof maxLength !== 'number' || maxLength > bound) Object.assign(target, { maxLength: bound });
}

function namesOf(place: SchemaNode): SchemaNode {
  const { propertyNames } = place as { propertyNames?: unknown };
  if (isNode(propertyNames)) return propertyNames;
  const names: SchemaNode = {};
  if (propertyNames !== false) Object.assign(place, { propertyNames: names });
  return names;
}

/** Whether the validator keeps to limits: Zod, and whatever goes through a compiler of JSON Schema. Other libraries run as they are. */
function isBoundable(schema: unknown): boolean {
  if (isJoinedSchema(schema)) return schema.parts.every(isBoundable);
  return !isStandardSchema(schema) || schema['~standard'].vendor === 'zod';
}

function expressionsOf(schema: unknown): RegExp[] {
  if (isJoinedSchema(schema)) return schema.parts.flatMap(expressionsOf);
  if (!isStandardSchema(schema)) return [];
  return schema['~standard'].vendor === 'zod' ? findZodExpressions(schema) : [];
}
