import { renameModel, toEntry } from '../tools/compile/compile-tool.ts';
import type { CatalogEntry } from '../tools/compile/catalog-entry.ts';
import { mountTool } from '../tools/components/mount-tool.ts';
import type { GroupedMember } from '../tools/grouped/plan/grouped-member.ts';
import type { Mounting } from '../tools/components/mount-tool.ts';

/** A tool or action of a mounted registry under its prefixed name. */
export function toMountedEntry(entry: CatalogEntry, mounting: Mounting): CatalogEntry {
  const { tool, model, grouped, byCategory, definition, bare } = entry;
  const { prefix } = mounting;
  const name = `${prefix}${tool.name}`;
  if (prefix === '') return { ...entry, tool: mountTool(tool, name, mounting) };
  return toEntry(
    {
      definition: { ...definition, name },
      bare,
      grouped: withPrefix(grouped, prefix),
      byCategory: withPrefix(byCategory, prefix),
      tool: mountTool(tool, name, mounting),
    },
    renameModel(model, `${prefix}${model.name}`),
  );
}

function withPrefix(member: GroupedMember | undefined, prefix: string): GroupedMember | undefined {
  return member === undefined ? undefined : { ...member, tool: `${prefix}${member.tool}` };
}
