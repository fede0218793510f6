import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec';

/**
 * A schema that implements Standard Schema and Standard JSON Schema: Zod ≥ 4.2, ArkType, or Valibot
 * with `toStandardJsonSchema` of `@valibot/to-json-schema`.
 */
export interface StandardSchema<TInput = unknown, TOutput = TInput> {
  readonly '~standard': StandardSchemaV1.Props<TInput, TOutput> & StandardJSONSchemaV1.Props<TInput, TOutput>;
}

declare const valueType: unique symbol;

/** A JSON Schema 2020-12 object, validated by Ajv. `TValue` is the type of a valid value. */
export interface JsonSchema<TValue = Record<string, unknown>> {
  readonly [keyword: string]: unknown;
  readonly [valueType]?: TValue;
}

/** An object with a schema for each field, such as `{ n: z.number() }`, as in the official SDK. */
export type RawShape = Readonly<Record<string, StandardSchema>>;

/** Any schema that a tool can be defined with: of a library, a JSON Schema, or a {@link RawShape}, which the compiler treats as one. */
export type Schema = StandardSchema | JsonSchema<unknown>;

/**
 * A schema of Zod 4.2 or newer, but not Zod Mini, which has no JSON Schema. Types are inferred from these members: through `~standard`,
 * compilers would compute the input type for the output, and the output type for the input.
 */
export interface ZodSchema {
  readonly _zod: { readonly input: unknown; readonly output: unknown };
  readonly toJSONSchema: unknown;
}

/**
 * The type that an inferred schema must have beside its own. A Zod schema is not compared with {@link Schema}: that would be half of the
 * time compilers spend on a tool.
 */
export type SchemaFor<TSchema> = TSchema extends ZodSchema
  ? unknown
  : TSchema extends Schema
    ? unknown
    : Schema;

/** Type of a value before validation. */
export type InferSchemaInput<TSchema> = TSchema extends ZodSchema
  ? TSchema['_zod']['input']
  : TSchema extends { readonly '~standard': { readonly types?: infer TTypes } }
    ? NonNullable<TTypes> extends { readonly input: infer TInput }
      ? TInput
      : unknown
    : TSchema extends RawShape & (infer TShape)
      ? InferFields<TShape, 'input'>
      : InferJsonSchema<TSchema>;

/** Type of a value after validation: defaults filled in, transforms applied. */
export type InferSchemaOutput<TSchema> = TSchema extends ZodSchema
  ? TSchema['_zod']['output']
  : TSchema extends { readonly '~standard': { readonly types?: infer TTypes } }
    ? NonNullable<TTypes> extends { readonly output: infer TOutput }
      ? TOutput
      : unknown
    : TSchema extends RawShape & (infer TShape)
      ? InferFields<TShape, 'output'>
      : InferJsonSchema<TSchema>;

type InferFields<TShape, TSide extends 'input' | 'output'> = Members<{
  [TName in keyof TShape]: TSide extends 'input'
    ? InferSchemaInput<TShape[TName]>
    : InferSchemaOutput<TShape[TName]>;
}>;

/** An object type whose members are optional if they may be undefined, flattened. */
type Members<TObject> = Flat<
  {
    -readonly [TName in keyof TObject as undefined extends TObject[TName] ? never : TName]: TObject[TName];
  } & {
    -readonly [TName in keyof TObject as undefined extends TObject[TName] ? TName : never]?: TObject[TName];
  }
>;

/** A flattened object type: editors show its members instead of the types it was computed from. `& unknown` removes the alias name. */
// oxlint-disable-next-line typescript/no-redundant-type-constituents -- an alias of nothing but a mapped type is shown by its name
export type Flat<TObject> = { [TName in keyof TObject]: TObject[TName] } & unknown;

type InferJsonSchema<TSchema> = TSchema extends { readonly [valueType]?: infer TValue }
  ? unknown extends TValue
    ? Record<string, unknown>
    : NonNullable<TValue>
  : Record<string, unknown>;

/**
 * Declares the TypeScript type that a JSON Schema describes, so that handlers are typed.
 *
 * @example
 * const pointSchema = jsonSchema<{ x: number; y: number }>({
 *   type: 'object',
 *   properties: { x: { type: 'number' }, y: { type: 'number' } },
 *   required: ['x', 'y'],
 * });
 */
export function jsonSchema<TValue>(schema: JsonSchema<unknown>): JsonSchema<TValue> {
  return schema as JsonSchema<TValue>;
}

/** Whether a value comes from a Standard Schema library. ArkType's schemas are functions. */
export function isStandardSchema(value: unknown): value is { readonly '~standard': StandardSchemaV1.Props } {
  if ((typeof value !== 'object' || value === null) && typeof value !== 'function') return false;
  const standard: unknown = (value as { '~standard'?: unknown })['~standard'];
  return typeof standard === 'object' && standard !== null && 'validate' in standard;
}
