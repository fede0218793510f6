/** An item of an {@link OpenList}; it can be in one list at a time. */
export class OpenItem {
  previous: OpenItem | undefined = undefined;
  next: OpenItem | undefined = undefined;
}

/**
 * The currently open items, in order of opening.
 *
 * A Set does the same. But with constant insertions and deletions its table is reallocated repeatedly, and a discarded table keeps its
 * former items reachable until the next full garbage collection: every request would outlive its response.
 */
export class OpenList<TItem extends OpenItem> {
  /** Sentinel before the first and after the last item. */
  readonly #ends = new OpenItem();

  constructor() {
    this.#ends.previous = this.#ends;
    this.#ends.next = this.#ends;
  }

  get isEmpty(): boolean {
    return this.#ends.next === this.#ends;
  }

  /** The oldest open item. */
  get first(): TItem | undefined {
    return this.isEmpty ? undefined : (this.#ends.next as TItem);
  }

  add(item: TItem): void {
    const last = this.#ends.previous ?? this.#ends;
    item.previous = last;
    item.next = this.#ends;
    last.next = item;
    this.#ends.previous = item;
  }

  /** Does nothing for an item that is not in the list. */
  remove(item: TItem): void {
    const { previous, next } = item;
    if (previous === undefined || next === undefined) return;
    previous.next = next;
    next.previous = previous;
    item.previous = undefined;
    item.next = undefined;
  }

  /** A snapshot of all open items. */
  all(): TItem[] {
    const open: TItem[] = [];
    for (let item = this.#ends.next; item !== undefined && item !== this.#ends; item = item.next)
      open.push(item as TItem);
    return open;
  }
}
