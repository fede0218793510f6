import type { BaseModel } from './base-model.ts';
import { ModelError } from './model-error.ts';

/** The children of one kind that a model holds, in the order they were added, each name once. */
export class ChildList<TChild extends BaseModel> {
  readonly #owner: BaseModel;
  readonly #byName: Map<string, TChild> = new Map();
  #items: readonly TChild[] | undefined;

  constructor(owner: BaseModel) {
    this.#owner = owner;
  }

  /** A frozen snapshot: who iterates over it may add and remove meanwhile. The same array until a change. */
  get items(): readonly TChild[] {
    this.#items ??= Object.freeze([...this.#byName.values()]);
    return this.#items;
  }

  has(child: BaseModel): boolean {
    return this.#byName.get(child.name) === child;
  }

  /** False if it was there already; throws if another child has its name. */
  add(child: TChild): boolean {
    const held = this.#byName.get(child.name);
    if (held === child) return false;
    if (held !== undefined) {
      throw new ModelError(
        'DUPLICATE_NAME',
        `Cannot add ${child.describe()} to ${this.#owner.describe()}: it already holds ${held.describe()}. Rename one of them.`,
      );
    }
    this.#byName.set(child.name, child);
    this.#items = undefined;
    return true;
  }

  /** False if it was not there. */
  remove(child: TChild): boolean {
    if (!this.has(child)) return false;
    this.#byName.delete(child.name);
    this.#items = undefined;
    return true;
  }
}
