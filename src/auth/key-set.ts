import type * as Jose from 'jose';
import { isObject } from '../base/is-object.ts';
import type { Clock } from '../base/time/clock.ts';
import type { IdentityFetch } from './identity-fetch.ts';

type FindKey = ReturnType<(typeof Jose)['createLocalJWKSet']>;
type FoundKey = Awaited<ReturnType<FindKey>>;

/** Times of a {@link KeySet}, in milliseconds. */
export const KEY_SET_TIMES = {
  /** Keys are fetched again after this time. Until then they serve, also while the issuer is down. */
  // defence: age-of-keys
  maxAgeMs: 600_000,
  /** An unknown key id causes at most one fetch in this time: anybody can invent key ids. */
  // defence: cooldown-of-keys
  cooldownMs: 30_000,
  /** After a failed fetch, the next one waits this long. */
  failurePauseMs: 5000,
} as const;

/** More keys than any issuer publishes. */
const MAX_KEYS = 100;

/** The signing keys of an issuer, fetched on first use. Callers that need them at the same time share one fetch. */
export class KeySet {
  readonly #jose: typeof Jose;
  readonly #clock: Clock;
  readonly #fetch: IdentityFetch;
  readonly #findUrl: () => Promise<string>;
  #find: FindKey | undefined;
  #loadedAt = Number.NEGATIVE_INFINITY;
  #failedAt = Number.NEGATIVE_INFINITY;
  #failure: unknown;
  #loading: Promise<FindKey> | undefined;

  constructor(
    jose: typeof Jose,
    options: { clock: Clock; fetch: IdentityFetch; findUrl: () => Promise<string> },
  ) {
    this.#jose = jose;
    this.#clock = options.clock;
    this.#fetch = options.fetch;
    this.#findUrl = options.findUrl;
  }

  /** The key that a token was signed with. Rejects with `JWKSNoMatchingKey` if the issuer does not have it. */
  async keyOf(header: Jose.JWTHeaderParameters): Promise<FoundKey> {
    const age = this.#clock.now() - this.#loadedAt;
    const find = this.#find !== undefined && age < KEY_SET_TIMES.maxAgeMs ? this.#find : await this.#load();
    try {
      return await find(header);
    } catch (error) {
      const isUnknown = error instanceof this.#jose.errors.JWKSNoMatchingKey;
      // The issuer may have new keys since they were fetched.
      if (!isUnknown || this.#clock.now() - this.#loadedAt < KEY_SET_TIMES.cooldownMs) throw error;
      return (await this.#load())(header);
    }
  }

  #load(): Promise<FindKey> {
    // defence: pause-after-a-failed-fetch
    if (this.#clock.now() - this.#failedAt < KEY_SET_TIMES.failurePauseMs)
      return Promise.reject(this.#failure);
    // defence: one-fetch-for-all
    this.#loading ??= this.#loadOnce().finally(() => (this.#loading = undefined));
    return this.#loading;
  }

  async #loadOnce(): Promise<FindKey> {
    try {
      const url = await this.#findUrl();
      const response = await this.#fetch(url, { headers: { accept: 'application/json' } });
      if (response.status !== 200)
        throw new Error(
          `The keys of the issuer: ${withoutQuery(url)} responded with status ${response.status}.`,
        );
      const keys: unknown = await response.json();
      if (!isKeySet(keys))
        throw new Error(`The keys of the issuer: ${withoutQuery(url)} is not a JSON Web Key Set.`);
      this.#find = this.#jose.createLocalJWKSet(keys);
      this.#loadedAt = this.#clock.now();
      return this.#find;
    } catch (error) {
      this.#failure = error;
      this.#failedAt = this.#clock.now();
      throw error;
    }
  }
}

function isKeySet(value: unknown): value is Jose.JSONWebKeySet {
  const keys: unknown = isObject(value) ? value['keys'] : undefined;
  return Array.isArray(keys) && keys.length <= MAX_KEYS && keys.every(isObject);
}

/** For messages: a query may have a key of its own. */
// defence: addresses-without-queries
function withoutQuery(url: string): string {
  return url.split('?', 1).join('');
}
