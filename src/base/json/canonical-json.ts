import { isStructure } from '../is-object.ts';

/**
 * A JSON value as text with sorted keys, equal for equal values. Compares many values in linear time. `visit` is called for each nested
 * value.
 */
export function canonicalJson(value: unknown, visit?: () => void): string {
  visit?.();
  if (typeof value !== 'object' || value === null) return writeScalar(value);
  if (Array.isArray(value)) return `[${value.map((element) => canonicalJson(element, visit)).join(',')}]`;
  // Results of handlers may contain dates, which have no enumerable members.
  if ('toJSON' in value && typeof value.toJSON === 'function') return JSON.stringify(value);
  const members = value as Readonly<Record<string, unknown>>;
  const keys = Object.keys(members).toSorted();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonicalJson(members[key], visit)}`).join(',')}}`;
}

function writeScalar(value: unknown): string {
  return typeof value === 'bigint' ? String(value) : (JSON.stringify(value) ?? 'undefined');
}

/** A function that tests whether a value is one of these. Scalars, the usual case, are compared directly. */
export function createValueSet(values: readonly unknown[], visit?: () => void): (value: unknown) => boolean {
  const scalars = new Set(values.filter((value) => !isStructure(value)));
  const structures = new Set(values.filter(isStructure).map((value) => canonicalJson(value)));
  return (value) => {
    if (isStructure(value)) return structures.size > 0 && structures.has(canonicalJson(value, visit));
    return scalars.has(value);
  };
}

/** The distinct values, in order. */
export function distinctValues(values: readonly unknown[]): unknown[] {
  const seen = new Set<unknown>();
  return values.filter((value) => {
    // The text of a structure never equals a scalar: it begins with a bracket, and strings keep their quotes.
    const key = isStructure(value) || typeof value === 'string' ? canonicalJson(value) : value;
    return !seen.has(key) && seen.add(key);
  });
}
