import type { SchemaNode } from '../nodes/json-node.ts';
import { areSilent, readChecks } from './zod-checks.ts';
import type { CheckDefinition, Document } from './zod-checks.ts';

/** The document of a schema, and facts known from its conversion. */
export interface Converted {
  readonly document: SchemaNode;
  /** Whether it was created here: a new document without references, closed objects, and annotations other than titles and descriptions. */
  readonly isOrdinary: boolean;
  /** The regular expressions that validation runs, one per use; undefined if they are unknown. */
  readonly expressions?: readonly RegExp[];
}

/**
 * Converts common Zod schemas to exactly the JSON Schema that Zod's own converter would write. Undefined for any other schema, which Zod
 * converts. Zod's converter takes ten times as long, which would be most of the startup time of a server with many tools.
 */
export function toPlainZodDocument(schema: unknown, side: 'input' | 'output'): Converted | undefined {
  if (!isKnownVersion(schema as ZodSchema)) return undefined;
  const converter = new Converter(side);
  const document = converter.convert(schema as ZodSchema);
  if (document === undefined) return undefined;
  const { expressions } = converter;
  return { document: { $schema: DIALECT, ...document }, isOrdinary: true, expressions };
}

/** Dialect of every document that is written here. */
export const DIALECT = 'https://json-schema.org/draft/2020-12/schema';
/** Maximum depth; Zod converts deeper and recursive schemas. */
const MAX_DEPTH = 32;
/** Maximum number of parts; larger documents are checked against limits. */
const MAX_PARTS = 1000;
/** Earlier versions of Zod write unions and checks differently. */
const FIRST_MINOR = 6;

/** The members of a Zod schema that are used here. */
interface ZodSchema {
  readonly _zod: {
    readonly def: ZodDefinition;
    readonly bag?: object;
    readonly parent?: ZodSchema;
    readonly optin?: unknown;
    readonly optout?: unknown;
    readonly toJSONSchema?: unknown;
    readonly version?: { readonly major: number; readonly minor: number };
  };
}

interface ZodDefinition extends CheckDefinition {
  readonly type: string;
  readonly entries?: Readonly<Record<string, unknown>>;
  readonly values?: readonly unknown[];
  readonly element?: ZodSchema;
  readonly innerType?: ZodSchema;
  readonly defaultValue?: unknown;
  readonly options?: readonly ZodSchema[];
  readonly keyType?: ZodSchema;
  readonly valueType?: ZodSchema;
  readonly mode?: string;
  readonly shape?: Readonly<Record<string, ZodSchema>>;
  readonly catchall?: unknown;
}

function isKnownVersion({ _zod: { version } }: ZodSchema): boolean {
  return version?.major === 4 && version.minor >= FIRST_MINOR;
}

class Converter {
  readonly expressions: RegExp[] = [];
  readonly #side: 'input' | 'output';
  #parts = 0;
  #depth = 0;

  constructor(side: 'input' | 'output') {
    this.#side = side;
  }

  convert(schema: ZodSchema | undefined): Document | undefined {
    this.#parts += 1;
    if (schema === undefined || this.#depth > MAX_DEPTH || this.#parts > MAX_PARTS) return undefined;
    const internals = schema._zod;
    if (!('meta' in schema)) return undefined;
    // Checks of other libraries add entries to the bag.
    for (const _ in internals.bag) return undefined;
    const meta = metadataOf(schema);
    if (meta === undefined) return undefined;
    this.#depth += 1;
    const { def } = internals;
    const isWrapper = def.type === 'optional' || def.type === 'default';
    const document = isWrapper ? this.#convertWrapper(def, meta) : this.#convertOwn(def, meta);
    this.#depth -= 1;
    return document;
  }

  /** The document of the inner schema, followed by the members of the wrapper, which win. */
  #convertWrapper(def: ZodDefinition, meta: Metadata): Document | undefined {
    const inner = areSilent(def.checks) ? this.convert(def.innerType) : undefined;
    if (inner === undefined) return undefined;
    const own: Document = {};
    if (def.type === 'default') {
      const value = copyOf(def.defaultValue);
      if (value === undefined) return undefined;
      own['default'] = value;
    }
    for (const key in meta) own[key] = meta[key];
    for (const key in inner) if (!Object.hasOwn(own, key)) own[key] = inner[key];
    return own;
  }

  #convertOwn(def: ZodDefinition, meta: Metadata): Document | undefined {
    const own = CHECKED.has(def.type) || areSilent(def.checks) ? this.#convertKind(def) : undefined;
    if (own === undefined) return undefined;
    for (const key in meta) own[key] = meta[key];
    if (own['anyOf'] !== undefined) joinTypes(own);
    return own;
  }

  #convertKind(def: ZodDefinition): Document | undefined {
    switch (def.type) {
      case 'string':
        return readChecks(def, this.expressions)?.writeString();
      case 'number':
        return readChecks(def, this.expressions)?.writeNumber();
      case 'array': {
        const document = readChecks(def, this.expressions)?.writeLength({}, 'minItems', 'maxItems');
        const items = this.convert(def.element);
        return document && items && Object.assign(document, { type: 'array', items });
      }
      case 'boolean':
      case 'null':
        return { type: def.type };
      case 'unknown':
      case 'any':
        return {};
      case 'enum': {
        const values = Object.values(def.entries ?? {});
        const isPlain = values.length > 0 && values.every((value) => typeof value === 'string');
        return isPlain ? { type: 'string', enum: values } : undefined;
      }
      case 'literal':
        return convertLiteral(def.values ?? []);
      case 'object':
        return def.catchall === undefined ? this.#convertObject(def.shape ?? {}) : undefined;
      case 'record':
        return this.#convertRecord(def);
      case 'nullable': {
        const inner = this.convert(def.innerType);
        return inner && { anyOf: [inner, { type: 'null' }] };
      }
      case 'union': {
        const options = (def.options ?? []).map((option) => this.convert(option));
        if (options.length === 0 || options.includes(undefined)) return undefined;
        return def.inclusive === false ? { oneOf: options } : { anyOf: options };
      }
      default:
        return undefined;
    }
  }

  #convertObject(shape: Readonly<Record<string, ZodSchema>>): Document | undefined {
    if (Object.hasOwn(shape, '__proto__') || Object.getOwnPropertySymbols(shape).length > 0) return undefined;
    const properties: Document = {};
    const required: string[] = [];
    for (const key of Object.keys(shape)) {
      const field = shape[key] as ZodSchema;
      const document = this.convert(field);
      if (document === undefined) return undefined;
      properties[key] = document;
      if (!isOptional(field._zod, this.#side)) required.push(key);
    }
    const document: Document = { type: 'object', properties };
    if (required.length > 0) document['required'] = required;
    if (this.#side === 'output') document['additionalProperties'] = false;
    return document;
  }

  #convertRecord({ keyType, valueType, mode }: ZodDefinition): Document | undefined {
    if (keyType?._zod.def.type !== 'string' || mode === 'loose') return undefined;
    const propertyNames = this.convert(keyType);
    const additionalProperties = this.convert(valueType);
    return propertyNames && additionalProperties && { type: 'object', propertyNames, additionalProperties };
  }
}

/** Types whose checks have keywords. */
const CHECKED: ReadonlySet<string> = new Set(['string', 'number', 'array']);

function convertLiteral(values: readonly unknown[]): Document | undefined {
  const [first] = values;
  if (values.length === 0 || !values.every(isJsonPrimitive)) return undefined;
  const type = typeOf(first);
  if (values.length === 1) return { type, const: first };
  return values.every((value) => typeOf(value) === type)
    ? { type, enum: [...values] }
    : { enum: [...values] };
}

function typeOf(value: unknown): string {
  return value === null ? 'null' : typeof value;
}

/** Types that make a key required, unless they are wrapped. */
const REQUIRED: ReadonlySet<string> = new Set([
  'string',
  'number',
  'boolean',
  'enum',
  'literal',
  'object',
  'array',
  'record',
]);

/** Zod computes it lazily at a cost higher than all the rest: it is not used where the type decides. */
function isOptional(internals: ZodSchema['_zod'], side: 'input' | 'output'): boolean {
  const { type } = internals.def;
  if (REQUIRED.has(type)) return false;
  if (type === 'optional' || (type === 'default' && side === 'input')) return true;
  return (side === 'input' ? internals.optin : internals.optout) !== undefined;
}

/** Converts an `anyOf` of types to one array of types. */
function joinTypes(document: Document): void {
  const types = new Set<unknown>();
  for (const option of document['anyOf'] as readonly Document[]) {
    const { type } = option;
    if (type === undefined || Object.keys(option).length > 1) return;
    for (const each of Array.isArray(type) ? (type as unknown[]) : [type]) types.add(each);
  }
  delete document['anyOf'];
  document['type'] = types.size === 1 ? [...types][0] : [...types];
}

function isJsonPrimitive(value: unknown): boolean {
  return value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
}

/** A detached JSON value; undefined if JSON cannot represent it. */
function copyOf(value: unknown): unknown {
  if (isJsonPrimitive(value)) return value;
  try {
    return JSON.parse(JSON.stringify(value));
  } catch {
    return undefined;
  }
}

/**
 * Title and description of a schema. Undefined if it has other metadata, if it or the schema it was derived from has an id (such a schema
 * is listed in `$defs`), or if Zod's registry is missing.
 */
function metadataOf(schema: ZodSchema): Metadata | undefined {
  const { __zod_globalRegistry: registry } = globalThis as { __zod_globalRegistry?: ZodRegistry };
  if (registry === undefined) return undefined;
  let isRegistered = false;
  for (let each: ZodSchema | undefined = schema; each !== undefined; each = each._zod.parent) {
    if (each._zod.toJSONSchema !== undefined) return undefined;
    if (!registry.has(each)) continue;
    isRegistered = true;
    if (each !== schema && Object.hasOwn(registry.get(each) ?? NONE, 'id')) return undefined;
  }
  // Metadata of the original schema is inherited.
  const meta = isRegistered ? (registry.get(schema) ?? NONE) : NONE;
  return isOrdinary(meta) ? meta : undefined;
}

/** Whether the metadata is only a title or description. */
function isOrdinary(meta: Metadata): boolean {
  for (const key in meta)
    if ((key !== 'description' && key !== 'title') || typeof meta[key] !== 'string') return false;
  return true;
}

type Metadata = Readonly<Record<string, unknown>>;

const NONE: Metadata = {};

interface ZodRegistry {
  get(schema: ZodSchema): Metadata | undefined;
  has(schema: ZodSchema): boolean;
}
