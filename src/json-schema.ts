/** `toolwright/json-schema`: raw JSON Schema through Ajv, for bundles and runtimes where it cannot be found by name. */
import type { JsonSchemaCompiler } from './schema/issues/json-schema-compiler.ts';
import { createStaticAjvCompiler } from './schema/ajv/static-ajv.ts';

/**
 * The JSON Schema compiler on top of Ajv, which comes with it.
 *
 * @example
 * const registry = new ToolRegistry({ jsonSchemaCompiler: ajvCompiler() });
 */
export function ajvCompiler(): JsonSchemaCompiler {
  return createStaticAjvCompiler();
}

export type { JsonSchemaCheck, JsonSchemaCompiler } from './schema/issues/json-schema-compiler.ts';
export type { PatternLimits } from './schema/expressions/bounded-expression.ts';
