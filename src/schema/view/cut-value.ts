import type { NestedValue } from './nested-value.ts';
import { isNode } from '../nodes/json-node.ts';
import type { SchemaNode } from '../nodes/json-node.ts';

/** A value with more arrays, objects and scalars than this is large. */
const LARGE = 1000;

/** Whether a value is large. Visits no more of it than necessary. */
export function isLarge(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const waiting: object[] = [value];
  let count = 1;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (Array.isArray(next)) {
      count += next.length;
      if (count > LARGE) return true;
      for (const element of next as readonly unknown[])
        if (typeof element === 'object' && element !== null) waiting.push(element);
      continue;
    }
    for (const key in next) {
      count += 1;
      if (count > LARGE) return true;
      const member = (next as SchemaNode)[key];
      if (typeof member === 'object' && member !== null) waiting.push(member);
    }
  }
  return false;
}

/** Maximum number of members after the end that are kept, because they may distinguish alternatives. */
const MAX_KEPT = 200;

/**
 * The beginning of a value, up to a nested value. In the objects above that one, later scalars are kept, and later arrays and objects are
 * emptied.
 */
export function cutAfter(end: NestedValue): unknown {
  let left = MAX_KEPT;
  const empty = (value: unknown): unknown => {
    if (Array.isArray(value)) return [];
    return isNode(value) ? {} : value;
  };
  const cutObject = (object: SchemaNode, key: string | undefined, member: unknown): SchemaNode => {
    let isBehind = key === undefined;
    const kept: [string, unknown][] = [];
    for (const name of Object.keys(object)) {
      if (name === key) {
        isBehind = true;
        kept.push([name, member]);
      } else if (!isBehind) kept.push([name, object[name]]);
      else if (left-- > 0) kept.push([name, empty(object[name])]);
      else break;
    }
    // fromEntries defines members, so a key named __proto__ cannot reach the prototype.
    return Object.fromEntries(kept);
  };
  let { value } = end;
  if (isLarge(value)) value = isNode(value) ? cutObject(value, undefined, undefined) : [];
  for (let { above, key } = end; above !== undefined; { above, key } = above) {
    // Holes of an array stay holes.
    if (Array.isArray(above.value))
      value = (above.value as readonly unknown[]).slice(0, Number(key)).concat([value]);
    else value = cutObject(above.value as SchemaNode, String(key), value);
  }
  return value;
}
