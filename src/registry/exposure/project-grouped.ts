import { ToolRoute } from '../../pipeline/route.ts';
import type { HeaderArguments, Route } from '../../pipeline/route.ts';
import type { CompiledTool } from '../../pipeline/tool/compiled-tool.ts';
import { guard } from '../../pipeline/visibility/guard.ts';
import { entriesOfClass, planVisibility, visibilityClass } from '../../pipeline/visibility/visibility.ts';
import type { VisibilityPlan } from '../../pipeline/visibility/visibility.ts';
import { headerArgumentsOf } from '../../schema/convert/header-arguments.ts';
import type { HeaderArgument } from '../../schema/convert/header-arguments.ts';
import type { CatalogEntry } from '../../tools/compile/catalog-entry.ts';
import { createActionRoute } from '../../tools/grouped/action-route.ts';
import { listGroupedTool } from '../../tools/grouped/list-grouped-tool.ts';
import type { GroupedMember } from '../../tools/grouped/plan/grouped-member.ts';
import { remember } from '../../base/remember.ts';
import { describeAction, helpWith } from './describe/describe-action.ts';
import type { ActionScope } from './describe/describe-action.ts';
import type { Describable } from './describe/describe-within.ts';
import { estimateTokens } from './estimate-tokens.ts';
import { compileOwnTool } from './own-tool.ts';
import type { Projection, ProjectionOptions, WireTool } from './projection.ts';
import { fromEntry, toWireTool, unannounced } from './wire-tool.ts';

/** Maximum number of cached listings of grouped tools. */
const MAX_LISTINGS = 1000;

/** The suffixes of the two halves of a split grouped tool. */
export const HALVES = { read: '_read', write: '_write' } as const;

/** One tool per grouped tool. Its listing contains only the actions visible to the caller. */
export function projectGrouped(entries: readonly CatalogEntry[], options: ProjectionOptions): Projection {
  const memberOf: MemberOf = ({ grouped, byCategory }) =>
    options.groupBy === 'category' ? (grouped ?? byCategory) : grouped;
  const nameOf: Naming = (entry) => {
    const member = memberOf(entry);
    if (member === undefined) return entry.listed.name;
    return options.splitReadWrite ? `${member.tool}${halfOf(entry)}` : member.tool;
  };
  const groups = groupByName(entries, nameOf);
  // Callers that see the same actions of a tool share its listing.
  const listings = new Map<string, WireTool>();
  const wireGroup = (name: string, members: readonly GroupedMember[]): WireTool => {
    const key = JSON.stringify([name, ...members.map(({ action }) => action.key)]);
    const make = (): WireTool =>
      toWireTool(
        listGroupedTool(name, members, {
          isHalf: options.splitReadWrite,
          schemas: options.groupedSchemas,
        }),
        options.profile,
      );
    return remember(listings, key, { make, max: MAX_LISTINGS });
  };
  const wire = (name: string, members: readonly CatalogEntry[]): WireTool => {
    const [first] = members;
    return first !== undefined && memberOf(first) === undefined
      ? fromEntry(first, options.profile)
      : wireGroup(
          name,
          members.map(memberOf).filter((member) => member !== undefined),
        );
  };
  const list = (visible: readonly CatalogEntry[]): WireTool[] =>
    [...groupByName(visible, nameOf)].map(([name, members]) => wire(name, members));
  const table = new Map<string, Route>();
  for (const [name, members] of groups)
    table.set(
      name,
      toRoute(name, members, {
        options,
        memberOf,
        headersOf: (visible) => headerArgumentsOf(wire(name, visible).listed.inputSchema),
      }),
    );
  return { table, list, isFixed: false, all: () => list(entries) };
}

type Naming = (entry: CatalogEntry) => string;

/** The grouped tool that lists an entry, if any. */
type MemberOf = (entry: CatalogEntry) => GroupedMember | undefined;

/** By the action itself, regardless of the other actions: a name must not reveal hidden actions. */
function halfOf({ tool }: CatalogEntry): string {
  return tool.subject.isReadOnly ? HALVES.read : HALVES.write;
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

/** The arguments of these actions that are also sent as HTTP headers. */
type HeadersOf = (visible: readonly CatalogEntry[]) => readonly HeaderArgument[];

interface RouteParts {
  readonly options: ProjectionOptions;
  readonly memberOf: MemberOf;
  readonly headersOf: HeadersOf;
}

function toRoute(name: string, entries: readonly CatalogEntry[], parts: RouteParts): Route {
  const { memberOf, headersOf, options } = parts;
  const [first] = entries;
  if (first === undefined) throw new RangeError(`nothing is named "${name}"`);
  const member = memberOf(first);
  if (member === undefined) return new ToolRoute(first.tool, () => headersOf(entries));
  const { discriminator } = member.plan;
  const actions = new Map(entries.map((entry) => [memberOf(entry)?.action.key ?? '', entry]));
  const toTool = ({ grouped, tool }: CatalogEntry): CompiledTool =>
    grouped === undefined ? unannounced(tool) : tool;
  const headerArguments = toHeaderArguments(entries, headersOf);
  if (options.groupedSchemas === 'full')
    return createActionRoute({
      name,
      discriminator,
      actions: mapValues(actions, toTool),
      headerArguments,
    });
  const scope = toActionScope(actions, { tool: name, discriminator }, options);
  let describer: CompiledTool | undefined;
  return createActionRoute({
    name,
    discriminator,
    actions: mapValues(actions, (entry, key) => ({
      ...toTool(entry),
      inputHelp: () => helpWith(key, toDescribable(entry, options), scope),
    })),
    headerArguments,
    describer: () => (describer ??= compileOwnTool(describeAction(scope), options.own).tool),
  });
}

function mapValues<TKey, TFrom, TTo>(
  map: ReadonlyMap<TKey, TFrom>,
  convert: (value: TFrom, key: TKey) => TTo,
): Map<TKey, TTo> {
  return new Map([...map].map(([key, value]) => [key, convert(value, key)]));
}

/** The actions that the describing action can describe, by caller. */
function toActionScope(
  actions: ReadonlyMap<string, CatalogEntry>,
  group: Pick<ActionScope, 'discriminator' | 'tool'>,
  options: ProjectionOptions,
): ActionScope {
  return {
    ...group,
    budget: { maxTokens: options.describeTokens, measure: estimateTokens },
    find: (key, caller) => {
      const entry = actions.get(key);
      return entry !== undefined && guard(entry.tool, caller) ? toDescribable(entry, options) : undefined;
    },
    keysOf: (caller) => [...actions].filter(([, { tool }]) => guard(tool, caller)).map(([key]) => key),
  };
}

function toDescribable(entry: CatalogEntry, { profile }: ProjectionOptions): Describable {
  const { description, inputSchema, outputSchema, annotations } = fromEntry(entry, profile).listed;
  return {
    ...(description === undefined ? {} : { description }),
    inputSchema,
    ...(outputSchema === undefined ? {} : { outputSchema }),
    ...(annotations === undefined ? {} : { annotations }),
  };
}

/** Computed once for all callers that see the same actions. Nearly no tool has any; then the policy is not asked. */
// defence: headers-of-visible-actions
function toHeaderArguments(entries: readonly CatalogEntry[], headersOf: HeadersOf): HeaderArguments {
  const found = new Map<string, readonly HeaderArgument[]>();
  let plan: VisibilityPlan<CatalogEntry> | undefined;
  let hasAny: boolean | undefined;
  return (caller) => {
    hasAny ??= entries.some(({ listed }) => headerArgumentsOf(listed.inputSchema).length > 0);
    if (!hasAny) return [];
    plan ??= planVisibility(entries, undefined);
    const seen = plan;
    const key = visibilityClass(seen, caller);
    return remember(found, key, { make: () => headersOf(entriesOfClass(seen, key)), max: MAX_LISTINGS });
  };
}
