import type { AnyMiddleware } from '../middleware/middleware.ts';
import type { InferSchemaOutput, Schema, ZodSchema } from '../schema/nodes/schema-types.ts';
import type {
  HandlerCall,
  HandlerReturn,
  ResolverCall,
  ToolDefinitionBase,
} from '../tools/tool-definition.ts';
import type { BuilderFor } from './registry-unit.ts';

/**
 * Definitions and builders in an array, each typed by its own schemas. `TTools` is a tuple that the compiler infers. The condition is
 * always true; it defers the tuple until that is done, because only then is known which schema belongs to a tool behind a spread.
 */
export type ToolList<TTools, TContext extends object> =
  | ([TContext] extends [infer TKnown extends object]
      ? { readonly [TIndex in keyof TTools]: ListedTool<TTools[TIndex], TKnown> | BuilderFor<TKnown> }
      : never)
  | TupleHint;

/** Nothing fits this. It makes the compiler infer a tuple instead of an array, and keeps literals behind a spread from being widened. */
interface TupleHint {
  readonly 0: never;
  readonly [index: number]: never;
  [Symbol.iterator](): Iterator<ToolDefinitionBase>;
}

type ListedTool<TTool, TContext extends object> = ToolSchemas<TTool> & ToolBody<TTool, TContext>;

/** The members of a tool that its type is inferred from. */
type ToolSchemas<TTool> = {
  readonly [TName in keyof TTool & ('inputSchema' | 'outputSchema')]?: TTool[TName];
};

interface ToolBody<TTool, TContext extends object> extends ToolDefinitionBase {
  /** The arguments: a schema of a library, a raw shape (`{ n: z.number() }`) or a JSON Schema. Advertised, and enforced before the handler runs. */
  readonly inputSchema: Valid<InputSchemaOf<TTool>>;
  /** The structured result. Advertised, and enforced after the handler has run. Default: any result. */
  readonly outputSchema?: Valid<OutputSchemaOf<TTool>> | undefined;
  /** Runs around the handler, outermost first; inside what the registry itself uses. The handler is not typed by what it adds: use `defineTool` for that. */
  readonly middleware?: readonly AnyMiddleware<TContext>[];
  /** Supplies missing arguments before validation. Explicit arguments win. */
  readonly defaultArgumentResolver?: (call: ResolverCall<TContext>) => unknown;
  /** With `confirm: 'preview'`: returns what the handler would do, and does nothing. */
  readonly preview?: Preview<TTool, TContext>;
  /** Runs the tool. It gets the validated input and returns a value, a result of `success` or `error`, or a result of the protocol. */
  readonly handler: Handler<TTool, TContext>;
  /** The member that only builders have lets the compiler tell them from definitions. */
  readonly plan?: undefined;
}

type InputSchemaOf<TTool> = 'inputSchema' extends keyof TTool ? TTool['inputSchema'] : unknown;
type OutputSchemaOf<TTool> = 'outputSchema' extends keyof TTool ? TTool['outputSchema'] : unknown;

/** The schema, or what it should be: the first of a library that cannot convert it to JSON Schema. */
type Valid<TSchema> = TSchema extends ZodSchema ? unknown : Schema;

/** Of several tools, as in an array in a variable: one of their handlers. */
type Handler<TTool, TContext extends object> = TTool extends unknown
  ? (
      call: HandlerCall<InputOf<InputSchemaOf<TTool>>, TContext>,
    ) => ReturnOf<OutputSchemaOf<TTool>> | Promise<ReturnOf<OutputSchemaOf<TTool>>>
  : never;

type Preview<TTool, TContext extends object> = TTool extends unknown
  ? (call: PreviewCall<InputSchemaOf<TTool>, TContext>) => unknown
  : never;

/** `never` where only "some schema" is known, as of `AnyToolDefinition`: the input fits the schema beside it, which only validation can know. */
type InputOf<TInput> = Schema extends TInput ? never : InferSchemaOutput<TInput>;

type PreviewCall<TInput, TContext extends object> = Schema extends TInput
  ? { readonly input: never; readonly context: never }
  : HandlerCall<InputOf<TInput>, TContext>;

/** Without a schema, `TOutput` is `undefined`, or `unknown` where no member says so. */
type ReturnOf<TOutput> = [TOutput] extends [Schema]
  ? Schema extends TOutput
    ? unknown
    : HandlerReturn<TOutput>
  : unknown;
