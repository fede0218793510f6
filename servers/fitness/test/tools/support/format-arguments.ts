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
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
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
  if (type === 'array') return `[${formatSchema(items)}]${formatBounds(schema)}`;
  return `${type}${formatBounds(schema)}${pattern === undefined ? '' : ` ${pattern}`}`;
}

function formatBounds(schema: Schema): string {
  const known = schema as Known;
  const { exclusiveMinimum: above } = known;
  const min = above === undefined ? (known.minimum ?? known.minLength ?? known.minItems ?? '') : `>${above}`;
  const max = known.maximum ?? known.maxLength ?? known.maxItems ?? '';
  return min === '' && max === '' ? '' : ` ${min}..${max}`;
}
