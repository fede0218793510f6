import { isNode } from '../nodes/json-node.ts';
import type { SchemaNode } from '../nodes/json-node.ts';
import type { SchemaView } from './schema-view.ts';

/** Keys and indexes from the root of a value. */
export type ValuePath = readonly (string | number)[];

/** What stands where nothing stands; `undefined` may be a member. */
export const MISSING: unique symbol = Symbol('missing');

/** What stands at the path. */
export function valueAt(value: unknown, path: ValuePath): unknown {
  let current: unknown = value;
  for (const key of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, key)) return MISSING;
    current = (current as Record<string | number, unknown>)[key];
  }
  return current;
}

/** Finds the schema of what stands at a path; undefined when nothing describes it. */
export type FindNode = (path: ValuePath) => SchemaNode | undefined;

/** Finds schemas along paths into one value. Paths that follow each other mostly begin alike, and go on where they part. */
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

/** Whether a key is the author's word and not the caller's: written out in the schema. A pattern lets callers choose. */
export function isNamedKey(view: SchemaView, owner: SchemaNode | undefined, key: string): boolean {
  if (owner === undefined) return false;
  return view
    .nodesOfValue(owner)
    .some(({ properties }) => isNode(properties) && Object.hasOwn(properties, key));
}
