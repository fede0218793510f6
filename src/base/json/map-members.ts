import { isObject } from '../is-object.ts';

/** What a conversion returns for a member that must go. */
export const REMOVED: unique symbol = Symbol('removed');

/** Converts a member of an object or an element of an array. */
export type ConvertMember = (member: unknown, key: string | number) => unknown;

/**
 * An array with its elements converted, or an object with its members; {@link REMOVED} drops a member. Copies only when something
 * changed: most calls are clean. Anything else stays as it is.
 */
export function mapMembers(value: unknown, convert: ConvertMember): unknown {
  if (Array.isArray(value)) return mapArray(value as readonly unknown[], convert);
  return isObject(value) ? mapObject(value, convert) : value;
}

function mapArray(elements: readonly unknown[], convert: ConvertMember): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (const [index, element] of elements.entries()) {
    const converted = convert(element, index);
    if (copy === undefined && converted === element) continue;
    copy ??= elements.slice(0, index);
    copy.push(converted);
  }
  return copy ?? elements;
}

function mapObject(
  members: Readonly<Record<string, unknown>>,
  convert: ConvertMember,
): Readonly<Record<string, unknown>> {
  let changes: Map<string, unknown> | undefined;
  for (const key of Object.keys(members)) {
    const converted = convert(members[key], key);
    if (converted !== members[key]) (changes ??= new Map()).set(key, converted);
  }
  if (changes === undefined) return members;
  const kept: [string, unknown][] = [];
  for (const [key, member] of Object.entries(members)) {
    const converted = changes.has(key) ? changes.get(key) : member;
    if (converted !== REMOVED) kept.push([key, converted]);
  }
  // fromEntries defines members, so a key named __proto__ cannot reach the prototype.
  return Object.fromEntries(kept);
}
