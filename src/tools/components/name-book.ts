import { nounOf } from '../../errors/component-kind.ts';
import type { ComponentKind } from '../../errors/component-kind.ts';
import { DefinitionError, DuplicateNameError } from '../../errors/errors.ts';
import { assertToolName } from '../compile/assert-definition.ts';

/** Sets of names under which a catalog can be listed. Within each set, a name may be claimed once. */
export type Naming = 'canonical' | 'flat' | 'grouped' | 'split' | 'category' | 'category-split';

/** A name in some of the sets. */
export interface WireName {
  readonly namings: readonly Naming[];
  readonly name: string;
  /** Grouped tool that may claim the name several times: once for every builder that is merged into it. */
  readonly group: string | undefined;
  /** Discriminator of the grouped tool; claims that share a name must have the same one. */
  readonly discriminator?: string;
  /** Whether others of the same group may share the name without `merge`. */
  readonly isShared?: boolean;
  /** Returns the reason why it cannot be listed under this name; called if the set is visible. */
  readonly findObstacle?: () => DefinitionError | undefined;
  /** Addition to the description, for messages about two claims. */
  readonly note?: string;
}

/** A name and its claimant. */
export interface Claim extends WireName {
  /** Describes the claimant, to tell two claimants of one name apart in messages. */
  readonly description: string;
  /** Whether it may join a grouped tool of the same name; `never` if there is no option for it. */
  readonly merge: boolean | 'never';
  /** Whether it is reserved by an exposure and not a tool. */
  readonly isReserved?: boolean;
}

/** Names claimed in one change, by book: a registry may mount another one twice. */
export type PendingClaims = Map<NameBook, NameSets<Claim>>;

/** One map from name to value for each set of names. */
type NameSets<TValue> = Readonly<Record<Naming, Map<string, TValue>>>;

function createNameSets<TValue>(): NameSets<TValue> {
  return {
    canonical: new Map(),
    flat: new Map(),
    grouped: new Map(),
    split: new Map(),
    category: new Map(),
    'category-split': new Map(),
  };
}

interface Link {
  readonly book: NameBook;
  readonly prefix: string;
}

/**
 * The names of a registry or a manager in every set. A new name must be free here and, with its prefix, in every
 * registry or manager that mounts this one.
 */
export class NameBook {
  /**
   * Several claims of one name are possible in sets that are not visible yet, and for merged tools. The first one
   * counts.
   */
  readonly #held: NameSets<readonly Claim[]> = createNameSets();
  /** All claims, in the order of registration. */
  readonly #claims = new Set<Claim>();
  /** Visible sets: within each, a name may be claimed once. */
  readonly #namings = new Set<Naming>(['canonical', 'grouped', 'flat']);
  readonly #kind: ComponentKind;
  readonly #parents = new Set<Link>();
  readonly #mounts = new Set<Link>();

  constructor(kind: ComponentKind) {
    this.#kind = kind;
  }

  /**
   * Rejects a name that is invalid or taken, here or in a mounting registry; otherwise notes it as claimed in this
   * change.
   */
  claim(claim: Claim, pending: PendingClaims, from: NameBook = this): void {
    this.#note(claim, pending, { from });
    for (const { book, prefix } of this.#parents) book.claim(withPrefix(claim, prefix), pending, this);
  }

  /** Stores claimed names. */
  hold(claims: readonly Claim[]): void {
    for (const claim of claims) {
      this.#claims.add(claim);
      for (const naming of claim.namings) {
        const names = this.#held[naming];
        const others = names.get(claim.name);
        names.set(claim.name, others === undefined ? [claim] : [...others, claim]);
      }
    }
  }

  /** Releases stored claims. */
  release(claims: readonly Claim[]): void {
    for (const claim of claims) {
      this.#claims.delete(claim);
      for (const naming of claim.namings) {
        const names = this.#held[naming];
        const left = names.get(claim.name)?.filter((held) => held !== claim) ?? [];
        if (left.length === 0) names.delete(claim.name);
        else names.set(claim.name, left);
      }
    }
  }

  /** Adds the names of another registry under a prefix. The returned function removes them. */
  mount(child: NameBook, prefix: string): () => void {
    const pending: PendingClaims = new Map();
    // A merged tool of the child is one claim here, and does not join a tool of this registry.
    const unique = new Map(
      child
        .all()
        .map((claim, index) => [
          claim.group === undefined || claim.isShared === true
            ? index
            : `${claim.namings.join()}:${claim.name}`,
          claim,
        ]),
    );
    for (const claim of unique.values())
      this.claim({ ...withPrefix(claim, prefix), merge: 'never' }, pending);
    const parent = { book: this, prefix };
    const mounted = { book: child, prefix };
    child.#parents.add(parent);
    this.#mounts.add(mounted);
    return () => {
      child.#parents.delete(parent);
      this.#mounts.delete(mounted);
    };
  }

  /** Makes a set of names visible and reserves these names in the flat set. Throws if that causes duplicates. */
  reserve(naming: Naming | undefined, names: readonly string[]): void {
    const isNew = naming !== undefined && !this.#namings.has(naming);
    if (isNew) this.#namings.add(naming);
    try {
      const pending: PendingClaims = new Map();
      if (isNew)
        for (const claim of this.all()) this.#note({ ...claim, merge: true }, pending, { isFirst: true });
      const claims = names.map(toReserved).filter((claim) => !this.#isReserved(claim));
      // Only here: they belong to an exposure of this registry, not to registries that mount it.
      for (const claim of claims) this.#note(claim, pending);
      this.hold(claims);
    } catch (error) {
      if (isNew) this.#namings.delete(naming);
      throw error;
    }
  }

  /** Every claim of this registry and of those mounted in it. */
  all(): Claim[] {
    const mounted = [...this.#mounts].flatMap(({ book, prefix }) =>
      book.all().map((claim) => withPrefix(claim, prefix)),
    );
    const own = [...this.#claims].filter(({ isReserved }) => isReserved !== true);
    return [...own, ...mounted];
  }

  /** Checks the visible sets only; duplicates in other sets are not an error yet. */
  #note(claim: Claim, pending: PendingClaims, options: NoteOptions = {}): void {
    const seen = claim.namings.filter((naming) => this.#namings.has(naming));
    if (seen.length === 0) return;
    // The URI of a resource was checked with its definition.
    if (this.#kind !== 'resource') assertToolName(claim.name, this.#kind);
    const obstacle = claim.findObstacle?.();
    if (obstacle !== undefined) throw obstacle;
    const target = { pending, from: options.from ?? this, isFirst: options.isFirst === true };
    for (const naming of seen) this.#noteIn(naming, claim, target);
  }

  #noteIn(naming: Naming, claim: Claim, { pending, from, isFirst }: NoteTarget): void {
    let sets = pending.get(this);
    if (sets === undefined) pending.set(this, (sets = createNameSets()));
    const here = sets[naming];
    const known = here.get(claim.name);
    const found = known === undefined && !isFirst ? this.#find(naming, claim.name) : undefined;
    const holder = known ?? found?.claim;
    if (holder !== undefined) {
      const isSameGroup = claim.group !== undefined && holder.group === claim.group;
      // `merge: true` in another registry joins the tool there, not the one here.
      const isAsked =
        claim.isShared === true ||
        (claim.merge === true && (from === this || found === undefined || found.book === from));
      if (!(isSameGroup && isAsked)) {
        // Prompts and resources are described by their holder, so two in the same holder have the same description.
        const isTelling = this.#kind === 'tool' || holder.description !== claim.description;
        throw new DuplicateNameError(nounOf(this.#kind), claim.name, {
          ...(isTelling ? { claimants: [holder.description, claim.description] } : {}),
          ...(isSameGroup && claim.merge !== 'never' ? { advice: MERGE_ADVICE } : {}),
        });
      }
      assertMergeable(claim, holder);
    }
    here.set(claim.name, claim);
  }

  /** The claim of a name, in this book or in a mounted one. */
  #find(naming: Naming, name: string): { claim: Claim; book: NameBook } | undefined {
    const own = this.#held[naming].get(name)?.[0];
    if (own !== undefined) return { claim: own, book: this };
    for (const { book, prefix } of this.#mounts) {
      if (!name.startsWith(prefix)) continue;
      const found = book.#find(naming, name.slice(prefix.length));
      // Names that an exposure of the mounted registry reserves are free here.
      if (found !== undefined && found.claim.isReserved !== true)
        return { claim: withPrefix(found.claim, prefix), book };
    }
    return undefined;
  }

  #isReserved({ name }: Claim): boolean {
    return this.#held.flat.get(name)?.some((held) => held.isReserved) === true;
  }
}

interface NoteTarget extends Required<NoteOptions> {
  readonly pending: PendingClaims;
}

interface NoteOptions {
  /** The book of the registry that the claim comes from. */
  readonly from?: NameBook;
  /** Whether only claims of the same change are checked. */
  readonly isFirst?: boolean;
}

/** Two builders can be merged only if they have the same discriminator. */
function assertMergeable({ name, discriminator }: Claim, holder: Claim): void {
  if (holder.discriminator === discriminator) return;
  throw new DefinitionError(
    `Builders of the tool "${name}" cannot be merged: their discriminators differ ("${holder.discriminator}" and "${discriminator}"). Use the same one.`,
    { option: 'discriminator', expected: String(holder.discriminator), received: String(discriminator) },
  );
}

const MERGE_ADVICE = 'Rename one of them, or register the second with { merge: true }.';

/** The claim of a search tool, which is reserved in the flat set if an exposure may switch to search. */
function toReserved(name: string): Claim {
  const description = 'the search tools of an exposure';
  return { namings: ['flat'], name, group: undefined, description, merge: false, isReserved: true };
}

/** A claim with the prefix of the mount. */
function withPrefix(claim: Claim, prefix: string): Claim {
  const { name, group } = claim;
  return {
    ...claim,
    name: `${prefix}${name}`,
    group: group === undefined ? undefined : `${prefix}${group}`,
  };
}
