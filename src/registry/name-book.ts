import { DuplicateNameError } from '../errors/errors.ts';
import { assertToolName } from '../tools/compile/assert-definition.ts';
import type { Naming, WireName } from './wire-names.ts';

/** A name, and who claims it. */
export interface Claim extends WireName {
  /** Tells two claimants of one name apart in a message. */
  readonly description: string;
  /** Whether it may join a grouped tool of the same name. */
  readonly merge: boolean;
  /** Whether it is held by an exposure, not by a tool. */
  readonly isReserved?: boolean;
}

/** Names claimed in one change, by book: one tool may appear twice in a registry that mounts another twice. */
export type PendingClaims = Map<NameBook, Map<string, Claim>>;

interface Link {
  readonly book: NameBook;
  readonly prefix: string;
}

const keyOf = ({ naming, name }: Pick<Claim, 'name' | 'naming'>): string => `${naming}:${name}`;

/**
 * The names of a registry in every set of names under which it can be shown. A new name must be free here and, with its prefix,
 * wherever the registry is mounted.
 */
export class NameBook {
  readonly #held = new Map<string, Claim>();
  /** Sets of names that somebody may see: within each, a name may be claimed once. */
  readonly #namings = new Set<Naming>(['canonical', 'grouped', 'flat']);
  readonly #parents = new Set<Link>();
  readonly #mounts = new Set<Link>();

  /** Refuses a name that is not allowed or not free, here or further out, and notes it as claimed in this change. */
  claim(claim: Claim, pending: PendingClaims): void {
    if (this.#namings.has(claim.naming)) this.#note(claim, pending);
    for (const { book, prefix } of this.#parents) book.claim(withPrefix(claim, prefix), pending);
  }

  /** Keeps names that were claimed. The first builder of a merged tool stays its claimant. */
  hold(claims: readonly Claim[]): void {
    for (const claim of claims) if (!this.#held.has(keyOf(claim))) this.#held.set(keyOf(claim), claim);
  }

  release(names: readonly WireName[]): void {
    for (const name of names) this.#held.delete(keyOf(name));
  }

  /** Gives up every name of a tool; reserved ones stay. */
  clear(): void {
    for (const [key, { isReserved }] of this.#held) if (isReserved !== true) this.#held.delete(key);
  }

  /** Takes the names of another registry in, under a prefix. The returned function gives them up again. */
  mount(child: NameBook, prefix: string): () => void {
    const pending: PendingClaims = new Map();
    for (const claim of child.all()) this.claim(withPrefix(claim, prefix), pending);
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
      if (isNew) for (const claim of this.all()) this.#note(claim, pending, () => undefined);
      const claims = names.map(toReserved).filter((claim) => !this.#isReserved(claim));
      for (const claim of claims) this.claim(claim, pending);
      this.hold(claims);
    } catch (error) {
      if (isNew) this.#namings.delete(naming);
      throw error;
    }
  }

  /** Every name once, as something else would have to claim it. */
  all(): Claim[] {
    const mounted = [...this.#mounts].flatMap(({ book, prefix }) =>
      book.all().map((claim) => withPrefix(claim, prefix)),
    );
    return [...this.#held.values(), ...mounted].map((claim) => ({ ...claim, merge: false }));
  }

  #note(claim: Claim, pending: PendingClaims, find = (key: Claim) => this.#find(key)): void {
    assertToolName(claim.name);
    const here = pending.get(this) ?? new Map<string, Claim>();
    pending.set(this, here);
    const holder = here.get(keyOf(claim)) ?? find(claim);
    const isSameGroup = claim.group !== undefined && holder?.group === claim.group;
    if (holder !== undefined && !(isSameGroup && claim.merge)) {
      throw new DuplicateNameError('Tool', claim.name, {
        claimants: [holder.description, claim.description],
        ...(isSameGroup ? { advice: MERGE_ADVICE } : {}),
      });
    }
    here.set(keyOf(claim), claim);
  }

  #find(claim: Pick<Claim, 'name' | 'naming'>): Claim | undefined {
    const own = this.#held.get(keyOf(claim));
    if (own !== undefined) return own;
    for (const { book, prefix } of this.#mounts) {
      if (!claim.name.startsWith(prefix)) continue;
      const found = book.#find({ naming: claim.naming, name: claim.name.slice(prefix.length) });
      if (found !== undefined) return withPrefix(found, prefix);
    }
    return undefined;
  }

  #isReserved(claim: Claim): boolean {
    return this.#held.get(keyOf(claim))?.isReserved === true;
  }
}

const MERGE_ADVICE = 'Rename one of them, or register the second with { merge: true }.';

/** The claim of a search tool, which stands beside the flat names where a surface may turn to search. */
function toReserved(name: string): Claim {
  const description = 'the search tools of an exposure';
  return { naming: 'flat', name, group: undefined, description, merge: false, isReserved: true };
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
