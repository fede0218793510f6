/**
 * The waits of one call for a client that reads slowly. They end when the client has read, or when the call is over: a handler must not wait
 * for a client that has nothing more to expect.
 */
export class ReaderWaits {
  readonly #ends = new Set<() => void>();
  /** What was waited for last, and the wait for it: one for all who wait for the same. */
  #sending: PromiseLike<void> | undefined;
  #wait: Promise<void> | undefined;

  /** Waits until something is sent. */
  until(sending: PromiseLike<void>): Promise<void> {
    if (sending === this.#sending && this.#wait !== undefined) return this.#wait;
    this.#sending = sending;
    this.#wait = new Promise((resolve, reject) => {
      const end = (): void => {
        this.#ends.delete(end);
        resolve();
      };
      this.#ends.add(end);
      sending.then(end, (error: unknown) => {
        this.#ends.delete(end);
        reject(error);
      });
    });
    return this.#wait;
  }

  /** The call is over. */
  end(): void {
    for (const end of this.#ends) end();
  }
}
