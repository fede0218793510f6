import { DefinitionError } from '../errors/errors.ts';
import type { AnyMiddleware } from '../middleware/middleware.ts';
import type { Group } from '../model/group.ts';
import type { PolicySubject } from '../middleware/context.ts';
import { fieldNames } from '../schema/view/root-keys.ts';
import type { CatalogEntry } from '../tools/compile/catalog-entry.ts';
import { renameModel, toEntry } from '../tools/compile/compile-tool.ts';
import type { ToolSettings } from '../tools/compile/tool-settings.ts';
import type { ComponentUnit } from '../tools/components/component-tree.ts';
import { placeTool } from '../tools/components/mount-tool.ts';
import { assertPartName } from '../tools/grouped/action/action-record.ts';
import { toFlatName } from '../tools/grouped/compile-grouped-tool.ts';
import type { GroupedMember } from '../tools/grouped/plan/grouped-member.ts';
import type { GroupedPlan } from '../tools/grouped/plan/grouped-plan.ts';
import { GROUP_OF_TOOLS, toAction, toCategoryMember } from './category-member.ts';
import { unannounced } from './exposure/wire-tool.ts';
import { wordsOf } from './model-tree.ts';
import type { Leaf } from './model-tree.ts';

/** Settings and middleware around the tools of a tree. */
interface Surroundings {
  readonly settings: ToolSettings;
  readonly middleware: readonly AnyMiddleware[];
}

/** Creates an entry at its position. */
type Placed = (around: Surroundings) => CatalogEntry;

/**
 * The units of a tree: each tool directly below the root, and each group below it as a grouped tool. Like mounted tools, they keep
 * everything they were registered with, including policy and middleware.
 */
export function toTreeUnits(leaves: readonly Leaf[], around: Surroundings): ComponentUnit<CatalogEntry>[] {
  const tops = new Map<Group | Leaf, Leaf[]>();
  for (const leaf of leaves) {
    const top = leaf.groups[0] ?? leaf;
    const together = tops.get(top);
    if (together === undefined) tops.set(top, [leaf]);
    else together.push(leaf);
  }
  return [...tops].map(([top, members]) => {
    const name = 'model' in top ? top.model.name : top.name;
    const placed = 'model' in top ? [place(top, undefined)] : placeGroup(top, members);
    const description = `${'model' in top ? 'the tool' : 'the group'} "${name}" of a tree`;
    return toUnit({ name, description, placed }, around);
  });
}

interface TreeUnit {
  readonly name: string;
  readonly description: string;
  readonly placed: readonly Placed[];
}

function toUnit(unit: TreeUnit, around: Surroundings): ComponentUnit<CatalogEntry> {
  const { name, description, placed } = unit;
  return {
    name,
    description,
    source: placed,
    entries: placed.map((each) => each(around)),
    recompose: (middleware) => toUnit(unit, { ...around, middleware }),
    recompile: (settings, middleware) => toUnit(unit, { settings, middleware }),
  };
}

/** The actions of a group. Settings of the builder stay, unless the group overrides them. */
function placeGroup(top: Group, leaves: readonly Leaf[]): Placed[] {
  const planOf = ({ entry }: Leaf): GroupedPlan => entry.grouped?.plan ?? GROUP_OF_TOOLS;
  const own = [...new Set(leaves.map(planOf))];
  const words = wordsOf(own);
  const { discriminator } = own.find((plan) => plan !== GROUP_OF_TOOLS) ?? GROUP_OF_TOOLS;
  const plans = new Map(
    own.map((plan) => [
      plan,
      {
        ...plan,
        name: top.name,
        discriminator,
        title: top.title === words.title ? plan.title : top.title,
        description: top.description === words.description ? plan.description : top.description,
        hasGroup: leaves.some((leaf) => planOf(leaf) === plan && leaf.groups.length > 1),
      },
    ]),
  );
  return leaves.map((leaf) => place(leaf, toMember(leaf, plans.get(planOf(leaf)) ?? planOf(leaf))));
}

function toMember({ model, groups, entry }: Leaf, plan: GroupedPlan): GroupedMember {
  const [top, ...inner] = groups;
  for (const { name } of inner) assertPartName(name, 'Group', plan.name);
  assertPartName(model.name, 'Action', plan.name);
  if (fieldNames(entry.listed.inputSchema).includes(plan.discriminator)) {
    throw new DefinitionError(
      `Tool "${model.name}" has an argument named "${plan.discriminator}", which is the discriminator of the group "${plan.name}". Rename the argument, or move the tool.`,
      { option: 'inputSchema', path: [plan.discriminator] },
    );
  }
  const groupName = inner.length === 0 ? undefined : inner.map(({ name }) => name).join('.');
  const action = Object.freeze({
    ...(entry.grouped?.action ?? toAction(entry, model.name)),
    key: groupName === undefined ? model.name : `${groupName}.${model.name}`,
    groupName,
    groupDescription: inner.at(-1)?.description,
  });
  return { tool: top?.name ?? plan.name, plan, action };
}

function place({ model, entry }: Leaf, grouped: GroupedMember | undefined): Placed {
  // Entries are identified by subject across catalogs. A tool in several groups has one subject in each.
  const subjects = new WeakMap<PolicySubject, PolicySubject>();
  const action = grouped?.action.key;
  const name = grouped === undefined ? model.name : `${grouped.tool}.${action}`;
  const at = {
    name,
    tool: grouped?.tool ?? name,
    action,
    label: grouped === undefined ? undefined : `${grouped.tool}/${action}`,
  };
  const isMoved = entry.tool.name !== name || (entry.grouped === undefined) !== (grouped === undefined);
  return ({ settings, middleware }) => {
    const { name: server, collaborators } = settings;
    const { policy } = collaborators;
    const placed = placeTool(entry.tool, at, { server, policy, middleware, subjects });
    const tool = grouped === undefined || entry.grouped !== undefined ? placed : unannounced(placed);
    const parts = { definition: { ...entry.definition, name }, bare: entry.bare, grouped, tool };
    const flatName =
      grouped === undefined ? name : toFlatName(grouped.tool, grouped.action.key, settings.flatSeparator);
    const here = isMoved ? toEntry(parts, renameModel(entry.model, flatName)) : { ...entry, ...parts };
    if (grouped !== undefined) return here;
    // Behind a prefix, an unmoved tool keeps its category there.
    return { ...here, byCategory: here.byCategory ?? toCategoryMember(here) };
  };
}
