import type { Reserved } from '../middleware/context.ts';
import type { AnyMiddleware, Middleware } from '../middleware/middleware.ts';
import type { Schema } from '../schema/nodes/schema-types.ts';
import type {
  PromptArgumentDefinition,
  PromptDefinition,
  SchemaPromptDefinition,
} from './prompt-definition.ts';

/**
 * Defines a prompt; the handler's input is inferred from the schema or from the array of arguments.
 *
 * @example
 * const review = definePrompt({
 *   name: 'review',
 *   description: 'Reviews a file',
 *   arguments: [{ name: 'file', required: true }, { name: 'tone' }],
 *   complete: { tone: ['friendly', 'strict'] },
 *   handler: ({ input }) => `Review ${input.file}. Be ${input.tone ?? 'friendly'}.`,
 * });
 */
export function definePrompt<
  TInput extends Schema,
  TMiddleware extends readonly AnyMiddleware<object>[] = readonly AnyMiddleware<object>[],
>(definition: SchemaPromptDefinition<TInput, object, TMiddleware>): SchemaPromptDefinition<TInput>;
export function definePrompt<
  const TArguments extends readonly PromptArgumentDefinition[] = readonly [],
  TMiddleware extends readonly AnyMiddleware<object>[] = readonly AnyMiddleware<object>[],
>(definition: PromptDefinition<TArguments, object, TMiddleware>): PromptDefinition<TArguments>;
export function definePrompt(definition: object): object {
  return definition;
}

/**
 * `definePrompt` for servers and managers with their own context. Two calls, because TypeScript infers all type arguments of a call or
 * none.
 *
 * @example
 * const defineAppPrompt = definePromptFor<{ db: Database }>();
 * const summary = defineAppPrompt({
 *   name: 'summary',
 *   description: 'Sums up the notes',
 *   handler: ({ context }) => `Sum up: ${context.db.all('notes').join()}`,
 * });
 */
export function definePromptFor<TContext extends object & Reserved>(): {
  <
    TInput extends Schema,
    TMiddleware extends readonly Middleware<TContext>[] = readonly Middleware<TContext>[],
  >(
    definition: SchemaPromptDefinition<TInput, TContext, TMiddleware>,
  ): SchemaPromptDefinition<TInput, TContext>;
  <
    const TArguments extends readonly PromptArgumentDefinition[] = readonly [],
    TMiddleware extends readonly Middleware<TContext>[] = readonly Middleware<TContext>[],
  >(
    definition: PromptDefinition<TArguments, TContext, TMiddleware>,
  ): PromptDefinition<TArguments, TContext>;
} {
  return definePrompt as never;
}
