import { renameModel, toEntry } from '../tools/compile/compile-tool.ts';
import type { CatalogEntry } from '../tools/compile/catalog-entry.ts';
import { mountTool } from '../tools/components/mount-tool.ts';
import type { Mounting } from '../tools/components/mount-tool.ts';

/** A tool, or an action, of a mounted registry under its prefixed name. */
export function toMountedEntry(entry: CatalogEntry, mounting: Mounting): CatalogEntry {
  const { tool, model, grouped, definition, bare } = entry;
  const { prefix } = mounting;
  const name = `${prefix}${tool.name}`;
  if (prefix === '') return { ...entry, tool: mountTool(tool, name, mounting) };
  return toEntry(
    {
      definition: { ...definition, name },
      bare,
      grouped: grouped === undefined ? undefined : { ...grouped, tool: `${prefix}${grouped.tool}` },
      tool: mountTool(tool, name, mounting),
    },
    renameModel(model, `${prefix}${model.name}`),
  );
}
