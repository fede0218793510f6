import { oneLine } from './terminal.ts';

type Schema = Readonly<Record<string, unknown>>;

/** Maximum depth of nested properties; `--json` prints the whole schema. */
const MAX_DEPTH = 4;
/** Maximum number of rows: a schema with many references to itself expands to millions. */
const MAX_ROWS = 200;
const MAX_ALTERNATIVES = 20;
const MAX_NESTED_TYPES = 2;

/** One row for each property of a JSON Schema: name, type, description. Nested properties are indented. */
export function fieldRows(schema: unknown): string[][] {
  const root = toSchema(schema);
  const rows: string[][] = [];
  for (const row of rowsOf(root, { root, depth: 0 })) {
    if (rows.length === MAX_ROWS) return [...rows, ['…', '', 'more; use --json for the whole schema']];
    rows.push(row);
  }
  return rows;
}

interface Place {
  readonly root: Schema;
  readonly depth: number;
}

function* rowsOf(schema: Schema, { root, depth }: Place): Generator<string[]> {
  const properties = toSchema(schema['properties']);
  const required = Array.isArray(schema['required']) ? (schema['required'] as unknown[]) : [];
  for (const [name, value] of Object.entries(properties)) {
    const member = resolve(toSchema(value), root);
    yield [
      `${'  '.repeat(depth)}${oneLine(name)}${required.includes(name) ? '' : '?'}`,
      `${typeOf(member, root)}${defaultOf(member)}`,
      oneLine(member['description']),
    ];
    const inner = resolve(toSchema(member['items'] ?? member), root);
    if (depth + 1 < MAX_DEPTH) yield* rowsOf(inner, { root, depth: depth + 1 });
  }
}

/** `string`, `"a" | "b"`, `integer[]`. */
export function typeOf(schema: Schema, root: Schema = schema, depth = 0): string {
  const { type, const: constant, enum: values, anyOf, oneOf, items } = schema;
  if (constant !== undefined) return literal(constant);
  if (Array.isArray(values)) return union(values, literal);
  const alternatives = anyOf ?? oneOf;
  if (Array.isArray(alternatives) && depth < MAX_NESTED_TYPES)
    return union(alternatives, (each) => typeOf(resolve(toSchema(each), root), root, depth + 1));
  if (type === 'array' && items !== undefined && depth < MAX_NESTED_TYPES) {
    const each = typeOf(resolve(toSchema(items), root), root, depth + 1);
    return each.includes(' ') ? `(${each})[]` : `${each}[]`;
  }
  return [type ?? 'any']
    .flat()
    .map((each) => oneLine(each))
    .join(' | ');
}

/** The JSON types that a schema allows; `any` if it does not limit them or is nested too deeply. */
export function typesOf(given: unknown, root: unknown, depth = 0): ReadonlySet<string> {
  const { type, const: constant, enum: values, anyOf, oneOf } = resolve(toSchema(given), toSchema(root));
  if (constant !== undefined) return new Set([jsonTypeOf(constant)]);
  if (Array.isArray(values)) return new Set(values.map(jsonTypeOf));
  const alternatives = anyOf ?? oneOf;
  if (!Array.isArray(alternatives))
    return new Set([type ?? 'any'].flat().filter((each) => typeof each === 'string'));
  if (depth >= MAX_NESTED_TYPES || (depth > 0 && alternatives.length > MAX_ALTERNATIVES))
    return new Set(['any']);
  return new Set(alternatives.flatMap((each) => [...typesOf(each, root, depth + 1)]));
}

function jsonTypeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return value === null ? 'null' : typeof value;
}

function union(alternatives: readonly unknown[], write: (each: unknown) => string): string {
  const more = alternatives.length > MAX_ALTERNATIVES ? ' | …' : '';
  return `${alternatives.slice(0, MAX_ALTERNATIVES).map(write).join(' | ')}${more}`;
}

function defaultOf({ default: value }: Schema): string {
  return value === undefined ? '' : ` = ${literal(value)}`;
}

function literal(value: unknown): string {
  return oneLine(JSON.stringify(value));
}

/** Resolves a reference within the schema. Other references are not resolved. */
function resolve(schema: Schema, root: Schema): Schema {
  const reference = schema['$ref'];
  if (typeof reference !== 'string' || !/^#(?:\/|$)/.test(reference)) return schema;
  const { $ref: _reference, ...beside } = schema;
  const target = reference
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<Schema>((value, key) => (Object.hasOwn(value, key) ? toSchema(value[key]) : {}), root);
  return { ...target, ...beside };
}

function toSchema(value: unknown): Schema {
  return typeof value === 'object' && value !== null ? (value as Schema) : {};
}
