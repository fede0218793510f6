import type { OfArray } from '../base/of-array.ts';
import type { AnyMiddleware } from '../middleware/middleware.ts';
import type { InferSchemaOutput, Schema } from '../schema/nodes/schema-types.ts';
import type {
  AnyToolDefinition,
  HandlerCall,
  HandlerReturn,
  ResolverCall,
  ToolDefinitionBase,
} from '../tools/tool-definition.ts';
import type { BuilderFor } from './registry-unit.ts';

/**
 * Definitions and builders in an array literal, each typed by its own schemas. `TInputs` and `TOutputs` are tuples of schemas, which the
 * compiler infers.
 */
export type ToolList<TInputs, TOutputs, TContext extends object> =
  | {
      readonly [TIndex in keyof TInputs]:
        | ListedTool<TInputs[TIndex], TIndex extends keyof TOutputs ? TOutputs[TIndex] : unknown, TContext>
        | OfArray<TInputs, AnyToolDefinition<TContext>>
        | BuilderFor<TContext>;
    }
  | TupleHint<TContext>
  // Only to infer from: an object that is mapped twice, or an intersection of two, takes compilers twenty times as long.
  | (TContext extends string ? { readonly [TIndex in keyof TOutputs]: Returning<TOutputs[TIndex]> } : never);

interface Returning<TOutput> {
  /** The structured result. */
  readonly outputSchema?: TOutput;
}

/**
 * Nothing fits this. It makes the compiler infer a tuple instead of an array, and types handlers behind a spread
 * (`[...tools, { handler: ({ context }) => … }]`), whose place in the tuple is not known.
 */
interface TupleHint<TContext extends object> {
  readonly 0: never;
  readonly [index: number]: never;
  [Symbol.iterator](): Iterator<{ readonly handler: (call: HandlerCall<unknown, TContext>) => unknown }>;
}

interface ListedTool<TInput, TOutput, TContext extends object> extends ToolDefinitionBase {
  /** The arguments: a schema of a library, a raw shape (`{ n: z.number() }`) or a JSON Schema. Advertised, and enforced before the handler runs. */
  readonly inputSchema: TInput extends Schema ? TInput : Schema;
  /** The structured result. Advertised, and enforced after the handler has run. Default: any result. */
  readonly outputSchema?: Schema | undefined;
  /** Runs around the handler, outermost first; inside what the registry itself uses. The handler is not typed by what it adds: use `defineTool` for that. */
  readonly middleware?: readonly AnyMiddleware<TContext>[];
  /** Supplies missing arguments before validation. Explicit arguments win. */
  readonly defaultArgumentResolver?: (call: ResolverCall<TContext>) => unknown;
  /** With `confirm: 'preview'`: returns what the handler would do, and does nothing. */
  readonly preview?: (call: PreviewCall<TInput, TContext>) => unknown;
  /** Runs the tool. It gets the validated input and returns a value, a result of `success` or `error`, or a result of the protocol. */
  readonly handler: (
    call: HandlerCall<InputOf<TInput>, TContext>,
  ) => ReturnOf<TOutput> | Promise<ReturnOf<TOutput>>;
  /** The member that only builders have lets the compiler tell them from definitions. */
  readonly plan?: undefined;
}

/** `never` where only "some schema" is known, as of `AnyToolDefinition`: the input fits the schema beside it, which only validation can know. */
type InputOf<TInput> = unknown extends TInput
  ? unknown
  : Schema extends TInput
    ? never
    : InferSchemaOutput<TInput>;

type PreviewCall<TInput, TContext extends object> = Schema extends TInput
  ? { readonly input: never; readonly context: never }
  : HandlerCall<InputOf<TInput>, TContext>;

/** Without a schema, `TOutput` is `undefined`, or `never` where an optional member says so. */
type ReturnOf<TOutput> = [TOutput] extends [never]
  ? unknown
  : [TOutput] extends [Schema]
    ? Schema extends TOutput
      ? unknown
      : HandlerReturn<TOutput>
    : unknown;
