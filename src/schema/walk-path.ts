import { isNode } from './json-node.ts';
import type { SchemaNode } from './json-node.ts';
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

/** The schema of what stands at the path; undefined when nothing describes it. */
export function nodeAt(view: SchemaView, value: unknown, path: ValuePath): SchemaNode | undefined {
  let node: SchemaNode | undefined = view.root;
  let current = value;
  for (const key of path) {
    if (node === undefined) return undefined;
    const place = view.at(node, current);
    node = typeof key === 'number' ? place.item(key) : place.child(key);
    current = valueAt(current, [key]);
  }
  return node;
}

/** Whether a key is the author's word and not the caller's: written out in the schema. A pattern lets callers choose. */
export function isNamedKey(view: SchemaView, owner: SchemaNode | undefined, key: string): boolean {
  if (owner === undefined) return false;
  const { nodes, choices, conditions } = view.facetsOf(owner);
  if (nodes.some(({ properties }) => isNode(properties) && Object.hasOwn(properties, key))) return true;
  const others = [...choices.flat(), ...conditions.flatMap((condition) => condition.parts)];
  return others.some((part) => isNamedKey(view, part, key));
}
