import type { ComponentKind } from '../../errors/component-kind.ts';
import { DefinitionError } from '../../errors/errors.ts';
import type { PolicySubject } from '../../middleware/context.ts';
import type { AnyMiddleware } from '../../middleware/middleware.ts';
import type { Guarded } from '../../pipeline/visibility/visibility.ts';
import { ChangeFeed } from './change-feed.ts';
import { assertToolName } from '../compile/assert-definition.ts';
import { inheritSettings } from '../compile/tool-settings.ts';
import type { ToolSettings } from '../compile/tool-settings.ts';
import type { Mounting } from './mount-tool.ts';
import { NameBook } from './name-book.ts';
import type { Claim, PendingClaims, WireName } from './name-book.ts';
import type { ChangeListener, RegistryChange } from './registry-change.ts';

/** A compiled registration under one name. */
export interface ComponentUnit<TEntry> {
  /** Name that removes it. */
  readonly name: string;
  /** Tells two units of the same name apart in messages. Default: the name of the registry or manager. */
  readonly description?: string;
  /** One for a tool, a prompt or a resource; one per action for a grouped tool. */
  readonly entries: readonly TEntry[];
  /** The object it was compiled from: the same after every {@link recompose}. */
  readonly source: object;
  /** The same unit with other middleware. Later changes of the definition are not seen. */
  readonly recompose: (middleware: readonly AnyMiddleware[]) => ComponentUnit<TEntry>;
  /** The same unit compiled with other settings. Later changes of the definition are not seen. */
  readonly recompile: (settings: ToolSettings, middleware: readonly AnyMiddleware[]) => ComponentUnit<TEntry>;
}

/** Properties of the components in a tree: tools, prompts, or resources. */
export interface TreeKind<TEntry extends Guarded, TCatalog> {
  readonly kind: ComponentKind;
  /** Noun for the holder of the tree, for messages. */
  readonly holder: string;
  /** Whether a mount prefixes names only and not keys: a URI stays the same. */
  readonly hasFixedKeys: boolean;
  /** All names under which entries can be listed. */
  readonly namesOf: (entries: readonly TEntry[]) => readonly WireName[];
  /** An entry as it is listed where its tree is mounted. */
  readonly mount: (entry: TEntry, mounting: Mounting) => TEntry;
  /** Builds the catalog for lookups. It may reuse unchanged parts of the previous catalog. */
  readonly compileCatalog: (entries: readonly TEntry[], before: TCatalog | undefined) => TCatalog;
}

/** Options of `mount`. */
export interface MountOptions {
  /** Separator of prefix and name. Default: `_`, which every model vendor accepts in tool names. */
  readonly separator?: string;
}

/** A place in the order of the list: one unit, or all entries of a mounted tree. */
type Slot<TEntry extends Guarded, TCatalog> = UnitSlot<TEntry> | { readonly mount: Mount<TEntry, TCatalog> };

interface UnitSlot<TEntry> {
  readonly unit: ComponentUnit<TEntry>;
  /** All names under which it may be listed. */
  readonly claims: readonly Claim[];
}

interface Mount<TEntry extends Guarded, TCatalog> {
  /** Prefix of names. */
  readonly prefix: string;
  /** Prefix of keys: the same, or empty if keys are fixed. */
  readonly keyPrefix: string;
  readonly child: ComponentTree<TEntry, TCatalog>;
  readonly subjects: WeakMap<PolicySubject, PolicySubject>;
  /** Set if this tree belongs to a server. */
  readonly inheritance: Inheritance<TEntry> | undefined;
  /** Removes this tree from the child's parents. */
  readonly release: () => void;
}

/** A tree in which another one is mounted. */
interface Parent<TEntry extends Guarded, TCatalog> {
  readonly tree: ComponentTree<TEntry, TCatalog>;
  readonly keyPrefix: string;
  readonly inheritance: Inheritance<TEntry> | undefined;
}

/** Settings of a server that the trees mounted in it inherit unless they have their own. */
interface Inheritance<TEntry> {
  readonly server: ToolSettings;
  /** Inherited settings, by the tree's own settings. */
  readonly settings: WeakMap<ToolSettings, ToolSettings>;
  /** Units with inherited settings, by source: an entry keeps its policy subject across catalogs. */
  readonly units: WeakMap<object, InheritedUnit<TEntry>>;
}

interface InheritedUnit<TEntry> {
  readonly unit: ComponentUnit<TEntry>;
  readonly middleware: readonly AnyMiddleware[];
}

/**
 * The contents of a registry or a manager: units in order, mounted trees, all names, and the catalog compiled from
 * them. A change invalidates the catalogs of this tree and of all trees that mount it, and notifies their
 * listeners.
 */
export class ComponentTree<TEntry extends Guarded, TCatalog> {
  readonly names: NameBook;
  readonly #kind: TreeKind<TEntry, TCatalog>;
  readonly #settings: ToolSettings;
  readonly #isServers: boolean;
  readonly #feed: ChangeFeed<RegistryChange>;
  readonly #parents = new Set<Parent<TEntry, TCatalog>>();
  #middleware: readonly AnyMiddleware[] = [];
  #slots: Slot<TEntry, TCatalog>[] = [];
  /** Compiled on first use after a change. */
  #entries: readonly TEntry[] | undefined;
  /** Outdated after a change, until it is used again. */
  #catalog: { readonly entries: readonly TEntry[]; readonly layout: TCatalog } | undefined;

  /** `isServers`: whether it belongs to a server, so that trees mounted in it inherit settings. */
  constructor(kind: TreeKind<TEntry, TCatalog>, settings: ToolSettings, isServers = false) {
    this.#kind = kind;
    this.#settings = settings;
    this.#isServers = isServers;
    this.names = new NameBook(kind.kind);
    this.#feed = new ChangeFeed(settings.collaborators.logger);
  }

  /** Middleware around every entry of this tree. */
  get middleware(): readonly AnyMiddleware[] {
    return this.#middleware;
  }

  catalog(): TCatalog {
    const entries = this.entries();
    if (this.#catalog?.entries !== entries)
      this.#catalog = { entries, layout: this.#kind.compileCatalog(entries, this.#catalog?.layout) };
    return this.#catalog.layout;
  }

  onChange(listener: ChangeListener): () => void {
    return this.#feed.subscribe(listener);
  }

  /** Adds units: all of them, or none if one is rejected. */
  add(units: readonly ComponentUnit<TEntry>[], merge = false): void {
    const pending: PendingClaims = new Map();
    const added = units.map((unit): UnitSlot<TEntry> => {
      const claims = this.#claimsOf(unit, merge);
      for (const claim of claims) this.names.claim(claim, pending);
      return { unit, claims };
    });
    // Check against the servers first: a rejected unit must change nothing.
    for (const inheritance of this.#inheritances())
      for (const unit of units) this.#inherit(unit, inheritance);
    for (const slot of added) {
      this.names.hold(slot.claims);
      // In place: registering 10,000 units one by one must not copy the array each time.
      this.#slots.push(slot);
    }
    this.#change({ added: keysOf(added), removed: [] });
  }

  /** Removes the unit registered under a name; returns whether there was one. */
  remove(name: string): boolean {
    const isIt = (slot: Slot<TEntry, TCatalog>): slot is UnitSlot<TEntry> =>
      'unit' in slot && slot.unit.name === name;
    const found = this.#slots.filter(isIt);
    if (found.length === 0) return false;
    for (const { claims } of found) this.names.release(claims);
    this.#slots = this.#slots.filter((slot) => !isIt(slot));
    this.#change({ added: [], removed: keysOf(found) });
    return true;
  }

  /** Removes everything. */
  clear(): void {
    const removed = this.entries().map((entry) => entry.tool.name);
    for (const slot of this.#slots) {
      if ('mount' in slot) slot.mount.release();
      else this.names.release(slot.claims);
    }
    this.#slots = [];
    this.#change({ added: [], removed });
  }

  /** Adds a middleware around every entry, inside the existing ones. */
  use(middleware: AnyMiddleware): void {
    this.#middleware = [...this.#middleware, middleware];
    this.#slots = this.#slots.map((slot) =>
      'unit' in slot ? { ...slot, unit: slot.unit.recompose(this.#middleware) } : slot,
    );
    this.#invalidate();
  }

  /** Mounts another tree under a prefix; the returned function removes it. */
  mount(
    child: ComponentTree<TEntry, TCatalog>,
    prefix: string,
    { separator = '_' }: MountOptions,
  ): () => void {
    const full = prefix === '' ? '' : `${prefix}${separator}`;
    this.#assertMountable(child, prefix, full);
    const keyPrefix = this.#kind.hasFixedKeys ? '' : full;
    const inheritance = this.#isServers ? createInheritance<TEntry>(this.#settings) : undefined;
    for (const each of [...(inheritance === undefined ? [] : [inheritance]), ...this.#inheritances()])
      child.#inheritedEntries(each);
    const giveUpNames = this.names.mount(child.names, keyPrefix);
    const parent = { tree: this, keyPrefix, inheritance };
    child.#parents.add(parent);
    const release = (): void => {
      giveUpNames();
      child.#parents.delete(parent);
    };
    const mount = { prefix: full, keyPrefix, child, subjects: new WeakMap(), inheritance, release };
    this.#slots.push({ mount });
    this.#change({ added: mountedKeys(mount), removed: [] });
    return () => this.#unmount(mount);
  }

  #unmount(mount: Mount<TEntry, TCatalog>): void {
    const kept = this.#slots.filter((slot) => !('mount' in slot && slot.mount === mount));
    if (kept.length === this.#slots.length) return;
    mount.release();
    this.#slots = kept;
    this.#change({ added: [], removed: mountedKeys(mount) });
  }

  /** Entries in the order of registration, mounted ones under their prefixed names. */
  entries(): readonly TEntry[] {
    return (this.#entries ??= this.#slots.flatMap((slot) =>
      'unit' in slot ? slot.unit.entries : this.#mountedEntries(slot.mount),
    ));
  }

  #mountedEntries(
    { prefix, child, subjects, inheritance }: Mount<TEntry, TCatalog>,
    outer?: Inheritance<TEntry>,
  ): readonly TEntry[] {
    const { name: server, collaborators } = this.#settings;
    const { policy } = collaborators;
    const mounting: Mounting = { prefix, server, policy, subjects, middleware: this.#middleware };
    const from = outer ?? inheritance;
    const entries = from === undefined ? child.entries() : child.#inheritedEntries(from);
    return entries.map((entry) => this.#kind.mount(entry, mounting));
  }

  /** The entries with the settings of a server; mounted trees inherit as well. */
  #inheritedEntries(inheritance: Inheritance<TEntry>): readonly TEntry[] {
    return this.#slots.flatMap((slot) =>
      'unit' in slot
        ? this.#inherit(slot.unit, inheritance).entries
        : this.#mountedEntries(slot.mount, inheritance),
    );
  }

  #inherit(
    unit: ComponentUnit<TEntry>,
    { server, settings, units }: Inheritance<TEntry>,
  ): ComponentUnit<TEntry> {
    const own = this.#settings;
    if (own === server) return unit;
    const middleware = this.#middleware;
    const kept = units.get(unit.source);
    if (kept?.middleware === middleware) return kept.unit;
    const inherited = settings.get(own) ?? inheritSettings(own, server);
    settings.set(own, inherited);
    const made = kept?.unit.recompose(middleware) ?? unit.recompile(inherited, middleware);
    units.set(unit.source, { unit: made, middleware });
    return made;
  }

  /** Inheritances of all servers that serve this tree, through any number of mounts. */
  #inheritances(): Inheritance<TEntry>[] {
    return [...this.#parents].flatMap(({ tree, inheritance }) => [
      ...(inheritance === undefined ? [] : [inheritance]),
      ...tree.#inheritances(),
    ]);
  }

  #change(change: RegistryChange): void {
    this.#invalidate();
    this.#announce(change);
  }

  /**
   * Invalidates this tree and all trees that mount it before listeners are notified, so that no listener sees an
   * old list.
   */
  #invalidate(): void {
    this.#entries = undefined;
    for (const { tree } of this.#parents) tree.#invalidate();
  }

  #announce(change: RegistryChange): void {
    if (change.added.length > 0 || change.removed.length > 0) this.#feed.announce(change);
    for (const { tree, keyPrefix } of this.#parents) {
      const rename = (name: string): string => `${keyPrefix}${name}`;
      tree.#announce({ added: change.added.map(rename), removed: change.removed.map(rename) });
    }
  }

  #claimsOf(unit: ComponentUnit<TEntry>, merge: boolean): Claim[] {
    const where = `${this.#kind.holder.toLowerCase()} "${this.#settings.name}"`;
    // One string for all names of a tool: there may be many, and they are kept.
    const plain = unit.description === undefined ? where : `${unit.description} in ${where}`;
    return this.#kind.namesOf(unit.entries).map(({ note, ...name }) => {
      const description = note === undefined ? plain : `${unit.description}${note} in ${where}`;
      return { ...name, description, merge };
    });
  }

  #assertMountable(child: ComponentTree<TEntry, TCatalog>, prefix: string, full: string): void {
    const { holder, kind, hasFixedKeys } = this.#kind;
    const [inner, outer] = [child.#settings.name, this.#settings.name];
    if (child.#contains(this)) {
      throw new DefinitionError(
        `${holder} "${inner}" cannot be mounted in "${outer}": it already contains "${outer}".`,
        { option: 'mount', received: inner },
      );
    }
    if (full !== '') assertToolName(`${full}x`, kind);
    const same = this.#slots.find(
      (slot) => 'mount' in slot && slot.mount.child === child && (hasFixedKeys || slot.mount.prefix === full),
    );
    if (same === undefined) return;
    const where = hasFixedKeys ? '' : ` under "${prefix}"`;
    throw new DefinitionError(`${holder} "${inner}" is already mounted in "${outer}"${where}.`, {
      option: 'mount',
      received: inner,
    });
  }

  #contains(other: ComponentTree<TEntry, TCatalog>): boolean {
    if (this === other) return true;
    return this.#slots.some((slot) => 'mount' in slot && slot.mount.child.#contains(other));
  }
}

function createInheritance<TEntry>(server: ToolSettings): Inheritance<TEntry> {
  return { server, settings: new WeakMap(), units: new WeakMap() };
}

function keysOf(slots: readonly UnitSlot<Guarded>[]): string[] {
  return slots.flatMap(({ unit }) => unit.entries.map((entry) => entry.tool.name));
}

function mountedKeys<TEntry extends Guarded, TCatalog>({
  keyPrefix,
  child,
}: Mount<TEntry, TCatalog>): string[] {
  return child.entries().map((entry) => `${keyPrefix}${entry.tool.name}`);
}
