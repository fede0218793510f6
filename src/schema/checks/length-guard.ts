import type { RawIssue } from '../issues/explain.ts';
import { isNode, listedChildren, namedChildren } from '../nodes/json-node.ts';
import type { SchemaNode } from '../nodes/json-node.ts';
import { compilePattern, createPatternTest } from '../expressions/pattern.ts';
import type { PatternTest } from '../expressions/pattern.ts';
import { createRefResolver, partsOf } from '../nodes/resolve-ref.ts';
import type { RefResolver } from '../nodes/resolve-ref.ts';
import { sameJson } from '../../base/json/same-json.ts';
import { childrenOf } from '../view/fits.ts';
import { pathTo } from '../view/nested-value.ts';
import type { NestedValue } from '../view/nested-value.ts';
import type { PatternLimits } from '../expressions/bounded-expression.ts';
import type { PatternUse } from '../expressions/pattern-uses.ts';

/** Says which texts of a value are too long to be held against their patterns. */
export type LengthGuard = (value: unknown) => readonly RawIssue[];

/** How {@link createLengthGuard} treats a document. */
export interface LengthGuardOptions {
  readonly limits: PatternLimits;
  /** Whether the tries of the validator are counted here, because it does not do that itself. */
  readonly counts: boolean;
  /** Whether the validator tries no pattern of an alternative on long texts that a constant rules out. */
  readonly skipsRuledOut: boolean;
}

/** Libraries try a pattern once to find out whether a value is valid, and once more to say why it is not. */
const TRIES = 2;

/**
 * Holds the lengths of texts against their bounds before any pattern is tried. Validators do not: they go on after the first complaint,
 * to report all of them, and so a pattern that is only harmless on short texts would still meet a long one.
 */
// defence: guard-of-lengths
export function createLengthGuard(
  root: SchemaNode,
  uses: readonly PatternUse[],
  { limits, counts, skipsRuledOut }: LengthGuardOptions,
): LengthGuard {
  const sources = new Map(uses.map(({ pattern }) => [pattern, compilePattern(pattern).source]));
  const count = (use: PatternUse, { length }: string): void => {
    const source = sources.get(use.pattern) ?? '';
    for (let tries = 0; tries < TRIES; tries += 1) limits.mayTry?.(source, length);
  };
  const guard: Omit<Guard, 'seen'> = {
    resolve: createRefResolver(root),
    matches: createPatternTest(limits),
    texts: boundsOf(uses.filter(({ isForKeys }) => !isForKeys)),
    keys: boundsOf(uses.filter(({ isForKeys }) => isForKeys)),
    count: counts ? count : undefined,
    skipsRuledOut,
  };
  return (value) => [...findTooLong({ ...guard, seen: new Map() }, root, { value })];
}

/** Several patterns may be held against one value. */
function boundsOf(uses: readonly PatternUse[]): Map<SchemaNode, Bound> {
  const bounds = new Map<SchemaNode, Bound>();
  for (const use of uses) {
    const known = bounds.get(use.whole);
    bounds.set(use.whole, {
      length: Math.min(use.bound, known?.length ?? Number.POSITIVE_INFINITY),
      uses: [...(known?.uses ?? []), use],
    });
  }
  return bounds;
}

interface Bound {
  readonly length: number;
  readonly uses: readonly PatternUse[];
}

interface Guard {
  readonly resolve: RefResolver;
  readonly matches: PatternTest;
  readonly texts: ReadonlyMap<SchemaNode, Bound>;
  readonly keys: ReadonlyMap<SchemaNode, Bound>;
  readonly count: ((use: PatternUse, text: string) => void) | undefined;
  readonly skipsRuledOut: boolean;
  /** What was looked at with each part: alternatives that refer to each other come to the same value again and again. */
  readonly seen: Map<SchemaNode, Set<unknown>>;
}

function* findTooLong(guard: Guard, schema: unknown, nested: NestedValue): Generator<RawIssue> {
  if (!isNode(schema)) return;
  const { value } = nested;
  if (typeof value === 'string') {
    const bound = guard.texts.get(schema);
    if (bound === undefined) return;
    if (isLonger(value, bound.length))
      yield { path: pathTo(nested), message: `must have at most ${bound.length} characters` };
    else if (guard.count !== undefined) for (const use of bound.uses) guard.count(use, value);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  const bound = guard.keys.get(schema);
  for (const key of bound === undefined ? [] : Object.keys(value)) {
    if (isLonger(key, bound?.length ?? 0)) {
      yield { path: pathTo(nested), message: `must have keys of at most ${bound?.length} characters` };
      return;
    }
    if (guard.count !== undefined) for (const use of bound?.uses ?? []) guard.count(use, key);
  }
  yield* findInParts(guard, schema, nested);
}

/** The members of a value, by every part that describes it. */
function* findInParts(guard: Guard, node: SchemaNode, nested: NestedValue): Generator<RawIssue> {
  const { value } = nested;
  const seen = guard.seen.get(node) ?? new Set();
  if (seen.has(value)) return;
  guard.seen.set(node, seen.add(value));
  for (const [name, member] of Object.entries(value as object)) {
    const key = Array.isArray(value) ? Number(name) : name;
    for (const schema of typeof key === 'number' ? itemSchemas(node, key) : keySchemas(guard, node, key))
      yield* findTooLong(guard, schema, { value: member, above: nested, key });
    if (typeof key === 'string')
      for (const { message } of findTooLong(guard, node['propertyNames'], { value: key }))
        yield { path: pathTo(nested), message: `must have valid keys: ${message}` };
  }
  for (const part of partsOf(node, guard.resolve)) {
    // Of alternatives that constants tell apart only one is meant.
    const isAlternative = part.keyword === 'anyOf' || part.keyword === 'oneOf';
    if (guard.skipsRuledOut && isAlternative && isRuledOut(part.node, value)) continue;
    yield* findInParts(guard, part.node, nested);
  }
}

function itemSchemas(node: SchemaNode, index: number): unknown[] {
  const first = listedChildren(node, 'prefixItems');
  return [index < first.length ? first[index] : node['items'], node['contains'], node['unevaluatedItems']];
}

function keySchemas({ matches }: Guard, node: SchemaNode, key: string): readonly unknown[] {
  const own = childrenOf(node, key, matches);
  return own.length === 0 ? [node['unevaluatedProperties']] : own;
}

function isRuledOut(node: SchemaNode, value: unknown): boolean {
  return (
    isNode(value) &&
    namedChildren(node, 'properties').some(
      ([name, child]) =>
        isNode(child) &&
        'const' in child &&
        Object.hasOwn(value, name) &&
        !sameJson(child['const'], value[name]),
    )
  );
}

/** JSON Schema counts characters, JavaScript counts halves of them. */
function isLonger(text: string, bound: number): boolean {
  return text.length > bound && (text.length > 2 * bound || Array.from(text).length > bound);
}
