import type { Clock } from '../../../base/time/clock.ts';
import { SharedRuns } from './shared-runs.ts';

/** A token and its time of use. */
export interface Token {
  readonly value: string;
  /** Shortly before it expires. */
  readonly usedUntil: number;
  /** Refresh token for the next one. */
  readonly refreshToken: string | undefined;
}

/** Fetches a token; the previous one, if any, may help. */
export type FetchToken = (signal: AbortSignal, previous: Token | undefined) => Promise<Token>;

/**
 * Minimum time between renewals after a rejection: if tokens are rejected more often, the token is not the reason.
 */
const RENEWAL_PAUSE_MS = 10_000;

interface Entry {
  readonly token: Token | undefined;
  /** Time when a token was last dropped because an API rejected it. */
  readonly droppedAt: number | undefined;
}

/** Caches tokens until they expire. Concurrent requests share one fetch. Failures are not cached. */
export class TokenCache {
  /** The least recently used comes first. */
  readonly #entries = new Map<string, Entry>();
  readonly #runs = new SharedRuns<Token>();
  readonly #clock: Clock;
  readonly #max: number;

  constructor(clock: Clock, max: number) {
    this.#clock = clock;
    this.#max = max;
  }

  /** Number of cached tokens. */
  get size(): number {
    return this.#entries.size;
  }

  async get(key: string, signal: AbortSignal, fetch: FetchToken): Promise<string> {
    const entry = this.#entries.get(key);
    const token = entry?.token;
    if (entry !== undefined && token !== undefined && this.#clock.now() < token.usedUntil) {
      this.#keep(key, entry);
      return token.value;
    }
    const run = async (stop: AbortSignal): Promise<Token> => {
      const fetched = await fetch(stop, token);
      this.#keep(key, { token: fetched, droppedAt: this.#entries.get(key)?.droppedAt });
      return fetched;
    };
    return (await this.#runs.join(key, signal, run)).value;
  }

  /** Called after an API rejected a token. Returns whether there is, or can be, another one to try. */
  refuse(key: string, value: string): boolean {
    const entry = this.#entries.get(key);
    // Another request has already replaced it.
    if (entry?.token?.value !== value) return true;
    const now = this.#clock.now();
    if (entry.droppedAt !== undefined && now - entry.droppedAt < RENEWAL_PAUSE_MS) return false;
    this.#keep(key, { token: undefined, droppedAt: now });
    return true;
  }

  #keep(key: string, entry: Entry): void {
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#max) break;
      this.#entries.delete(oldest);
    }
  }
}
