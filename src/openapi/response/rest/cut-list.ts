import { writeJson } from '../body/exact-json.ts';
import { isObject } from '../../../base/is-object.ts';
import { countFitting, describeRange } from '../model/rest-content.ts';
import type { Piece, RestContent } from '../model/rest-content.ts';

/** A value with an array, cut so that it is still valid JSON. */
export interface CutList {
  readonly content: RestContent;
  /** The value with as many elements as fit, and all its other members. */
  readonly first: Piece;
}

/** Maximum depth of the array, as in `{"data":{"page":{"items":[...]}}}`. */
const MAX_STEPS = 3;

/** Cuts a value in its largest array; undefined if it has none, or if not even one element fits. */
export function cutList(value: unknown, maxChars: number): CutList | undefined {
  const path = findPath(value);
  if (path === undefined) return undefined;
  const list = valueAt(value, path) as readonly unknown[];
  const envelope = writeJson(withList(value, path, []));
  const elements = list.map((element) => writeJson(element));
  const count = countFitting(elements, 0, maxChars - envelope.length);
  if (count === 0) return undefined;
  return {
    content: { kind: 'list', path, elements },
    first: {
      text: writeJson(withList(value, path, list.slice(0, count))),
      isFragment: false,
      shown: `elements ${describeRange(0, count, elements.length)}`,
      next: count < elements.length ? { element: count, char: 0 } : undefined,
    },
  };
}

/** Always follows the largest member: a cut elsewhere would not save enough. */
function findPath(value: unknown): readonly string[] | undefined {
  const path: string[] = [];
  let part = value;
  while (!Array.isArray(part)) {
    if (!isObject(part) || path.length === MAX_STEPS) return undefined;
    const largest = findLargest(part);
    if (largest === undefined) return undefined;
    path.push(largest[0]);
    part = largest[1];
  }
  return path;
}

function findLargest(value: Readonly<Record<string, unknown>>): [string, unknown] | undefined {
  const entries = Object.entries(value);
  const parts = entries.filter(([, member]) => !isScalar(member));
  const [only, another] = parts;
  const isAlone = another === undefined && entries.every(([, member]) => textLength(member) <= SHORT);
  // Measuring serializes all of it, which is only needed if there is a choice.
  if (only !== undefined && isAlone) return only;
  let largest: [string, unknown] | undefined;
  let size = 0;
  for (const [key, member] of entries) {
    const length = isScalar(member) ? textLength(member) : writeJson(member).length;
    if (length <= size) continue;
    size = length;
    largest = [key, member];
  }
  return largest;
}

const SHORT = 200;

function isScalar(member: unknown): boolean {
  return typeof member !== 'object' || member === null;
}

function textLength(member: unknown): number {
  return typeof member === 'string' ? member.length : 1;
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  let part = value;
  for (const key of path) part = (part as Readonly<Record<string, unknown>>)[key];
  return part;
}

function withList(value: unknown, [key, ...below]: readonly string[], list: readonly unknown[]): unknown {
  if (key === undefined) return list;
  return Object.fromEntries(
    Object.entries(value as object).map(([name, member]: [string, unknown]) => [
      name,
      name === key ? withList(member, below, list) : member,
    ]),
  );
}
