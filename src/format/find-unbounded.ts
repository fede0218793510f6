import { isBytes } from '../base/json/find-json-refusal.ts';
import type { JsonRefusal } from '../base/json/find-json-refusal.ts';
import { emptyElementsOf } from '../base/index-keys.ts';
import { isPlainObject } from './block-members.ts';
import { MAX_RESULT_DEPTH } from './serialize.ts';

/** An element takes two bytes of JSON at least, a member five. */
const MEMBER_VALUES = 2.5;

/**
 * Why a value must not even be validated: its lists and plain objects unfold to more than `maxNodes` values, or hold bytes. Validators go
 * through all elements of a list, and again through what several places share.
 *
 * Less strict than what is sent: a schema may drop members, so neither the length of texts nor cycles count, and of instances of classes
 * only the keys are counted.
 */
export function findUnbounded(
  value: unknown,
  maxNodes: number,
): Extract<JsonRefusal, 'bytes' | 'large'> | undefined {
  const path: object[] = [];
  let left = maxNodes;
  const visit = (current: unknown): ReturnType<typeof findUnbounded> => {
    if (typeof current !== 'object' || current === null) return undefined;
    if (isBytes(current)) return 'bytes';
    const isList = Array.isArray(current);
    if (!isList && !isPlainObject(current)) {
      left -= MEMBER_VALUES * countKeys(current);
      return left < 0 ? 'large' : undefined;
    }
    if (path.length >= MAX_RESULT_DEPTH || path.includes(current)) return undefined;
    // Before they are listed. What is looked through for a cycle is work as well.
    left -= 1 + (isList ? current.length : 0) + (path.length >> 3);
    if (left < 0) return 'large';
    const keys = isList ? undefined : Object.keys(current);
    if (keys !== undefined) left -= keys.length * MEMBER_VALUES + emptyElementsOf(keys);
    if (left < 0) return 'large';
    path.push(current);
    const members = current as Readonly<Record<number | string, unknown>>;
    const count = keys === undefined ? (current as readonly unknown[]).length : keys.length;
    for (let index = 0; index < count; index += 1) {
      const found = visit(members[keys?.[index] ?? index]);
      if (found !== undefined) return found;
    }
    path.pop();
    return undefined;
  };
  // defence: look-at-unbounded-values
  return visit(value);
}

function countKeys(instance: object): number {
  // oxlint-disable-next-line no-instanceof-builtins -- a text in an object has a member for every character
  return instance instanceof String ? instance.length : Object.keys(instance).length;
}
