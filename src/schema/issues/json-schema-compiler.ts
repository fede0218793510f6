import type { RawIssue } from './explain.ts';
import type { SchemaNode } from '../nodes/json-node.ts';
import type { PatternLimits } from '../expressions/bounded-expression.ts';

/**
 * Validates one value; returns an empty array if it is valid. With `stopsEarly`, one issue is enough: alternatives that do not match could
 * report more than fits in memory.
 */
export type JsonSchemaCheck = (value: unknown, stopsEarly?: boolean) => readonly RawIssue[];

/** Compiles JSON Schema documents to validators. Option `jsonSchemaCompiler` of a registry. Default: Ajv. */
export interface JsonSchemaCompiler {
  /** Returns the problem of an invalid document; undefined if it is valid JSON Schema. Called at registration. */
  findProblem(schema: SchemaNode): string | undefined;
  /**
   * Compiles a document. Called on the first call of a tool; the result is kept. `limits`: patterns that must not be tried on long strings.
   */
  compile(schema: SchemaNode, limits?: PatternLimits): JsonSchemaCheck;
}
