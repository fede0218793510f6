/** The owner that a use counts against. */
export interface QuotaOwner {
  readonly owner: string;
  /** Anonymous callers are many: only the total limit applies to them. */
  readonly isAnonymous: boolean;
}

/** Limits concurrent uses: in total, and per owner. */
export class Quota {
  readonly #max: number;
  readonly #maxPerOwner: number;
  readonly #taken = new Map<string, number>();
  #size = 0;

  constructor(max: number, maxPerOwner: number) {
    this.#max = max;
    this.#maxPerOwner = maxPerOwner;
  }

  /** Whether the total limit is reached. */
  get isFull(): boolean {
    return this.#size >= this.#max;
  }

  /** Takes one use and returns a function that releases it once; undefined if the limit is reached. */
  take({ owner, isAnonymous }: QuotaOwner): (() => void) | undefined {
    const own = this.#taken.get(owner) ?? 0;
    if (this.#size >= this.#max || (!isAnonymous && own >= this.#maxPerOwner)) return undefined;
    this.#taken.set(owner, own + 1);
    this.#size += 1;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#size -= 1;
      const left = (this.#taken.get(owner) ?? 1) - 1;
      if (left === 0) this.#taken.delete(owner);
      else this.#taken.set(owner, left);
    };
  }
}
