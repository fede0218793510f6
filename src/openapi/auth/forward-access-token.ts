import type { AuthProvider } from './schemes/auth-provider.ts';

/**
 * Passes the caller's own token on to the API. The API can then do with it whatever the caller can, everywhere the token is good: use it
 * only for an API that is meant to see these tokens, best one that is named in their audience. Otherwise, exchange them with
 * `tokenExchange`. Callers without a token are passed on without one.
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
