/** So many at a time; the others wait for their turn, in the order they came. */
export class Turns {
  readonly #max: number;
  #taken = 0;
  readonly #waiting = new Set<() => void>();

  constructor(max: number) {
    this.#max = max;
  }

  /** Calls back when it is the caller's turn, perhaps at once. What is returned ends the turn, or the waiting for it; once. */
  take(onTurn: () => void): () => void {
    let hasTurn = false;
    let isOver = false;
    const begin = (): void => {
      hasTurn = true;
      this.#taken += 1;
      onTurn();
    };
    if (this.#taken < this.#max) begin();
    else this.#waiting.add(begin);
    return () => {
      if (isOver) return;
      isOver = true;
      this.#waiting.delete(begin);
      if (!hasTurn) return;
      this.#taken -= 1;
      this.#next();
    };
  }

  #next(): void {
    const [first] = this.#waiting;
    if (first === undefined) return;
    this.#waiting.delete(first);
    first();
  }
}
