import type { CatalogEntry } from '../../tools/compile/catalog-entry.ts';
import { estimateTokens } from './estimate-tokens.ts';
import { projectFlat } from './project-flat.ts';
import { projectGrouped } from './project-grouped.ts';
import { projectSearch } from './project-search.ts';
import type { Projection, ProjectionOptions, WireTool } from './projection.ts';

/**
 * Flat while the list fits the token budget, then search; in between grouped, if brief schemas are enabled. All names can be called: a
 * caller that found an action by searching may call it directly. Hidden tools are unknown either way.
 */
export function projectAuto(entries: readonly CatalogEntry[], options: ProjectionOptions): Projection {
  const flat = projectFlat(entries, options);
  const search = projectSearch(entries, options);
  const grouped =
    options.groupedSchemas === 'brief' ? findGrouped(entries, options, [flat, search]) : undefined;
  const listed = [flat, ...(grouped === undefined ? [] : [grouped])];
  const isSmall = (tools: readonly WireTool[]): boolean =>
    estimateTokens(tools.map((tool) => tool.json).join(',')) <= options.tokenBudget;
  return {
    table: new Map([...(grouped?.table ?? []), ...flat.table, ...search.table]),
    isFixed: false,
    all: () => [...(grouped?.all() ?? []), ...flat.all(), ...search.all()],
    list: (visible) => {
      for (const projection of listed) {
        const tools = projection.list(visible);
        if (isSmall(tools)) return tools;
      }
      return search.list(visible);
    },
  };
}

/** Undefined if a grouped tool has the name of another tool: each name must be unique. */
function findGrouped(
  entries: readonly CatalogEntry[],
  options: ProjectionOptions,
  others: readonly Projection[],
): Projection | undefined {
  const grouped = projectGrouped(entries, options);
  const singles = new Set(
    entries.filter((entry) => entry.grouped === undefined).map(({ tool }) => tool.name),
  );
  const isTaken = (name: string): boolean =>
    !singles.has(name) && others.some(({ table }) => table.has(name));
  return [...grouped.table.keys()].some(isTaken) ? undefined : grouped;
}
