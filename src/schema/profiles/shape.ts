import { namedTypes } from '../nodes/json-node.ts';
import type { SchemaNode } from '../nodes/json-node.ts';

/** A type of JSON values. Integers are numbers here. */
type Kind = 'string' | 'number' | 'boolean' | 'null' | 'array' | 'object';

/** Key among the limits of numbers for "integers only", which JSON Schema expresses as a type. */
const WHOLE = 'integer';

/** Keywords that apply to values of one type only. */
const KEYWORDS: Readonly<Record<Kind, string>> = {
  string: 'minLength maxLength pattern format contentEncoding contentMediaType contentSchema',
  number: 'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf format',
  boolean: '',
  null: '',
  array: 'items prefixItems minItems maxItems uniqueItems contains minContains maxContains',
  object:
    'properties patternProperties additionalProperties required minProperties maxProperties propertyNames dependentRequired',
};

export const KINDS = Object.keys(KEYWORDS) as readonly Kind[];

/** The keywords of all types. */
export const LIMITS: ReadonlySet<string> = new Set(KINDS.flatMap((kind) => KEYWORDS[kind].split(' ')));

/** The keywords of a schema per type; a type that is missing is not accepted. */
type Limits = Readonly<Partial<Record<Kind, SchemaNode>>>;

/** A schema without unions, sorted by type, so that schemas can be compared and united type by type. */
export interface Shape {
  readonly limits: Limits;
  /** The only accepted values; undefined if they are not listed. */
  readonly values: readonly unknown[] | undefined;
  /** Everything else: annotations and unknown keywords. */
  readonly words: SchemaNode;
}

/** Sorts a schema without combining keywords. */
export function readShape(node: SchemaNode): Shape {
  const { type: _type, const: _only, enum: _listed, ...rest } = node as Record<string, unknown>;
  const types = namedTypes(node);
  const isWhole = types !== undefined && types.includes(WHOLE) && !types.includes('number');
  const values = valuesOf(node)?.filter((value) => typesTake(types, value));
  const taken = values?.map(kindOf);
  const limits: Partial<Record<Kind, SchemaNode>> = {};
  for (const kind of KINDS) {
    const isNamed = types === undefined || types.includes(kind) || (kind === 'number' && isWhole);
    if (isNamed && taken?.includes(kind) !== false) limits[kind] = pick(rest, KEYWORDS[kind].split(' '));
  }
  if (isWhole && limits.number !== undefined) limits.number = { ...limits.number, [WHOLE]: true };
  const words = Object.fromEntries(Object.entries(rest).filter(([keyword]) => !LIMITS.has(keyword)));
  return { limits, values, words };
}

/** Writes a shape as a schema. */
export function writeShape({ limits, values, words }: Shape): SchemaNode {
  const kinds = KINDS.filter((kind) => limits[kind] !== undefined);
  const { [WHOLE]: isWhole, ...said } = Object.assign({}, ...kinds.map((kind) => limits[kind])) as SchemaNode;
  const types = kinds.map((kind) => (kind === 'number' && isWhole === true ? WHOLE : kind));
  const isOpen = kinds.length === KINDS.length && isWhole !== true;
  return {
    ...(isOpen ? {} : { type: types.length === 1 ? types[0] : types }),
    ...listOf(values),
    ...said,
    ...words,
  };
}

/** The values that a node lists; undefined if it lists none. */
export function valuesOf(node: SchemaNode): readonly unknown[] | undefined {
  if ('const' in node) return [node['const']];
  return Array.isArray(node['enum']) ? (node['enum'] as readonly unknown[]) : undefined;
}

/** The keyword that lists these values. */
export function listOf(values: readonly unknown[] | undefined): SchemaNode {
  if (values === undefined) return {};
  return values.length === 1 ? { const: values[0] } : { enum: values };
}

/** The types of these values, without limits. */
export function limitsOf(values: readonly unknown[]): Limits {
  const isWhole = values.every((value) => typeof value !== 'number' || Number.isInteger(value));
  return Object.fromEntries(
    values.map((value) => [kindOf(value), kindOf(value) === 'number' && isWhole ? { [WHOLE]: true } : {}]),
  );
}

function kindOf(value: unknown): Kind {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : (typeof value as Kind);
}

function typesTake(types: readonly string[] | undefined, value: unknown): boolean {
  if (types === undefined || types.includes(kindOf(value))) return true;
  return types.includes(WHOLE) && Number.isInteger(value);
}

/** The part of a node with these keywords. */
function pick(node: SchemaNode, keywords: readonly string[]): SchemaNode {
  return Object.fromEntries(Object.entries(node).filter(([keyword]) => keywords.includes(keyword)));
}
