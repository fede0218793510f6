import type { AuthProvider } from './schemes/auth-provider.ts';

/**
 * Forwards the caller's own access token to the API. The API can then use the token wherever it is accepted: use this only for an API
 * that is meant to receive these tokens, preferably one in their audience. Otherwise, exchange them with `tokenExchange`. Requests of
 * callers without a token are sent without one.
 *
 * @example
 * fromOpenAPI(document, { authProvider: forwardAccessToken() });
 */
export function forwardAccessToken(): AuthProvider {
  return {
    getAuthHeaders: ({ accessToken }) =>
      accessToken === undefined ? {} : { authorization: `Bearer ${accessToken}` },
  };
}
