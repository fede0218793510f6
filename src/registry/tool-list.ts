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
 * Definitions and builders in an array, each typed by its own schemas. `TTools` is an inferred tuple. The condition keeps the tuple from
 * being read before it is inferred, because the position of a tool after a spread is unknown before. It is false for a registry, whose
 * error would otherwise be about its members. It compares pairs, because the compiler infers nothing from `[TTools] extends […]`. `TEntry`
 * is another allowed element type.
 */
export type ToolList<TTools, TContext extends object, TEntry = never> =
  | ([TTools, unknown] extends [readonly unknown[], unknown]
      ? { readonly [TIndex in keyof TTools]: Listed<TTools[TIndex], TContext> | TEntry }
      : never)
  | TupleHint<ToolDefinitionBase>;

/**
 * One type per tool, so that the compiler compares each tool with one type instead of all. A union for an element that may be one of
 * several tools.
 */
type Listed<TTool, TContext extends object> = TTool extends { readonly plan: unknown }
  ? BuilderFor<TContext>
  : InferredMembers<TTool, 'inputSchema' | 'outputSchema' | 'plan'> & ToolBody<TTool, TContext>;

interface ToolBody<TTool, TContext extends object> extends ToolDefinitionBase {
  /**
   * The arguments: a schema of a library, a raw shape (`{ n: z.number() }`) or a JSON Schema. Advertised, and enforced before the handler
   * runs.
   */
  readonly inputSchema: SchemaFor<MemberOf<TTool, 'inputSchema'>>;
  /** The structured result. Advertised, and enforced after the handler has run. Default: any result. */
  readonly outputSchema?: SchemaFor<MemberOf<TTool, 'outputSchema'>> | undefined;
  /**
   * Middleware around the handler, outermost first; inside that of the registry. The handler is not typed by the members it adds: use
   * `defineTool` for that.
   */
  readonly middleware?: readonly AnyMiddleware<TContext>[];
  /** Supplies missing arguments before validation. Explicit arguments win. */
  readonly defaultArgumentResolver?: (call: ResolverCall<TContext>) => unknown;
  /** With `confirm: 'preview'`: describes the effect of the handler without changing anything. */
  readonly preview?: (call: PreviewCall<MemberOf<TTool, 'inputSchema'>, TContext>) => unknown;
  /** Runs the tool with the validated input. Returns a value, `success(…)`, `error(…)` or a complete result. */
  readonly handler: (
    call: HandlerCall<InputOf<MemberOf<TTool, 'inputSchema'>>, TContext>,
  ) => ReturnOf<MemberOf<TTool, 'outputSchema'>> | Promise<ReturnOf<MemberOf<TTool, 'outputSchema'>>>;
}

/** `never` if only "some schema" is known, as in `AnyToolDefinition`: only validation knows the input type. */
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
