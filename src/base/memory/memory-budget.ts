/** Requests and responses up to this size may use the reserved part of a budget. */
export const SMALL_BYTES = 65_536;

/** Share of a budget reserved for small requests and responses, so that large ones cannot block them. */
const RESERVE = 1 / 8;

/**
 * The order in which a full budget frees memory before it rejects anything: results of expired tasks, stalled request bodies, messages kept
 * for clients that resume, unread responses, sessions without a completed handshake.
 */
const SHED_ORDER = ['expired', 'bodies', 'events', 'responses', 'sessions'] as const;

export type Sheddable = (typeof SHED_ORDER)[number];

/** Frees memory, oldest first, until `isEnough` returns true or nothing is left. */
export type Shed = (isEnough: () => boolean) => void;

/**
 * Counts the bytes a server keeps on behalf of its clients: request bodies, arguments, unread responses, sessions, kept results and
 * messages. Counts only declared sizes; it allocates nothing.
 */
export class MemoryBudget {
  readonly maxBytes: number;
  readonly maxBytesPerCaller: number;
  /** The shared account of all anonymous callers. */
  readonly anonymous: MemoryAccount;
  readonly #usedBy = new Map<string, number>();
  readonly #shedders = new Map<Sheddable, Set<Shed>>();
  #used = 0;
  /** The part of the used bytes that is being sent. */
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

  /** Registers memory that can be freed when the budget is full. Returns a function that unregisters it. */
  onPressure(what: Sheddable, shed: Shed): () => void {
    const registered = this.#shedders.get(what) ?? new Set();
    this.#shedders.set(what, registered.add(shed));
    return () => void registered.delete(shed);
  }

  /** Takes bytes; false if there is not enough memory even after shedding, or the caller's share is used up. */
  // defence: memory-budget
  take(bytes: number, owner: string | undefined, isSmall: boolean = bytes <= SMALL_BYTES): boolean {
    // Other numbers would be counted for ever.
    if (!Number.isFinite(bytes) || bytes < 0) return false;
    if (owner !== undefined && this.#usedOf(owner) + bytes > this.maxBytesPerCaller) return false;
    const max = isSmall ? this.maxBytes : this.maxBytes * (1 - RESERVE);
    if (this.#used + bytes > max) {
      this.#shed(() => this.#used - this.#leaving + bytes <= max);
      // Bytes that are being sent are free only after they have been sent.
      if (this.#used + bytes > max) return false;
    }
    this.#used += bytes;
    if (owner !== undefined) this.#usedBy.set(owner, this.#usedOf(owner) + bytes);
    return true;
  }

  /** Counts bytes (negative: releases them) that cannot be rejected because they have their own bound. Frees other memory if necessary. */
  add(bytes: number): void {
    this.#used += bytes;
    if (this.#used > this.maxBytes) this.#shed(() => this.#used - this.#leaving <= this.maxBytes);
  }

  /** Marks bytes as being sent; a negative number unmarks them. */
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

/** The account of one caller in a budget. */
export class MemoryAccount {
  readonly #budget: MemoryBudget;
  /** The caller; undefined for anonymous callers. */
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
