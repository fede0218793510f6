/** Tests for the members of content blocks: what the official clients accept, for they refuse a whole result for one bad member. */

/** Whether a member is as it must be. */
export type MemberTest = (member: unknown) => boolean;

/** A member that may be left out. `undefined` does not reach the client. */
export function optional(test: MemberTest): MemberTest {
  return (member) => member === undefined || test(member);
}

/** Whether a value is text. */
export function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** A number that JSON can carry. */
export function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

/** An object that is an object in JSON as well; a date, for one, becomes text. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** A test for lists in which every element passes. A hole is not an element: `every` would go through a hundred million of them. */
export function listOf(test: MemberTest): MemberTest {
  return (value) => {
    if (!Array.isArray(value)) return false;
    for (const element of value as readonly unknown[]) if (!test(element)) return false;
    return true;
  };
}

/** A test for objects with these members; others do not matter. */
export function objectWith(tests: Readonly<Record<string, MemberTest>>): MemberTest {
  const entries = Object.entries(tests);
  return (value) => isPlainObject(value) && entries.every(([key, test]) => test(value[key]));
}

/**
 * Base64 by the rules of `atob`, which the clients apply: blanks are skipped, and padding is complete or left out. Nothing is
 * decoded, because data may have megabytes; no pattern repeats, because that would overflow on them.
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
  // The 30th of February is read as a day in March.
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(date);
}

/** The hints a client may have for any block. */
export const isAnnotations: MemberTest = objectWith({
  audience: optional(listOf((role) => role === 'user' || role === 'assistant')),
  priority: optional((value) => isNumber(value) && value >= 0 && value <= 1),
  lastModified: optional(isTimestamp),
});

/** One picture for a link. */
export const isIcon: MemberTest = objectWith({
  src: isText,
  mimeType: optional(isText),
  sizes: optional(listOf(isText)),
  theme: optional((value) => value === 'light' || value === 'dark'),
});
