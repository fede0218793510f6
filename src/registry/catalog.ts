import type { CatalogEntry } from '../tools/compile/catalog-entry.ts';

/** Everything that a registry serves at one moment. Immutable: a change creates a new catalog. */
export interface Catalog {
  /** Canonical actions and single tools, in order of registration. */
  readonly entries: readonly CatalogEntry[];
  readonly byName: ReadonlyMap<string, CatalogEntry>;
  /** The names of single and grouped tools. */
  readonly toolNames: ReadonlySet<string>;
}

/** Prepares the entries for lookup. The actions of a grouped tool are adjacent, at the position of the first one. */
export function compileCatalog(given: readonly CatalogEntry[]): Catalog {
  const byTool = new Map<string, CatalogEntry[]>();
  for (const entry of given) {
    const name = entry.grouped?.tool ?? entry.tool.name;
    const together = byTool.get(name);
    if (together === undefined) byTool.set(name, [entry]);
    else together.push(entry);
  }
  const entries = [...byTool.values()].flat();
  return {
    entries,
    byName: new Map(entries.map((entry) => [entry.tool.name, entry])),
    toolNames: new Set(byTool.keys()),
  };
}
