import { guard } from '../pipeline/guard.ts';
import type { Caller } from '../pipeline/guard.ts';
import type { RouteTable } from '../pipeline/route.ts';
import type { McpTool } from '../model/mcp-types.ts';
import type { CatalogEntry } from './compile-tool.ts';

/** Everything a registry serves, at one moment. Immutable: a change makes a new one. */
export interface Catalog {
  /** In the order of registration. */
  readonly entries: readonly CatalogEntry[];
  readonly table: RouteTable;
  /** Advertised tools by name. */
  readonly listed: ReadonlyMap<string, McpTool>;
  /** What `tools/list` answers when everybody sees everything; undefined when a policy has a say. */
  readonly json: string | undefined;
}

/** Lays out the entries for lookup and listing. */
export function compileCatalog(entries: readonly CatalogEntry[]): Catalog {
  const hasPolicy = entries.some((entry) => entry.tool.collaborators.policy !== undefined);
  return {
    entries,
    table: new Map(entries.map((entry) => [entry.tool.name, entry.tool])),
    listed: new Map(entries.map((entry) => [entry.tool.name, entry.listed])),
    json: hasPolicy ? undefined : joinJson(entries),
  };
}

/** The entries a caller may see. */
export function visibleEntries(catalog: Catalog, caller: Caller): readonly CatalogEntry[] {
  if (catalog.json !== undefined) return catalog.entries;
  return catalog.entries.filter((entry) => guard(entry.tool, caller));
}

/** `tools/list` for a caller, from the parts that were serialised at registration. */
export function listJson(catalog: Catalog, caller: Caller): string {
  return catalog.json ?? joinJson(visibleEntries(catalog, caller));
}

function joinJson(entries: readonly CatalogEntry[]): string {
  return `{"tools":[${entries.map((entry) => entry.json).join(',')}]}`;
}
