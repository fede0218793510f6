type Schema = Readonly<Record<string, unknown>>;

interface Known {
  readonly type?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
}

/** Writes the arguments of a tool as text, for example `limit?=20: integer 1..200`, with `?` for optional ones. */
export function formatArguments(schema: Schema): string {
  const { properties = {}, required = [], additionalProperties } = schema as Known;
  const members = Object.entries(properties).map(([name, property]) => {
    const mark = required.includes(name) ? '' : '?';
    const usual = 'default' in property ? `=${JSON.stringify(property['default'])}` : '';
    return `${name}${mark}${usual}: ${formatSchema(property)}`;
  });
  // `false`, which all tools have, is not written.
  const others =
    typeof additionalProperties === 'object' ? [`[name]: ${formatSchema(additionalProperties)}`] : [];
  return [...members, ...others].join(', ');
}

function formatSchema(schema: Schema): string {
  const { type = 'any', format, pattern, enum: values, anyOf, items = {} } = schema as Known;
  if (values !== undefined) return values.join('|');
  if (anyOf !== undefined) return anyOf.map(formatSchema).join(' or ');
  if (format !== undefined) return format;
  if (type === 'object') return `{ ${formatArguments(schema)} }`;
  if (type === 'array') return `[${formatSchema(items)}]${formatBounds(schema, 'Items')}`;
  const bounds = formatBounds(schema, type === 'string' ? 'Length' : 'imum');
  return `${type}${bounds}${pattern === undefined ? '' : ` ${pattern}`}`;
}

function formatBounds(schema: Schema, suffix: string): string {
  const min =
    schema['exclusiveMinimum'] === undefined
      ? schema[`min${suffix}`]
      : `>${String(schema['exclusiveMinimum'])}`;
  const max = schema[`max${suffix}`];
  return min === undefined && max === undefined ? '' : ` ${String(min ?? '')}..${String(max ?? '')}`;
}
