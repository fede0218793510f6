/**
 * Validators for the members of content blocks, as strict as the official clients, which reject a whole result for
 * one invalid member.
 */

/** Returns whether a member is valid. */
export type MemberTest = (member: unknown) => boolean;

/** An optional member. `undefined` is not serialized. */
export function optional(test: MemberTest): MemberTest {
  return (member) => member === undefined || test(member);
}

export function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** A number that JSON can represent. */
export function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

/** An object that stays an object in JSON; a date, for example, becomes a string. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Validates every element of an array. Sparse arrays are rejected: `every` would visit millions of holes. */
export function listOf(test: MemberTest): MemberTest {
  return (value) => {
    if (!Array.isArray(value)) return false;
    for (const element of value as readonly unknown[]) if (!test(element)) return false;
    return true;
  };
}

/** Validates objects with these members; other members are ignored. */
export function objectWith(tests: Readonly<Record<string, MemberTest>>): MemberTest {
  const entries = Object.entries(tests);
  return (value) => isPlainObject(value) && entries.every(([key, test]) => test(value[key]));
}

/**
 * Base64 by the rules of `atob`, which the clients apply: white space is skipped, and padding is complete or
 * absent. Nothing is decoded, because data may have megabytes; no pattern repeats, because that would overflow the
 * stack.
 */
export function isBase64(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  const text = /[\t\n\f\r ]/.test(value) ? value.replaceAll(/[\t\n\f\r ]/g, '') : value;
  const body = text.length % 4 === 0 ? text.replace(/={1,2}$/, '') : text;
  return body.length % 4 !== 1 && !/[^A-Za-z0-9+/]/.test(body);
}

const TIMESTAMP =
  /^(\d{4}-\d{2}-\d{2})T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

function isTimestamp(value: unknown): boolean {
  const date = typeof value === 'string' ? TIMESTAMP.exec(value)?.[1] : undefined;
  if (date === undefined) return false;
  const time = new Date(`${date}T00:00:00Z`);
  // `Date` accepts the 30th of February as a day in March.
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(date);
}

/** Annotations of any content block. */
export const isAnnotations: MemberTest = objectWith({
  audience: optional(listOf((role) => role === 'user' || role === 'assistant')),
  priority: optional((value) => isNumber(value) && value >= 0 && value <= 1),
  lastModified: optional(isTimestamp),
});

/** An icon. */
export const isIcon: MemberTest = objectWith({
  src: isText,
  mimeType: optional(isText),
  sizes: optional(listOf(isText)),
  theme: optional((value) => value === 'light' || value === 'dark'),
});
