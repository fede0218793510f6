import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec';

/**
 * A schema of a library that speaks Standard Schema and can say itself as JSON Schema: Zod ≥ 4.2, ArkType, Valibot
 * through `toStandardJsonSchema` of `@valibot/to-json-schema`.
 */
export interface StandardSchema<TInput = unknown, TOutput = TInput> {
  readonly '~standard': StandardSchemaV1.Props<TInput, TOutput> & StandardJSONSchemaV1.Props<TInput, TOutput>;
}

declare const valueType: unique symbol;

/** A JSON Schema 2020-12 object, checked through Ajv. `TValue` is what a valid value looks like. */
export interface JsonSchema<TValue = Record<string, unknown>> {
  readonly [keyword: string]: unknown;
  readonly [valueType]?: TValue;
}

/** Fields by name, each with a schema of its own: `{ n: z.number() }`, as the official SDK takes them. */
export type RawShape = Readonly<Record<string, StandardSchema>>;

/** Every kind of schema a tool may be defined with: of a library, a JSON Schema, or a {@link RawShape}, which for the compiler is one too. */
export type Schema = StandardSchema | JsonSchema<unknown>;

/**
 * A schema of Zod 4.2 or newer; Zod Mini, which has no JSON Schema, is none. Its types are read from here: through `~standard`, compilers
 * work out the input for the output, and the other way round.
 */
export interface ZodSchema {
  readonly _zod: { readonly input: unknown; readonly output: unknown };
  readonly toJSONSchema: unknown;
}

/**
 * The type that an inferred schema must have beside its own. A schema of Zod is not compared with {@link Schema}: that would be half of what
 * compilers spend on a tool.
 */
export type SchemaFor<TSchema> = TSchema extends ZodSchema
  ? unknown
  : TSchema extends Schema
    ? unknown
    : Schema;

/** What a value must look like before validation. */
export type InferSchemaInput<TSchema> = TSchema extends ZodSchema
  ? TSchema['_zod']['input']
  : TSchema extends { readonly '~standard': { readonly types?: infer TTypes } }
    ? NonNullable<TTypes> extends { readonly input: infer TInput }
      ? TInput
      : unknown
    : TSchema extends RawShape & (infer TShape)
      ? InferFields<TShape, 'input'>
      : InferJsonSchema<TSchema>;

/** What a value looks like after validation: defaults filled in, transforms applied. */
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

/** An object whose members may be left out where they may be undefined, written out flat. */
type Members<TObject> = Flat<
  {
    -readonly [TName in keyof TObject as undefined extends TObject[TName] ? never : TName]: TObject[TName];
  } & {
    -readonly [TName in keyof TObject as undefined extends TObject[TName] ? TName : never]?: TObject[TName];
  }
>;

/** An object type written out: editors show its members instead of what it was made of. `& unknown` takes this name away from it. */
// oxlint-disable-next-line typescript/no-redundant-type-constituents -- an alias of nothing but a mapped type is shown by its name
export type Flat<TObject> = { [TName in keyof TObject]: TObject[TName] } & unknown;

type InferJsonSchema<TSchema> = TSchema extends { readonly [valueType]?: infer TValue }
  ? unknown extends TValue
    ? Record<string, unknown>
    : NonNullable<TValue>
  : Record<string, unknown>;

/**
 * Says which type a JSON Schema describes, so that handlers are typed.
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
