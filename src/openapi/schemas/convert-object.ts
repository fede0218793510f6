import { isNode, namedChildren } from '../../schema/json-node.ts';
import type { SchemaNode } from '../../schema/json-node.ts';
import { isUsablePattern } from './convert-pattern.ts';
import { goesOtherWay } from './one-way.ts';
import type { Conversion, SchemaConverter } from './schema-converter.ts';

/** What is said of the members of objects. */
export function convertObject(schema: SchemaNode, converter: SchemaConverter, at: Conversion): SchemaNode {
  const convert = (value: unknown): unknown => converter.convertNode(value, { ...at, dropped: NONE });
  const listed = namedChildren(schema, 'properties');
  const leaving = new Set(
    listed
      .filter(([, value]) => goesOtherWay({ value, base: at.base }, converter.parts))
      .map(([name]) => name),
  );
  const properties = listed
    .filter(([name]) => !leaving.has(name))
    .map(([name, value]) => [name, convert(value)]);
  const isObject = properties.length > 0 || listed.length > 0;
  return {
    // Members make an object, also where nobody says so.
    ...(isObject && schema['type'] === undefined && !isPart(schema) ? { type: 'object' } : {}),
    ...(properties.length > 0 ? { properties: Object.fromEntries(properties) } : {}),
    ...convertRequired(schema, new Set([...leaving, ...at.dropped])),
    ...convertOthers(schema, convert),
    ...convertPatterns(schema, convert, at),
    ...convertDependencies(schema, convert),
  };
}

const NONE: ReadonlySet<string> = new Set();

/** Beside alternatives, members may only add to what those say. */
function isPart(schema: SchemaNode): boolean {
  return 'anyOf' in schema || 'oneOf' in schema || 'allOf' in schema;
}

function convertRequired(schema: SchemaNode, leaving: ReadonlySet<string>): SchemaNode {
  const { required } = schema as { required?: unknown };
  if (!Array.isArray(required)) return {};
  const names = new Set(
    required.filter((name): name is string => typeof name === 'string' && !leaving.has(name)),
  );
  return names.size === 0 ? {} : { required: [...names] };
}

const OTHERS = ['additionalProperties', 'unevaluatedProperties', 'propertyNames'] as const;

function convertOthers(schema: SchemaNode, convert: (value: unknown) => unknown): SchemaNode {
  return Object.fromEntries(
    OTHERS.flatMap((keyword) => {
      const value = schema[keyword];
      // `additionalProperties: {}` is what is true without it.
      return isNode(value) || typeof value === 'boolean' ? [[keyword, convert(value)]] : [];
    }),
  );
}

function convertPatterns(
  schema: SchemaNode,
  convert: (value: unknown) => unknown,
  at: Conversion,
): SchemaNode {
  const patterns = namedChildren(schema, 'patternProperties').filter(([pattern]) => {
    const isUsable = isUsablePattern(pattern);
    if (!isUsable) at.problem('a pattern for names of members cannot be used; it is left out');
    return isUsable;
  });
  if (patterns.length === 0) return {};
  return {
    patternProperties: Object.fromEntries(patterns.map(([pattern, value]) => [pattern, convert(value)])),
  };
}

function convertDependencies(schema: SchemaNode, convert: (value: unknown) => unknown): SchemaNode {
  const required = namedChildren(schema, 'dependentRequired').filter(
    ([, names]) => Array.isArray(names) && names.every((name) => typeof name === 'string'),
  );
  const schemas = namedChildren(schema, 'dependentSchemas').map(([name, value]) => [name, convert(value)]);
  return {
    ...(required.length > 0
      ? {
          dependentRequired: Object.fromEntries(
            required.map(([name, names]) => [name, [...new Set(names as string[])]]),
          ),
        }
      : {}),
    ...(schemas.length > 0 ? { dependentSchemas: Object.fromEntries(schemas) } : {}),
  };
}
