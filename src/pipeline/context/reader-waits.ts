/** The waits of one call for a slow reader. They end when the client has read, or when the call ends. */
export class ReaderWaits {
  readonly #ends = new Set<() => void>();
  /** The last send and the wait for it, shared by all that wait for the same. */
  #sending: PromiseLike<void> | undefined;
  #wait: Promise<void> | undefined;

  /** Waits until a message is sent. */
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

  /** The call has ended. */
  end(): void {
    for (const end of this.#ends) end();
  }
}
