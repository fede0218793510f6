import { Ajv2020 } from 'ajv/dist/2020.js';
import { loadAjvCompiler } from '../../../src/schema/ajv/ajv-compiler.ts';
import { compileSchema } from '../../../src/schema/checks/compile-schema.ts';
import type { CompiledSchema, CompileSchemaOptions } from '../../../src/schema/checks/compile-schema.ts';
import type { Validated } from '../../../src/schema/issues/validated.ts';

const compiler = loadAjvCompiler();

/** Compiles as a registry does for the input of a tool. */
export function compileInput(schema: unknown, options: Partial<CompileSchemaOptions> = {}): CompiledSchema {
  return compileSchema(schema, {
    owner: 'Tool "t": the input schema',
    side: 'input',
    jsonSchemaCompiler: () => compiler,
    ...options,
  });
}

/** Validates with a synchronous schema. */
export function validate(schema: CompiledSchema, value: unknown): Validated<unknown> {
  return schema.validate(value) as Validated<unknown>;
}

/** Compiles and validates in one step; returns the value, or the issues. */
export function run(
  schema: unknown,
  value: unknown,
  options: Partial<CompileSchemaOptions> = {},
): Validated<unknown> {
  return validate(compileInput(schema, options), value);
}

/** Whether Ajv alone accepts the value by the advertised document. */
export function createJudge(schema: CompiledSchema): (value: unknown) => boolean {
  const accepts = new Ajv2020({ strict: false, logger: false }).compile(schema.jsonSchema);
  return (value) => accepts(value) === true;
}
