import type { Schema } from './schema-types.ts';

/** Several object schemas that describe one object together, each with its own fields. Created by {@link joinSchemas}. */
export class JoinedSchema {
  readonly parts: readonly Schema[];

  constructor(parts: readonly Schema[]) {
    this.parts = parts;
  }
}

/**
 * Joins several object schemas of any libraries: each validates its own share of the object, and their results are
 * merged. If two return the same field, the later one wins.
 *
 * Without parts it is an object without arguments.
 */
export function joinSchemas(parts: readonly Schema[]): Schema {
  const flat = parts.flatMap((part) => (isJoinedSchema(part) ? part.parts : [part]));
  const [only] = flat;
  // The type only covers schemas that authors write; this one is created only here.
  return only !== undefined && flat.length === 1 ? only : (new JoinedSchema(flat) as unknown as Schema);
}

/** Whether a schema was made by {@link joinSchemas}. */
export function isJoinedSchema(schema: unknown): schema is JoinedSchema {
  return schema instanceof JoinedSchema;
}
