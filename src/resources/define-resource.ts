import type { Reserved } from '../middleware/context.ts';
import type { AnyMiddleware, Middleware } from '../middleware/middleware.ts';
import type { ResourceDefinition, ResourceTemplateDefinition } from './resource-definition.ts';

/**
 * Defines a resource.
 *
 * @example
 * const manual = defineResource({
 *   uri: 'docs://manual',
 *   name: 'manual',
 *   mimeType: 'text/markdown',
 *   contentProvider: () => readManual(),
 * });
 */
export function defineResource<
  TMiddleware extends readonly AnyMiddleware<object>[] = readonly AnyMiddleware<object>[],
>(definition: ResourceDefinition<object, TMiddleware>): ResourceDefinition {
  // The members that middleware adds are visible to the content provider only: to other code this is an ordinary resource.
  return definition as unknown as ResourceDefinition;
}

/**
 * `defineResource` for servers and managers with their own context. Two calls, because TypeScript infers all type arguments of a call or
 * none.
 *
 * @example
 * const defineAppResource = defineResourceFor<{ db: Database }>();
 * const notes = defineAppResource({
 *   uri: 'notes://all',
 *   name: 'notes',
 *   contentProvider: ({ context }) => context.db.all('notes').join(),
 * });
 */
export function defineResourceFor<TContext extends object & Reserved>(): <
  TMiddleware extends readonly Middleware<TContext>[] = readonly Middleware<TContext>[],
>(
  definition: ResourceDefinition<TContext, TMiddleware>,
) => ResourceDefinition<TContext> {
  return defineResource as never;
}

/**
 * Defines a resource template; its variables are inferred from the template.
 *
 * @example
 * const note = defineResourceTemplate({
 *   uriTemplate: 'notes://{user}/{id}',
 *   name: 'note',
 *   contentProvider: ({ variables }) => findNote(variables.user, variables.id),
 * });
 */
export function defineResourceTemplate<
  const TTemplate extends string,
  TMiddleware extends readonly AnyMiddleware<object>[] = readonly AnyMiddleware<object>[],
>(
  definition: ResourceTemplateDefinition<TTemplate, object, TMiddleware>,
): ResourceTemplateDefinition<TTemplate> {
  return definition as unknown as ResourceTemplateDefinition<TTemplate>;
}

/**
 * `defineResourceTemplate` for servers and managers with their own context.
 *
 * @example
 * const defineAppTemplate = defineResourceTemplateFor<{ db: Database }>();
 * const note = defineAppTemplate({
 *   uriTemplate: 'notes://{id}',
 *   name: 'note',
 *   contentProvider: ({ variables, context }) => context.db.find('notes', variables.id),
 * });
 */
export function defineResourceTemplateFor<TContext extends object & Reserved>(): <
  const TTemplate extends string,
  TMiddleware extends readonly Middleware<TContext>[] = readonly Middleware<TContext>[],
>(
  definition: ResourceTemplateDefinition<TTemplate, TContext, TMiddleware>,
) => ResourceTemplateDefinition<TTemplate, TContext> {
  return defineResourceTemplate as never;
}
