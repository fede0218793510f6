import { isNode, listedChildren, namedChildren, namedTypes } from '../nodes/json-node.ts';
import type { SchemaNode } from '../nodes/json-node.ts';
import { createRefResolver } from '../nodes/resolve-ref.ts';
import type { RefResolver } from '../nodes/resolve-ref.ts';

/** A pattern of a document, and what it is held against. */
export interface PatternUse {
  readonly pattern: string;
  /** Where it stands: `#/properties/name`. */
  readonly path: string;
  /** The schema of the whole value that is held against it, or of the object whose keys are. */
  readonly place: SchemaNode;
  readonly isForKeys: boolean;
  /** No text that is longer than this is valid there. */
  readonly bound: number;
}

/**
 * Every pattern of a document, at every place where a value meets it. The document must have passed `assertServable`: it guarantees that
 * following the parts of one value comes to an end.
 */
export function findPatternUses(root: SchemaNode): PatternUse[] {
  const finder: Finder = { resolve: createRefResolver(root), uses: [], seen: new Set() };
  visitPlace(finder, root, '#');
  return finder.uses;
}

interface Finder {
  readonly resolve: RefResolver;
  readonly uses: PatternUse[];
  readonly seen: Set<SchemaNode>;
}

function visitPlace(finder: Finder, place: unknown, path: string): void {
  if (!isNode(place) || finder.seen.has(place)) return;
  finder.seen.add(place);
  visitPart(finder, place, { node: place, path });
}

/** Every part that speaks about the value of a place, and from there the members of the value. */
function visitPart(finder: Finder, place: SchemaNode, { node, path }: Part): void {
  const { pattern, propertyNames } = node as { pattern?: unknown; propertyNames?: unknown };
  const { resolve, uses } = finder;
  if (typeof pattern === 'string')
    uses.push({ pattern, path, place, isForKeys: false, bound: boundOf(place, resolve) });
  for (const [keys, child] of namedChildren(node, 'patternProperties')) {
    uses.push({
      pattern: keys,
      path: `${path}/patternProperties`,
      place,
      isForKeys: true,
      bound: boundOfKeys(place, resolve),
    });
    visitPlace(finder, child, `${path}/patternProperties/${keys}`);
  }
  if (isNode(propertyNames)) visitPlace(finder, propertyNames, `${path}/propertyNames`);
  for (const child of memberSchemas(node)) visitPlace(finder, child.node, `${path}/${child.path}`);
  for (const part of partsOf(node, resolve))
    visitPart(finder, place, { ...part, path: `${path}/${part.path}` });
}

/** A schema and how it is come to. */
export interface Part {
  readonly node: SchemaNode;
  readonly path: string;
}

/** Other schemas that speak about the same value. */
export function* partsOf(
  node: SchemaNode,
  resolve: RefResolver,
): Generator<Part & { readonly keyword: string }> {
  for (const keyword of ['$ref', '$dynamicRef']) {
    const ref = node[keyword];
    const target = typeof ref === 'string' ? resolve(ref) : undefined;
    if (isNode(target)) yield { keyword, node: target, path: keyword };
  }
  for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
    for (const [index, part] of listedChildren(node, keyword).entries())
      if (isNode(part)) yield { keyword, node: part, path: `${keyword}/${index}` };
  }
  for (const keyword of ['if', 'then', 'else', 'not']) {
    const part = node[keyword];
    if (isNode(part)) yield { keyword, node: part, path: keyword };
  }
  for (const [name, part] of namedChildren(node, 'dependentSchemas')) {
    if (isNode(part)) yield { keyword: 'dependentSchemas', node: part, path: `dependentSchemas/${name}` };
  }
}

/** The schemas of members, except those of `patternProperties`. */
function* memberSchemas(node: SchemaNode): Generator<Part> {
  for (const [name, child] of namedChildren(node, 'properties'))
    if (isNode(child)) yield { node: child, path: `properties/${name}` };
  for (const [index, child] of listedChildren(node, 'prefixItems').entries())
    if (isNode(child)) yield { node: child, path: `prefixItems/${index}` };
  for (const keyword of ['items', 'contains', 'unevaluatedItems', ...REST]) {
    const child = node[keyword];
    if (isNode(child)) yield { node: child, path: keyword };
  }
}

/** What describes the members that nothing else describes. */
export const REST: readonly string[] = ['additionalProperties', 'unevaluatedProperties'];

/** The longest text that a schema takes; -1 when it takes none. */
function boundOf(node: SchemaNode, resolve: RefResolver): number {
  if (namedTypes(node)?.includes('string') === false) return -1;
  const { maxLength, enum: listed, const: only } = node as Record<string, unknown>;
  let bound = typeof maxLength === 'number' ? maxLength : Number.POSITIVE_INFINITY;
  const values = Array.isArray(listed) ? (listed as unknown[]) : only === undefined ? undefined : [only];
  if (values !== undefined) bound = Math.min(bound, longest(values.map(lengthOf)));
  const choices: Record<string, number[]> = { anyOf: [], oneOf: [] };
  for (const part of partsOf(node, resolve)) {
    if (['$ref', '$dynamicRef', 'allOf'].includes(part.keyword))
      bound = Math.min(bound, boundOf(part.node, resolve));
    choices[part.keyword]?.push(boundOf(part.node, resolve));
  }
  for (const [keyword, bounds] of Object.entries(choices)) {
    const count = listedChildren(node, keyword).filter((part) => part !== false).length;
    // `true` takes any text.
    if (count > 0)
      bound = Math.min(bound, count > bounds.length ? Number.POSITIVE_INFINITY : longest(bounds));
  }
  return bound;
}

function boundOfKeys(node: SchemaNode, resolve: RefResolver): number {
  const { propertyNames } = node as { propertyNames?: unknown };
  let bound = isNode(propertyNames) ? boundOf(propertyNames, resolve) : Number.POSITIVE_INFINITY;
  for (const part of partsOf(node, resolve)) {
    if (['$ref', '$dynamicRef', 'allOf'].includes(part.keyword))
      bound = Math.min(bound, boundOfKeys(part.node, resolve));
  }
  return bound;
}

function longest(lengths: readonly number[]): number {
  return lengths.reduce((most, length) => Math.max(most, length), -1);
}

function lengthOf(value: unknown): number {
  return typeof value === 'string' ? value.length : -1;
}
