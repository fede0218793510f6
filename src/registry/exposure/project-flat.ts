import { guard } from '../../pipeline/guard.ts';
import { headerArgumentsOf } from '../../schema/header-arguments.ts';
import type { CatalogEntry } from '../../tools/compile/compile-tool.ts';
import type { Projection, ProjectionOptions } from './projection.ts';
import { createWiring } from './wire-tool.ts';

/** Every action by itself. */
export function projectFlat(entries: readonly CatalogEntry[], { profile }: ProjectionOptions): Projection {
  const wire = createWiring(profile);
  const byName = new Map(entries.map((entry) => [entry.listed.name, entry]));
  return {
    table: new Map(entries.map((entry) => [entry.listed.name, entry.tool])),
    list: (visible) => visible.map(wire),
    all: () => entries.map(wire),
    headerArguments: (name, caller) => {
      const entry = byName.get(name);
      const found = entry === undefined ? [] : headerArgumentsOf(wire(entry).listed.inputSchema);
      return entry !== undefined && found.length > 0 && guard(entry.tool, caller) ? found : [];
    },
  };
}
