import type { CatalogEntry } from './catalog-entry.ts';

/**
 * Required arguments of a tool with a default argument resolver but without `resolvedArguments`. Clients must send
 * all of them. `resolvedArguments: []` states that the resolver supplies none of them.
 */
export function unstatedDefaults({ definition, tool }: CatalogEntry): readonly string[] {
  const { defaultArgumentResolver, resolvedArguments } = definition;
  if (defaultArgumentResolver === undefined || resolvedArguments !== undefined) return [];
  return (tool.input.jsonSchema['required'] ?? []) as readonly string[];
}
