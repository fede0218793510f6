import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { createAjvCompiler } from './ajv-compiler.ts';
import type { AjvCompilerOptions } from './ajv-compiler.ts';
import type { JsonSchemaCompiler } from '../issues/json-schema-compiler.ts';

/** The compiler on top of Ajv, for entries that cannot do without it: bundlers see what they import. */
export function createStaticAjvCompiler(options?: AjvCompilerOptions): JsonSchemaCompiler {
  return createAjvCompiler({ Ajv2020, addFormats: formats.default }, options);
}
