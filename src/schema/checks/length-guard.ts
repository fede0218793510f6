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

/** Finds the strings of a value that are too long for their patterns. */
export type LengthGuard = (value: unknown) => readonly RawIssue[];

/** Options of {@link createLengthGuard}. */
export interface LengthGuardOptions {
  readonly limits: PatternLimits;
  /** Whether matches are counted here, because the validator does not count them. */
  readonly counts: boolean;
  /** Whether the validator skips the patterns of an alternative that a constant rules out. */
  readonly skipsRuledOut: boolean;
}

/** Libraries try a pattern once to check a value, and once more to explain why it is invalid. */
const TRIES = 2;

/**
 * Checks the lengths of strings before any pattern is tried. Validators do not: they continue after the first issue to report all of them,
 * so a pattern that is fast only on short strings would still be tried on a long one.
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

/** Several patterns may apply to one value. */
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
  /** Values visited per part: alternatives that refer to each other reach the same value repeatedly. */
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

/** Visits the members of a value through every part that describes it. */
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
    // If constants distinguish the alternatives, only one applies.
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

/** JSON Schema counts code points, JavaScript counts UTF-16 code units. */
function isLonger(text: string, bound: number): boolean {
  return text.length > bound && (text.length > 2 * bound || Array.from(text).length > bound);
}
