import { DefinitionError } from '../errors/errors.ts';
import type { PolicySubject } from '../middleware/context.ts';
import type { AnyMiddleware } from '../middleware/middleware.ts';
import { ChangeFeed } from '../stores/change-feed.ts';
import { assertToolName } from '../tools/compile/assert-definition.ts';
import type { CatalogEntry } from '../tools/compile/compile-tool.ts';
import type { ToolSettings } from '../tools/compile/tool-settings.ts';
import { compileCatalog } from './catalog.ts';
import type { Catalog } from './catalog.ts';
import { toMountedEntry } from './mounted-entry.ts';
import { NameBook } from './name-book.ts';
import type { Claim, PendingClaims } from './name-book.ts';
import { compileUnit } from './registry-unit.ts';
import type { RegistryUnit, UnitSource } from './registry-unit.ts';
import type { ChangeListener, RegistryChange } from './registry-change.ts';
import { wireNames } from './wire-names.ts';

/** A place in the order of the list: what was registered at once under one name, or all tools of a mounted registry. */
type Slot = UnitSlot | { readonly mount: Mount };

interface UnitSlot {
  readonly unit: RegistryUnit;
  /** Every name it may be seen under. */
  readonly claims: readonly Claim[];
}

interface Mount {
  readonly prefix: string;
  readonly child: RegistryTree;
  readonly subjects: WeakMap<PolicySubject, PolicySubject>;
  /** Ends the child's knowledge of this tree. */
  readonly release: () => void;
}

/** Where a tree is mounted. */
interface Parent {
  readonly tree: RegistryTree;
  readonly prefix: string;
}

/**
 * What a registry holds: units in their order, other registries mounted among them, the names of all of it, and the catalog made of it.
 * A change invalidates the catalogs here and wherever this is mounted, and is announced there as well.
 */
export class RegistryTree {
  readonly names: NameBook = new NameBook();
  readonly #settings: ToolSettings;
  readonly #feed: ChangeFeed<RegistryChange>;
  readonly #parents = new Set<Parent>();
  #middleware: readonly AnyMiddleware[] = [];
  #slots: readonly Slot[] = [];
  /** Made when first needed after a change. */
  #catalog: Catalog | undefined;

  constructor(settings: ToolSettings) {
    this.#settings = settings;
    this.#feed = new ChangeFeed(settings.collaborators.logger);
  }

  /** What stands around every tool here. */
  get middleware(): readonly AnyMiddleware[] {
    return this.#middleware;
  }

  catalog(): Catalog {
    this.#catalog ??= compileCatalog(this.#slots.flatMap((slot) => this.#entriesOf(slot)));
    return this.#catalog;
  }

  onChange(listener: ChangeListener): () => void {
    return this.#feed.subscribe(listener);
  }

  /** Adds units: all of them, or none if one is refused. */
  add(sources: readonly UnitSource[], merge: boolean): void {
    const pending: PendingClaims = new Map();
    const added = sources.map((source): UnitSlot => {
      const unit = compileUnit(source, { settings: this.#settings, middleware: this.#middleware });
      const claims = this.#claimsOf(unit, merge);
      for (const claim of claims) this.names.claim(claim, pending);
      return { unit, claims };
    });
    for (const { claims } of added) this.names.hold(claims);
    this.#change([...this.#slots, ...added], {
      added: added.flatMap(({ unit }) => unit.entries.map((entry) => entry.tool.name)),
      removed: [],
    });
  }

  /** Removes what was registered under a name; says whether there was anything. */
  remove(name: string): boolean {
    const isIt = (slot: Slot): slot is UnitSlot => 'unit' in slot && slot.unit.name === name;
    const found = this.#slots.filter(isIt);
    if (found.length === 0) return false;
    for (const { claims } of found) this.names.release(claims);
    this.#change(
      this.#slots.filter((slot) => !isIt(slot)),
      { added: [], removed: found.flatMap(({ unit }) => unit.entries.map((entry) => entry.tool.name)) },
    );
    return true;
  }

  /** Removes everything. */
  clear(): void {
    const removed = this.catalog().entries.map((entry) => entry.tool.name);
    for (const slot of this.#slots) {
      if ('mount' in slot) slot.mount.release();
      else this.names.release(slot.claims);
    }
    this.#change([], { added: [], removed });
  }

  /** Puts a middleware around everything, inside those before it. */
  use(middleware: AnyMiddleware): void {
    this.#middleware = [...this.#middleware, middleware];
    this.#slots = this.#slots.map((slot) =>
      'unit' in slot ? { ...slot, unit: slot.unit.recompose(this.#middleware) } : slot,
    );
    this.#invalidate();
  }

  /** Shows another tree here under a prefix; the returned function takes it away. */
  mount(child: RegistryTree, prefix: string, separator: string): () => void {
    const full = prefix === '' ? '' : `${prefix}${separator}`;
    this.#assertMountable(child, prefix, full);
    const giveUpNames = this.names.mount(child.names, full);
    const parent: Parent = { tree: this, prefix: full };
    child.#parents.add(parent);
    const release = (): void => {
      giveUpNames();
      child.#parents.delete(parent);
    };
    const mount: Mount = { prefix: full, child, subjects: new WeakMap(), release };
    this.#change([...this.#slots, { mount }], { added: prefixedNames(mount), removed: [] });
    return () => this.#unmount(mount);
  }

  #unmount(mount: Mount): void {
    const kept = this.#slots.filter((slot) => !('mount' in slot && slot.mount === mount));
    if (kept.length === this.#slots.length) return;
    mount.release();
    this.#change(kept, { added: [], removed: prefixedNames(mount) });
  }

  #entriesOf(slot: Slot): readonly CatalogEntry[] {
    if ('unit' in slot) return slot.unit.entries;
    const { prefix, child, subjects } = slot.mount;
    const { policy } = this.#settings.collaborators;
    return child
      .catalog()
      .entries.map((entry) =>
        toMountedEntry(entry, { prefix, policy, subjects, middleware: this.#middleware }),
      );
  }

  #change(slots: readonly Slot[], change: RegistryChange): void {
    this.#slots = slots;
    this.#invalidate();
    this.#announce(change);
  }

  /** Here and wherever this is mounted, before anybody hears of the change: no listener sees an old list. */
  #invalidate(): void {
    this.#catalog = undefined;
    for (const { tree } of this.#parents) tree.#invalidate();
  }

  #announce(change: RegistryChange): void {
    if (change.added.length > 0 || change.removed.length > 0) this.#feed.announce(change);
    for (const { tree, prefix } of this.#parents) {
      const rename = (name: string): string => `${prefix}${name}`;
      tree.#announce({ added: change.added.map(rename), removed: change.removed.map(rename) });
    }
  }

  #claimsOf(unit: RegistryUnit, merge: boolean): Claim[] {
    const where = ` in registry "${this.#settings.name}"`;
    // One text for all names of a tool: there may be several of them, and they are kept.
    const plain = `${unit.description}${where}`;
    return wireNames(unit.entries).map(({ note, ...name }) => {
      const description = note === undefined ? plain : `${unit.description}${note}${where}`;
      return { ...name, description, merge };
    });
  }

  #assertMountable(child: RegistryTree, prefix: string, full: string): void {
    const [inner, outer] = [child.#settings.name, this.#settings.name];
    if (child.#contains(this)) {
      throw new DefinitionError(
        `Registry "${inner}" cannot be mounted in "${outer}": it contains it already.`,
      );
    }
    if (full !== '') assertToolName(`${full}x`);
    const isMounted = this.#slots.some(
      (slot) => 'mount' in slot && slot.mount.child === child && slot.mount.prefix === full,
    );
    if (isMounted) {
      throw new DefinitionError(`Registry "${inner}" is mounted in "${outer}" under "${prefix}" already.`);
    }
  }

  #contains(other: RegistryTree): boolean {
    if (this === other) return true;
    return this.#slots.some((slot) => 'mount' in slot && slot.mount.child.#contains(other));
  }
}

function prefixedNames({ prefix, child }: Mount): string[] {
  return child.catalog().entries.map((entry) => `${prefix}${entry.tool.name}`);
}
