/** So many files are read at a time: each of them takes up its whole size, however many ask for it. */
const AT_ONCE = 4;

/** Lets readers of files have their turn, in the order in which they came. */
export class ReadTurns {
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  /** Reads when it is its turn; one whose caller has gone by then is not read. */
  async run<TValue>(signal: AbortSignal, read: () => Promise<TValue>): Promise<TValue> {
    if (this.#running >= AT_ONCE) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running += 1;
    try {
      signal.throwIfAborted();
      return await read();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }
}
