import type { BaseModel } from './base-model.ts';
import { ModelError } from './model-error.ts';

/** Children of one kind, in the order they were added, with unique names. */
export class ChildList<TChild extends BaseModel> {
  readonly #owner: BaseModel;
  readonly #byName: Map<string, TChild> = new Map();
  #items: readonly TChild[] | undefined;

  constructor(owner: BaseModel) {
    this.#owner = owner;
  }

  /**
   * A frozen snapshot, so that children can be added and removed during iteration. The same array until a change.
   */
  get items(): readonly TChild[] {
    this.#items ??= Object.freeze([...this.#byName.values()]);
    return this.#items;
  }

  has(child: BaseModel): boolean {
    return this.#byName.get(child.name) === child;
  }

  /** Returns false if it was already there; throws if another child has its name. */
  add(child: TChild): boolean {
    const held = this.#byName.get(child.name);
    if (held === child) return false;
    if (held !== undefined) {
      throw new ModelError(
        'DUPLICATE_NAME',
        `Cannot add ${child.describe()} to ${this.#owner.describe()}: it already contains ${held.describe()}. Rename one of them.`,
      );
    }
    this.#byName.set(child.name, child);
    this.#items = undefined;
    return true;
  }

  /** Returns false if it was not there. */
  remove(child: TChild): boolean {
    if (!this.has(child)) return false;
    this.#byName.delete(child.name);
    this.#items = undefined;
    return true;
  }
}
