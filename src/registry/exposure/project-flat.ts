import { ToolRoute } from '../../pipeline/route.ts';
import { headerArgumentsOf } from '../../schema/convert/header-arguments.ts';
import type { CatalogEntry } from '../../tools/compile/catalog-entry.ts';
import type { Projection, ProjectionOptions, WireTool } from './projection.ts';
import { fromEntry } from './wire-tool.ts';

/** One tool per action. */
export function projectFlat(entries: readonly CatalogEntry[], { profile }: ProjectionOptions): Projection {
  const wired = new Map<CatalogEntry, WireTool>();
  const wire = (entry: CatalogEntry): WireTool => {
    const known = wired.get(entry) ?? fromEntry(entry, profile);
    wired.set(entry, known);
    return known;
  };
  const toRoute = (entry: CatalogEntry): ToolRoute =>
    new ToolRoute(entry.tool, () => headerArgumentsOf(wire(entry).listed.inputSchema));
  return {
    table: new Map(entries.map((entry) => [entry.listed.name, toRoute(entry)])),
    list: (visible) => visible.map(wire),
    isFixed: false,
    all: () => entries.map(wire),
  };
}
