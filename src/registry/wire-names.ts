import { DefinitionError } from '../errors/errors.ts';
import { fieldNames } from '../schema/view/root-keys.ts';
import type { CatalogEntry } from '../tools/compile/catalog-entry.ts';
import type { Naming, WireName } from '../tools/components/name-book.ts';
import type { GroupedMember } from '../tools/grouped/plan/grouped-member.ts';
import type { SurfaceOptions } from './exposure/exposure.ts';
import { HALVES } from './exposure/project-grouped.ts';

/** Names if single tools are not grouped. */
const SINGLE: readonly Naming[] = ['canonical', 'flat', 'grouped', 'split'];
const EVERYWHERE: readonly Naming[] = [...SINGLE, 'category', 'category-split'];

/** The names that a surface advertises with these options; undefined for those that are always checked. */
export function namingOf({ splitReadWrite, groupBy }: SurfaceOptions): Naming | undefined {
  if (groupBy === undefined) return splitReadWrite === true ? 'split' : undefined;
  return splitReadWrite === true ? 'category-split' : 'category';
}

/** All names under which entries can be advertised. */
export function wireNames(entries: readonly CatalogEntry[]): WireName[] {
  const names: WireName[] = [];
  const groups = new Set<string>();
  for (const entry of entries) {
    const { grouped, byCategory, listed, tool } = entry;
    if (grouped === undefined) {
      names.push({
        namings: byCategory === undefined ? EVERYWHERE : SINGLE,
        name: tool.name,
        group: undefined,
      });
      if (byCategory !== undefined) names.push(...categoryNames(entry, byCategory));
      continue;
    }
    const { tool: group, action, plan } = grouped;
    const note = ` (by the flat name of its action "${action.key}")`;
    names.push({ namings: ['canonical'], name: tool.name, group: undefined });
    names.push({ namings: ['flat'], name: listed.name, group: undefined, note });
    if (groups.has(group)) continue;
    groups.add(group);
    names.push({
      namings: ['grouped', 'category'],
      name: group,
      group,
      discriminator: plan.discriminator,
    });
    names.push(...halvesOf({ namings: ['split', 'category-split'], name: group, group }));
  }
  return names;
}

function categoryNames(entry: CatalogEntry, { tool: category }: GroupedMember): WireName[] {
  const shared = {
    name: category,
    // Not that of a grouped tool: the two must not be mixed.
    group: `category ${category}`,
    isShared: true,
    note: ` (by its category "${category}")`,
    findObstacle: () => findObstacle(entry),
  };
  return [{ ...shared, namings: ['category'] }, ...halvesOf({ ...shared, namings: ['category-split'] })];
}

function findObstacle({ byCategory, listed }: CatalogEntry): DefinitionError | undefined {
  const argument = fieldNames(listed.inputSchema).find((name) => name === byCategory?.plan.discriminator);
  if (argument === undefined) return undefined;
  return new DefinitionError(
    `Tool "${listed.name}" has an argument named "${argument}", which selects the tool when tools are grouped by category. Rename the argument, or remove the category.`,
    { option: 'inputSchema', path: [argument] },
  );
}

function halvesOf(whole: WireName): WireName[] {
  const note = whole.note ?? ' (by the name of a half)';
  return [HALVES.read, HALVES.write].map((half) => ({ ...whole, name: `${whole.name}${half}`, note }));
}
