import type { AnyMiddleware } from '../middleware/middleware.ts';
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
  // What the middleware adds is between it and the content provider: to everybody else this is a resource like any other.
  return definition as unknown as ResourceDefinition;
}

/**
 * Defines a resource template; the variables are inferred from it.
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
