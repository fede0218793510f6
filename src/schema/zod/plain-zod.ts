import type { SchemaNode } from '../nodes/json-node.ts';
import { areSilent, readChecks } from './zod-checks.ts';
import type { CheckDefinition, Document } from './zod-checks.ts';

/** The document of a schema, and what is known of it from how it was made. */
export interface Converted {
  readonly document: SchemaNode;
  /** Whether it was made here: a new document without references, closed objects, and annotations other than titles and descriptions. */
  readonly isOrdinary: boolean;
  /** The regular expressions that validation runs, one for every place; undefined where they have to be looked for. */
  readonly expressions?: readonly RegExp[];
}

/**
 * The JSON Schema that Zod's own converter would make, to the letter, for schemas of the kinds that tools are made of. Undefined for any
 * other, for which Zod is asked. Zod's converter costs ten times as much, which would be most of the start of a server with many tools.
 */
export function toPlainZodDocument(schema: unknown, side: 'input' | 'output'): Converted | undefined {
  if (!isKnownVersion(schema as ZodSchema)) return undefined;
  const converter = new Converter(side);
  const document = converter.convert(schema as ZodSchema);
  if (document === undefined) return undefined;
  const { expressions } = converter;
  return { document: { $schema: DIALECT, ...document }, isOrdinary: true, expressions };
}

/** The dialect of every document that is written here. */
export const DIALECT = 'https://json-schema.org/draft/2020-12/schema';
/** Deeper schemas, and those that contain themselves, are Zod's business. */
const MAX_DEPTH = 32;
/** Larger ones as well: there are limits for them, which are checked on the document. */
const MAX_PARTS = 1000;
/** Earlier converters of Zod write unions, and what checks add, in other words. */
const FIRST_MINOR = 6;

/** A schema of Zod, as far as it is read here. */
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
    // Checks of other libraries leave a note in the bag.
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

  /** What the inner schema says, behind the members of the wrapper, which win. */
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

/** Kinds whose checks have keywords. */
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

/** Kinds of which a key is required, unless they are wrapped. */
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

/** Zod works it out lazily, and that costs more than all the rest: where the kind tells, it is not asked. */
function isOptional(internals: ZodSchema['_zod'], side: 'input' | 'output'): boolean {
  const { type } = internals.def;
  if (REQUIRED.has(type)) return false;
  if (type === 'optional' || (type === 'default' && side === 'input')) return true;
  return (side === 'input' ? internals.optin : internals.optout) !== undefined;
}

/** `anyOf` of nothing but types is one list of types. */
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

/** A JSON value, detached from what the author holds; undefined for what JSON cannot carry. */
function copyOf(value: unknown): unknown {
  if (isJsonPrimitive(value)) return value;
  try {
    return JSON.parse(JSON.stringify(value));
  } catch {
    return undefined;
  }
}

/**
 * The titles and descriptions of a schema. Undefined when it has other metadata, when it or what it was derived from has an id (such a
 * schema is listed in `$defs`), or when Zod's registry is not where it should be.
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
  // What was registered of its origin is passed on.
  const meta = isRegistered ? (registry.get(schema) ?? NONE) : NONE;
  return isOrdinary(meta) ? meta : undefined;
}

/** Whether it adds nothing but texts for people. */
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
