import { toLoggedError } from '../errors/log-thrown.ts';
import type { Logger } from '../errors/logger.ts';
import { isPromiseLike } from '../schema/validated.ts';

/** What changed in a registry. */
export interface RegistryChange {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** Called after a change. What it throws is logged; the change has happened. */
export type ChangeListener = (change: RegistryChange) => void;

/** Tells listeners about changes. */
export class ChangeFeed {
  readonly #listeners = new Set<{ readonly notify: ChangeListener }>();
  readonly #logger: Logger;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** Adds a listener; the returned function removes it. */
  subscribe(listener: ChangeListener): () => void {
    // Wrapped, so that one function subscribed twice is two subscriptions.
    const subscription = { notify: listener };
    this.#listeners.add(subscription);
    return () => {
      this.#listeners.delete(subscription);
    };
  }

  announce(change: RegistryChange): void {
    if (change.added.length === 0 && change.removed.length === 0) return;
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
