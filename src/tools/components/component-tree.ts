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

/** What was registered at once under one name, compiled. */
export interface ComponentUnit<TEntry> {
  /** What it is removed by. */
  readonly name: string;
  /** Tells two of one name apart in messages. Without it, they are told apart by where they are held. */
  readonly description?: string;
  /** One for a tool, a prompt or a resource; one per action for a grouped tool. */
  readonly entries: readonly TEntry[];
  /** What it was compiled from: the same object after every {@link recompose}. */
  readonly source: object;
  /** The same inside other middleware, whatever has become of the definition since. */
  readonly recompose: (middleware: readonly AnyMiddleware[]) => ComponentUnit<TEntry>;
  /** The same compiled again, with other settings, whatever has become of the definition since. */
  readonly recompile: (settings: ToolSettings, middleware: readonly AnyMiddleware[]) => ComponentUnit<TEntry>;
}

/** What a tree has to know of what it holds: tools, prompts, or resources. */
export interface TreeKind<TEntry extends Guarded, TCatalog> {
  readonly kind: ComponentKind;
  /** What holds the tree, as messages say it. */
  readonly holder: string;
  /** Whether a mount changes names only, not what is called: a URI stays what it is. */
  readonly hasFixedKeys: boolean;
  /** Every name under which entries can appear. */
  readonly namesOf: (entries: readonly TEntry[]) => readonly WireName[];
  /** An entry as it is shown where its tree is mounted. */
  readonly mount: (entry: TEntry, mounting: Mounting) => TEntry;
  /** Lays out the entries for lookup. Parts of the catalog before that are the same may be kept. */
  readonly compileCatalog: (entries: readonly TEntry[], before: TCatalog | undefined) => TCatalog;
}

/** Options of `mount`. */
export interface MountOptions {
  /** Stands between prefix and name. Default: `_`, which every model vendor accepts in tool names. */
  readonly separator?: string;
}

/** A place in the order of the list: what was registered at once under one name, or all entries of a mounted tree. */
type Slot<TEntry extends Guarded, TCatalog> = UnitSlot<TEntry> | { readonly mount: Mount<TEntry, TCatalog> };

interface UnitSlot<TEntry> {
  readonly unit: ComponentUnit<TEntry>;
  /** Every name it may be seen under. */
  readonly claims: readonly Claim[];
}

interface Mount<TEntry extends Guarded, TCatalog> {
  /** Stands before names. */
  readonly prefix: string;
  /** Stands before keys: the same, or nothing where keys are fixed. */
  readonly keyPrefix: string;
  readonly child: ComponentTree<TEntry, TCatalog>;
  readonly subjects: WeakMap<PolicySubject, PolicySubject>;
  /** Set where this tree is a server's. */
  readonly inheritance: Inheritance<TEntry> | undefined;
  /** Ends the child's knowledge of this tree. */
  readonly release: () => void;
}

/** Where a tree is mounted. */
interface Parent<TEntry extends Guarded, TCatalog> {
  readonly tree: ComponentTree<TEntry, TCatalog>;
  readonly keyPrefix: string;
  readonly inheritance: Inheritance<TEntry> | undefined;
}

/** What a server gives to the trees that are mounted in its own: the settings that they were not given themselves. */
interface Inheritance<TEntry> {
  readonly server: ToolSettings;
  /** By the settings of a tree. */
  readonly settings: WeakMap<ToolSettings, ToolSettings>;
  /** Units under those settings, by their sources: an entry is known by its subject from one catalog to the next. */
  readonly units: WeakMap<object, InheritedUnit<TEntry>>;
}

interface InheritedUnit<TEntry> {
  readonly unit: ComponentUnit<TEntry>;
  readonly middleware: readonly AnyMiddleware[];
}

/**
 * What a registry or a manager holds: units in their order, other trees mounted among them, the names of all of it, and the catalog made
 * of it. A change invalidates the catalogs here and wherever this is mounted, and is announced there as well.
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
  /** Made when first needed after a change. */
  #entries: readonly TEntry[] | undefined;
  /** Its entries are no longer those of the tree after a change, until it is needed again. */
  #catalog: { readonly entries: readonly TEntry[]; readonly layout: TCatalog } | undefined;

  /** `isServers`: whether a server holds it, so that what is mounted in it takes from there the settings that it was not given. */
  constructor(kind: TreeKind<TEntry, TCatalog>, settings: ToolSettings, isServers = false) {
    this.#kind = kind;
    this.#settings = settings;
    this.#isServers = isServers;
    this.names = new NameBook(kind.kind);
    this.#feed = new ChangeFeed(settings.collaborators.logger);
  }

  /** What stands around every entry here. */
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

  /** Adds units: all of them, or none if one is refused. */
  add(units: readonly ComponentUnit<TEntry>[], merge = false): void {
    const pending: PendingClaims = new Map();
    const added = units.map((unit): UnitSlot<TEntry> => {
      const claims = this.#claimsOf(unit, merge);
      for (const claim of claims) this.names.claim(claim, pending);
      return { unit, claims };
    });
    // What a server refuses is refused before anything has changed.
    for (const inheritance of this.#inheritances())
      for (const unit of units) this.#inherit(unit, inheritance);
    for (const slot of added) {
      this.names.hold(slot.claims);
      // In place: whoever registers ten thousand one by one should not copy them ten thousand times.
      this.#slots.push(slot);
    }
    this.#change({ added: keysOf(added), removed: [] });
  }

  /** Removes what was registered here under a name; says whether there was anything. */
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

  /** Puts a middleware around everything, inside those before it. */
  use(middleware: AnyMiddleware): void {
    this.#middleware = [...this.#middleware, middleware];
    this.#slots = this.#slots.map((slot) =>
      'unit' in slot ? { ...slot, unit: slot.unit.recompose(this.#middleware) } : slot,
    );
    this.#invalidate();
  }

  /** Shows another tree here under a prefix; the returned function takes it away. */
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

  /** In the order of registration, mounted ones under the names they have here. */
  entries(): readonly TEntry[] {
    return (this.#entries ??= this.#slots.flatMap((slot) =>
      'unit' in slot ? slot.unit.entries : this.#mountedEntries(slot.mount),
    ));
  }

  #mountedEntries(
    { prefix, child, subjects, inheritance }: Mount<TEntry, TCatalog>,
    outer?: Inheritance<TEntry>,
  ): readonly TEntry[] {
    const { policy } = this.#settings.collaborators;
    const mounting: Mounting = { prefix, policy, subjects, middleware: this.#middleware };
    const from = outer ?? inheritance;
    const entries = from === undefined ? child.entries() : child.#inheritedEntries(from);
    return entries.map((entry) => this.#kind.mount(entry, mounting));
  }

  /** The entries where a server serves them: mounted trees inherit as well. */
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

  /** Those of all servers that serve this tree, by whatever mounts. */
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

  /** Here and wherever this is mounted, before anybody hears of the change: no listener sees an old list. */
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
    // One text for all names of a tool: there may be several of them, and they are kept.
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
        `${holder} "${inner}" cannot be mounted in "${outer}": it contains it already.`,
        { option: 'mount', received: inner },
      );
    }
    if (full !== '') assertToolName(`${full}x`, kind);
    const same = this.#slots.find(
      (slot) => 'mount' in slot && slot.mount.child === child && (hasFixedKeys || slot.mount.prefix === full),
    );
    if (same === undefined) return;
    const where = hasFixedKeys ? '' : ` under "${prefix}"`;
    throw new DefinitionError(`${holder} "${inner}" is mounted in "${outer}"${where} already.`, {
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
