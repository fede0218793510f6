import { z } from 'zod';
import { parseJson } from '../api/http.ts';
import type { HttpResponse, StravaHttp } from '../api/http.ts';
import { stravaError } from '../strava-error.ts';
import type { StravaEndpoints, StravaSettings } from '../strava-settings.ts';

/** Tokens of one user; only sealed ones leave the memory. */
export interface StravaTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** Unix time in seconds. */
  readonly expiresAt: number;
}

const TOKEN_RESPONSE = z.object({
  access_token: z.string().min(1).max(4096),
  refresh_token: z.string().min(1).max(4096),
  expires_at: z.number().int().positive(),
});

/** Strava's token endpoint and its end of a permission. */
export class TokenEndpoint {
  readonly #http: StravaHttp;
  readonly #client: { readonly client_id: string; readonly client_secret: string };
  readonly #endpoints: StravaEndpoints;

  constructor(
    http: StravaHttp,
    { clientId, clientSecret }: Pick<StravaSettings, 'clientId' | 'clientSecret'>,
    endpoints: StravaEndpoints,
  ) {
    this.#http = http;
    this.#client = { client_id: clientId, client_secret: clientSecret };
    this.#endpoints = endpoints;
  }

  async exchange(code: string, verifier: string): Promise<StravaTokens> {
    const form = { ...this.#client, grant_type: 'authorization_code', code, code_verifier: verifier };
    const response = await this.#http.send({ url: new URL(this.#endpoints.token), form });
    if (response.status !== 200) {
      throw stravaError(
        'refused',
        `Strava refused the authorization code (${describe(response)}). Connect again.`,
      );
    }
    return toTokens(response);
  }

  /** Undefined if Strava no longer accepts the refresh token. */
  async refresh(refreshToken: string): Promise<StravaTokens | undefined> {
    const form = { ...this.#client, grant_type: 'refresh_token', refresh_token: refreshToken };
    const response = await this.#http.send({ url: new URL(this.#endpoints.token), form });
    if (response.status === 400 || response.status === 401) return undefined;
    if (response.status !== 200) {
      throw stravaError(
        'unavailable',
        `Strava did not renew the access token (${describe(response)}). Try again later.`,
      );
    }
    return toTokens(response);
  }

  /** Ends the permission for all tokens of the user. A token that is not valid any more counts as revoked. */
  async revoke(accessToken: string): Promise<void> {
    const form = { access_token: accessToken };
    const url = new URL(this.#endpoints.deauthorize);
    const response = await this.#http.send({ url, form, accessToken });
    if (response.status === 200 || response.status === 401) return;
    throw stravaError('unavailable', `Strava did not revoke the permission (${describe(response)}).`);
  }
}

function toTokens(response: HttpResponse): StravaTokens {
  const parsed = TOKEN_RESPONSE.safeParse(parseJson(response));
  if (!parsed.success) {
    throw stravaError(
      'invalid-response',
      "The response of Strava's token endpoint has no valid tokens. Try again later.",
    );
  }
  const { access_token, refresh_token, expires_at } = parsed.data;
  return { accessToken: access_token, refreshToken: refresh_token, expiresAt: expires_at };
}

/** The status alone: bodies of token endpoints may repeat secrets. */
function describe({ status }: HttpResponse): string {
  return `status ${status}`;
}
