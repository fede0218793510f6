import { createHash } from 'node:crypto';
import { ToolError } from '../../../errors/errors.ts';
import {
  assertOptions,
  CLOCK,
  isListOf,
  isString,
  NON_EMPTY,
  objectWith,
  required,
  secret,
  STRING,
  wholeNumber,
} from '../../../errors/options/rules.ts';
import type { Rules } from '../../../errors/options/rules.ts';
import type { OutboundClient } from '../../../outbound/outbound-client.ts';
import { systemClock } from '../../../base/time/clock.ts';
import type { Clock } from '../../../base/time/clock.ts';
import type { AuthProvider } from '../schemes/auth-provider.ts';
import { TokenCache } from './token-cache.ts';
import { requestToken } from './token-endpoint.ts';
import type { ClientAuthentication, TokenEndpoint } from './token-endpoint.ts';
import { CLIENT_AUTHENTICATION, TOKEN_URL } from './client-rules.ts';

/** Options of {@link tokenExchange}. */
export interface TokenExchangeOptions {
  /** Token endpoint of the authorization server. */
  readonly tokenUrl: string;
  /** Client that exchanges the tokens. */
  readonly clientId: string;
  /** Client secret. Default: none (a public client). */
  readonly clientSecret?: string;
  /** Client authentication. Default: `basic`. */
  readonly clientAuthentication?: ClientAuthentication;
  /** API that the new token is for, by its name at the authorization server. */
  readonly audience?: string;
  /** API that the new token is for, by its URL. */
  readonly resource?: string;
  /** Scopes of the new token. Default: none requested. */
  readonly scope?: string | readonly string[];
  /** Type of the caller's token. Default: `urn:ietf:params:oauth:token-type:access_token`. */
  readonly subjectTokenType?: string;
  /** Requested type of the new token. Default: none requested. */
  readonly requestedTokenType?: string;
  /** Maximum number of cached tokens; the least recently used is dropped first. Default: 1,000. */
  readonly cacheSize?: number;
  /** Client that sends the requests. */
  readonly client: OutboundClient;
  /** Source of the current time. Default: the system clock. */
  readonly clock?: Clock;
}

const OPTIONS: Rules<keyof TokenExchangeOptions> = {
  tokenUrl: required(TOKEN_URL),
  clientId: required(NON_EMPTY),
  clientSecret: secret(NON_EMPTY),
  clientAuthentication: CLIENT_AUTHENTICATION,
  audience: STRING,
  resource: STRING,
  scope: [(value) => isString(value) || isListOf(isString)(value), 'a string, or an array of strings'],
  subjectTokenType: STRING,
  requestedTokenType: STRING,
  cacheSize: wholeNumber(1),
  client: required(objectWith('send')),
  clock: CLOCK,
};

const OWNER = 'the caller';

/**
 * Exchanges the caller's token for a token that is valid for the API only (RFC 8693), so that the API acts on behalf of the caller but
 * never receives the caller's own token.
 *
 * @example
 * const authProvider = tokenExchange({ tokenUrl: 'https://id.example.com/token', clientId: 'mcp', clientSecret, audience: 'notes', client });
 */
export function tokenExchange(options: TokenExchangeOptions): AuthProvider {
  const endpoint = readEndpoint(options);
  const { audience, resource, scope, cacheSize = 1000 } = options;
  const tokens = new TokenCache(endpoint.clock, cacheSize);
  const form = {
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token_type: options.subjectTokenType ?? 'urn:ietf:params:oauth:token-type:access_token',
    requested_token_type: options.requestedTokenType,
    audience,
    resource,
    scope: typeof scope === 'string' ? scope : scope?.join(' '),
  };
  return {
    getAuthHeaders: async ({ accessToken, isOptional, signal }) => {
      if (accessToken === undefined && isOptional) return {};
      if (accessToken === undefined)
        throw new ToolError(
          'This API is called on behalf of the caller, so the caller must be authenticated.',
        );
      const value = await tokens.get(keyOf(accessToken), signal, (stop) =>
        requestToken(endpoint, { ...form, subject_token: accessToken }, stop),
      );
      return { authorization: `Bearer ${value}` };
    },
    handleAuthError: ({ status, accessToken, given }) => {
      const value = given['authorization']?.slice('Bearer '.length);
      if (status !== 401 || accessToken === undefined || value === undefined) return false;
      return tokens.refuse(keyOf(accessToken), value);
    },
  };
}

/** Hashed, so that callers' tokens are not kept. */
function keyOf(accessToken: string): string {
  return createHash('sha256').update(accessToken).digest('base64url');
}

function readEndpoint(options: TokenExchangeOptions): TokenEndpoint {
  assertOptions('tokenExchange', options, OPTIONS);
  const { tokenUrl, clientId, clientSecret, clientAuthentication = 'basic', client } = options;
  return {
    url: new URL(tokenUrl),
    clientId,
    clientSecret,
    authentication: clientAuthentication,
    client,
    clock: options.clock ?? systemClock,
    owner: OWNER,
  };
}
