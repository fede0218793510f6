import type { SchemaNode } from './json-node.ts';

/**
 * What Zod itself would say of a schema that is made of nothing but plain parts: objects, lists, texts, numbers, booleans, choices of texts
 * and optional ones. Undefined for any other, which Zod is asked about then. Zod's own way costs ten times as much, and at the start of a
 * server with many tools that is most of the time.
 */
export function toPlainZodDocument(schema: unknown, side: 'input' | 'output'): SchemaNode | undefined {
  const document = convert(schema as ZodSchema, side, 0);
  if (document === undefined) return undefined;
  plain.add(schema as ZodSchema);
  return { $schema: DIALECT, ...document };
}

const plain = new WeakSet<ZodSchema>();

/** Whether a schema was found to be made of nothing but plain parts: nothing is checked in it beyond what its document says. */
export function isKnownAsPlainZod(schema: unknown): boolean {
  return plain.has(schema as ZodSchema);
}

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';
/** Deeper schemas, and those that contain themselves, are Zod's business. */
const MAX_DEPTH = 32;

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

function convert(schema: ZodSchema, side: 'input' | 'output', depth: number): Document | undefined {
  const internals = schema._zod;
  const { def } = internals;
  if (depth > MAX_DEPTH || !('meta' in schema) || internals.toJSONSchema !== undefined) return undefined;
  if ((def.checks !== undefined && def.checks.length > 0) || def.format !== undefined || hasId(schema))
    return undefined;
  for (const _ in internals.bag) return undefined;
  const meta = metadataOf(schema);
  if (def.type === 'optional' && def.innerType !== undefined) {
    const inner = convert(def.innerType, side, depth + 1);
    return inner === undefined ? undefined : { ...meta, ...inner, ...meta };
  }
  const own = convertOwn(def, side, depth);
  return own === undefined || meta === undefined ? own : Object.assign(own, meta);
}

function convertOwn(def: ZodDefinition, side: 'input' | 'output', depth: number): Document | undefined {
  switch (def.type) {
    case 'string':
    case 'number':
    case 'boolean':
      return { type: def.type };
    case 'enum': {
      const values = Object.values(def.entries ?? {});
      const isPlain = values.length > 0 && values.every((value) => typeof value === 'string');
      return isPlain ? { type: 'string', enum: values } : undefined;
    }
    case 'array': {
      const items = def.element === undefined ? undefined : convert(def.element, side, depth + 1);
      return items === undefined ? undefined : { type: 'array', items };
    }
    case 'object':
      return def.catchall === undefined ? convertObject(def.shape ?? {}, side, depth) : undefined;
    default:
      return undefined;
  }
}

function convertObject(
  shape: Readonly<Record<string, ZodSchema>>,
  side: 'input' | 'output',
  depth: number,
): Document | undefined {
  if (Object.hasOwn(shape, '__proto__') || Object.getOwnPropertySymbols(shape).length > 0) return undefined;
  const properties: Document = {};
  const required: string[] = [];
  for (const key of Object.keys(shape)) {
    const field = shape[key] as ZodSchema;
    const document = convert(field, side, depth + 1);
    if (document === undefined) return undefined;
    properties[key] = document;
    if ((side === 'input' ? field._zod.optin : field._zod.optout) === undefined) required.push(key);
  }
  return {
    type: 'object',
    properties,
    ...(required.length > 0 ? { required } : {}),
    ...(side === 'output' ? { additionalProperties: false } : {}),
  };
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
function hasId(schema: ZodSchema): boolean {
  for (let current: ZodSchema | undefined = schema; current !== undefined; current = current._zod.parent) {
    const meta = metadataOf(current);
    if (meta !== undefined && 'id' in meta) return true;
  }
  return false;
}
