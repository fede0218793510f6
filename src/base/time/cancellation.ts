/**
 * A cancellation. Like an AbortController, at a fraction of the cost: most requests are never cancelled, and their signal is never read.
 */
export class Cancellation {
  #isCancelled = false;
  #reason: unknown = undefined;
  #listeners: readonly (() => void)[] = NOBODY;

  get isCancelled(): boolean {
    return this.#isCancelled;
  }

  get reason(): unknown {
    return this.#reason;
  }

  /** Cancels, once. */
  cancel(reason: unknown): void {
    if (this.#isCancelled) return;
    this.#isCancelled = true;
    this.#reason = reason;
    const listeners = this.#listeners;
    this.#listeners = NOBODY;
    for (const listener of listeners) listener();
  }

  /** Calls the listener on cancellation; immediately if already cancelled. */
  onCancel(listener: () => void): void {
    if (this.#isCancelled) listener();
    else this.#listeners = this.#listeners === NOBODY ? [listener] : [...this.#listeners, listener];
  }

  /** Removes a listener. */
  offCancel(listener: () => void): void {
    if (this.#listeners.length === 1 && this.#listeners[0] === listener) this.#listeners = NOBODY;
    if (this.#listeners === NOBODY) return;
    const left = this.#listeners.filter((other) => other !== listener);
    this.#listeners = left.length === 0 ? NOBODY : left;
  }
}

const NOBODY: readonly (() => void)[] = [];
