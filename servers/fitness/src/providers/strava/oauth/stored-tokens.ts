import { z } from 'zod';
import { stravaError } from '../strava-error.ts';
import { SealBrokenError } from '../token-seal.ts';
import type { TokenSeal } from '../token-seal.ts';
import type { TokenStore } from '../token-store.ts';
import type { StravaTokens } from './token-endpoint.ts';

const NAME = 'strava';
const TOKENS = z.object({ accessToken: z.string(), refreshToken: z.string(), expiresAt: z.number() });

/** The tokens of each user in a store, sealed. */
export class StoredTokens {
  readonly #store: TokenStore;
  readonly #seal: TokenSeal;

  constructor(store: TokenStore, seal: TokenSeal) {
    this.#store = store;
    this.#seal = seal;
  }

  async find(user: string): Promise<StravaTokens | undefined> {
    const sealed = await this.#store.find(user, NAME);
    if (sealed === undefined) return undefined;
    try {
      return TOKENS.parse(JSON.parse(this.#seal.open(sealed, ownerOf(user))));
    } catch (cause) {
      if (!(cause instanceof SealBrokenError)) throw cause;
      throw stravaError('not-connected', cause.message, { cause });
    }
  }

  async save(user: string, tokens: StravaTokens): Promise<void> {
    await this.#store.save(user, NAME, this.#seal.seal(JSON.stringify(tokens), ownerOf(user)));
  }

  async remove(user: string): Promise<void> {
    await this.#store.remove(user, NAME);
  }

  async has(user: string): Promise<boolean> {
    return (await this.#store.find(user, NAME)) !== undefined;
  }
}

function ownerOf(user: string): string {
  return JSON.stringify([NAME, user]);
}
