import type { AnyMiddleware } from '../middleware/middleware.ts';
import type { Schema } from '../schema/nodes/schema-types.ts';
import type {
  PromptArgumentDefinition,
  PromptDefinition,
  SchemaPromptDefinition,
} from './prompt-definition.ts';

/**
 * Defines a prompt; the handler's input is inferred from the schema or from the list of arguments.
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
