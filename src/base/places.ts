/** Who wants a place. */
export interface PlaceOwner {
  readonly owner: string;
  /** Nobody in particular, who is many: only the limit for all holds for them. */
  readonly isAnonymous: boolean;
}

/** A limited number of places: so many in all, and so many of one owner. */
export class Places {
  readonly #max: number;
  readonly #maxPerOwner: number;
  readonly #taken = new Map<string, number>();
  #size = 0;

  constructor(max: number, maxPerOwner: number) {
    this.#max = max;
    this.#maxPerOwner = maxPerOwner;
  }

  /** Whether there is none left for anybody. */
  get isFull(): boolean {
    return this.#size >= this.#max;
  }

  /** Takes a place. What is returned gives it back, once; undefined when there is none. */
  take({ owner, isAnonymous }: PlaceOwner): (() => void) | undefined {
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
