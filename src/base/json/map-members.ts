/** What a conversion returns for a member that must go. */
export const REMOVED: unique symbol = Symbol('removed');

/** Converts every element. Copies only when something changed: most calls are clean. */
export function mapArray(
  elements: readonly unknown[],
  convert: (element: unknown, index: number) => unknown,
): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (const [index, element] of elements.entries()) {
    const converted = convert(element, index);
    if (copy === undefined && converted === element) continue;
    copy ??= elements.slice(0, index);
    copy.push(converted);
  }
  return copy ?? elements;
}

/** Converts every member; {@link REMOVED} drops one. Copies only when something changed. */
export function mapObject(
  members: Readonly<Record<string, unknown>>,
  convert: (key: string, member: unknown) => unknown,
): Readonly<Record<string, unknown>> {
  let changes: Map<string, unknown> | undefined;
  for (const key of Object.keys(members)) {
    const converted = convert(key, members[key]);
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
