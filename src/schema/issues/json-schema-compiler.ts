import type { RawIssue } from './explain.ts';
import type { SchemaNode } from '../nodes/json-node.ts';
import type { PatternLimits } from '../expressions/bounded-expression.ts';

/**
 * Checks one value; an empty list means that it is valid. With `stopsEarly`, one issue is enough: alternatives that do not fit would bring
 * more of them than memory holds.
 */
export type JsonSchemaCheck = (value: unknown, stopsEarly?: boolean) => readonly RawIssue[];

/** Turns JSON Schema documents into checks. Injected into a registry; the default is Ajv. */
export interface JsonSchemaCompiler {
  /** What is wrong with the document itself, in words; undefined when it is a valid JSON Schema. Called at registration. */
  findProblem(schema: SchemaNode): string | undefined;
  /** Called on the first call of a tool; the result is kept. `limits`: patterns that must not be tried on long texts. */
  compile(schema: SchemaNode, limits?: PatternLimits): JsonSchemaCheck;
}
