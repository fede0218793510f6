import type { Schema } from './schema-types.ts';

/** Several object schemas that describe one object together, each with its own fields. Made by {@link joinSchemas}. */
export class JoinedSchema {
  readonly parts: readonly Schema[];

  constructor(parts: readonly Schema[]) {
    this.parts = parts;
  }
}

/**
 * Several object schemas as one, whatever libraries they come from: each validates its own share of the object, and what
 * they make of it is put together. Where two make the same field, the later one wins.
 *
 * Without any parts it is an object that takes no arguments.
 */
export function joinSchemas(parts: readonly Schema[]): Schema {
  const flat = parts.flatMap((part) => (isJoinedSchema(part) ? part.parts : [part]));
  const [only] = flat;
  // The type says what may be written by hand; this one is only made here.
  return only !== undefined && flat.length === 1 ? only : (new JoinedSchema(flat) as unknown as Schema);
}

/** Whether a schema was made by {@link joinSchemas}. */
export function isJoinedSchema(schema: unknown): schema is JoinedSchema {
  return schema instanceof JoinedSchema;
}
