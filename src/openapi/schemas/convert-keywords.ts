import { isNode } from '../../schema/nodes/json-node.ts';
import type { SchemaNode } from '../../schema/nodes/json-node.ts';
import { flagOf } from '../document/parse/read-values.ts';
import { BOUND_KEYWORDS, convertBounds } from './convert-bounds.ts';
import { withOpened } from './closed-parts.ts';
import { convertObject } from './convert-object.ts';
import { convertPattern } from './convert-pattern.ts';
import { convertTypes } from './convert-types.ts';
import { convertUnions } from './convert-unions.ts';
import { nestedConversion } from './nested-conversion.ts';
import { withNull } from './model/nullable.ts';
import { withoutStrayDefault } from './model/stray-default.ts';
import { findLeaving } from './one-way.ts';
import { withoutHidden } from './without-hidden.ts';
import type { Conversion, Converter } from './model/conversion.ts';

/** Groups of keywords, as bits, so that absent groups are skipped: most schemas have two or three keywords. */
const BOUNDS = 1;
const ARRAYS = 2;
const OBJECTS = 4;
const UNIONS = 8;

const ABOUT: ReadonlyMap<string, number> = new Map([
  ...BOUND_KEYWORDS.map((keyword) => [keyword, BOUNDS] as const),
  ...['items', 'prefixItems', 'contains', 'unevaluatedItems', 'uniqueItems'].map(
    (keyword) => [keyword, ARRAYS] as const,
  ),
  ...[
    'properties',
    'required',
    'additionalProperties',
    'unevaluatedProperties',
    'propertyNames',
    'patternProperties',
    'dependentRequired',
    'dependentSchemas',
  ].map((keyword) => [keyword, OBJECTS] as const),
  ...['allOf', 'anyOf', 'oneOf', 'not', 'if'].map((keyword) => [keyword, UNIONS] as const),
]);

/** Converts a schema without a reference. */
export function convertKeywords(schema: SchemaNode, converter: Converter, at: Conversion): SchemaNode {
  let about = 0;
  for (const keyword of Object.keys(schema)) about |= ABOUT.get(keyword) ?? 0;
  const { types, itemValues } = convertTypes(schema, at);
  const node: Record<string, unknown> = convertAnnotations(schema, converter);
  Object.assign(node, types);
  const bounds = (about & BOUNDS) === 0 ? NOTHING : convertBounds(schema, at);
  if (Object.hasOwn(schema, 'pattern'))
    Object.assign(node, convertPattern({ ...schema, maxLength: bounds['maxLength'] }, converter, at));
  Object.assign(node, bounds);
  if ((about & ARRAYS) !== 0 || mayBeList(types['type']))
    Object.assign(node, convertArray(schema, { types, itemValues, converter }, at));
  if ((about & (OBJECTS | UNIONS)) !== 0) {
    const here = withOpened(schema, converter, withLeaving(schema, converter, at));
    if ((about & OBJECTS) !== 0) Object.assign(node, convertObject(schema, converter, here));
    if ((about & UNIONS) !== 0) Object.assign(node, convertUnions(schema, converter, here));
  }
  const isNullable = flagOf(schema['nullable']) || flagOf(schema['x-nullable']);
  const shown = withoutHidden(node, at);
  return withoutStrayDefault(isNullable ? withNull(shown) : shown, at);
}

const NOTHING: SchemaNode = {};

function mayBeList(type: unknown): boolean {
  return type === 'array' || (Array.isArray(type) && type.includes('array'));
}

/** A property that is removed from one part must not be required by another. */
function withLeaving(schema: SchemaNode, { parts }: Converter, at: Conversion): Conversion {
  if (!Object.hasOwn(schema, 'properties') && !Object.hasOwn(schema, 'allOf')) return at;
  const leaving = findLeaving({ value: schema, base: at.base }, parts);
  return leaving.size === 0 ? at : { ...at, dropped: new Set([...at.dropped, ...leaving]) };
}

/** Maximum length of an example; longer ones cost more tokens than they are worth. */
const MAX_EXAMPLE = 80;

function convertAnnotations(schema: SchemaNode, converter: Converter): Record<string, unknown> {
  const { title, description, default: fallback, deprecated, format } = schema;
  const { contentEncoding, contentMediaType } = schema;
  const node: Record<string, unknown> = {};
  const said = typeof description === 'string' ? converter.parts.describe(description) : '';
  const name = typeof title === 'string' && said === '' ? converter.parts.describe(title) : '';
  if (name !== '') node['title'] = name;
  if (said !== '') node['description'] = said;
  if (fallback !== undefined) node['default'] = convertDefault(schema, fallback);
  if (deprecated === true) node['deprecated'] = true;
  if (typeof format === 'string' && format !== '') node['format'] = format;
  if (typeof contentEncoding === 'string') node['contentEncoding'] = contentEncoding;
  if (typeof contentMediaType === 'string') node['contentMediaType'] = contentMediaType;
  const example = findExample(schema);
  if (example !== undefined) node['examples'] = [example];
  return node;
}

/** Strings for numbers and booleans are converted. */
function convertDefault({ type }: SchemaNode, value: unknown): unknown {
  if (typeof value !== 'string')
    return type === 'string' && typeof value === 'number' ? String(value) : value;
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  const isNumber =
    (type === 'integer' || type === 'number') && value.trim() !== '' && Number.isFinite(Number(value));
  return isNumber ? Number(value) : value;
}

/** One short example for values that are hard to guess. */
function findExample(schema: SchemaNode): unknown {
  const { example, examples } = schema;
  if (example === undefined && examples === undefined) return undefined;
  if (schema['enum'] !== undefined || schema['default'] !== undefined || schema['const'] !== undefined)
    return undefined;
  const first: unknown = example ?? (Array.isArray(examples) ? examples[0] : undefined);
  const isShort =
    ['string', 'number', 'boolean'].includes(typeof first) && String(first).length <= MAX_EXAMPLE;
  return isShort && first !== '' ? first : undefined;
}

interface ArrayParts {
  readonly types: SchemaNode;
  /** Values of an enum beside the array that apply to its items. */
  readonly itemValues: readonly unknown[] | undefined;
  readonly converter: Converter;
}

function convertArray(
  schema: SchemaNode,
  { types, itemValues, converter }: ArrayParts,
  at: Conversion,
): SchemaNode {
  const { items, prefixItems, contains, unevaluatedItems, uniqueItems } = schema;
  const convert = (value: unknown): unknown => converter.convertNode(value, nestedConversion(at));
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
            converter.convertNode(each, { ...nestedConversion(at), lists: at.lists + 1 }),
          ),
        }
      : {}),
    // Some clients reject arrays without `items`.
    ...(hasOne || (isList && !isTuple) ? { items: each } : {}),
    ...(isSchema(contains) ? { contains: convert(contains) } : {}),
    ...(isSchema(unevaluatedItems) ? { unevaluatedItems: convert(unevaluatedItems) } : {}),
    ...(uniqueItems === true ? { uniqueItems } : {}),
  };
}

function isSchema(value: unknown): boolean {
  return isNode(value) || typeof value === 'boolean';
}
