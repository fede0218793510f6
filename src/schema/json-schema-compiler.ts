import type { RawIssue } from './explain.ts';
import type { SchemaNode } from './json-node.ts';

/** Checks one value; an empty list means that it is valid. */
export type JsonSchemaCheck = (value: unknown) => readonly RawIssue[];

/** Turns JSON Schema documents into checks. Injected into a registry; the default is Ajv. */
export interface JsonSchemaCompiler {
  /** Throws when the document itself is no valid JSON Schema. Called at registration. */
  assertValid(schema: SchemaNode): void;
  /** Called on the first call of a tool; the result is kept. */
  compile(schema: SchemaNode): JsonSchemaCheck;
}
