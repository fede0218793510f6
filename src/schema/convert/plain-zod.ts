import type { SchemaNode } from '../nodes/json-node.ts';

/** The document of a schema, and what is known of it from how it was made. */
export interface Converted {
  /** Where it is ordinary: new, and frozen at every depth. */
  readonly document: SchemaNode;
  /** Whether it says nothing but types, members, choices of texts, titles and descriptions: there is nothing in it to look for. */
  readonly isOrdinary: boolean;
}

/**
 * What Zod itself would say of a schema that is made of nothing but plain parts: objects, lists, texts, numbers, booleans, choices of texts
 * and optional ones. Undefined for any other, which Zod is asked about then. Zod's own way costs ten times as much, and at the start of a
 * server with many tools that is most of the time.
 */
export function toPlainZodDocument(schema: unknown, side: 'input' | 'output'): Converted | undefined {
  const conversion: Conversion = { side, parts: 0, isOrdinary: true };
  const document = convert(schema as ZodSchema, conversion, 0);
  if (document === undefined) return undefined;
  const { isOrdinary } = conversion;
  const whole = { $schema: DIALECT, ...document };
  return { document: isOrdinary ? Object.freeze(whole) : whole, isOrdinary };
}

/** What all steps of a conversion share. */
interface Conversion {
  readonly side: 'input' | 'output';
  parts: number;
  isOrdinary: boolean;
}

/** The dialect of every document that is written here. */
export const DIALECT = 'https://json-schema.org/draft/2020-12/schema';
/** Deeper schemas, and those that contain themselves, are Zod's business. */
const MAX_DEPTH = 32;
/** Larger ones are looked at like any other document: there are limits for them. */
const MAX_ORDINARY_PARTS = 1000;

interface ZodSchema {
  readonly _zod: {
    readonly def: ZodDefinition;
    readonly bag?: object;
    readonly parent?: ZodSchema;
    readonly optin?: unknown;
    readonly optout?: unknown;
    readonly toJSONSchema?: unknown;
  };
  readonly meta?: () => Metadata | undefined;
}

interface ZodDefinition {
  readonly type: string;
  readonly checks?: readonly unknown[];
  readonly format?: unknown;
  readonly coerce?: unknown;
  readonly entries?: Readonly<Record<string, unknown>>;
  readonly element?: ZodSchema;
  readonly innerType?: ZodSchema;
  readonly shape?: Readonly<Record<string, ZodSchema>>;
  readonly catchall?: unknown;
}

type Document = Record<string, unknown>;

function convert(schema: ZodSchema, conversion: Conversion, depth: number): Document | undefined {
  const internals = schema._zod;
  const { def } = internals;
  if (depth > MAX_DEPTH || !('meta' in schema) || internals.toJSONSchema !== undefined) return undefined;
  if ((def.checks !== undefined && def.checks.length > 0) || def.format !== undefined) return undefined;
  for (const _ in internals.bag) return undefined;
  const meta = metadataOf(schema);
  if (hasId(meta, internals.parent)) return undefined;
  conversion.parts += 1;
  if (conversion.parts > MAX_ORDINARY_PARTS || !isOrdinaryMetadata(meta)) conversion.isOrdinary = false;
  if (def.type === 'optional' && def.innerType !== undefined) {
    const inner = convert(def.innerType, conversion, depth + 1);
    if (inner === undefined || meta === undefined) return inner;
    return finished({ ...meta, ...inner, ...meta }, conversion);
  }
  const own = convertOwn(def, conversion, depth);
  if (own === undefined) return undefined;
  return finished(meta === undefined ? own : Object.assign(own, meta), conversion);
}

/** Others are frozen after they were looked at, as a copy. */
function finished(document: Document, { isOrdinary }: Conversion): Document {
  return isOrdinary ? Object.freeze(document) : document;
}

function convertOwn(def: ZodDefinition, conversion: Conversion, depth: number): Document | undefined {
  switch (def.type) {
    case 'string':
    case 'number':
    case 'boolean':
      return { type: def.type };
    case 'enum': {
      const values = Object.values(def.entries ?? {});
      const isPlain = values.length > 0 && values.every((value) => typeof value === 'string');
      return isPlain ? { type: 'string', enum: Object.freeze(values) } : undefined;
    }
    case 'array': {
      const items = def.element === undefined ? undefined : convert(def.element, conversion, depth + 1);
      return items === undefined ? undefined : { type: 'array', items };
    }
    case 'object':
      return def.catchall === undefined ? convertObject(def.shape ?? {}, conversion, depth) : undefined;
    default:
      return undefined;
  }
}

function convertObject(
  shape: Readonly<Record<string, ZodSchema>>,
  conversion: Conversion,
  depth: number,
): Document | undefined {
  if (Object.hasOwn(shape, '__proto__') || Object.getOwnPropertySymbols(shape).length > 0) return undefined;
  const properties: Document = {};
  const required: string[] = [];
  for (const key of Object.keys(shape)) {
    const field = shape[key] as ZodSchema;
    const document = convert(field, conversion, depth + 1);
    if (document === undefined) return undefined;
    properties[key] = document;
    if (!isOptional(field._zod, conversion.side)) required.push(key);
  }
  const document: Document = { type: 'object', properties: Object.freeze(properties) };
  if (required.length > 0) document['required'] = Object.freeze(required);
  if (conversion.side === 'output') document['additionalProperties'] = false;
  return document;
}

/** Of what is called optional, Zod works out anew what kind of optional it is, which costs more than all the rest. */
function isOptional(internals: ZodSchema['_zod'], side: 'input' | 'output'): boolean {
  if (internals.def.type === 'optional') return true;
  return (side === 'input' ? internals.optin : internals.optout) !== undefined;
}

/** Whether it adds nothing but texts for people. */
function isOrdinaryMetadata(meta: Metadata | undefined): boolean {
  for (const key in meta)
    if ((key !== 'description' && key !== 'title') || typeof meta[key] !== 'string') return false;
  return true;
}

/** What `.meta()` says. Asked of Zod's registry where it can be found: the method is made anew for each schema that is asked for it. */
function metadataOf(schema: ZodSchema): Metadata | undefined {
  const { __zod_globalRegistry: registry } = globalThis as { __zod_globalRegistry?: ZodRegistry };
  return typeof registry?.get === 'function' ? registry.get(schema) : schema.meta?.();
}

type Metadata = Readonly<Record<string, unknown>>;

interface ZodRegistry {
  get?(schema: ZodSchema): Metadata | undefined;
}

/** A schema with an id of its own, or one made from such a schema, stands under `$defs`. */
function hasId(meta: Metadata | undefined, parent: ZodSchema | undefined): boolean {
  if (meta !== undefined && 'id' in meta) return true;
  return parent !== undefined && hasId(metadataOf(parent), parent._zod.parent);
}
