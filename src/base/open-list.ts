/** What can stand in an {@link OpenList}, one at a time. */
export class OpenPlace {
  previous: OpenPlace | undefined = undefined;
  next: OpenPlace | undefined = undefined;
}

/**
 * What is open at the moment, in the order in which it was opened.
 *
 * A Set does the same. But where things come and go all the time its table is made anew again and again, and a table that was thrown away
 * holds on to whatever stood in it, with all that hangs on that, until the next full garbage collection: every answered request would
 * outlive its answer.
 */
export class OpenList<TPlace extends OpenPlace> {
  /** Stands before the first and after the last one. */
  readonly #ends = new OpenPlace();

  constructor() {
    this.#ends.previous = this.#ends;
    this.#ends.next = this.#ends;
  }

  get isEmpty(): boolean {
    return this.#ends.next === this.#ends;
  }

  /** The one that was opened before all others. */
  get first(): TPlace | undefined {
    return this.isEmpty ? undefined : (this.#ends.next as TPlace);
  }

  add(place: TPlace): void {
    const last = this.#ends.previous ?? this.#ends;
    place.previous = last;
    place.next = this.#ends;
    last.next = place;
    this.#ends.previous = place;
  }

  /** One that is not in the list is nobody's concern. */
  remove(place: TPlace): void {
    const { previous, next } = place;
    if (previous === undefined || next === undefined) return;
    previous.next = next;
    next.previous = previous;
    place.previous = undefined;
    place.next = undefined;
  }

  /** All that are open now, whatever becomes of them meanwhile. */
  all(): TPlace[] {
    const open: TPlace[] = [];
    for (let place = this.#ends.next; place !== undefined && place !== this.#ends; place = place.next)
      open.push(place as TPlace);
    return open;
  }
}
