import type { AnyMiddleware } from '../middleware/middleware.ts';
import type { Reserved } from '../middleware/context.ts';
import type { InferSchemaOutput, Schema } from '../schema/nodes/schema-types.ts';
import type {
  AnyToolDefinition,
  HandlerCall,
  HandlerReturn,
  ResolverCall,
  ToolDefinitionBase,
} from './tool-definition.ts';

/** Definitions by name, each typed by its own schemas. The compiler infers `TInputs` and `TOutputs`. */
export type ToolTable<TInputs, TOutputs, TContext extends object> =
  | {
      readonly [TName in keyof TInputs]: TableEntry<
        TInputs[TName],
        TName extends keyof TOutputs ? TOutputs[TName] : undefined,
        TContext
      >;
    }
  // Only for inference: no table is a string. Mapping an object type twice takes compilers much longer.
  | (TInputs extends string
      ? { readonly [TName in keyof TOutputs]: { readonly outputSchema?: TOutputs[TName] } }
      : never);

interface TableEntry<TInput, TOutput, TContext extends object> extends Omit<ToolDefinitionBase, 'name'> {
  /**
   * The arguments: a schema of a library, a raw shape (`{ n: z.number() }`) or a JSON Schema. Advertised, and
   * enforced before the handler runs.
   */
  readonly inputSchema: TInput extends Schema ? TInput : Schema;
  /** The structured result. Advertised, and enforced after the handler has run. Default: any result. */
  readonly outputSchema?: Schema | undefined;
  /**
   * Runs around the handler, outermost first, inside the registry's middleware. Its additions to the context are
   * not typed: use `defineTool` for that.
   */
  readonly middleware?: readonly AnyMiddleware<TContext>[];
  /** Supplies missing arguments before validation. Explicit arguments win. */
  readonly defaultArgumentResolver?: (call: ResolverCall<TContext>) => unknown;
  /** With `confirm: 'preview'`: describes what the handler would do, without doing it. */
  readonly preview?: (call: HandlerCall<InferSchemaOutput<TInput>, TContext>) => unknown;
  /**
   * Runs the tool with the validated input. Returns a value, the result of `success` or `error`, or a
   * `CallToolResult`.
   */
  readonly handler: (
    call: HandlerCall<InferSchemaOutput<TInput>, TContext>,
  ) => HandlerReturn<TOutput> | Promise<HandlerReturn<TOutput>>;
}

/**
 * Defines several tools, each under its name. In a class, handlers are arrow functions and can use its private members, as with
 * decorators, but with every compiler.
 *
 * @example
 * class Counter {
 *   #count = 0;
 *   readonly tools = defineTools({
 *     count_up: {
 *       description: 'Counts up',
 *       inputSchema: { by: z.int() },
 *       handler: ({ input }) => (this.#count += input.by),
 *     },
 *   });
 * }
 * registry.registerAll(new Counter().tools);
 */
export function defineTools<TInputs, TOutputs>(
  tools: ToolTable<TInputs, TOutputs, object>,
): AnyToolDefinition[] {
  return Object.entries(tools).map(([name, entry]) => ({ ...(entry as object), name }) as AnyToolDefinition);
}

/**
 * `defineTools` for registries with their own context type.
 *
 * @example
 * const defineAppTools = defineToolsFor<{ db: Database }>();
 */
export function defineToolsFor<TContext extends object & Reserved>(): <TInputs, TOutputs>(
  tools: ToolTable<TInputs, TOutputs, TContext>,
) => AnyToolDefinition<TContext>[] {
  return defineTools as never;
}
