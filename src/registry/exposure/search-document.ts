import type { CatalogEntry } from '../../tools/compile/catalog-entry.ts';
import type { SearchDocument } from './search-index.ts';

/** What the index knows of an entry. */
export function toDocument({ definition, grouped, listed, tool }: CatalogEntry): SearchDocument {
  const { properties } = listed.inputSchema as { properties?: Record<string, { description?: unknown }> };
  const around = [grouped?.plan.description, grouped?.action.groupDescription].filter(
    (text) => text !== undefined,
  );
  return {
    name: tool.name,
    ...(definition.title === undefined ? {} : { title: definition.title }),
    description: definition.description,
    ...(around.length === 0 ? {} : { groupDescription: around.join(' ') }),
    tags: tool.subject.tags,
    synonyms: definition.synonyms ?? [],
    fields: Object.entries(properties ?? {}).map(([name, field]) => ({
      name,
      ...(typeof field.description === 'string' ? { description: field.description } : {}),
    })),
  };
}
