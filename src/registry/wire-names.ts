import type { CatalogEntry } from '../tools/compile/catalog-entry.ts';
import type { Naming, WireName } from '../tools/components/name-book.ts';
import { HALVES } from './exposure/project-grouped.ts';

/** What is called the same wherever it is shown. */
const EVERYWHERE: readonly Naming[] = ['canonical', 'flat', 'grouped', 'split'];

/** Every name under which entries can appear. */
export function wireNames(entries: readonly CatalogEntry[]): WireName[] {
  const names: WireName[] = [];
  const groups = new Set<string>();
  for (const { grouped, listed, tool } of entries) {
    if (grouped === undefined) {
      names.push({ namings: EVERYWHERE, name: tool.name, group: undefined });
      continue;
    }
    const { tool: group, action, plan } = grouped;
    const note = ` (by the flat name of its action "${action.key}")`;
    names.push({ namings: ['canonical'], name: tool.name, group: undefined });
    names.push({ namings: ['flat'], name: listed.name, group: undefined, note });
    if (groups.has(group)) continue;
    groups.add(group);
    names.push({ namings: ['grouped'], name: group, group, discriminator: plan.discriminator });
    for (const half of [HALVES.read, HALVES.write])
      names.push({
        namings: ['split'],
        name: `${group}${half}`,
        group,
        note: ' (by the name of a half)',
      });
  }
  return names;
}
