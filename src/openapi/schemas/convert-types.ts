import type { SchemaNode } from '../../schema/json-node.ts';
import type { Conversion } from './schema-converter.ts';

const TYPES: ReadonlySet<unknown> = new Set([
  'string',
  'number',
  'integer',
  'boolean',
  'object',
  'array',
  'null',
]);

/** What people write for types of JSON. */
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

/** `type`, `enum` and `const`. */
export function convertTypes(schema: SchemaNode, at: Conversion): SchemaNode {
  const type = convertType(schema['type'], at);
  const values = convertValues(schema, type, at);
  return {
    ...(type === undefined ? {} : { type }),
    ...(values === undefined ? {} : { enum: values }),
    ...('const' in schema ? { const: schema['const'] } : {}),
  };
}

function convertType(type: unknown, at: Conversion): string | readonly string[] | undefined {
  if (type === undefined) return undefined;
  const listed = Array.isArray(type) ? (type as readonly unknown[]) : [type];
  const known = listed.flatMap((each) => {
    if (TYPES.has(each)) return [each as string];
    const meant =
      typeof each === 'string' && Object.hasOwn(MEANT, each.toLowerCase())
        ? MEANT[each.toLowerCase()]
        : undefined;
    if (meant === undefined && each !== 'any')
      at.problem(`the type ${JSON.stringify(each)} is not known; any value is taken there`);
    return meant === undefined ? [] : [meant];
  });
  // One that is not known may be anything.
  if (known.length < listed.length || known.length === 0) return undefined;
  const [only] = known;
  const unique = [...new Set(known)];
  return unique.length === 1 ? only : unique;
}

function convertValues(
  { enum: values }: SchemaNode,
  type: string | readonly string[] | undefined,
  at: Conversion,
): readonly unknown[] | undefined {
  if (values === undefined) return undefined;
  if (!Array.isArray(values) || values.length === 0) {
    at.problem('an enumeration has no values; any value is taken there');
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

/** YAML reads `1.0` and `true` as what they look like, also where texts are meant. */
function toType(value: unknown, type: string | readonly string[] | undefined): unknown {
  if (type === 'string' && (typeof value === 'number' || typeof value === 'boolean')) return String(value);
  const wantsNumber = type === 'integer' || type === 'number';
  const isNumber = typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value));
  return wantsNumber && isNumber ? Number(value) : value;
}
