import { namedTypes } from '../nodes/json-node.ts';
import type { SchemaNode } from '../nodes/json-node.ts';

/** One kind of JSON values. Whole numbers are numbers here. */
export type Kind = 'string' | 'number' | 'boolean' | 'null' | 'array' | 'object';

/** Every kind. */
export const KINDS: readonly Kind[] = ['string', 'number', 'boolean', 'null', 'array', 'object'];

/** Stands among the limits of numbers for "whole numbers only", which JSON Schema says as a type. */
export const WHOLE = 'integer';

/** The keywords that say something about values of one kind, and nothing about others. */
const KEYWORDS: Readonly<Record<Kind, readonly string[]>> = {
  string: [
    'minLength',
    'maxLength',
    'pattern',
    'format',
    'contentEncoding',
    'contentMediaType',
    'contentSchema',
  ],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'format'],
  boolean: [],
  null: [],
  array: [
    'items',
    'prefixItems',
    'minItems',
    'maxItems',
    'uniqueItems',
    'contains',
    'minContains',
    'maxContains',
  ],
  object: [
    'properties',
    'patternProperties',
    'additionalProperties',
    'required',
    'minProperties',
    'maxProperties',
    'propertyNames',
    'dependentRequired',
  ],
};

/** A schema without unions, sorted by what it says about each kind of values: that can be compared and combined kind by kind. */
export interface Shape {
  readonly kinds: readonly Kind[];
  /** The only values that are taken; undefined when they are not listed. */
  readonly values: readonly unknown[] | undefined;
  readonly limits: Readonly<Record<Kind, SchemaNode>>;
  /** Whatever else stands there: words to the reader, and keywords we do not know. */
  readonly words: SchemaNode;
}

/** Limits that say nothing. */
export function noLimits(): Record<Kind, SchemaNode> {
  return { string: {}, number: {}, boolean: {}, null: {}, array: {}, object: {} };
}

/** Sorts a schema that has no combining keywords. */
export function readShape(node: SchemaNode): Shape {
  const { type: _type, const: only, enum: listed, ...rest } = node as Record<string, unknown>;
  const types = namedTypes(node);
  const isWhole = types !== undefined && types.includes('integer') && !types.includes('number');
  const kinds =
    types === undefined
      ? KINDS
      : KINDS.filter((kind) => types.includes(kind) || (kind === 'number' && isWhole));
  const limits = noLimits();
  for (const kind of kinds) limits[kind] = pick(rest, KEYWORDS[kind]);
  if (isWhole) limits.number = { ...limits.number, [WHOLE]: true };
  const known = new Set(Object.values(KEYWORDS).flat());
  const words = Object.fromEntries(Object.entries(rest).filter(([keyword]) => !known.has(keyword)));
  const all = 'const' in node ? [only] : Array.isArray(listed) ? (listed as unknown[]) : undefined;
  const values = all?.filter((value) => kinds.includes(kindOf(value)) && !(isWhole && isFraction(value)));
  return { kinds: values === undefined ? kinds : kindsOf(values), values, limits, words };
}

/** The schema of a shape. `exact` is false when it could not say everything. */
export function writeShape({ kinds, values, limits, words }: Shape): {
  readonly node: SchemaNode;
  readonly exact: boolean;
} {
  const { [WHOLE]: isWhole, ...number } = limits.number as Record<string, unknown>;
  const types = kinds.map((kind) => (kind === 'number' && isWhole === true ? WHOLE : kind));
  const isOpen = kinds.length === KINDS.length && isWhole !== true;
  const formats = (['string', 'number'] as const).flatMap((kind) =>
    kinds.includes(kind) && 'format' in limits[kind] ? [limits[kind]['format']] : [],
  );
  const clash = formats.length === 2 && formats[0] !== formats[1];
  const node: Record<string, unknown> = {
    ...(isOpen ? {} : { type: types.length === 1 ? types[0] : types }),
    ...(values === undefined ? {} : values.length === 1 ? { const: values[0] } : { enum: values }),
  };
  for (const kind of kinds) Object.assign(node, kind === 'number' ? number : limits[kind]);
  if (clash) delete node['format'];
  return { node: { ...node, ...words }, exact: !clash };
}

/** The kind of a value. */
export function kindOf(value: unknown): Kind {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value as Kind;
}

/** The kinds of some values, in the usual order. */
export function kindsOf(values: readonly unknown[]): Kind[] {
  const found = new Set(values.map(kindOf));
  return KINDS.filter((kind) => found.has(kind));
}

/** Whether a value is a number and not a whole one. */
export function isFraction(value: unknown): boolean {
  return typeof value === 'number' && !Number.isInteger(value);
}

/** The part of a node with these keywords. */
export function pick(node: SchemaNode, keywords: readonly string[]): SchemaNode {
  return Object.fromEntries(Object.entries(node).filter(([keyword]) => keywords.includes(keyword)));
}
