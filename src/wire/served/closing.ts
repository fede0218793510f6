/**
 * Tells that something closes. Not an AbortSignal: thousands may wait for this one, and Node warns about more than ten listeners on a
 * signal.
 */
export class Closing {
  readonly #listeners = new Set<() => void>();
  #isClosed = false;

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Calls back once it closes, at once if it has; the returned function takes it back. */
  onClose(listener: () => void): () => void {
    if (this.#isClosed) {
      listener();
      return () => {};
    }
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  close(): void {
    this.#isClosed = true;
    for (const listener of Array.from(this.#listeners)) listener();
    this.#listeners.clear();
  }
}
