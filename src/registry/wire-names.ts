import type { CatalogEntry } from '../tools/compile/compile-tool.ts';
import { HALVES } from './exposure/project-grouped.ts';

/** The sets of names under which a catalog can be shown. Within each, a name may be claimed once. */
export type Naming = 'canonical' | 'flat' | 'grouped' | 'split';

/** What is called the same wherever it is shown. */
const EVERYWHERE: readonly Naming[] = ['canonical', 'flat', 'grouped', 'split'];

/** A name in some of the sets. */
export interface WireName {
  readonly namings: readonly Naming[];
  readonly name: string;
  /** The grouped tool that may claim it several times: once for every builder that is merged into it. */
  readonly group: string | undefined;
  /** What says the action there: those that share a name must agree on it. */
  readonly discriminator?: string;
  /** What else there is to say of it, in a message about two claims. */
  readonly note?: string;
}

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
