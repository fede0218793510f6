/** A JSON Schema of an argument as short text: `[{fdc_id: string, grams: number >0 ..100000}] 1..200`. */
export function showSchema(schema: JsonSchema): string {
  return `${showType(schema)}${schema.default === undefined ? '' : ` = ${JSON.stringify(schema.default)}`}`;
}

/** The members of an object schema, in their order: optional ones with `?`, except those with a default. */
export function showMembers({ properties = {}, required = [] }: JsonSchema): string {
  return Object.entries(properties)
    .map(([name, member]) => {
      const isOptional = !required.includes(name) && member.default === undefined;
      return `${name}${isOptional ? '?' : ''}: ${showSchema(member)}`;
    })
    .join(', ');
}

export interface JsonSchema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly pattern?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

function showType(schema: JsonSchema): string {
  if (schema.anyOf !== undefined) return schema.anyOf.map(showSchema).join(' or ');
  if (schema.enum !== undefined) return schema.enum.join('|');
  switch (schema.type) {
    case 'object':
      return typeof schema.additionalProperties === 'object'
        ? `{[name]: ${showSchema(schema.additionalProperties)}}`
        : `{${showMembers(schema)}}`;
    case 'array':
      return `[${showSchema(schema.items ?? {})}]${showRange(schema.minItems, schema.maxItems)}`;
    case 'string':
      return `string${showRange(schema.minLength, schema.maxLength)}${showForm(schema)}`;
    case undefined:
      return 'anything';
    default:
      return `${schema.type}${schema.exclusiveMinimum === undefined ? '' : ` >${schema.exclusiveMinimum}`}${showRange(schema.minimum, schema.maximum)}`;
  }
}

function showForm({ format, pattern }: JsonSchema): string {
  if (format !== undefined) return ` ${format}`;
  return pattern === undefined ? '' : ` /${pattern}/`;
}

function showRange(min: number | undefined, max: number | undefined): string {
  return min === undefined && max === undefined ? '' : ` ${min ?? ''}..${max ?? ''}`;
}
