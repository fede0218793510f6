/** Requests and responses up to this size may use the part of a budget that is reserved for them. */
export const SMALL_BYTES = 65_536;

/** The part of a budget that only small requests and responses may use: large ones cannot lock them out. */
const RESERVE = 1 / 8;

/**
 * The order in which a full budget frees memory before it refuses anything: results of tasks that have expired, request bodies that have stopped arriving, messages kept for
 * clients that resume, responses that their clients do not read, sessions whose client never finished the handshake.
 */
const SHED_ORDER = ['expired', 'bodies', 'events', 'responses', 'sessions'] as const;

export type Sheddable = (typeof SHED_ORDER)[number];

/** Frees memory, oldest first, until `isEnough` returns true or nothing is left. */
export type Shed = (isEnough: () => boolean) => void;

/**
 * The bytes a server keeps on behalf of its clients: request bodies, arguments, unread responses, sessions, kept results and messages. Counts
 * only what holders declare; it allocates nothing.
 */
export class MemoryBudget {
  readonly maxBytes: number;
  readonly maxBytesPerCaller: number;
  /** The account of all anonymous callers, who share one. */
  readonly anonymous: MemoryAccount;
  readonly #usedBy = new Map<string, number>();
  readonly #shedders = new Map<Sheddable, Set<Shed>>();
  #used = 0;
  /** The part of it that is on its way out. */
  #leaving = 0;

  constructor(maxBytes: number, maxBytesPerCaller: number = maxBytes / 4) {
    this.maxBytes = maxBytes;
    this.maxBytesPerCaller = maxBytesPerCaller;
    this.anonymous = new MemoryAccount(this, undefined);
  }

  get usedBytes(): number {
    return this.#used;
  }

  /** The account of a caller; `owner` is undefined for an anonymous one. */
  accountOf(owner: string | undefined): MemoryAccount {
    return owner === undefined ? this.anonymous : new MemoryAccount(this, owner);
  }

  /** Registers memory that can be freed when the budget is full. The returned function ends it. */
  onPressure(what: Sheddable, shed: Shed): () => void {
    const registered = this.#shedders.get(what) ?? new Set();
    this.#shedders.set(what, registered.add(shed));
    return () => void registered.delete(shed);
  }

  /** Takes bytes; false if there is no room even after shedding, or the caller has used up its share. */
  // defence: memory-budget
  take(bytes: number, owner: string | undefined, isSmall: boolean = bytes <= SMALL_BYTES): boolean {
    // Anything else would be counted for ever.
    if (!Number.isFinite(bytes) || bytes < 0) return false;
    if (owner !== undefined && this.#usedOf(owner) + bytes > this.maxBytesPerCaller) return false;
    const max = isSmall ? this.maxBytes : this.maxBytes * (1 - RESERVE);
    if (this.#used + bytes > max) {
      this.#shed(() => this.#used - this.#leaving + bytes <= max);
      // What is on its way out gives no room until it has gone.
      if (this.#used + bytes > max) return false;
    }
    this.#used += bytes;
    if (owner !== undefined) this.#usedBy.set(owner, this.#usedOf(owner) + bytes);
    return true;
  }

  /** Counts bytes, or fewer again, that cannot be refused because they have a bound of their own. Other memory is freed for them. */
  add(bytes: number): void {
    this.#used += bytes;
    if (this.#used > this.maxBytes) this.#shed(() => this.#used - this.#leaving <= this.maxBytes);
  }

  /** Says that bytes, which are given back when they have gone, are on their way out; or, with fewer than none, that they have gone. */
  announceLeaving(bytes: number): void {
    this.#leaving += bytes;
  }

  give(bytes: number, owner?: string): void {
    this.#used -= bytes;
    if (owner === undefined) return;
    const left = this.#usedOf(owner) - bytes;
    if (left > 0) this.#usedBy.set(owner, left);
    else this.#usedBy.delete(owner);
  }

  #usedOf(owner: string): number {
    return this.#usedBy.get(owner) ?? 0;
  }

  #shed(isEnough: () => boolean): void {
    for (const what of SHED_ORDER) {
      for (const shed of this.#shedders.get(what) ?? []) {
        if (isEnough()) return;
        shed(isEnough);
      }
    }
  }
}

/** One caller's part of a budget. */
export class MemoryAccount {
  readonly #budget: MemoryBudget;
  /** Whose it is; undefined for anonymous callers. */
  readonly owner: string | undefined;

  constructor(budget: MemoryBudget, owner: string | undefined) {
    this.#budget = budget;
    this.owner = owner;
  }

  take(bytes: number, isSmall?: boolean): boolean {
    return this.#budget.take(bytes, this.owner, isSmall);
  }

  give(bytes: number): void {
    this.#budget.give(bytes, this.owner);
  }

  announceLeaving(bytes: number): void {
    this.#budget.announceLeaving(bytes);
  }
}
