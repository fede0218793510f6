import { Group } from '../../group.ts';
import type { McpGroup, McpPrompt, McpResource, McpTool } from '../../mcp-types.ts';
import type { Prompt } from '../../prompt.ts';
import type { Resource } from '../../resource.ts';
import type { Tool } from '../../tool.ts';
import { type Batch, convertPresent } from '../converter-base.ts';
import { GroupConverterBase } from '../group-converter-base.ts';
import { cloneJson } from './json.ts';
import { McpPromptConverter } from './mcp-prompt-converter.ts';
import { McpResourceConverter } from './mcp-resource-converter.ts';
import { McpToolConverter } from './mcp-tool-converter.ts';
import { SharedLeaves } from './shared-leaves.ts';
import { copyIcons, emptyLists, orAbsent, toWireObject } from './wire-object.ts';

/** Leaves of all groups that are read together. */
interface Leaves {
  readonly tools: SharedLeaves<McpTool, Tool>;
  readonly prompts: SharedLeaves<McpPrompt, Prompt>;
  readonly resources: SharedLeaves<McpResource, Resource>;
}

/**
 * Converts groups, with everything below them, to and from nested `McpGroup` objects.
 *
 * A leaf with several parents is written below each of them. When read back, leaves of one kind with equal
 * content become one leaf with several parents, across all groups of a batch. Two things are lost: which of its
 * parents a leaf was added to first (it becomes the order of the document, a group's own leaves before its child
 * groups), and whether equal leaves were different objects.
 *
 * @example
 * const converter = new McpGroupConverter();
 * converter.convertFromGroup(platform); // { name: 'platform', groups: [{ name: 'users', tools: [ … ] }] }
 */
export class McpGroupConverter extends GroupConverterBase<McpGroup> {
  readonly #tools: McpToolConverter = new McpToolConverter();
  readonly #prompts: McpPromptConverter = new McpPromptConverter();
  readonly #resources: McpResourceConverter = new McpResourceConverter();

  override convertFromGroup(group: Group): McpGroup {
    return toWireObject<McpGroup>(
      {
        name: group.name,
        title: group.title,
        description: group.description,
        separator: group.separator,
        icons: copyIcons(group.icons),
        _meta: cloneJson(group.meta),
        groups: orAbsent(this.convertFromGroups(group.childGroups)),
        tools: orAbsent(this.#tools.convertFromTools(group.childTools)),
        prompts: orAbsent(this.#prompts.convertFromPrompts(group.childPrompts)),
        resources: orAbsent(this.#resources.convertFromResources(group.childResources)),
      },
      group.extensions,
    );
  }

  override convertToGroup(wire: McpGroup): Group {
    return toGroup(wire, this.#createLeaves());
  }

  /** Reads the groups as one document: a leaf that is in several of them becomes one leaf. */
  override convertToBatch(wires: Batch<McpGroup>): Group[] {
    const leaves = this.#createLeaves();
    return convertPresent(wires, (wire) => toGroup(wire, leaves));
  }

  #createLeaves(): Leaves {
    return {
      tools: new SharedLeaves((wire: McpTool) => this.#tools.convertToTool(wire)),
      prompts: new SharedLeaves((wire: McpPrompt) => this.#prompts.convertToPrompt(wire)),
      resources: new SharedLeaves((wire: McpResource) => this.#resources.convertToResource(wire)),
    };
  }
}

function toGroup(wire: McpGroup, leaves: Leaves): Group {
  const { name, title, description, separator, icons, _meta, groups, tools, prompts, resources, ...others } =
    wire;
  const group = new Group({
    name,
    title,
    description,
    separator,
    icons: copyIcons(icons),
    meta: cloneJson(_meta),
    extensions: { ...emptyLists({ groups, tools, prompts, resources }), ...cloneJson(others) },
  });
  for (const tool of readList(tools, (entry) => leaves.tools.getLeaf(entry))) group.addChildTool(tool);
  for (const prompt of readList(prompts, (entry) => leaves.prompts.getLeaf(entry)))
    group.addChildPrompt(prompt);
  for (const resource of readList(resources, (entry) => leaves.resources.getLeaf(entry))) {
    group.addChildResource(resource);
  }
  for (const child of readList(groups, (entry) => toGroup(entry, leaves))) group.addChildGroup(child);
  return group;
}

function readList<TWire, TModel>(
  wires: readonly TWire[] | undefined,
  read: (wire: TWire) => TModel,
): TModel[] {
  return convertPresent(wires ?? [], read);
}
