import type { Clock } from '../../../base/time/clock.ts';
import { SharedRuns } from './shared-runs.ts';

/** A token, and until when it is used. */
export interface Token {
  readonly value: string;
  /** A while before it expires. */
  readonly usedUntil: number;
  /** What another one can be had for. */
  readonly refreshToken: string | undefined;
}

/** How a token is had: the one before, if there was one, may help. */
export type FetchToken = (signal: AbortSignal, previous: Token | undefined) => Promise<Token>;

/** Refused more often than this, it is not the token that is wrong. */
const RENEWAL_PAUSE_MS = 10_000;

interface Entry {
  readonly token: Token | undefined;
  /** When a token was last dropped because an API refused it. */
  readonly droppedAt: number | undefined;
}

/** Keeps tokens as long as they can be used. All who need one at the same time wait for one request. Failures are not kept. */
export class TokenCache {
  /** The one unused for longest comes first. */
  readonly #entries = new Map<string, Entry>();
  readonly #runs = new SharedRuns<Token>();
  readonly #clock: Clock;
  readonly #max: number;

  constructor(clock: Clock, max: number) {
    this.#clock = clock;
    this.#max = max;
  }

  /** How many are kept. */
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

  /** An API refused a token. Whether there is, or can be, another one to try. */
  refuse(key: string, value: string): boolean {
    const entry = this.#entries.get(key);
    // Somebody else noticed first.
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
