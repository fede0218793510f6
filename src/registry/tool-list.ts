import type { InferredMembers, MemberOf, TupleHint } from '../base/inferred-list.ts';
import type { AnyMiddleware } from '../middleware/middleware.ts';
import type { InferSchemaOutput, Schema, SchemaFor } from '../schema/nodes/schema-types.ts';
import type {
  HandlerCall,
  HandlerReturn,
  ResolverCall,
  ToolDefinitionBase,
} from '../tools/tool-definition.ts';
import type { BuilderFor } from './registry-unit.ts';

/**
 * Definitions and builders in an array, each typed by its own schemas. `TTools` is a tuple that the compiler infers. The condition
 * keeps the tuple from being read before it is inferred: the place of a tool behind a spread is not known before. It is false for a registry, whose
 * error would otherwise be about its members. It compares tuples of two: from `[TTools] extends […]` the compiler infers nothing. `TEntry` is what may be
 * in the array beside them.
 */
export type ToolList<TTools, TContext extends object, TEntry = never> =
  | ([TTools, unknown] extends [readonly unknown[], unknown]
      ? { readonly [TIndex in keyof TTools]: Listed<TTools[TIndex], TContext> | TEntry }
      : never)
  | TupleHint<ToolDefinitionBase>;

/**
 * One type for each tool: of as many types as there are tools, the compiler compares each tool with one instead of all. Several for what is
 * one of several tools, such as an element of an array in a variable.
 */
type Listed<TTool, TContext extends object> = TTool extends { readonly plan: unknown }
  ? BuilderFor<TContext>
  : InferredMembers<TTool, 'inputSchema' | 'outputSchema' | 'plan'> & ToolBody<TTool, TContext>;

interface ToolBody<TTool, TContext extends object> extends ToolDefinitionBase {
  /** The arguments: a schema of a library, a raw shape (`{ n: z.number() }`) or a JSON Schema. Advertised, and enforced before the handler runs. */
  readonly inputSchema: SchemaFor<MemberOf<TTool, 'inputSchema'>>;
  /** The structured result. Advertised, and enforced after the handler has run. Default: any result. */
  readonly outputSchema?: SchemaFor<MemberOf<TTool, 'outputSchema'>> | undefined;
  /** Runs around the handler, outermost first; inside what the registry itself uses. The handler is not typed by what it adds: use `defineTool` for that. */
  readonly middleware?: readonly AnyMiddleware<TContext>[];
  /** Supplies missing arguments before validation. Explicit arguments win. */
  readonly defaultArgumentResolver?: (call: ResolverCall<TContext>) => unknown;
  /** With `confirm: 'preview'`: returns what the handler would do, and does nothing. */
  readonly preview?: (call: PreviewCall<MemberOf<TTool, 'inputSchema'>, TContext>) => unknown;
  /** Runs the tool. It gets the validated input and returns a value, a result of `success` or `error`, or a result of the protocol. */
  readonly handler: (
    call: HandlerCall<InputOf<MemberOf<TTool, 'inputSchema'>>, TContext>,
  ) => ReturnOf<MemberOf<TTool, 'outputSchema'>> | Promise<ReturnOf<MemberOf<TTool, 'outputSchema'>>>;
}

/** `never` where only "some schema" is known, as of `AnyToolDefinition`: the input fits the schema beside it, which only validation can know. */
type InputOf<TInput> = Schema extends TInput ? never : InferSchemaOutput<TInput>;

type PreviewCall<TInput, TContext extends object> = Schema extends TInput
  ? { readonly input: never; readonly context: never }
  : HandlerCall<InputOf<TInput>, TContext>;

/** Without a schema, `TOutput` is `undefined` or `unknown`. */
type ReturnOf<TOutput> = [TOutput] extends [Schema]
  ? Schema extends TOutput
    ? unknown
    : HandlerReturn<TOutput>
  : unknown;
