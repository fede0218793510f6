import type { CatalogEntry } from '../tools/compile/compile-tool.ts';
import { HALVES } from './exposure/project-grouped.ts';

/** The sets of names under which a catalog can be shown. Within each, a name may be claimed once. */
export type Naming = 'canonical' | 'flat' | 'grouped' | 'split';

/** A name in one of the sets. */
export interface WireName {
  readonly naming: Naming;
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
    const group = grouped?.tool;
    names.push({ naming: 'canonical', name: tool.name, group: undefined });
    const note =
      group === undefined ? {} : { note: ` (by the flat name of its action "${grouped?.action.key}")` };
    names.push({ naming: 'flat', name: listed.name, group: undefined, ...note });
    if (group === undefined) {
      names.push({ naming: 'grouped', name: tool.name, group: undefined });
      names.push({ naming: 'split', name: tool.name, group: undefined });
    } else if (!groups.has(group)) {
      groups.add(group);
      names.push({ naming: 'grouped', name: group, group, discriminator: grouped?.plan.discriminator ?? '' });
      for (const half of ['', HALVES.read, HALVES.write])
        names.push({ naming: 'split', name: `${group}${half}`, group, note: ' (by the name of a half)' });
    }
  }
  return names;
}
