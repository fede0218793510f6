import { hash } from 'node:crypto';
import { deepFreeze } from '../base/json/deep-freeze.ts';
import type { MaybePromise } from '../base/maybe-promise.ts';
import type { Clock } from '../base/time/clock.ts';
import { withToken } from './verifier.ts';
import type { Verdict } from './verifier.ts';

/** A verdict, and for how many milliseconds it holds. */
export interface VerifiedToken {
  readonly verdict: Verdict;
  readonly keepMs: number;
}

interface Entry {
  readonly verdict: Verdict;
  /** By the clock of this process. */
  readonly until: number;
}

/** Verified tokens by their SHA-256, for a while. The token itself is not kept. Only valid ones are: anybody can send others. */
export class VerifiedTokens {
  /** The one that was verified first comes first, and usually expires first. */
  readonly #entries = new Map<string, Entry>();
  readonly #clock: Clock;
  readonly #max: number;

  constructor(clock: Clock, max: number) {
    this.#clock = clock;
    this.#max = max;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** The verdict on a token, with the token: the one that is kept, or that of `verify`, kept for the milliseconds that it returns. */
  get(token: string, verify: () => Promise<VerifiedToken>): MaybePromise<Verdict> {
    const key = hash('sha256', token, 'base64');
    const known = this.#entries.get(key);
    if (known !== undefined && this.#clock.now() < known.until) return withToken(known.verdict, token);
    this.#entries.delete(key);
    return this.#verify(key, verify).then((verdict) => withToken(verdict, token));
  }

  async #verify(key: string, verify: () => Promise<VerifiedToken>): Promise<Verdict> {
    const { verdict, keepMs } = await verify();
    // Every request with this token gets this principal: what one handler does to its claims must not reach the next request.
    if (verdict.kind === 'verified' && keepMs > 0)
      this.#keep(key, { verdict: deepFreeze(verdict), until: this.#clock.now() + keepMs });
    return verdict;
  }

  #keep(key: string, entry: Entry): void {
    this.#entries.set(key, entry);
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#max) break;
      this.#entries.delete(oldest);
    }
  }
}
