import type { Caller } from '../../pipeline/policy.ts';
import type { RouteTarget } from '../../pipeline/route.ts';
import { entriesOfClass, planVisibility, visibilityClass } from '../../pipeline/visibility.ts';
import type { VisibilityPlan } from '../../pipeline/visibility.ts';
import { headerArgumentsOf } from '../../schema/header-arguments.ts';
import type { HeaderArgument } from '../../schema/header-arguments.ts';
import type { CatalogEntry } from '../../tools/compile/compile-tool.ts';
import { createActionJunction } from '../../tools/grouped/action-junction.ts';
import { listGroupedTool, membersOf } from '../../tools/grouped/list-grouped-tool.ts';
import type { GroupedMember } from '../../tools/grouped/list-grouped-tool.ts';
import { remember } from '../../stores/remember.ts';
import type { Projection, ProjectionOptions, WireTool } from './projection.ts';
import { fromEntry, toWireTool } from './wire-tool.ts';

/** So many different listings of grouped tools are kept. */
const MAX_LISTINGS = 1000;

/** The suffixes of the two halves of a grouped tool that is split. */
export const HALVES = { read: '_read', write: '_write' } as const;

/** One tool per grouped tool. Of each, a caller sees the actions that exist for it, and no trace of the others. */
export function projectGrouped(entries: readonly CatalogEntry[], options: ProjectionOptions): Projection {
  const nameOf = options.splitReadWrite ? nameOfHalf : nameOfTool;
  const groups = groupByName(entries, nameOf);
  const table = new Map<string, RouteTarget>();
  for (const [name, members] of groups) table.set(name, toTarget(name, members));
  // Callers who see the same actions of a tool share its listing, whatever else they see.
  const listings = new Map<string, WireTool>();
  const wireGroup = (name: string, members: readonly GroupedMember[]): WireTool => {
    const key = JSON.stringify([name, ...members.map(({ action }) => action.key)]);
    const make = (): WireTool =>
      toWireTool(listGroupedTool(name, members, { isHalf: options.splitReadWrite }), options.profile);
    return remember(listings, key, { make, max: MAX_LISTINGS });
  };
  const wire = (name: string, members: readonly CatalogEntry[]): WireTool => {
    const [first] = members;
    return first?.grouped === undefined && first !== undefined
      ? fromEntry(first, options.profile)
      : wireGroup(name, membersOf(members));
  };
  const list = (visible: readonly CatalogEntry[]): WireTool[] =>
    [...groupByName(visible, nameOf)].map(([name, members]) => wire(name, members));
  // Nearly no tool has any: then nothing is asked about the caller.
  let annotated: ReadonlyMap<string, AnnotatedTool> | undefined;
  const headerArguments = (name: string, caller: Caller): readonly HeaderArgument[] => {
    annotated ??= findAnnotated(groups);
    const tool = annotated.get(name);
    if (tool === undefined) return [];
    const key = visibilityClass(tool.plan, caller);
    const make = (): readonly HeaderArgument[] => {
      const visible = entriesOfClass(tool.plan, key);
      return visible.length === 0 ? [] : headerArgumentsOf(wire(name, visible).listed.inputSchema);
    };
    return remember(tool.found, key, { make, max: MAX_LISTINGS });
  };
  return { table, list, isFixed: false, all: () => list(entries), headerArguments };
}

/** A tool with arguments that travel as headers, and which of them do for callers who see the same. */
interface AnnotatedTool {
  readonly plan: VisibilityPlan<CatalogEntry>;
  readonly found: Map<string, readonly HeaderArgument[]>;
}

function findAnnotated(groups: ReadonlyMap<string, readonly CatalogEntry[]>): Map<string, AnnotatedTool> {
  const annotated = [...groups].filter(([, members]) =>
    members.some(({ listed }) => headerArgumentsOf(listed.inputSchema).length > 0),
  );
  return new Map(
    annotated.map(([name, members]) => [
      name,
      { plan: planVisibility(members, undefined), found: new Map<string, readonly HeaderArgument[]>() },
    ]),
  );
}

type Naming = (entry: CatalogEntry) => string;

function nameOfTool({ grouped, listed }: CatalogEntry): string {
  return grouped?.tool ?? listed.name;
}

/** By what the action itself does, whatever else the tool has: a name must tell nothing of actions that are hidden. */
function nameOfHalf({ grouped, listed, tool }: CatalogEntry): string {
  if (grouped === undefined) return listed.name;
  return `${grouped.tool}${tool.subject.isReadOnly ? HALVES.read : HALVES.write}`;
}

function groupByName(entries: readonly CatalogEntry[], nameOf: Naming): Map<string, CatalogEntry[]> {
  const groups = new Map<string, CatalogEntry[]>();
  for (const entry of entries) {
    const name = nameOf(entry);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [entry]);
    else group.push(entry);
  }
  return groups;
}

function toTarget(name: string, entries: readonly CatalogEntry[]): RouteTarget {
  const [first] = entries;
  if (first === undefined) throw new RangeError(`nothing is named "${name}"`);
  if (first.grouped === undefined) return first.tool;
  return createActionJunction({
    name,
    discriminator: first.grouped.plan.discriminator,
    actions: new Map(entries.map(({ tool }) => [tool.subject.action ?? '', tool])),
  });
}
