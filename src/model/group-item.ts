import { BaseModel } from './base-model.ts';
import { ModelError } from './model-error.ts';

/**
 * A group as its items see it. It is always a `Group`; narrow with `instanceof Group` to change it.
 *
 * Declared here so that this file need not import `group.ts`, which imports the items.
 */
export interface GroupNode extends BaseModel {
  readonly parent: GroupNode | undefined;
  readonly childGroups: readonly GroupNode[];
  readonly childTools: readonly GroupItem[];
  readonly childPrompts: readonly GroupItem[];
  readonly childResources: readonly GroupItem[];
  hasChild(child: BaseModel): boolean;
  getRoot(): GroupNode;
  getSeparator(): string;
  getFullyQualifiedName(separator?: string): string;
}

/**
 * A leaf of the group tree: a tool, a prompt or a resource. It may be in any number of groups.
 *
 * @example
 * const search = new Tool({ name: 'search', inputSchema: { type: 'object' } });
 * users.addChildTool(search);
 * admin.addChildTool(search);
 * search.getFullyQualifiedNames(); // ['users.search', 'admin.search']
 */
export abstract class GroupItem extends BaseModel {
  readonly #parents: Set<GroupNode> = new Set();

  /**
   * The groups that contain it, in the order it was added to them. Change them with the add and remove methods of
   * groups.
   */
  get parentGroups(): readonly GroupNode[] {
    return [...this.#parents];
  }

  /** Returns the roots of all trees that contain it, each once. */
  getRoots(): readonly GroupNode[] {
    return [...new Set(this.parentGroups.map((parent) => parent.getRoot()))];
  }

  /**
   * Returns its name below one of its parents. Defaults: the first parent, and the separator of that tree. Throws
   * if `parent` does not contain this item.
   */
  override getFullyQualifiedName(parent?: GroupNode, separator?: string): string {
    if (parent !== undefined && !this.#parents.has(parent)) {
      throw new ModelError('NOT_A_PARENT', `The ${this.kind} "${this.name}" is not in ${parent.describe()}.`);
    }
    const [first] = this.#parents;
    const group = parent ?? first;
    if (group === undefined) return this.name;
    const joint = separator ?? group.getSeparator();
    return group.getFullyQualifiedName(joint) + joint + this.name;
  }

  /** Returns its name below each of its parents; its bare name if it has none. */
  getFullyQualifiedNames(separator?: string): readonly string[] {
    if (this.#parents.size === 0) return [this.name];
    return this.parentGroups.map((parent) => this.getFullyQualifiedName(parent, separator));
  }

  /**
   * Called by a group after it added or removed this item. The group tells which of the two happened, so that
   * both sides always agree.
   *
   * @internal
   */
  syncParent(group: GroupNode): void {
    if (group.hasChild(this)) this.#parents.add(group);
    else this.#parents.delete(group);
  }
}
