import { SchemaError } from '../../errors/errors.ts';
import { withObjectRoot } from './argument-root.ts';
import { assertServable } from '../view/check-json-schema.ts';
import { writePatterns } from '../expressions/write-patterns.ts';
import { joinDocuments } from './join-documents.ts';
import { isJoinedSchema } from '../nodes/joined-schema.ts';
import { DefinitionPool } from '../nodes/definition-pool.ts';
import { isFieldsSchema, isOptionalField } from '../nodes/fields-schema.ts';
import type { FieldsSchema } from '../nodes/fields-schema.ts';
import { isNode } from '../nodes/json-node.ts';
import type { SchemaNode } from '../nodes/json-node.ts';
import { toPlainJson } from './plain-json.ts';
import { isVouchedFor } from '../nodes/plain-schema.ts';
import { DIALECT, toPlainZodDocument } from '../zod/plain-zod.ts';
import type { Converted } from '../zod/plain-zod.ts';
import { isStandardSchema } from '../nodes/schema-types.ts';

/** Options of the conversion to JSON Schema. */
export interface ConvertOptions {
  readonly owner: string;
  /** `input`: describes what a caller may send, so fields with defaults are optional. `output`: describes the validated value. */
  readonly side: 'input' | 'output';
}

/** Converts a schema of any supported kind to JSON Schema 2020-12. */
function toJsonSchema(schema: unknown, options: ConvertOptions): Converted {
  return isStandardSchema(schema)
    ? fromStandardSchema(schema, options)
    : { document: readDocument(schema, options), isOrdinary: false };
}

function readDocument(schema: unknown, options: ConvertOptions): SchemaNode {
  if (isJoinedSchema(schema))
    return joinDocuments(schema.parts.map((part) => toObjectDocument(part, options)));
  assertJsonSchema(schema, options.owner);
  return schema;
}

function fromStandardSchema(schema: { readonly '~standard': object }, options: ConvertOptions): Converted {
  const { owner, side } = options;
  if (isFieldsSchema(schema)) return fromFieldsSchema(schema, options);
  const { jsonSchema, vendor } = schema['~standard'] as { jsonSchema?: JsonSchemaSide; vendor: string };
  if (jsonSchema === undefined)
    throw new SchemaError(`${owner} cannot be converted to JSON Schema. ${bridgeHint(vendor, schema)}`);
  try {
    const plain = vendor === 'zod' ? toPlainZodDocument(schema, side) : undefined;
    if (plain !== undefined) return plain;
    const document = jsonSchema[side]({
      target: 'draft-2020-12',
      libraryOptions: LIBRARY_OPTIONS[vendor],
    });
    return { document, isOrdinary: false };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new SchemaError(
      `${owner} cannot be converted to JSON Schema: ${reason}. Use a type that JSON can represent${side === 'input' ? ', or set metadata.inputJsonSchema' : ''}.`,
      { cause },
    );
  }
}

/** Zod's document of an object with these fields; for other libraries, a document built from those of the fields. */
function fromFieldsSchema(schema: FieldsSchema, { owner, side }: ConvertOptions): Converted {
  const isZod = schema['~standard'].vendor === 'zod';
  const plain = isZod ? toPlainZodDocument(schema, side) : undefined;
  if (plain !== undefined) return plain;
  const pool = new DefinitionPool();
  const fields = Object.entries(schema.shape);
  const properties = fields.map(([name, field]) => {
    const { document } = toServable(field, { owner: `${owner}: the field "${name}"`, side });
    return [name, pool.embed(document)];
  });
  const required = fields.filter(([, field]) => !isOptionalField(field, side)).map(([name]) => name);
  const definitions = pool.definitions();
  const document = {
    $schema: DIALECT,
    type: 'object',
    properties: Object.fromEntries(properties) as SchemaNode,
    ...(required.length === 0 ? {} : { required }),
    ...(side === 'output' ? { additionalProperties: false } : {}),
    ...(definitions === undefined ? {} : { $defs: definitions }),
  };
  return { document, isOrdinary: false };
}

/** A document that can be served, and findings of the conversion. */
export interface Servable extends Converted {
  readonly hasPatterns: boolean;
}

/** Converts a schema to a detached document. Throws if it cannot be served. */
export function toServable(schema: unknown, options: ConvertOptions): Servable {
  const converted = toJsonSchema(schema, options);
  const { isOrdinary, expressions } = converted;
  if (isOrdinary) return { ...converted, hasPatterns: expressions !== undefined && expressions.length > 0 };
  if (isVouchedFor(converted.document)) return { ...converted, hasPatterns: false };
  const document = toPlainJson(converted.document, options.owner);
  const patterned = assertServable(document, options.owner);
  // A reference may contain a pattern that was just rewritten.
  if (writePatterns(patterned)) assertServable(document, options.owner);
  return { document, isOrdinary, hasPatterns: patterned.length > 0 };
}

/** Converts one part of a joined schema: its references are resolved, and it describes an object. */
export function toObjectDocument(schema: unknown, options: ConvertOptions): SchemaNode {
  const { document } = toServable(schema, options);
  return withObjectRoot(document, options.owner);
}

/** Rejects everything that is not a JSON Schema object: an unusable library schema, a raw shape with other members, and other values. */
function assertJsonSchema(schema: unknown, owner: string): asserts schema is SchemaNode {
  if (isZodBeforeStandard(schema)) throw new SchemaError(`${owner} is a Zod 3 schema. ${ZOD_UPDATE}`);
  const members = isNode(schema) ? Object.entries(schema) : [];
  const old = members.find(([, member]) => isZodBeforeStandard(member));
  if (old !== undefined)
    throw new SchemaError(`${owner}: the field "${old[0]}" is a Zod 3 schema. ${ZOD_UPDATE}`);
  const stranger = members.find(([, member]) => !isStandardSchema(member));
  if (stranger !== undefined && members.some(([, member]) => isStandardSchema(member)))
    throw new SchemaError(
      `${owner}: the field "${stranger[0]}" has no schema. Add one, for example: ${stranger[0]}: z.string().`,
    );
  if (isNode(schema) && looksLikeJsonSchema(schema)) return;
  throw new SchemaError(
    `${owner} is neither a Standard Schema (Zod ≥ 4.2, ArkType, Valibot through toStandardJsonSchema) nor a JSON Schema object.`,
  );
}

type JsonSchemaSide = Record<'input' | 'output', (options: ConverterOptions) => SchemaNode>;

interface ConverterOptions {
  readonly target: string;
  readonly libraryOptions: Record<string, unknown> | undefined;
}

/**
 * ArkType converts types that JSON cannot represent to "anything", so a Date or BigInt field would be advertised as accepting any value. It
 * is rejected instead, as with the other libraries.
 */
const LIBRARY_OPTIONS: Readonly<Record<string, Record<string, unknown>>> = {
  arktype: {
    fallback: Object.fromEntries(
      ['date', 'proto', 'domain', 'unit'].map((kind) => [
        kind,
        ({ proto, domain }: { readonly proto?: { readonly name: string }; readonly domain?: string }) => {
          throw new Error(`a ${proto?.name ?? domain ?? kind} cannot be represented`);
        },
      ]),
    ),
  },
};

const ZOD_UPDATE = 'This needs Zod 4.2 or newer. Update it: npm install zod@latest.';

function bridgeHint(vendor: string, schema: object): string {
  if (vendor === 'valibot') return 'Wrap it: toStandardJsonSchema(schema) from "@valibot/to-json-schema".';
  if (vendor === 'zod')
    return isCurrentZod(schema)
      ? 'Zod Mini has no JSON Schema. Import z from "zod" instead of "zod/mini".'
      : ZOD_UPDATE;
  return `Use a version of "${vendor}" that implements Standard JSON Schema, or set metadata.inputJsonSchema.`;
}

/** Whether Zod is new enough, so that the schema comes from another variant of it. */
function isCurrentZod(schema: object): boolean {
  const { _zod: zod } = schema as { _zod?: { version?: { major?: unknown; minor?: unknown } } };
  const { major, minor } = zod?.version ?? {};
  return Number(major) > 4 || (major === 4 && Number(minor) >= 2);
}

/** Whether the value is a schema of Zod before 3.24, which does not implement Standard Schema. */
function isZodBeforeStandard(value: unknown): boolean {
  const definition = isNode(value) && !isStandardSchema(value) ? value['_def'] : undefined;
  return isNode(definition) && String(definition['typeName']).startsWith('Zod');
}

const JSON_SCHEMA_KEYWORDS: ReadonlySet<string> = new Set([
  '$schema',
  '$ref',
  '$dynamicRef',
  '$defs',
  'type',
  'properties',
  'anyOf',
  'oneOf',
  'allOf',
  'enum',
  'const',
  'items',
  'additionalProperties',
  'patternProperties',
  'required',
  'if',
  'not',
]);

/** Distinguishes a JSON Schema from a library's schema or a raw shape that was passed by mistake. */
function looksLikeJsonSchema(value: SchemaNode): boolean {
  const keys = Object.keys(value);
  return (keys.length === 0 || keys.some((key) => JSON_SCHEMA_KEYWORDS.has(key))) && !('_def' in value);
}
