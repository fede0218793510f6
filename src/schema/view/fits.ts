import { createValueSet } from '../../base/json/canonical-json.ts';
import { isNode, namedChildren } from '../nodes/json-node.ts';
import type { SchemaNode } from '../nodes/json-node.ts';
import { sameJson } from '../../base/json/same-json.ts';
import type { PatternTest } from '../expressions/pattern.ts';

/** The schemas of a node for a key; `additionalProperties` only if nothing else applies, and not if it is `true`. */
export function childrenOf(node: SchemaNode, key: string, matches: PatternTest): readonly unknown[] {
  return readChildren(node, matches)(key);
}

/** Same for many keys. */
export function readChildren(node: SchemaNode, matches: PatternTest): (key: string) => readonly unknown[] {
  const { properties, additionalProperties: rest } = node as Record<string, unknown>;
  const patterns = namedChildren(node, 'patternProperties');
  const others = isNode(rest) || rest === false ? [rest] : [];
  return (key) => {
    const isNamed = isNode(properties) && Object.hasOwn(properties, key);
    if (patterns.length === 0) return isNamed ? [properties[key]] : others;
    const children = patterns.filter(([pattern]) => matches(pattern, key)).map(([, child]) => child);
    if (isNamed) children.unshift(properties[key]);
    return children.length === 0 ? others : children;
  };
}

/** Cached sets of values that many values are compared with; the arrays are frozen. */
const valueSets = new WeakMap<readonly unknown[], (value: unknown) => boolean>();

function isListed(values: readonly unknown[], value: unknown): boolean {
  let isIn = valueSets.get(values);
  if (isIn === undefined) valueSets.set(values, (isIn = createValueSet(values)));
  return isIn(value);
}

/** Whether a scalar matches a node, its type aside. */
export function fitsScalar(schema: SchemaNode, value: unknown, matches: PatternTest): boolean {
  if ('const' in schema && !sameJson(schema['const'], value)) return false;
  const listed = schema['enum'];
  if (Array.isArray(listed) && !isListed(listed, value)) return false;
  if (typeof value === 'number') return fitsNumber(schema, value);
  if (typeof value !== 'string') return true;
  const { pattern } = schema as { pattern?: unknown };
  if (typeof pattern === 'string' && !matches(pattern, value)) return false;
  if (!('minLength' in schema) && !('maxLength' in schema)) return true;
  // JSON Schema counts code points, JavaScript counts UTF-16 code units.
  return isWithin(schema, Array.from(value).length, ['minLength', 'maxLength']);
}

function fitsNumber(schema: SchemaNode, value: number): boolean {
  const { exclusiveMinimum, exclusiveMaximum, multipleOf } = schema as Record<string, unknown>;
  if (typeof exclusiveMinimum === 'number' && value <= exclusiveMinimum) return false;
  if (typeof exclusiveMaximum === 'number' && value >= exclusiveMaximum) return false;
  if (typeof multipleOf === 'number' && !Number.isInteger(value / multipleOf)) return false;
  return isWithin(schema, value, ['minimum', 'maximum']);
}

/** Whether a size is within the bounds that two keywords set. */
export function isWithin(schema: SchemaNode, size: number, keywords: readonly [string, string]): boolean {
  const [least, most] = [schema[keywords[0]], schema[keywords[1]]];
  return (typeof least !== 'number' || size >= least) && (typeof most !== 'number' || size <= most);
}
