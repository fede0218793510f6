import { isBytes } from '../base/json/find-json-refusal.ts';
import type { JsonRefusal } from '../base/json/find-json-refusal.ts';
import { emptyElementsOf } from '../base/index-keys.ts';
import { isPlainObject } from './block-members.ts';
import { MAX_RESULT_DEPTH } from './serialize.ts';

/** An array element takes at least two bytes of JSON, an object member five. */
const MEMBER_VALUES = 2.5;

/**
 * Finds the reason why a value is too large to be validated: its arrays and plain objects unfold to more than `maxNodes` values, or contain
 * bytes. Validators visit all elements of an array, and shared values several times.
 *
 * Less strict than the checks before sending: a schema may drop members, so the length of strings and cycles do not count, and of class
 * instances only the keys are counted.
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
    // Counted before they are listed. The search for cycles is work as well.
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
  // oxlint-disable-next-line no-instanceof-builtins -- a String object has a member for every character
  return instance instanceof String ? instance.length : Object.keys(instance).length;
}
