/**
 * Deep-copies arrays and plain objects; other values are shared.
 *
 * Uses `Object.fromEntries`, which defines members instead of assigning them, so that a member named `__proto__`
 * stays a member.
 */
export function cloneJson<TValue>(value: TValue): TValue;
export function cloneJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => cloneJson(item));
  if (!isPlainObject(value)) return value;
  if (Object.keys(value).length === 0) return {};
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, cloneJson(member)]));
}

/** Compares two values as JSON: the order of members does not count. */
export function isEqualJson(left: unknown, right: unknown): boolean {
  if (Object.is(left, right)) return true;
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, index) => isEqualJson(item, right[index]));
  }
  if (!isPlainObject(left) || !isPlainObject(right)) return false;
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && isEqualJson(left[key], right[key]))
  );
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
