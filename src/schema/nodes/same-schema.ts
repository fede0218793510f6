import { isNode, mapSubschemas, withoutNames } from './json-node.ts';
import type { SchemaNode } from './json-node.ts';
import type { RefResolver } from './resolve-ref.ts';
import { sameJson } from '../../base/json/same-json.ts';

/** A schema, and how its references are followed. */
export interface SchemaInDocument {
  readonly schema: unknown;
  readonly resolve: RefResolver;
}

const REFERENCES = ['$ref', '$dynamicRef'] as const;

/**
 * Whether two schemas of two documents say the same, whatever the order of their keys and the names of their definitions.
 * References count by what they lead to.
 */
export function sameSchema(a: SchemaInDocument, b: SchemaInDocument): boolean {
  // A pair that is being compared counts as equal: recursive schemas differ somewhere else or nowhere.
  const assumed = new Map<SchemaNode, Set<SchemaNode>>();
  const same = (left: unknown, right: unknown): boolean => {
    if (!isNode(left) || !isNode(right)) return left === right;
    const partners = assumed.get(left) ?? new Set();
    if (partners.has(right)) return true;
    assumed.set(left, partners.add(right));
    const [leftChildren, rightChildren]: [unknown[], unknown[]] = [[], []];
    // Without its subschemas a node is plain data; they are compared one by one, in step.
    const ownLeft = outlineNode(left, collectInto(leftChildren));
    const ownRight = outlineNode(right, collectInto(rightChildren));
    if (!sameJson(ownLeft, ownRight)) return false;
    if (!leftChildren.every((child, index) => same(child, rightChildren[index]))) return false;
    return REFERENCES.every((keyword) => {
      const [from, to] = [left[keyword], right[keyword]];
      if (typeof from !== 'string' || typeof to !== 'string') return from === to;
      return same(a.resolve(from), b.resolve(to));
    });
  };
  return same(a.schema, b.schema);
}

function collectInto(children: unknown[]): (child: unknown) => null {
  return (child) => {
    children.push(child);
    return null;
  };
}

/** A text that is equal for equal schemas, and cheap to compare: references are left out. */
export function outlineOf(schema: unknown): string {
  const outline = (node: unknown): unknown => (isNode(node) ? outlineNode(node, outline) : node);
  return JSON.stringify(outline(schema), (_, value: unknown) => (isNode(value) ? sorted(value) : value));
}

/** The node with sorted keys and without names and references; every subschema is replaced by what the visitor answers. */
function outlineNode(node: SchemaNode, visit: (child: unknown) => unknown): SchemaNode {
  const { $ref: _ref, $dynamicRef: _dynamicRef, ...own } = withoutNames(node);
  for (const keyword of Object.keys(own)) if (isNode(own[keyword])) own[keyword] = sorted(own[keyword]);
  // Sorted at two levels, so that properties are visited in the same order on both sides.
  return mapSubschemas(sorted(own), visit);
}

function sorted(node: SchemaNode): SchemaNode {
  return Object.fromEntries(Object.entries(node).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
