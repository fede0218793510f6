import { isStructure } from '../is-object.ts';

/**
 * A JSON value as text, the same for equal values whatever the order of their keys. Many values are compared by it in linear time.
 * `visit` is called for each value within.
 */
export function canonicalJson(value: unknown, visit?: () => void): string {
  visit?.();
  if (typeof value !== 'object' || value === null) return writeScalar(value);
  if (Array.isArray(value)) return `[${value.map((element) => canonicalJson(element, visit)).join(',')}]`;
  // Results of handlers may hold dates, whose members say nothing.
  if ('toJSON' in value && typeof value.toJSON === 'function') return JSON.stringify(value);
  const members = value as Readonly<Record<string, unknown>>;
  const keys = Object.keys(members).toSorted();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonicalJson(members[key], visit)}`).join(',')}}`;
}

function writeScalar(value: unknown): string {
  return typeof value === 'bigint' ? String(value) : (JSON.stringify(value) ?? 'undefined');
}

/** Whether a value is one of these. Scalars, which nearly all lists hold, are compared as they are. */
export function createValueSet(values: readonly unknown[], visit?: () => void): (value: unknown) => boolean {
  const scalars = new Set(values.filter((value) => !isStructure(value)));
  const structures = new Set(values.filter(isStructure).map((value) => canonicalJson(value)));
  return (value) => {
    if (isStructure(value)) return structures.size > 0 && structures.has(canonicalJson(value, visit));
    // Two integers are the same by their digits, not by what is left of them in a double.
    if (typeof value === 'bigint') return BigInt(Number(value)) === value && scalars.has(Number(value));
    return scalars.has(value);
  };
}

/** Each value once. */
export function distinctValues(values: readonly unknown[]): unknown[] {
  const seen = new Set<unknown>();
  return values.filter((value) => {
    // A scalar is never the text of a structure: those begin with a bracket, and strings are kept with their quotes.
    const key = isStructure(value) || typeof value === 'string' ? canonicalJson(value) : value;
    return !seen.has(key) && seen.add(key);
  });
}
