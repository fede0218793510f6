import { isNode } from '../../schema/json-node.ts';
import type { SchemaNode } from '../../schema/json-node.ts';
import { flagOf } from '../document/read-values.ts';
import { convertBounds } from './convert-bounds.ts';
import { convertObject } from './convert-object.ts';
import { convertPattern } from './convert-pattern.ts';
import { convertTypes } from './convert-types.ts';
import { convertUnions } from './convert-unions.ts';
import { inside } from './inside.ts';
import { withNull } from './nullable.ts';
import { findLeaving } from './one-way.ts';
import { withoutHidden } from './without-hidden.ts';
import type { Conversion, SchemaConverter } from './schema-converter.ts';

/** A schema without a reference. */
export function convertKeywords(schema: SchemaNode, converter: SchemaConverter, at: Conversion): SchemaNode {
  const { types, itemValues } = convertTypes(schema, at);
  const bounds = convertBounds(schema, at);
  const here = withLeaving(schema, converter, at);
  const node: SchemaNode = {
    ...convertAnnotations(schema, converter),
    ...types,
    ...convertPattern({ ...schema, maxLength: bounds['maxLength'] }, converter, at),
    ...bounds,
    ...convertArray(schema, { types, itemValues, converter }, at),
    ...convertObject(schema, converter, here),
    ...convertUnions(schema, converter, here),
  };
  const isNullable = flagOf(schema['nullable']) || flagOf(schema['x-nullable']);
  const shown = withoutHidden(node, at);
  return isNullable ? withNull(shown) : shown;
}

/** What one part of a schema loses, no other part may ask for. */
function withLeaving(schema: SchemaNode, { parts }: SchemaConverter, at: Conversion): Conversion {
  if (!Object.hasOwn(schema, 'properties') && !Object.hasOwn(schema, 'allOf')) return at;
  const leaving = findLeaving({ value: schema, base: at.base }, parts);
  return leaving.size === 0 ? at : { ...at, dropped: new Set([...at.dropped, ...leaving]) };
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
  readonly types: SchemaNode;
  /** What an enumeration beside the list says of its items. */
  readonly itemValues: readonly unknown[] | undefined;
  readonly converter: SchemaConverter;
}

function convertArray(
  schema: SchemaNode,
  { types, itemValues, converter }: ArrayParts,
  at: Conversion,
): SchemaNode {
  const { items, prefixItems, contains, unevaluatedItems, uniqueItems } = schema;
  const convert = (value: unknown): unknown => converter.convertNode(value, inside(at));
  const tuple = Array.isArray(items) ? items : prefixItems;
  const isTuple = Array.isArray(tuple) && tuple.length > 0;
  const { type } = types;
  const isList = type === 'array' || (Array.isArray(type) && type.includes('array'));
  const hasOne = items !== undefined && !Array.isArray(items);
  const one = hasOne ? convert(items) : {};
  const each = itemValues !== undefined && isNode(one) ? { ...one, enum: itemValues } : one;
  return {
    ...(isTuple
      ? {
          prefixItems: tuple.map((each) =>
            converter.convertNode(each, { ...inside(at), lists: at.lists + 1 }),
          ),
        }
      : {}),
    // Some clients refuse lists of nothing in particular.
    ...(hasOne || (isList && !isTuple) ? { items: each } : {}),
    ...(isSchema(contains) ? { contains: convert(contains) } : {}),
    ...(isSchema(unevaluatedItems) ? { unevaluatedItems: convert(unevaluatedItems) } : {}),
    ...(uniqueItems === true ? { uniqueItems } : {}),
  };
}

function isSchema(value: unknown): boolean {
  return isNode(value) || typeof value === 'boolean';
}
