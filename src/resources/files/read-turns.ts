/** Maximum number of concurrent reads, because each takes memory for the whole file. */
const AT_ONCE = 4;

/** A queue for file reads, in order of arrival. */
export class ReadTurns {
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  /** Reads when a slot is free, unless the caller has cancelled. */
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
