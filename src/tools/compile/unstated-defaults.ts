import type { CatalogEntry } from './catalog-entry.ts';

/**
 * The required arguments of a tool whose default argument resolver does not say which arguments it can supply. Clients are told to send all
 * of them. `resolvedArguments: []` says that it can supply none of them.
 */
export function unstatedDefaults({ definition, tool }: CatalogEntry): readonly string[] {
  const { defaultArgumentResolver, resolvedArguments } = definition;
  if (defaultArgumentResolver === undefined || resolvedArguments !== undefined) return [];
  return (tool.input.jsonSchema['required'] ?? []) as readonly string[];
}
