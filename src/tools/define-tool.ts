import type { NotInferred } from '../base/not-inferred.ts';
import type { AnyMiddleware, Middleware } from '../middleware/middleware.ts';
import type { Reserved } from '../middleware/context.ts';
import type { Schema } from '../schema/nodes/schema-types.ts';
import type { ToolDefinition } from './tool-definition.ts';

/**
 * Defines a tool. The types of the handler's input and output are inferred from the schemas.
 *
 * @example
 * const add = defineTool({
 *   name: 'add',
 *   description: 'Adds two numbers',
 *   inputSchema: z.object({ a: z.number(), b: z.number() }),
 *   outputSchema: z.object({ sum: z.number() }),
 *   handler: ({ input }) => ({ sum: input.a + input.b }),
 * });
 */
export function defineTool<
  TInput extends Schema,
  TOutput extends Schema | undefined = undefined,
  TMiddleware extends readonly AnyMiddleware<object>[] = readonly AnyMiddleware<object>[],
>(
  definition: ToolDefinition<TInput, TOutput, object, TMiddleware>,
  // Not inferred from the use of the result: in an array of tools, that says less than the schemas.
): ToolDefinition<NotInferred<TInput>, NotInferred<TOutput>> {
  // Additions of the middleware are only visible to the handler; for everyone else this is an ordinary tool.
  return definition as unknown as ToolDefinition<TInput, TOutput>;
}

/**
 * `defineTool` for registries with their own context type. Two calls, because TypeScript infers either all type arguments of a call or
 * none.
 *
 * @example
 * const defineAppTool = defineToolFor<{ db: Database }>();
 * const count = defineAppTool({
 *   name: 'count_notes',
 *   description: 'Counts the notes',
 *   inputSchema: z.object({}),
 *   handler: ({ context }) => context.db.count('notes'),
 * });
 */
export function defineToolFor<TContext extends object & Reserved>(): <
  TInput extends Schema,
  TOutput extends Schema | undefined = undefined,
  TMiddleware extends readonly Middleware<TContext>[] = readonly Middleware<TContext>[],
>(
  definition: ToolDefinition<TInput, TOutput, TContext, TMiddleware>,
  // `NotInferred`, written out: the declaration file of a project that exports this function could not name it.
) => ToolDefinition<
  [TInput][TInput extends unknown ? 0 : never],
  [TOutput][TOutput extends unknown ? 0 : never],
  TContext
> {
  return (definition) => definition as never;
}
