import type { SchemaNode } from '../../schema/nodes/json-node.ts';
import type { Conversion } from './model/conversion.ts';

const COUNTS = [
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'minContains',
  'maxContains',
] as const;

/** All keywords that are bounds. */
export const BOUND_KEYWORDS: readonly string[] = [
  ...COUNTS,
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
];

/** Converts bounds of numbers, lengths and counts. */
export function convertBounds(schema: SchemaNode, at: Conversion): SchemaNode {
  const counts = COUNTS.flatMap((keyword): [string, number][] => {
    const value = numberOf(schema, keyword, at);
    if (value === undefined) return [];
    if (Number.isSafeInteger(value) && value >= 0) return [[keyword, value]];
    at.problem(`${keyword} ${value} is not a non-negative integer and is left out`);
    return [];
  });
  const multiple = numberOf(schema, 'multipleOf', at);
  if (multiple !== undefined && multiple <= 0)
    at.problem(`multipleOf ${multiple} is not above 0 and is left out`);
  return {
    ...convertLimit(schema, 'minimum', at),
    ...convertLimit(schema, 'maximum', at),
    ...(multiple !== undefined && multiple > 0 ? { multipleOf: multiple } : {}),
    ...Object.fromEntries(counts),
  };
}

/** Before 3.1, `exclusiveMinimum` and `exclusiveMaximum` are flags beside the limit. */
function convertLimit(schema: SchemaNode, keyword: 'maximum' | 'minimum', at: Conversion): SchemaNode {
  const exclusive = keyword === 'minimum' ? 'exclusiveMinimum' : 'exclusiveMaximum';
  const limit = numberOf(schema, keyword, at);
  const flag = schema[exclusive];
  if (typeof flag === 'boolean') {
    if (limit === undefined) return {};
    return flag ? { [exclusive]: limit } : { [keyword]: limit };
  }
  const strict = numberOf(schema, exclusive, at);
  return {
    ...(limit === undefined ? {} : { [keyword]: limit }),
    ...(strict === undefined ? {} : { [exclusive]: strict }),
  };
}

/** Accepts numbers in strings. */
function numberOf(schema: SchemaNode, keyword: string, at: Conversion): number | undefined {
  const value = schema[keyword];
  if (value === undefined || value === null) return undefined;
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number === 'number' && Number.isFinite(number)) return number;
  at.problem(`${keyword} is not a number and is left out`);
  return undefined;
}
