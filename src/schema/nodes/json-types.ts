import { namedTypes } from './json-node.ts';
import type { SchemaNode } from './json-node.ts';

/** The JSON Schema types of a value; a whole number is both `integer` and `number`. */
export function typesOf(value: unknown): readonly string[] {
  if (value === null) return ['null'];
  if (Array.isArray(value)) return ['array'];
  if (typeof value === 'number') return Number.isInteger(value) ? ['integer', 'number'] : ['number'];
  return [typeof value];
}

/** The types a node allows by its own `type`, `const` and `enum`; undefined when it leaves them open. */
export function ownTypes(node: SchemaNode): ReadonlySet<string> | undefined {
  const named = namedTypes(node);
  const listed = 'const' in node ? [node['const']] : node['enum'];
  const values = Array.isArray(listed) ? new Set((listed as readonly unknown[]).flatMap(typesOf)) : undefined;
  if (named === undefined) return values;
  const types = new Set(named.includes('number') ? [...named, 'integer'] : named);
  return values === undefined ? types : intersect(types, values);
}

/** The intersection of both sets; undefined means all types. */
export function intersect(
  a: ReadonlySet<string> | undefined,
  b: ReadonlySet<string> | undefined,
): ReadonlySet<string> | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return new Set([...a].filter((entry) => b.has(entry)));
}

/** The keyword for these types; undefined means all types. */
export function typeKeyword(types: ReadonlySet<string> | undefined): SchemaNode {
  const named = [...(types ?? [])].filter((type) => type !== 'integer' || types?.has('number') !== true);
  return named.length === 0 ? {} : { type: named.length === 1 ? named[0] : named };
}
