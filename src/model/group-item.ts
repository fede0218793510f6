import { BaseModel } from './base-model.ts';
import { ModelError } from './model-error.ts';

/**
 * A group as its items see it. Every one of them is a `Group`; narrow with `instanceof Group` to change it.
 *
 * It exists so that this file need not import `group.ts`, which imports the items.
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

  /** The groups it is in, in the order it was added to them. Changed through the groups' add and remove methods. */
  get parentGroups(): readonly GroupNode[] {
    return [...this.#parents];
  }

  /** The roots of all trees it is in, each once. */
  getRoots(): readonly GroupNode[] {
    return [...new Set(this.parentGroups.map((parent) => parent.getRoot()))];
  }

  /**
   * Its name below one of its parents: the first unless told, joined by the separator of that tree unless told.
   * Throws when `parent` is not a parent of this item.
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

  /** Its name below each of its parents; only its bare name while it has none. */
  getFullyQualifiedNames(separator?: string): readonly string[] {
    if (this.#parents.size === 0) return [this.name];
    return this.parentGroups.map((parent) => this.getFullyQualifiedName(parent, separator));
  }

  /**
   * Called by a group after it took this item in or let it go. The group is asked which, so that
   * nobody who calls this can make the two sides disagree.
   *
   * @internal
   */
  syncParent(group: GroupNode): void {
    if (group.hasChild(this)) this.#parents.add(group);
    else this.#parents.delete(group);
  }
}
