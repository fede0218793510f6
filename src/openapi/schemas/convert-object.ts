import { isNode, namedChildren } from '../../schema/nodes/json-node.ts';
import type { SchemaNode } from '../../schema/nodes/json-node.ts';
import { withUnicodeKeys } from '../../schema/expressions/write-patterns.ts';
import { writePattern } from './convert-pattern.ts';
import { nestedConversion } from './nested-conversion.ts';
import { LOOP } from './model/loop.ts';
import type { Conversion, Converter } from './model/conversion.ts';

/** Converts the keywords of objects. */
export function convertObject(schema: SchemaNode, converter: Converter, at: Conversion): SchemaNode {
  const convert = (value: unknown): unknown => converter.convertNode(value, nestedConversion(at));
  const listed = namedChildren(schema, 'properties');
  const properties = listed
    .filter(([name]) => !at.dropped.has(name))
    .map(([name, value]) => [name, convert(value)]);
  return {
    // A schema with properties is an object, even without a `type`.
    ...(listed.length > 0 && schema['type'] === undefined && !isPart(schema) ? { type: 'object' } : {}),
    ...(properties.length > 0 ? { properties: Object.fromEntries(properties) } : {}),
    ...convertRequired(schema, at.dropped),
    ...convertOthers(schema, convert, at),
    ...convertPatterns(schema, converter, at),
    ...convertDependencies(schema, converter, at),
  };
}

/** Beside alternatives, properties may only add to them. */
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

function convertOthers(
  schema: SchemaNode,
  convert: (value: unknown) => unknown,
  { isOpened }: Conversion,
): SchemaNode {
  return Object.fromEntries(
    OTHERS.flatMap((keyword) => {
      const value = schema[keyword];
      if (isOpened && keyword === 'additionalProperties' && value === false) return [];
      // `additionalProperties: {}` is the default.
      return isNode(value) || typeof value === 'boolean' ? [[keyword, convert(value)]] : [];
    }),
  );
}

function convertPatterns(schema: SchemaNode, converter: Converter, at: Conversion): SchemaNode {
  const { patterns } = converter;
  const usable = namedChildren(schema, 'patternProperties').filter(([pattern]) => {
    const isUsable = patterns.findProblem(pattern, Number.POSITIVE_INFINITY) === undefined;
    if (!isUsable) at.problem('a pattern of patternProperties cannot be used; it is left out');
    return isUsable;
  });
  if (usable.length === 0) return {};
  const converted = usable.map(([pattern, value]): [string, unknown] => [
    writePattern(pattern, at),
    converter.convertNode(value, nestedConversion(at)),
  ]);
  return { patternProperties: withUnicodeKeys(converted) };
}

function convertDependencies(schema: SchemaNode, converter: Converter, at: Conversion): SchemaNode {
  const required = namedChildren(schema, 'dependentRequired').flatMap(([name, names]) => {
    if (!Array.isArray(names)) return [];
    const kept = (names as readonly unknown[]).filter(
      (each): each is string => typeof each === 'string' && !at.dropped.has(each),
    );
    return kept.length === 0 ? [] : [[name, [...new Set(kept)]]];
  });
  // They describe the object itself, not a member.
  const schemas = namedChildren(schema, 'dependentSchemas')
    .map(([name, value]) => [name, converter.convertNode(value, { ...at, step: 'condition' })])
    .filter(([, node]) => node !== LOOP);
  return {
    ...(required.length > 0 ? { dependentRequired: Object.fromEntries(required) as SchemaNode } : {}),
    ...(schemas.length > 0 ? { dependentSchemas: Object.fromEntries(schemas) as SchemaNode } : {}),
  };
}
