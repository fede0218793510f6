/** The members of a JSON Schema that the tools of this server use. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly default?: unknown;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

const PATTERNS: Readonly<Record<string, string>> = {
  '^\\d{4}-\\d{2}-\\d{2}$': 'date',
  '^\\d{4}-(?:0[1-9]|1[0-2])-01$': 'month',
  '\\.json$': 'json',
};

/** The arguments of a tool in one line: `limit?=50:integer(1..500)` is optional, has a default, a type and a range. */
export function describeArguments({ properties = {}, required = [] }: Schema): string {
  return Object.entries(properties)
    .map(([name, schema]) => {
      const standard =
        schema.default === undefined ? '' : `=${JSON.stringify(schema.default).replaceAll('"', '')}`;
      return `${name}${required.includes(name) ? '' : '?'}${standard}:${describeType(schema)}`;
    })
    .join(' ');
}

function describeType(schema: Schema): string {
  const { type, enum: values, anyOf, items, minItems, maxItems, properties } = schema;
  if (anyOf !== undefined) return anyOf.map(describeType).join('|');
  if (values !== undefined) return `(${values.map((value) => JSON.stringify(value).slice(1, -1)).join(' ')})`;
  if (Array.isArray(type)) return type.join('|');
  if (properties !== undefined) return `{${describeArguments(schema)}}`;
  if (items !== undefined) return `${describeType(items)}[${minItems}..${maxItems}]`;
  return `${describeText(schema)}${describeRange(schema)}`;
}

function describeText({ type, pattern, maxLength }: Schema): string {
  if (pattern !== undefined) return PATTERNS[pattern] ?? pattern;
  return maxLength === undefined ? String(type) : `${String(type)}≤${maxLength}`;
}

/** The limits of safe integers are no limits of their own. */
function describeRange({ minimum, exclusiveMinimum, maximum }: Schema): string {
  const isOwn = (limit: number | undefined): boolean => Math.abs(limit ?? Infinity) < Number.MAX_SAFE_INTEGER;
  if (exclusiveMinimum !== undefined) return `(>${exclusiveMinimum})`;
  if (!isOwn(minimum) && !isOwn(maximum)) return '';
  return `(${isOwn(minimum) ? minimum : ''}..${isOwn(maximum) ? maximum : ''})`;
}
