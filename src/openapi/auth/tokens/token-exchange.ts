import { createHash } from 'node:crypto';
import { assertKnown } from '../../../errors/assert-known.ts';
import { DefinitionError, ToolError } from '../../../errors/errors.ts';
import type { OutboundClient } from '../../../outbound/outbound-client.ts';
import { systemClock } from '../../../base/time/clock.ts';
import type { Clock } from '../../../base/time/clock.ts';
import type { AuthProvider } from '../schemes/auth-provider.ts';
import { TokenCache } from './token-cache.ts';
import { requestToken } from './token-endpoint.ts';
import type { ClientAuthentication, TokenEndpoint } from './token-endpoint.ts';
import { isWeb } from './trusted-origins.ts';

/** Options of {@link tokenExchange}. */
export interface TokenExchangeOptions {
  /** Where the authorization server exchanges tokens. */
  readonly tokenUrl: string;
  /** Who exchanges them. */
  readonly clientId: string;
  readonly clientSecret?: string;
  /** Default: `basic`. */
  readonly clientAuthentication?: ClientAuthentication;
  /** The API that the new token is for, by the name that the authorization server knows it by. */
  readonly audience?: string;
  /** The API that the new token is for, by its address. */
  readonly resource?: string;
  readonly scope?: string | readonly string[];
  /** Default: an access token. */
  readonly subjectTokenType?: string;
  readonly requestedTokenType?: string;
  /** So many tokens are kept; the one unused for longest goes first. Default: 1,000. */
  readonly cacheSize?: number;
  readonly client: OutboundClient;
  readonly clock?: Clock;
}

const KNOWN = [
  'tokenUrl',
  'clientId',
  'clientSecret',
  'clientAuthentication',
  'audience',
  'resource',
  'scope',
  'subjectTokenType',
  'requestedTokenType',
  'cacheSize',
  'client',
  'clock',
];

const OWNER = 'the caller';

/**
 * Exchanges the caller's token for one that is good for the API alone (RFC 8693), so that the API acts for the caller and never sees the
 * caller's own token.
 *
 * @example
 * const authProvider = tokenExchange({ tokenUrl: 'https://id.example.com/token', clientId: 'mcp', clientSecret, audience: 'notes', client });
 */
export function tokenExchange(options: TokenExchangeOptions): AuthProvider {
  const endpoint = readEndpoint(options);
  const { audience, resource, scope, cacheSize = 1000 } = options;
  if (!Number.isSafeInteger(cacheSize) || cacheSize < 1)
    throw new DefinitionError('tokenExchange: cacheSize must be a whole number from 1 on.');
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
          'This API is asked in the name of whoever calls, so callers have to be authenticated.',
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

/** Tokens of callers are not kept. */
function keyOf(accessToken: string): string {
  return createHash('sha256').update(accessToken).digest('base64url');
}

function readEndpoint(options: TokenExchangeOptions): TokenEndpoint {
  assertKnown('The options of tokenExchange', options, KNOWN);
  const { tokenUrl, clientId, clientSecret, clientAuthentication = 'basic', client } = options;
  if (!URL.canParse(tokenUrl) || !isWeb(new URL(tokenUrl)))
    throw new DefinitionError(
      'tokenExchange: tokenUrl must be an address such as https://id.example.com/token.',
    );
  if (typeof clientId !== 'string' || clientId === '')
    throw new DefinitionError('tokenExchange: clientId must be a text, and not empty.');
  if (clientSecret !== undefined && (typeof clientSecret !== 'string' || clientSecret === ''))
    throw new DefinitionError('tokenExchange: clientSecret must be a text, and not empty.');
  if (!['basic', 'post'].includes(clientAuthentication))
    throw new DefinitionError('tokenExchange: clientAuthentication must be "basic" or "post".');
  if (typeof (client as Partial<OutboundClient> | undefined)?.send !== 'function')
    throw new DefinitionError('tokenExchange: client must be an OutboundClient.');
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
