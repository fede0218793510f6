import { isNode } from '../../schema/json-node.ts';
import type { SchemaNode } from '../../schema/json-node.ts';
import { convertBounds } from './convert-bounds.ts';
import { convertObject } from './convert-object.ts';
import { convertPattern } from './convert-pattern.ts';
import { convertTypes } from './convert-types.ts';
import { convertUnions } from './convert-unions.ts';
import { withNull } from './nullable.ts';
import type { Conversion, SchemaConverter } from './schema-converter.ts';

/** A schema without a reference. */
export function convertKeywords(schema: SchemaNode, converter: SchemaConverter, at: Conversion): SchemaNode {
  const types = convertTypes(schema, at);
  const bounds = convertBounds(schema, at);
  const node: SchemaNode = {
    ...convertAnnotations(schema, converter),
    ...types,
    ...convertPattern(schema, bounds, at),
    ...bounds,
    ...convertArray(schema, types, { converter, at }),
    ...convertObject(schema, converter, at),
    ...convertUnions(schema, converter, at),
  };
  const isNullable = schema['nullable'] === true || schema['x-nullable'] === true;
  return isNullable ? withNull(node) : node;
}

/** Longer examples say less than they cost. */
const MAX_EXAMPLE = 80;

function convertAnnotations(schema: SchemaNode, converter: SchemaConverter): SchemaNode {
  const { title, description, default: fallback, deprecated, format } = schema;
  const { contentEncoding, contentMediaType } = schema;
  const said = typeof description === 'string' ? converter.parts.describe(description) : '';
  const name = typeof title === 'string' && said === '' ? converter.parts.describe(title) : '';
  return {
    ...(name === '' ? {} : { title: name }),
    ...(said === '' ? {} : { description: said }),
    ...(fallback === undefined ? {} : { default: convertDefault(schema, fallback) }),
    ...(deprecated === true ? { deprecated } : {}),
    ...(typeof format === 'string' && format !== '' ? { format } : {}),
    ...(typeof contentEncoding === 'string' ? { contentEncoding } : {}),
    ...(typeof contentMediaType === 'string' ? { contentMediaType } : {}),
    ...convertExamples(schema),
  };
}

/** Texts that stand for numbers and flags are what they stand for. */
function convertDefault({ type }: SchemaNode, value: unknown): unknown {
  if (typeof value !== 'string')
    return type === 'string' && typeof value === 'number' ? String(value) : value;
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  const isNumber =
    (type === 'integer' || type === 'number') && value.trim() !== '' && Number.isFinite(Number(value));
  return isNumber ? Number(value) : value;
}

/** One short value of those that nobody could guess. */
function convertExamples(schema: SchemaNode): SchemaNode {
  if (schema['enum'] !== undefined || schema['default'] !== undefined || schema['const'] !== undefined)
    return {};
  const { example, examples } = schema;
  const first: unknown = example ?? (Array.isArray(examples) ? examples[0] : undefined);
  const isShort =
    ['string', 'number', 'boolean'].includes(typeof first) && String(first).length <= MAX_EXAMPLE;
  return isShort && first !== '' ? { examples: [first] } : {};
}

interface ArrayParts {
  readonly converter: SchemaConverter;
  readonly at: Conversion;
}

function convertArray(schema: SchemaNode, types: SchemaNode, { converter, at }: ArrayParts): SchemaNode {
  const { items, prefixItems, contains, unevaluatedItems, uniqueItems } = schema;
  const convert = (value: unknown): unknown => converter.convertNode(value, at);
  const tuple = Array.isArray(items) ? items : prefixItems;
  const isList = types['type'] === 'array';
  const hasOne = items !== undefined && !Array.isArray(items);
  return {
    ...(Array.isArray(tuple) && tuple.length > 0 ? { prefixItems: tuple.map(convert) } : {}),
    // Some clients refuse lists of nothing in particular.
    ...(hasOne ? { items: convert(items) } : isList && !Array.isArray(tuple) ? { items: {} } : {}),
    ...(isNode(contains) || typeof contains === 'boolean' ? { contains: convert(contains) } : {}),
    ...(isNode(unevaluatedItems) || typeof unevaluatedItems === 'boolean'
      ? { unevaluatedItems: convert(unevaluatedItems) }
      : {}),
    ...(uniqueItems === true ? { uniqueItems } : {}),
  };
}
