import type { CatalogEntry } from '../tools/compile/catalog-entry.ts';

/** Everything a registry serves, at one moment. Immutable: a change makes a new one. */
export interface Catalog {
  /** Canonical actions and single tools, in the order of registration. */
  readonly entries: readonly CatalogEntry[];
  readonly byName: ReadonlyMap<string, CatalogEntry>;
  /** The names of single and grouped tools. */
  readonly toolNames: ReadonlySet<string>;
}

/** Lays out the entries for lookup. The actions of one grouped tool stand together, where its first one was registered. */
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
