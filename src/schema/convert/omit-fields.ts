import { DefinitionError } from '../../errors/errors.ts';
import { didYouMean } from '../../errors/nearest-names.ts';
import { assertServable } from '../view/check-json-schema.ts';
import { toObjectDocument } from './convert.ts';
import { isPlainObject } from './join-documents.ts';
import { isFieldsSchema } from '../nodes/fields-schema.ts';
import { isJoinedSchema, joinSchemas } from '../nodes/joined-schema.ts';
import { isNode } from '../nodes/json-node.ts';
import type { SchemaNode } from '../nodes/json-node.ts';
import { fieldNames } from '../view/root-keys.ts';
import { isStandardSchema } from '../nodes/schema-types.ts';
import type { Schema } from '../nodes/schema-types.ts';

/**
 * Removes these fields from the root of a schema. Throws where that is unsafe: a rule over several fields may need a removed one, and is
 * never dropped silently.
 */
export function omitFields(schema: Schema, names: readonly string[], owner: string): Schema {
  if (names.length === 0) return schema;
  const parts = isJoinedSchema(schema) ? schema.parts : [schema];
  const fields = parts.map((part) => listFields(part, owner));
  assertFields(names, fields.flat(), owner);
  return joinSchemas(
    parts.map((part, index) => {
      const own = names.filter((name) => fields[index]?.includes(name) === true);
      return own.length === 0 ? part : omitFrom(part, own, owner);
    }),
  );
}

function assertFields(names: readonly string[], fields: readonly string[], owner: string): void {
  const unknown = names.find((name) => !fields.includes(name));
  if (unknown === undefined) return;
  const hint = didYouMean(unknown, fields);
  const known = fields.length === 0 ? 'The schema has no fields.' : `Fields: ${fields.join(', ')}.`;
  throw new DefinitionError(`${owner}: unknown field "${unknown}".${hint} ${known}`);
}

function listFields(schema: Schema, owner: string): string[] {
  const { shape } = schema as { shape?: unknown };
  // Zod lists its fields even if they cannot be converted to JSON Schema.
  if (vendorOf(schema) === 'zod' && isNode(shape)) return Object.keys(shape);
  return fieldNames(toObjectDocument(schema, { owner, side: 'input' }));
}

function omitFrom(schema: Schema, names: readonly string[], owner: string): Schema {
  const omitted = tryOmit(schema, names, owner);
  if (omitted.schema !== undefined) return omitted.schema;
  const listed = names.map((name) => `"${name}"`).join(', ');
  throw new DefinitionError(
    `${owner}: ${listed} cannot be omitted: ${omitted.reason}. Move the field out of the common schema, or write the common schema as a plain Zod object, an ArkType or a JSON Schema.`,
    omitted.cause === undefined ? undefined : { cause: omitted.cause },
  );
}

type Omitted =
  | { readonly schema: Schema }
  | { readonly schema?: undefined; readonly reason: string; readonly cause?: unknown };

function tryOmit(schema: Schema, names: readonly string[], owner: string): Omitted {
  if (isFieldsSchema(schema)) return { schema: schema.without(names) as unknown as Schema };
  const vendor = vendorOf(schema);
  if (vendor === undefined) return omitFromDocument(schema as SchemaNode, names, owner);
  const { omit } = schema as { omit?: unknown };
  if ((vendor !== 'zod' && vendor !== 'arktype') || typeof omit !== 'function')
    return { reason: `schemas of "${vendor}" do not support it` };
  if (vendor === 'arktype' && hasRootRule((schema as { json?: unknown }).json))
    return { reason: 'the schema has a rule over the whole object (narrow), which would be lost' };
  try {
    const args = vendor === 'zod' ? [Object.fromEntries(names.map((name) => [name, true]))] : names;
    return { schema: omit.apply(schema, args) as Schema };
  } catch (cause) {
    return { reason: cause instanceof Error ? cause.message : String(cause), cause };
  }
}

/** ArkType's `omit` silently drops predicates. A union is an array of its branches. */
function hasRootRule(json: unknown): boolean {
  if (Array.isArray(json)) return json.some(hasRootRule);
  return isNode(json) && ('predicate' in json || 'morphs' in json || hasRootRule(json['branches']));
}

function omitFromDocument(schema: SchemaNode, names: readonly string[], owner: string): Omitted {
  const document = toObjectDocument(schema, { owner, side: 'input' });
  if (!isPlainObject(document)) return { reason: 'its root is not a plain list of properties' };
  const { properties, required } = document as { properties?: object; required?: readonly string[] };
  const isKept = (name: string): boolean => !names.includes(name);
  const rest = {
    ...document,
    properties: Object.fromEntries(Object.entries(properties ?? {}).filter(([name]) => isKept(name))),
    ...(required === undefined ? {} : { required: required.filter(isKept) }),
  };
  try {
    assertServable(rest, owner);
  } catch (cause) {
    return { reason: 'another part of the schema refers to it', cause };
  }
  return { schema: rest };
}

function vendorOf(schema: Schema): string | undefined {
  return isStandardSchema(schema) ? schema['~standard'].vendor : undefined;
}
