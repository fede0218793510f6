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
export function defineResource(definition: ResourceDefinition): ResourceDefinition {
  return definition;
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
export function defineResourceTemplate<const TTemplate extends string>(
  definition: ResourceTemplateDefinition<TTemplate>,
): ResourceTemplateDefinition<TTemplate> {
  return definition;
}
