import type { RawIssue } from '../explain.ts';
import { isNode, listedChildren, namedChildren } from '../json-node.ts';
import type { SchemaNode } from '../json-node.ts';
import { compilePattern } from '../pattern.ts';
import { createRefResolver } from '../resolve-ref.ts';
import type { RefResolver } from '../resolve-ref.ts';
import { sameJson } from '../same-json.ts';
import { partsOf, REST } from './pattern-uses.ts';
import type { PatternUse } from './pattern-uses.ts';

/** Says which texts of a value are too long to be held against their patterns. */
export type LengthGuard = (value: unknown) => readonly RawIssue[];

/**
 * Holds the lengths of texts against their bounds before any pattern is tried. Validators do not: they go on after the first complaint,
 * to report all of them, and so a pattern that is only harmless on short texts would still meet a long one.
 */
export function createLengthGuard(
  root: SchemaNode,
  uses: readonly PatternUse[],
  skipsRuledOut: boolean,
): LengthGuard {
  const guard: Omit<Guard, 'seen'> = {
    resolve: createRefResolver(root),
    texts: boundsOf(uses.filter(({ isForKeys }) => !isForKeys)),
    keys: boundsOf(uses.filter(({ isForKeys }) => isForKeys)),
    skipsRuledOut,
  };
  return (value) => [...findTooLong({ ...guard, seen: new Map() }, root, { value, path: [] })];
}

/** Several patterns may be held against one value. */
function boundsOf(uses: readonly PatternUse[]): Map<SchemaNode, number> {
  const bounds = new Map<SchemaNode, number>();
  for (const { place, bound } of uses)
    bounds.set(place, Math.min(bound, bounds.get(place) ?? Number.POSITIVE_INFINITY));
  return bounds;
}

interface Guard {
  readonly resolve: RefResolver;
  readonly texts: ReadonlyMap<SchemaNode, number>;
  readonly keys: ReadonlyMap<SchemaNode, number>;
  /** Whether the validator tries no pattern of an alternative on long texts that a constant rules out. */
  readonly skipsRuledOut: boolean;
  /** What was looked at with each part: alternatives that refer to each other come to the same value again and again. */
  readonly seen: Map<SchemaNode, Set<unknown>>;
}

interface Place {
  readonly value: unknown;
  readonly path: readonly (string | number)[];
}

function* findTooLong(guard: Guard, schema: unknown, place: Place): Generator<RawIssue> {
  if (!isNode(schema)) return;
  const { value, path } = place;
  if (typeof value === 'string') {
    const bound = guard.texts.get(schema);
    if (bound !== undefined && isLonger(value, bound))
      yield { path, message: `must have at most ${bound} characters` };
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  const bound = guard.keys.get(schema);
  if (bound !== undefined && Object.keys(value).some((key) => isLonger(key, bound))) {
    yield { path, message: `must have keys of at most ${bound} characters` };
    return;
  }
  yield* findInParts(guard, schema, place);
}

/** The members of a value, by every part that speaks about it. */
function* findInParts(guard: Guard, node: SchemaNode, place: Place): Generator<RawIssue> {
  const { value, path } = place;
  const seen = guard.seen.get(node) ?? new Set();
  if (seen.has(value)) return;
  guard.seen.set(node, seen.add(value));
  for (const [key, member] of Object.entries(value as object)) {
    const at = Array.isArray(value) ? Number(key) : key;
    for (const schema of Array.isArray(value) ? itemSchemas(node, Number(key)) : keySchemas(node, key))
      yield* findTooLong(guard, schema, { value: member, path: [...path, at] });
  }
  if (isNode(value)) {
    for (const key of Object.keys(value)) {
      for (const issue of findTooLong(guard, node['propertyNames'], { value: key, path: [] }))
        yield { path, message: `must have keys that fit: ${issue.message}` };
    }
  }
  for (const part of partsOf(node, guard.resolve)) {
    // Of alternatives that constants tell apart only one is meant.
    const isAlternative = part.keyword === 'anyOf' || part.keyword === 'oneOf';
    if (guard.skipsRuledOut && isAlternative && isRuledOut(part.node, value)) continue;
    yield* findInParts(guard, part.node, place);
  }
}

function* itemSchemas(node: SchemaNode, index: number): Generator {
  const first = listedChildren(node, 'prefixItems');
  yield index < first.length ? first[index] : node['items'];
  yield node['contains'];
  yield node['unevaluatedItems'];
}

function* keySchemas(node: SchemaNode, key: string): Generator {
  const { properties } = node as { properties?: unknown };
  const isListed = isNode(properties) && Object.hasOwn(properties, key);
  if (isListed) yield properties[key];
  let isMatched = false;
  for (const [pattern, schema] of namedChildren(node, 'patternProperties')) {
    if (!compilePattern(pattern).test(key)) continue;
    isMatched = true;
    yield schema;
  }
  if (!isListed && !isMatched) for (const keyword of REST) yield node[keyword];
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
