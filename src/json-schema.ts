/** `toolwright/json-schema`: JSON Schema validation with a static import of Ajv, for bundles and runtimes that cannot load it by name. */
import type { JsonSchemaCompiler } from './schema/issues/json-schema-compiler.ts';
import { createStaticAjvCompiler } from './schema/ajv/static-ajv.ts';

/**
 * Creates a JSON Schema compiler that uses Ajv, which is included.
 *
 * @example
 * const registry = new ToolRegistry({ jsonSchemaCompiler: ajvCompiler() });
 */
export function ajvCompiler(): JsonSchemaCompiler {
  return createStaticAjvCompiler();
}

export type { JsonSchemaCheck, JsonSchemaCompiler } from './schema/issues/json-schema-compiler.ts';
export type { PatternLimits } from './schema/expressions/bounded-expression.ts';
