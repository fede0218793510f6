/** An item of an {@link OpenList}; it can be in one list at a time. */
export class OpenItem {
  previous: OpenItem | undefined = undefined;
  next: OpenItem | undefined = undefined;
}

/**
 * What is open at the moment, in the order in which it was opened.
 *
 * A Set does the same. But where things come and go all the time its table is made anew again and again, and a table that was thrown away
 * holds on to whatever stood in it, with all that hangs on that, until the next full garbage collection: every answered request would
 * outlive its answer.
 */
export class OpenList<TItem extends OpenItem> {
  /** Stands before the first and after the last one. */
  readonly #ends = new OpenItem();

  constructor() {
    this.#ends.previous = this.#ends;
    this.#ends.next = this.#ends;
  }

  get isEmpty(): boolean {
    return this.#ends.next === this.#ends;
  }

  /** The one that was opened before all others. */
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

  /** All that are open now, whatever becomes of them meanwhile. */
  all(): TItem[] {
    const open: TItem[] = [];
    for (let item = this.#ends.next; item !== undefined && item !== this.#ends; item = item.next)
      open.push(item as TItem);
    return open;
  }
}
