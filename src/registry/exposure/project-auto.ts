import type { CatalogEntry } from '../../tools/compile/catalog-entry.ts';
import { estimateTokens } from './estimate-tokens.ts';
import { projectFlat } from './project-flat.ts';
import { projectSearch } from './project-search.ts';
import type { Projection, ProjectionOptions } from './projection.ts';

/**
 * Flat while the list is small enough for the caller's context window, then search. Both names lead somewhere for everybody: who
 * has found an action by searching may call it by its own name, and what a caller may not see is unknown either way.
 */
export function projectAuto(entries: readonly CatalogEntry[], options: ProjectionOptions): Projection {
  const flat = projectFlat(entries, options);
  const search = projectSearch(entries, options);
  return {
    table: new Map([...flat.table, ...search.table]),
    isFixed: false,
    all: () => [...flat.all(), ...search.all()],
    list: (visible) => {
      const tools = flat.list(visible);
      const tokens = estimateTokens(tools.map((tool) => tool.json).join(','));
      return tokens <= options.tokenBudget ? tools : search.list(visible);
    },
  };
}
