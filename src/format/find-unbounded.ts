import { isBytes } from '../errors/find-json-refusal.ts';
import type { JsonRefusal } from '../errors/find-json-refusal.ts';
import { isPlainObject } from './block-members.ts';
import { MAX_RESULT_DEPTH } from './serialize.ts';

/**
 * Why a value must not even be validated: its lists and plain objects unfold to more than `maxNodes` values, or hold bytes. Validators go
 * through all elements of a list, and again through what several places share.
 *
 * Less strict than what is sent: a schema may drop members, so neither the length of texts nor cycles count, and instances of classes are
 * not entered.
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
    if (!isList && !isPlainObject(current)) return undefined;
    if (path.length >= MAX_RESULT_DEPTH || path.includes(current)) return undefined;
    // Before they are listed. What is looked through for a cycle is work as well.
    left -= 1 + (isList ? current.length : 0) + (path.length >> 3);
    if (left < 0) return 'large';
    const members: readonly unknown[] = isList ? current : Object.values(current);
    if (!isList) left -= members.length;
    if (left < 0) return 'large';
    path.push(current);
    for (let index = 0; index < members.length; index += 1) {
      const found = visit(members[index]);
      if (found !== undefined) return found;
    }
    path.pop();
    return undefined;
  };
  return visit(value);
}
