/** `toolwright/json-schema`: raw JSON Schema through Ajv, for bundles and runtimes where it cannot be found by name. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import { createAjvCompiler } from './schema/ajv-compiler.ts';
import type { AjvModules } from './schema/ajv-compiler.ts';
import type { JsonSchemaCompiler } from './schema/json-schema-compiler.ts';

/**
 * The JSON Schema compiler on top of Ajv. Needs the packages `ajv` and `ajv-formats`.
 *
 * @example
 * const registry = new ToolRegistry({ jsonSchemaCompiler: ajvCompiler() });
 */
export function ajvCompiler(): JsonSchemaCompiler {
  const addFormats = addFormatsModule as unknown as AjvModules['addFormats'] & {
    default?: AjvModules['addFormats'];
  };
  return createAjvCompiler({
    Ajv2020: Ajv2020 as unknown as AjvModules['Ajv2020'],
    addFormats: addFormats.default ?? addFormats,
  });
}

export type { JsonSchemaCheck, JsonSchemaCompiler } from './schema/json-schema-compiler.ts';
