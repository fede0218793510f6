import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import { createAjvCompiler } from './ajv-compiler.ts';
import type { AjvCompilerOptions, AjvModules } from './ajv-compiler.ts';
import type { JsonSchemaCompiler } from './json-schema-compiler.ts';

/** The compiler on top of Ajv, for parts that cannot do without it: the package brings Ajv along for them. */
export function createStaticAjvCompiler(options?: AjvCompilerOptions): JsonSchemaCompiler {
  const addFormats = addFormatsModule as unknown as AjvModules['addFormats'] & {
    default?: AjvModules['addFormats'];
  };
  const modules = {
    Ajv2020: Ajv2020 as unknown as AjvModules['Ajv2020'],
    addFormats: addFormats.default ?? addFormats,
  };
  return createAjvCompiler(modules, options);
}
