import { canonicalJson } from '../../base/json/canonical-json.ts';
import { allNodes, isNode } from './json-node.ts';
import type { SchemaNode } from './json-node.ts';
import type { RefResolver } from './resolve-ref.ts';

/** A schema, and how its references are followed. */
export interface SchemaInDocument {
  readonly schema: unknown;
  readonly resolve: RefResolver;
}

/** Whether two schemas of two documents say the same, whatever the order of their keys; so must what they refer to. */
export function sameSchema(a: SchemaInDocument, b: SchemaInDocument): boolean {
  // A pair that is being compared counts as equal: recursive schemas differ somewhere else or nowhere.
  const assumed = new Map<unknown, unknown>();
  const same = (left: unknown, right: unknown): boolean => {
    if (!isNode(left) || !isNode(right)) return left === right;
    if (assumed.get(left) === right) return true;
    assumed.set(left, right);
    if (canonicalJson(left) !== canonicalJson(right)) return false;
    const [from, to] = [targetsIn(left, a.resolve), targetsIn(right, b.resolve)];
    return from.every((target, index) => same(target, to[index]));
  };
  return same(a.schema, b.schema);
}

/** What the references in a schema lead to, in the order of their names. */
function targetsIn(schema: SchemaNode, resolve: RefResolver): unknown[] {
  const refs = [...allNodes(schema)].flatMap(({ $ref, $dynamicRef }) => [$ref, $dynamicRef]);
  const names = [...new Set(refs.filter((ref) => typeof ref === 'string'))].toSorted();
  return names.map(resolve);
}
