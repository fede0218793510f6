/** What one owner has: keys in the order in which they came, and how much each takes up. */
interface Share {
  readonly amounts: Map<string, number>;
  total: number;
}

/**
 * Who has how much in a store that all callers share. A full store makes room at the expense of the owner who has most, so that nobody
 * displaces what others have by asking for more.
 */
export class Shares {
  readonly #shares = new Map<string, Share>();
  #total = 0;

  /** Of all owners together. */
  get total(): number {
    return this.#total;
  }

  /** Counts an amount for a key of an owner; a known key keeps its place. */
  add(owner: string, key: string, amount: number): void {
    const share = this.#shares.get(owner) ?? { amounts: new Map<string, number>(), total: 0 };
    this.#shares.set(owner, share);
    share.amounts.set(key, (share.amounts.get(key) ?? 0) + amount);
    share.total += amount;
    this.#total += amount;
  }

  /** Forgets a key. */
  remove(owner: string, key: string): void {
    const share = this.#shares.get(owner);
    const amount = share?.amounts.get(key);
    if (share === undefined || amount === undefined) return;
    share.amounts.delete(key);
    share.total -= amount;
    this.#total -= amount;
    if (share.amounts.size === 0) this.#shares.delete(owner);
  }

  /** The key that should go next: the first one of the owner who has most. `kept` stays; undefined if there is no other. */
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
