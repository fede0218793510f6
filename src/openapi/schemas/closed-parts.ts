import { namedChildren } from '../../schema/nodes/json-node.ts';
import type { SchemaNode } from '../../schema/nodes/json-node.ts';
import type { Located } from '../model/operation.ts';
import type { Conversion, Converter, ConverterParts } from './model/conversion.ts';
import { partsOf } from './one-way.ts';

/** Maximum number of names in a note. */
const MAX_NAMED = 5;

/**
 * If the parts of a schema (`allOf`) forbid each other's properties, no object with these is valid. Usually that is a mistake: each part
 * was meant to close the whole. It adds a note; a lenient conversion opens the parts.
 */
export function withOpened(schema: SchemaNode, { parts }: Converter, at: Conversion): Conversion {
  if (at.isOpened || !Object.hasOwn(schema, 'allOf')) return at;
  const names = findForbidden({ value: schema, base: at.base }, parts).filter(
    (name) => !at.dropped.has(name),
  );
  if (names.length === 0) return at;
  const isOpened = parts.isLenient === true || parts.direction === 'response';
  const named = names.slice(0, MAX_NAMED).map((name) => JSON.stringify(name));
  const list = `${named.join(', ')}${names.length > MAX_NAMED ? ', \u2026' : ''}`;
  at.problem(
    `parts of a schema (allOf) forbid each other's properties (${list}); ${isOpened ? 'they are allowed' : REFUSED}`,
  );
  return isOpened ? { ...at, isOpened } : at;
}

const REFUSED =
  'calls with them are rejected. If the API accepts them, allow them: validate: "lenient" (--validate lenient)';

/** Whether a schema, or one of its parts, forbids all properties but its own. */
export function hasClosedPart(schema: Located, parts: ConverterParts): boolean {
  return [...partsOf(schema, parts)].some(({ value }) => isClosed(value));
}

/** The properties of one part that another part forbids. */
function findForbidden(schema: Located, parts: ConverterParts): string[] {
  const all = [...partsOf(schema, parts)].map(({ value }) => value);
  // The usual case: no part is closed.
  const closed = all.filter(isClosed).map(namesOf);
  if (closed.length === 0) return [];
  const names = new Set(all.flatMap((part) => [...namesOf(part)]));
  return [...names].filter((name) => closed.some((own) => !own.has(name)));
}

function namesOf(value: SchemaNode): ReadonlySet<string> {
  return new Set(namedChildren(value, 'properties').map(([name]) => name));
}

/** A part with patterns is not closed: they may allow unnamed properties. */
function isClosed(value: SchemaNode): boolean {
  return value['additionalProperties'] === false && !Object.hasOwn(value, 'patternProperties');
}
