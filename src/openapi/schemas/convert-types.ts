import type { SchemaNode } from '../../schema/nodes/json-node.ts';
import type { Conversion } from './model/conversion.ts';

const TYPES: ReadonlySet<unknown> = new Set([
  'string',
  'number',
  'integer',
  'boolean',
  'object',
  'array',
  'null',
]);

/** Common misspellings of JSON types. */
const MEANT: Readonly<Record<string, string | undefined>> = {
  int: 'integer',
  int32: 'integer',
  int64: 'integer',
  long: 'integer',
  float: 'number',
  double: 'number',
  decimal: 'number',
  bool: 'boolean',
  text: 'string',
  date: 'string',
  'date-time': 'string',
  datetime: 'string',
  uuid: 'string',
  uri: 'string',
  byte: 'string',
  binary: 'string',
  password: 'string',
  file: 'string',
  list: 'array',
  map: 'object',
};

/** Converted `type`, `enum` and `const`. */
export interface ConvertedTypes {
  readonly types: SchemaNode;
  /** Enum values of an array schema that can only be meant for its items. */
  readonly itemValues: readonly unknown[] | undefined;
}

/** Converts `type`, `enum` and `const`. */
export function convertTypes(schema: SchemaNode, at: Conversion): ConvertedTypes {
  const type = convertType(schema['type'], at);
  const values = convertValues(schema, type, at);
  const isForItems = type === 'array' && values?.every((value) => !Array.isArray(value)) === true;
  const fits = values === undefined || isForItems || values.some((value) => fitsType(value, type));
  if (!fits) at.problem('no value of an enum has the type beside it; the type is left out');
  return {
    types: {
      ...(type === undefined || !fits ? {} : { type }),
      ...(values === undefined || isForItems ? {} : { enum: values }),
      ...(Object.hasOwn(schema, 'const') ? { const: schema['const'] } : {}),
    },
    itemValues: isForItems ? values : undefined,
  };
}

type Types = string | readonly string[] | undefined;

function convertType(type: unknown, at: Conversion): Types {
  if (type === undefined) return undefined;
  const listed = Array.isArray(type) ? (type as readonly unknown[]) : [type];
  const known = listed.flatMap((each) => {
    const meant = typeof each === 'string' ? meantBy(each) : undefined;
    if (meant === undefined && each !== 'any')
      at.problem(`the type ${show(each)} is unknown; any value is accepted there`);
    return meant === undefined ? [] : [meant];
  });
  // An unknown type may be anything.
  if (known.length < listed.length || known.length === 0) return undefined;
  const [only] = known;
  const unique = [...new Set(known)];
  return unique.length === 1 ? only : unique;
}

function meantBy(type: string): string | undefined {
  const small = type.toLowerCase();
  if (TYPES.has(small)) return small;
  return Object.hasOwn(MEANT, small) ? MEANT[small] : undefined;
}

function show(type: unknown): string {
  return (JSON.stringify(type) ?? 'undefined').slice(0, 100);
}

function convertValues(
  { enum: values }: SchemaNode,
  type: Types,
  at: Conversion,
): readonly unknown[] | undefined {
  if (values === undefined) return undefined;
  if (!Array.isArray(values) || values.length === 0) {
    at.problem('an enum has no values; any value is accepted there');
    return undefined;
  }
  const seen = new Set<string>();
  return (values as readonly unknown[])
    .map((value) => toType(value, type))
    .filter((value) => {
      const text = JSON.stringify(value) ?? '';
      return seen.has(text) ? false : seen.add(text);
    });
}

/** YAML parses `1.0` and `true` as a number and a boolean, even where strings are meant. */
function toType(value: unknown, type: Types): unknown {
  if (type === 'string' && (typeof value === 'number' || typeof value === 'boolean')) return String(value);
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  const wantsNumber = type === 'integer' || type === 'number';
  const isNumber = typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value));
  return wantsNumber && isNumber ? Number(value) : value;
}

/** Whether a value has one of the types of a schema. */
function fitsType(value: unknown, type: unknown): boolean {
  if (type === undefined) return true;
  const own = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  return types.some((each) => (each === 'integer' ? 'number' : each) === own);
}
