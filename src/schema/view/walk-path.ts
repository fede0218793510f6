import { isNode } from '../nodes/json-node.ts';
import type { SchemaNode } from '../nodes/json-node.ts';
import type { SchemaView } from './schema-view.ts';

/** Keys and indexes from the root of a value. */
export type ValuePath = readonly (string | number)[];

/** Result for a path that does not exist; `undefined` may be a member. */
export const MISSING: unique symbol = Symbol('missing');

/** The value at the path. */
export function valueAt(value: unknown, path: ValuePath): unknown {
  let current: unknown = value;
  for (const key of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, key)) return MISSING;
    current = (current as Record<string | number, unknown>)[key];
  }
  return current;
}

/** Finds the schema of the value at a path; undefined if nothing describes it. */
export type FindNode = (path: ValuePath) => SchemaNode | undefined;

/** Finds schemas along paths into one value. Consecutive paths mostly share a prefix, which is not walked again. */
export function createNodeFinder(view: SchemaView, value: unknown): FindNode {
  const steps: { readonly key: string | number; readonly node: SchemaNode | undefined }[] = [];
  return (path) => {
    let length = 0;
    while (length < path.length && steps[length]?.key === path[length]) length += 1;
    steps.length = length;
    let current = valueAt(value, path.slice(0, length));
    for (const key of path.slice(length)) {
      const owner = steps.length === 0 ? view.root : steps.at(-1)?.node;
      const place = owner === undefined ? undefined : view.at(owner, current);
      steps.push({ key, node: place?.member(key) });
      current = valueAt(current, [key]);
    }
    return path.length === 0 ? view.root : steps.at(-1)?.node;
  };
}

/** Whether the schema names this key, so that it is the author's, not the caller's. With a pattern, callers choose the key. */
export function isNamedKey(view: SchemaView, owner: SchemaNode | undefined, key: string): boolean {
  if (owner === undefined) return false;
  return view
    .nodesOfValue(owner)
    .some(({ properties }) => isNode(properties) && Object.hasOwn(properties, key));
}
