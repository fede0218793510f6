import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { createAjvCompiler } from './ajv-compiler.ts';
import type { AjvCompilerOptions } from './ajv-compiler.ts';
import type { JsonSchemaCompiler } from '../issues/json-schema-compiler.ts';

/** Creates the Ajv compiler with a static import, for entries that always need it and for bundlers. */
export function createStaticAjvCompiler(options?: AjvCompilerOptions): JsonSchemaCompiler {
  return createAjvCompiler({ Ajv2020, addFormats: formats.default }, options);
}
