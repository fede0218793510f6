import { createHash, randomBytes } from 'node:crypto';
import { stravaError } from '../strava-error.ts';

/** An authorization that waits for its callback. */
export interface PendingAuthorization {
  readonly user: string;
  /** PKCE code verifier. */
  readonly verifier: string;
  /** Unix time in milliseconds. */
  readonly expiresAt: number;
  /** Called with the outcome. */
  readonly finish: (error?: unknown) => void;
}

/** Period in which the user must grant the permission. */
export const AUTHORIZATION_MS = 10 * 60_000;
const MAX_PENDING = 1000;

/** Authorizations by their `state`. Each state can be used once, within ten minutes. */
export class PendingAuthorizations {
  readonly #pending = new Map<string, PendingAuthorization>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  add(
    user: string,
    finish: PendingAuthorization['finish'],
  ): {
    readonly state: string;
    readonly challenge: string;
    readonly expiresAt: number;
  } {
    this.#removeExpired();
    // A user who connects again gives up the earlier attempt.
    this.endOf(user, stravaError('refused', 'A later attempt to connect replaced this one.'));
    const oldest = this.#pending.keys().next().value;
    if (this.#pending.size >= MAX_PENDING && oldest !== undefined) {
      this.#end(oldest, stravaError('refused', 'Too many users connect at the same time.'));
    }
    const state = randomBytes(32).toString('base64url');
    const verifier = randomBytes(32).toString('base64url');
    const expiresAt = this.#now() + AUTHORIZATION_MS;
    this.#pending.set(state, { user, verifier, expiresAt, finish });
    return { state, expiresAt, challenge: createHash('sha256').update(verifier).digest('base64url') };
  }

  /** Removes and returns the authorization of a state; undefined if it is unknown, used or expired. */
  take(state: string): PendingAuthorization | undefined {
    this.#removeExpired();
    const pending = this.#pending.get(state);
    this.#pending.delete(state);
    return pending;
  }

  /** Ends the attempt of a user: its address is not valid any more. */
  endOf(user: string, error: Error): void {
    for (const [state, pending] of this.#pending) if (pending.user === user) this.#end(state, error);
  }

  endAll(error: Error): void {
    for (const state of this.#pending.keys()) this.#end(state, error);
  }

  #removeExpired(): void {
    for (const [state, { expiresAt }] of this.#pending) {
      if (expiresAt <= this.#now())
        this.#end(state, stravaError('refused', 'The permission was not granted in time.'));
    }
  }

  #end(state: string, error: Error): void {
    const pending = this.#pending.get(state);
    this.#pending.delete(state);
    pending?.finish(error);
  }
}
