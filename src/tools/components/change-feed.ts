import { toLoggedError } from '../../errors/log-thrown.ts';
import type { Logger } from '../../errors/logger.ts';
import { isPromiseLike } from '../../base/maybe-promise.ts';

/** Notifies listeners of changes. An error in a listener is logged, because the change has already happened. */
export class ChangeFeed<TChange> {
  readonly #listeners = new Set<{ readonly notify: (change: TChange) => void }>();
  readonly #logger: Logger;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** Adds a listener; the returned function removes it. */
  subscribe(listener: (change: TChange) => void): () => void {
    // Wrapped, so that one function subscribed twice is two subscriptions.
    const subscription = { notify: listener };
    this.#listeners.add(subscription);
    return () => {
      this.#listeners.delete(subscription);
    };
  }

  announce(change: TChange): void {
    for (const { notify } of Array.from(this.#listeners)) {
      try {
        const answer: unknown = notify(change);
        if (isPromiseLike(answer)) answer.then(undefined, (error: unknown) => this.#report(error));
      } catch (error) {
        this.#report(error);
      }
    }
  }

  #report(error: unknown): void {
    this.#logger.error('a change listener failed', { error: toLoggedError(error) });
  }
}
