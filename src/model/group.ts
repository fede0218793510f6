import { BaseModel, type BaseModelOptions } from './base-model.ts';
import { ChildList } from './child-list.ts';
import type { GroupItem, GroupNode } from './group-item.ts';
import { ModelError } from './model-error.ts';
import type { Prompt } from './prompt.ts';
import type { Resource } from './resource.ts';
import type { Tool } from './tool.ts';

const DEFAULT_SEPARATOR = '.';

/** Options of {@link Group}. */
export interface GroupOptions extends BaseModelOptions {
  /** Separator of names in this tree. Default: `.`. */
  readonly separator?: string | undefined;
}

/**
 * A node of the tree that contains tools, prompts and resources. A group has at most one parent.
 *
 * Every `add…` returns false if the child was already there, every `remove…` returns false if it was not there.
 * Two children of one kind with the same name are rejected. A rejected change changes nothing.
 *
 * @example
 * const platform = new Group({ name: 'platform' });
 * const users = new Group({ name: 'users' });
 * platform.addChildGroup(users);
 * users.getFullyQualifiedName(); // 'platform.users'
 */
export class Group extends BaseModel implements GroupNode {
  override readonly kind = 'group' as const;

  /**
   * Separator of names in this tree. Only that of the root is used, so that one name never mixes two; see
   * `getSeparator`.
   */
  separator: string | undefined;

  #parent: Group | undefined;
  readonly #groups: ChildList<Group> = new ChildList(this);
  readonly #tools: ChildList<Tool> = new ChildList(this);
  readonly #prompts: ChildList<Prompt> = new ChildList(this);
  readonly #resources: ChildList<Resource> = new ChildList(this);

  constructor(options: GroupOptions) {
    super(options);
    this.separator = options.separator;
  }

  get parent(): Group | undefined {
    return this.#parent;
  }

  get childGroups(): readonly Group[] {
    return this.#groups.items;
  }

  get childTools(): readonly Tool[] {
    return this.#tools.items;
  }

  get childPrompts(): readonly Prompt[] {
    return this.#prompts.items;
  }

  get childResources(): readonly Resource[] {
    return this.#resources.items;
  }

  /** Returns whether it is directly in this group. */
  hasChild(child: BaseModel): boolean {
    return [this.#groups, this.#tools, this.#prompts, this.#resources].some((list) => list.has(child));
  }

  /** Returns the root of the tree; the group itself if it has no parent. */
  getRoot(): Group {
    return this.#parent?.getRoot() ?? this;
  }

  /** Returns the separator of names in this tree: the root's `separator`, or a dot. */
  getSeparator(): string {
    return this.getRoot().separator ?? DEFAULT_SEPARATOR;
  }

  /** Returns the names from the root down to this group, joined. */
  override getFullyQualifiedName(separator: string = this.getSeparator()): string {
    if (this.#parent === undefined) return this.name;
    return this.#parent.getFullyQualifiedName(separator) + separator + this.name;
  }

  /** Adds a group below this one. A group that is below another one is moved. It must not be above this one. */
  addChildGroup(group: Group): boolean {
    if (this.#isBelow(group)) throw cycleError(this, group);
    if (!this.#groups.add(group)) return false;
    // Only after the new parent accepted it: a rejected move changes nothing.
    group.parent?.removeChildGroup(group);
    group.#parent = this;
    return true;
  }

  removeChildGroup(group: Group): boolean {
    if (!this.#groups.remove(group)) return false;
    group.#parent = undefined;
    return true;
  }

  addChildTool(tool: Tool): boolean {
    return this.#add(this.#tools, tool);
  }

  removeChildTool(tool: Tool): boolean {
    return this.#remove(this.#tools, tool);
  }

  addChildPrompt(prompt: Prompt): boolean {
    return this.#add(this.#prompts, prompt);
  }

  removeChildPrompt(prompt: Prompt): boolean {
    return this.#remove(this.#prompts, prompt);
  }

  addChildResource(resource: Resource): boolean {
    return this.#add(this.#resources, resource);
  }

  removeChildResource(resource: Resource): boolean {
    return this.#remove(this.#resources, resource);
  }

  #add<TItem extends GroupItem>(list: ChildList<TItem>, item: TItem): boolean {
    const added = list.add(item);
    if (added) item.syncParent(this);
    return added;
  }

  #remove<TItem extends GroupItem>(list: ChildList<TItem>, item: TItem): boolean {
    const removed = list.remove(item);
    if (removed) item.syncParent(this);
    return removed;
  }

  /** Returns true for the group itself too. */
  #isBelow(group: Group): boolean {
    return this === group || (this.#parent !== undefined && this.#parent.#isBelow(group));
  }
}

function cycleError(parent: Group, child: Group): ModelError {
  return new ModelError(
    'GROUP_CYCLE',
    parent === child
      ? `Cannot add ${child.describe()} to itself.`
      : `Cannot add ${child.describe()} to ${parent.describe()}, which is below it: a group cannot contain itself.`,
  );
}
