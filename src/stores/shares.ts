/** Keys of one owner in order of insertion, with their amounts. */
interface Share {
  readonly amounts: Map<string, number>;
  total: number;
}

/**
 * Amounts per owner in a store that all callers share. A full store drops entries of the owner that has most, so that a caller cannot
 * displace the entries of others.
 */
export class Shares {
  readonly #shares = new Map<string, Share>();
  #total = 0;

  /** Amount of all owners. */
  get total(): number {
    return this.#total;
  }

  /** Adds an amount to a key of an owner; a known key keeps its position. */
  add(owner: string, key: string, amount: number): void {
    const share = this.#shares.get(owner) ?? { amounts: new Map<string, number>(), total: 0 };
    this.#shares.set(owner, share);
    share.amounts.set(key, (share.amounts.get(key) ?? 0) + amount);
    share.total += amount;
    this.#total += amount;
  }

  /** Removes a key. */
  remove(owner: string, key: string): void {
    const share = this.#shares.get(owner);
    const amount = share?.amounts.get(key);
    if (share === undefined || amount === undefined) return;
    share.amounts.delete(key);
    share.total -= amount;
    this.#total -= amount;
    if (share.amounts.size === 0) this.#shares.delete(owner);
  }

  /** The key to drop next: the first one of the owner that has most. Never `kept`; undefined if there is no other. */
  next(kept?: string): string | undefined {
    let found: string | undefined;
    let most = -1;
    for (const { amounts, total } of this.#shares.values()) {
      if (total <= most) continue;
      const [first, second] = amounts.keys();
      const key = first === kept ? second : first;
      if (key === undefined) continue;
      found = key;
      most = total;
    }
    return found;
  }
}
