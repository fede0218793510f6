import { stravaError } from '../strava-error.ts';
import type { StoredTokens } from './stored-tokens.ts';
import type { StravaTokens, TokenEndpoint } from './token-endpoint.ts';

/** Tokens are renewed this long before they expire, in seconds. */
const MARGIN_S = 300;

/** Valid access tokens: renewed before they expire, once at a time for each user. */
export class AccessTokens {
  readonly #stored: StoredTokens;
  readonly #endpoint: TokenEndpoint;
  readonly #now: () => number;
  readonly #renewals = new Map<string, Promise<StravaTokens>>();

  constructor(stored: StoredTokens, endpoint: TokenEndpoint, now: () => number) {
    this.#stored = stored;
    this.#endpoint = endpoint;
    this.#now = now;
  }

  async get(user: string): Promise<string> {
    const tokens = await this.#find(user);
    const isFresh = tokens.expiresAt - MARGIN_S > this.#now() / 1000;
    return (isFresh ? tokens : await this.#renew(user, tokens)).accessToken;
  }

  /** An access token after Strava refused `refused`: another one that is known already, or a renewed one. */
  async replace(user: string, refused: string): Promise<string> {
    const tokens = await this.#find(user);
    if (tokens.accessToken !== refused) return tokens.accessToken;
    return (await this.#renew(user, tokens)).accessToken;
  }

  async #find(user: string): Promise<StravaTokens> {
    const tokens = await this.#stored.find(user);
    if (tokens !== undefined) return tokens;
    throw stravaError('not-connected', 'Strava is not connected. Connect it with connect_provider.');
  }

  #renew(user: string, tokens: StravaTokens): Promise<StravaTokens> {
    const running = this.#renewals.get(user);
    if (running !== undefined) return running;
    // Not cancelled with the request that started it: others wait for it, and Strava may have replaced the refresh token.
    const renewal = this.#fetchAndSave(user, tokens).finally(() => this.#renewals.delete(user));
    this.#renewals.set(user, renewal);
    return renewal;
  }

  async #fetchAndSave(user: string, tokens: StravaTokens): Promise<StravaTokens> {
    const renewed = await this.#endpoint.refresh(tokens.refreshToken);
    const current = await this.#stored.find(user);
    // The user has disconnected, or connected again, in the meantime.
    if (current?.refreshToken !== tokens.refreshToken) return this.#find(user);
    if (renewed === undefined) {
      await this.#stored.remove(user);
      throw revoked();
    }
    await this.#stored.save(user, renewed);
    return renewed;
  }
}

export function revoked(): Error {
  return stravaError(
    'not-connected',
    'Strava no longer accepts the permission: it was revoked. Connect Strava again with connect_provider.',
  );
}
