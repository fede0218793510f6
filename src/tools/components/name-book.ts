import { nounOf } from '../../errors/component-kind.ts';
import type { ComponentKind } from '../../errors/component-kind.ts';
import { DefinitionError, DuplicateNameError } from '../../errors/errors.ts';
import { assertToolName } from '../compile/assert-definition.ts';

/** The sets of names under which a catalog can be shown. Within each, a name may be claimed once. */
export type Naming = 'canonical' | 'flat' | 'grouped' | 'split' | 'category' | 'category-split';

/** A name in some of the sets. */
export interface WireName {
  readonly namings: readonly Naming[];
  readonly name: string;
  /** The grouped tool that may claim it several times: once for every builder that is merged into it. */
  readonly group: string | undefined;
  /** What says the action there: those that share a name must agree on it. */
  readonly discriminator?: string;
  /** Whether others of the same group share the name unasked. */
  readonly isShared?: boolean;
  /** Finds why it cannot be shown under this name; asked where it may be seen. */
  readonly findObstacle?: () => DefinitionError | undefined;
  /** What else there is to say of it, in a message about two claims. */
  readonly note?: string;
}

/** A name, and who claims it. */
export interface Claim extends WireName {
  /** Tells two claimants of one name apart in a message. */
  readonly description: string;
  /** Whether it may join a grouped tool of the same name; `never` where nobody could say so. */
  readonly merge: boolean | 'never';
  /** Whether it is held by an exposure, not by a tool. */
  readonly isReserved?: boolean;
}

/** Names claimed in one change, by book: one tool may appear twice in a registry that mounts another twice. */
export type PendingClaims = Map<NameBook, NameSets<Claim>>;

/** Something for each name, in each set of names. */
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
 * The names of a registry or a manager in every set of names under which it can be shown. A new name must be free here and, with its
 * prefix, wherever the registry or manager is mounted.
 */
export class NameBook {
  /** Several claims of one name are possible where nobody sees that set of names yet, and for merged tools. The first one counts. */
  readonly #held: NameSets<readonly Claim[]> = createNameSets();
  /** All of them, in the order in which they came. */
  readonly #claims = new Set<Claim>();
  /** Sets of names that somebody may see: within each, a name may be claimed once. */
  readonly #namings = new Set<Naming>(['canonical', 'grouped', 'flat']);
  readonly #kind: ComponentKind;
  readonly #parents = new Set<Link>();
  readonly #mounts = new Set<Link>();

  constructor(kind: ComponentKind) {
    this.#kind = kind;
  }

  /** Refuses a name that is not allowed or not free, here or further out, and notes it as claimed in this change. */
  claim(claim: Claim, pending: PendingClaims, from: NameBook = this): void {
    this.#note(claim, pending, { from });
    for (const { book, prefix } of this.#parents) book.claim(withPrefix(claim, prefix), pending, this);
  }

  /** Keeps names that were claimed. */
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

  /** Gives up claims that are held. */
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

  /** Takes the names of another registry in, under a prefix. The returned function gives them up again. */
  mount(child: NameBook, prefix: string): () => void {
    const pending: PendingClaims = new Map();
    // What has grown together in the child is one claim here, and joins nothing of ours unasked.
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

  /** From now on, a set of names is seen, and these names are taken in the flat one. Refused if that makes doubles. */
  reserve(naming: Naming | undefined, names: readonly string[]): void {
    const isNew = naming !== undefined && !this.#namings.has(naming);
    if (isNew) this.#namings.add(naming);
    try {
      const pending: PendingClaims = new Map();
      if (isNew)
        for (const claim of this.all()) this.#note({ ...claim, merge: true }, pending, { isFirst: true });
      const claims = names.map(toReserved).filter((claim) => !this.#isReserved(claim));
      // Only here: they belong to a surface of this registry, not to those it is mounted in.
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

  /** In the sets of names that somebody may see; in all others, doubles are nobody's concern yet. */
  #note(claim: Claim, pending: PendingClaims, options: NoteOptions = {}): void {
    const seen = claim.namings.filter((naming) => this.#namings.has(naming));
    if (seen.length === 0) return;
    // A resource goes by its URI, which was checked with its definition.
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
      // Who registers elsewhere can ask to join what is there, not what is here.
      const isAsked =
        claim.isShared === true ||
        (claim.merge === true && (from === this || found === undefined || found.book === from));
      if (!(isSameGroup && isAsked)) {
        // Prompts and resources are told apart by where they are held: of two in one place, there is nothing to say.
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

  /** Who holds a name: this book, or one that is mounted here. */
  #find(naming: Naming, name: string): { claim: Claim; book: NameBook } | undefined {
    const own = this.#held[naming].get(name)?.[0];
    if (own !== undefined) return { claim: own, book: this };
    for (const { book, prefix } of this.#mounts) {
      if (!name.startsWith(prefix)) continue;
      const found = book.#find(naming, name.slice(prefix.length));
      // What a surface of the other registry reserves is not a name of ours.
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
  /** The book whose registry the claim comes from. */
  readonly from?: NameBook;
  /** Whether only claims of the same change matter. */
  readonly isFirst?: boolean;
}

/** Two builders can be one tool only if both say the action in the same argument. */
function assertMergeable({ name, discriminator }: Claim, holder: Claim): void {
  if (holder.discriminator === discriminator) return;
  throw new DefinitionError(
    `Builders of the tool "${name}" cannot be merged: one says the action in "${holder.discriminator}", the other in "${discriminator}".`,
  );
}

const MERGE_ADVICE = 'Rename one of them, or register the second with { merge: true }.';

/** The claim of a search tool, which stands beside the flat names where a surface may turn to search. */
function toReserved(name: string): Claim {
  const description = 'the search tools of an exposure';
  return { namings: ['flat'], name, group: undefined, description, merge: false, isReserved: true };
}

/** A name as it is claimed where its registry is mounted. */
function withPrefix(claim: Claim, prefix: string): Claim {
  const { name, group } = claim;
  return {
    ...claim,
    name: `${prefix}${name}`,
    group: group === undefined ? undefined : `${prefix}${group}`,
  };
}
