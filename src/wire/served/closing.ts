/** Signals that something closes. Not an AbortSignal: this may have thousands of listeners, and Node.js warns about more than ten on a signal. */
export class Closing {
  readonly #listeners = new Set<() => void>();
  #isClosed = false;

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Calls the listener when it closes, or immediately if it has closed. The returned function unsubscribes. */
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
