/** Whether a value is a plain object, not an instance of a class. */
export function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/**
 * Whether an array element is code: a builder, or a definition with functions or with the schema of a library. Code is left unchanged, and
 * validated when it is registered.
 */
export function isCode(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return !isPlain(value) || hasCode(value, new Set());
}

function hasCode(value: unknown, seen: Set<object>): boolean {
  if (typeof value === 'function') return true;
  if (typeof value !== 'object' || value === null || seen.has(value)) return false;
  seen.add(value);
  if ('~standard' in value) return true;
  if (!Array.isArray(value) && !isPlain(value)) return false;
  return Object.values(value).some((member) => hasCode(member, seen));
}
