import { sameJson } from '../base/json/same-json.ts';
import { DefinitionError } from '../errors/errors.ts';
import { McpToolConverter } from '../model/converters/mcp/mcp-tool-converter.ts';
import { Group } from '../model/group.ts';
import type { Tool } from '../model/tool.ts';
import { assertDefinition } from '../tools/compile/assert-definition.ts';
import type { CatalogEntry } from '../tools/compile/catalog-entry.ts';
import { CATEGORY_META_KEY, compileTool } from '../tools/compile/compile-tool.ts';
import type { ToolSettings } from '../tools/compile/tool-settings.ts';
import { joinDescriptions } from '../tools/grouped/list-grouped-tool.ts';
import type { GroupedPlan } from '../tools/grouped/plan/grouped-plan.ts';
import type { AnyToolDefinition } from '../tools/tool-definition.ts';

/** Creates the handler of a tool that does not come from a registry. */
type HandlerOf = (tool: Tool, name: string) => AnyToolDefinition<never>['handler'];

/** A tool of a tree with its groups, and the served entry. */
export interface Leaf {
  readonly model: Tool;
  /** Without the root. */
  readonly groups: readonly Group[];
  readonly entry: CatalogEntry;
}

interface Source {
  readonly entry: CatalogEntry;
  /** Position in the catalog: a tree separates tools from groups. */
  readonly position: number;
}

/** The sources of the tools of trees. The model has no handlers, so that it can leave the process. */
const sources = new WeakMap<Tool, Source>();

const converter = new McpToolConverter();

/** The model of a catalog: a group per grouped tool, with its groups of actions, and a tool per entry. */
export function toModelTree(name: string, entries: readonly CatalogEntry[]): Group {
  const root = new Group({ name });
  const plans = new Map<string, Set<GroupedPlan>>();
  for (const { grouped } of entries)
    if (grouped !== undefined)
      plans.set(grouped.tool, (plans.get(grouped.tool) ?? new Set<GroupedPlan>()).add(grouped.plan));
  const known = new Map<string, Group>();
  const below = (parent: Group, path: readonly string[], create: () => Group): Group => {
    const key = JSON.stringify(path);
    const group = known.get(key) ?? create();
    known.set(key, group);
    parent.addChildGroup(group);
    return group;
  };
  for (const [position, entry] of entries.entries()) {
    const { grouped, listed } = entry;
    let group = root;
    if (grouped !== undefined) {
      const { tool, action } = grouped;
      group = below(root, [tool], () => new Group({ name: tool, ...wordsOf([...(plans.get(tool) ?? [])]) }));
      const parts = action.groupName?.split('.') ?? [];
      for (const [index, part] of parts.entries()) {
        const description = index === parts.length - 1 ? action.groupDescription : undefined;
        const create = (): Group => new Group({ name: part, description });
        group = below(group, [tool, ...parts.slice(0, index + 1)], create);
      }
    }
    const model = converter.convertToTool({ ...listed, name: grouped?.action.actionName ?? listed.name });
    group.addChildTool(model);
    sources.set(model, { entry, position });
  }
  return root;
}

/** Description and title from the builders of one tool. */
export function wordsOf(plans: readonly GroupedPlan[]): Pick<GroupedPlan, 'description' | 'title'> {
  const [first] = plans;
  return {
    title: plans.find(({ title }) => title !== undefined)?.title,
    description: plans.length === 1 ? first?.description : joinDescriptions(plans),
  };
}

/** The tools of a tree in order of registration; those without a registry last. */
export function leavesOf(root: Group, options: LeafOptions): Leaf[] {
  const found = modelsBelow(root, []).map(({ model, groups }) => {
    const { entry, position } = sources.get(model) ?? { entry: undefined, position: Number.MAX_SAFE_INTEGER };
    const name = [...groups, model].map((part) => part.name).join('.');
    if (entry !== undefined) assertUnchanged(model, entry, name);
    return { position, model, groups, entry: entry ?? compileModel(model, name, options) };
  });
  return found.toSorted((a, b) => a.position - b.position);
}

function modelsBelow(group: Group, groups: readonly Group[]): Omit<Leaf, 'entry'>[] {
  return [
    ...group.childTools.map((model) => ({ model, groups })),
    ...group.childGroups.flatMap((child) => modelsBelow(child, [...groups, child])),
  ];
}

/** The compiled tool is served: a changed schema or hint in the tree would be advertised but not enforced. */
function assertUnchanged(model: Tool, { listed }: CatalogEntry, name: string): void {
  if (sameJson(converter.convertFromTool(model), { ...listed, name: model.name })) return;
  throw new DefinitionError(
    `Tool "${name}" was changed in the tree. A tool of a registry is served as it was registered: change its definition, or replace it with a new Tool and pass its handler as handlerOf.`,
  );
}

interface LeafOptions {
  readonly settings: ToolSettings;
  readonly handlerOf: HandlerOf | undefined;
}

function compileModel(model: Tool, name: string, { settings, handlerOf }: LeafOptions): CatalogEntry {
  if (handlerOf === undefined) {
    throw new DefinitionError(
      `Missing handler for tool "${name}": it does not come from a registry. Pass one: ToolRegistry.fromGroup(group, { handlerOf: (tool) => … }).`,
      { option: 'handlerOf' },
    );
  }
  const { description = name, title, icons, meta, outputSchema } = model;
  const { annotations } = converter.convertFromTool(model);
  const category = meta?.[CATEGORY_META_KEY];
  const definition: AnyToolDefinition<never> = {
    name,
    description,
    inputSchema: model.inputSchema,
    ...(title === undefined ? {} : { title }),
    ...(outputSchema === undefined ? {} : { outputSchema }),
    ...(annotations === undefined ? {} : { annotations }),
    ...(icons === undefined ? {} : { icons }),
    ...(meta === undefined ? {} : { _meta: meta }),
    ...(typeof category === 'string' ? { category } : {}),
    handler: handlerOf(model, name),
  };
  assertDefinition(definition);
  // The policy of the registry applies where the tool is placed, as for all others.
  const collaborators = { ...settings.collaborators, policy: undefined };
  return compileTool(definition, { settings: { ...settings, collaborators }, chainOf: (handler) => handler });
}
