/**
 * Something that can be taken back. Does what an AbortController does, for a fraction of the cost: most requests are never taken back,
 * and nobody asks for their signal.
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

  /** Takes it back, once. */
  cancel(reason: unknown): void {
    if (this.#isCancelled) return;
    this.#isCancelled = true;
    this.#reason = reason;
    const listeners = this.#listeners;
    this.#listeners = NOBODY;
    for (const listener of listeners) listener();
  }

  /** Calls back when it is taken back; at once if it was. */
  onCancel(listener: () => void): void {
    if (this.#isCancelled) listener();
    else this.#listeners = this.#listeners === NOBODY ? [listener] : [...this.#listeners, listener];
  }

  /** Does not call back any more. */
  offCancel(listener: () => void): void {
    if (this.#listeners.length === 1 && this.#listeners[0] === listener) this.#listeners = NOBODY;
    if (this.#listeners === NOBODY) return;
    const left = this.#listeners.filter((other) => other !== listener);
    this.#listeners = left.length === 0 ? NOBODY : left;
  }
}

const NOBODY: readonly (() => void)[] = [];
