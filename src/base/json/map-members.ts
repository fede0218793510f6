import { isObject } from '../is-object.ts';

/** Returned by a conversion to remove a member. */
export const REMOVED: unique symbol = Symbol('removed');

/** Converts a member of an object or an element of an array. */
export type ConvertMember = (member: unknown, key: string | number) => unknown;

/**
 * Converts the elements of an array or the members of an object; {@link REMOVED} removes a member. Copies only if something changed, which
 * is rare. Other values are returned unchanged.
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
  // fromEntries defines members, so a key named __proto__ cannot change the prototype.
  return Object.fromEntries(kept);
}
