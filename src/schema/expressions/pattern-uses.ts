import {
  isNode,
  listedChildren,
  namedChildren,
  namedTypes,
  SAME_VALUE,
  subschemas,
} from '../nodes/json-node.ts';
import type { SchemaNode } from '../nodes/json-node.ts';
import { createRefResolver, targetsOf } from '../nodes/resolve-ref.ts';
import type { RefResolver } from '../nodes/resolve-ref.ts';

/** A pattern of a document and the value it applies to. */
export interface PatternUse {
  readonly pattern: string;
  /** Location, such as `#/properties/name`. */
  readonly path: string;
  /** The schema of the whole value that the pattern applies to, or of the object whose keys it applies to. */
  readonly whole: SchemaNode;
  readonly isForKeys: boolean;
  /** Maximum length of a valid string there. */
  readonly bound: number;
}

/**
 * Finds every use of a pattern in a document. The document must have passed `assertServable`, which guarantees that following the parts of
 * one value ends.
 */
export function findPatternUses(root: SchemaNode): PatternUse[] {
  const finder = new Finder(createRefResolver(root));
  finder.visit(root, '#');
  return finder.uses;
}

/** Keywords whose subschemas apply to no value by themselves. */
const UNMET: ReadonlySet<string> = new Set(['$defs', 'definitions', 'contentSchema']);

class Finder {
  readonly uses: PatternUse[] = [];
  readonly #resolve: RefResolver;
  readonly #seen = new Set<SchemaNode>();

  constructor(resolve: RefResolver) {
    this.#resolve = resolve;
  }

  visit(whole: SchemaNode, path: string): void {
    if (this.#seen.has(whole)) return;
    this.#seen.add(whole);
    this.#visitPart(whole, whole, path);
  }

  /** Visits every part that describes a whole value, and from there its members. */
  #visitPart(whole: SchemaNode, part: SchemaNode, path: string): void {
    const { pattern } = part as { pattern?: unknown };
    if (typeof pattern === 'string')
      this.uses.push({ pattern, path, whole, isForKeys: false, bound: boundOf(whole, this.#resolve) });
    for (const [keys] of namedChildren(part, 'patternProperties')) {
      const bound = boundOfKeys(whole, this.#resolve);
      this.uses.push({ pattern: keys, path: `${path}/patternProperties`, whole, isForKeys: true, bound });
    }
    for (const target of targetsOf(part, this.#resolve))
      if (isNode(target)) this.#visitPart(whole, target, `${path}/$ref`);
    for (const { keyword, path: step, schema } of subschemas(part)) {
      if (!isNode(schema) || UNMET.has(keyword)) continue;
      if (SAME_VALUE.has(keyword)) this.#visitPart(whole, schema, `${path}/${step}`);
      else this.visit(schema, `${path}/${step}`);
    }
  }
}

/** Maximum length of a string that a schema accepts; -1 if it accepts none. */
function boundOf(schema: unknown, resolve: RefResolver): number {
  if (!isNode(schema)) return schema === false ? -1 : Number.POSITIVE_INFINITY;
  if (namedTypes(schema)?.includes('string') === false) return -1;
  const { maxLength, enum: listed, const: only } = schema as Record<string, unknown>;
  const bounds = partsThatApply(schema, resolve).map((part) => boundOf(part, resolve));
  if (typeof maxLength === 'number') bounds.push(maxLength);
  const values = Array.isArray(listed) ? (listed as unknown[]) : only === undefined ? undefined : [only];
  if (values !== undefined) bounds.push(longest(values, lengthOf));
  for (const alternatives of ['anyOf', 'oneOf'].map((keyword) => listedChildren(schema, keyword)))
    if (alternatives.length > 0) bounds.push(longest(alternatives, (each) => boundOf(each, resolve)));
  return Math.min(...bounds);
}

function boundOfKeys(node: SchemaNode, resolve: RefResolver): number {
  const { propertyNames } = node as { propertyNames?: unknown };
  const bounds = partsThatApply(node, resolve)
    .filter(isNode)
    .map((part) => boundOfKeys(part, resolve));
  return Math.min(
    isNode(propertyNames) ? boundOf(propertyNames, resolve) : Number.POSITIVE_INFINITY,
    ...bounds,
  );
}

/** The parts of a node that apply to every value. */
function partsThatApply(node: SchemaNode, resolve: RefResolver): unknown[] {
  return [...targetsOf(node, resolve), ...listedChildren(node, 'allOf')];
}

function longest(list: readonly unknown[], measure: (each: unknown) => number): number {
  return list.reduce<number>((most, each) => Math.max(most, measure(each)), -1);
}

function lengthOf(value: unknown): number {
  return typeof value === 'string' ? value.length : -1;
}
