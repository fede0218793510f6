import { isNode, listedChildren, namedChildren, namedTypes } from '../../schema/json-node.ts';
import type { SchemaNode } from '../../schema/json-node.ts';
import type { Located } from '../operation.ts';
import { goesOtherWay } from '../schemas/one-way.ts';
import type { ConverterParts } from '../schemas/schema-converter.ts';

/** A property of a body that can be an argument by itself. */
export interface BodyProperty {
  readonly name: string;
  readonly schema: Located;
  readonly required: boolean;
}

/** What makes an object more than a list of its properties. */
const MORE = [
  'anyOf',
  'oneOf',
  'not',
  'if',
  'patternProperties',
  'propertyNames',
  'dependentSchemas',
  'discriminator',
];
const MAX_DEPTH = 16;

/**
 * The properties of an object that is nothing but its properties: each of them can be an argument. Undefined for everything else, which
 * is one argument as a whole. Parts (`allOf`) that are such objects are put together.
 */
export function findBodyProperties(
  schema: Located,
  parts: ConverterParts,
): readonly BodyProperty[] | undefined {
  const found = new Map<string, Located>();
  const required = new Set<string>();
  const leaving = new Set<string>();
  const collect = (given: Located, depth: number): boolean => {
    const target = parts.references.follow(given);
    if ('problem' in target || !isNode(target.value) || depth > MAX_DEPTH) return false;
    const { value, base } = target;
    if (!isListOfProperties(value)) return false;
    if (!listedChildren(value, 'allOf').every((part) => collect({ value: part, base }, depth + 1)))
      return false;
    for (const [name, property] of namedChildren(value, 'properties')) {
      if (goesOtherWay({ value: property, base }, parts)) leaving.add(name);
      else found.set(name, join(found.get(name), { value: property, base }));
    }
    for (const name of listedChildren(value, 'required')) if (typeof name === 'string') required.add(name);
    return true;
  };
  if (!collect(schema, 0)) return undefined;
  // Asked for, and described nowhere: it must still be possible to give it.
  for (const name of required)
    if (!found.has(name) && !leaving.has(name)) found.set(name, { value: {}, base: schema.base });
  return [...found]
    .filter(([name]) => !leaving.has(name))
    .map(([name, located]) => ({ name, schema: located, required: required.has(name) }));
}

/** Whether any object of this kind is a list of known properties. An object of which nothing is said may be anything. */
function isListOfProperties(value: SchemaNode): boolean {
  if (MORE.some((keyword) => Object.hasOwn(value, keyword))) return false;
  const { additionalProperties: others, nullable } = value as {
    additionalProperties?: unknown;
    nullable?: unknown;
  };
  if (others === true || isNode(others) || nullable === true) return false;
  const types = namedTypes(value);
  if (types !== undefined && (types.length !== 1 || types[0] !== 'object')) return false;
  return isNode(value['properties']) || Array.isArray(value['allOf']) || Array.isArray(value['required']);
}

/** Two parts that describe one property both count. */
function join(one: Located | undefined, other: Located): Located {
  if (one === undefined || one.base !== other.base) return other;
  return { value: { allOf: [one.value, other.value] }, base: other.base };
}
