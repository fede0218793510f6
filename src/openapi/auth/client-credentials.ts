import type { OutboundClient } from '../../outbound/outbound-client.ts';
import type { Clock } from '../../base/time/clock.ts';
import { ToolError } from '../../errors/errors.ts';
import type { ClientCredential } from './credential.ts';
import { givenBearer } from './schemes/credential-source.ts';
import type { CredentialSource } from './schemes/credential-source.ts';
import type { DescribedServer } from './tokens/describe-server.ts';
import { headerSlot } from './schemes/security-scheme.ts';
import { TokenCache } from './tokens/token-cache.ts';
import type { FetchToken, Token } from './tokens/token-cache.ts';
import { requestToken } from './tokens/token-endpoint.ts';
import type { TokenEndpoint, TokenForm } from './tokens/token-endpoint.ts';

/** Maximum number of cached tokens: documents have a few sets of scopes, not thousands. */
const MAX_TOKENS = 256;

/** Options of {@link fromClientCredentials}. */
export interface ClientCredentialParts {
  readonly credential: ClientCredential;
  /** Finds the token endpoint, by discovery if necessary. */
  readonly findServer: (signal: AbortSignal) => Promise<DescribedServer>;
  /**
   * Whether requirements list scopes. In other schemes they list roles, which authorization servers do not know.
   */
  readonly hasScopes: boolean;
  readonly client: OutboundClient;
  readonly clock: Clock;
  readonly owner: string;
}

/** Characters of scopes (RFC 6749, 3.3). */
const SCOPE = /^[!#-[\]-~]+$/;

/** OAuth 2 client credentials: one token for each set of scopes, cached until it expires. */
export function fromClientCredentials(parts: ClientCredentialParts): CredentialSource {
  const { credential, hasScopes } = parts;
  const tokens = new TokenCache(parts.clock, MAX_TOKENS);
  return {
    slot: headerSlot('authorization'),
    get: async (request) => {
      const scopes = credential.scopes ?? (hasScopes ? request.scopes : []);
      const scope = [...new Set(scopes)]
        .filter((each) => SCOPE.test(each))
        .toSorted()
        .join(' ');
      const value = await tokens.get(scope, request.signal, createFetch(parts, scope));
      return givenBearer(value, ({ status }) => status === 401 && tokens.refuse(scope, value));
    },
  };
}

function createFetch(parts: ClientCredentialParts, scope: string): FetchToken {
  const { credential, client, clock, owner } = parts;
  const { clientId, clientSecret, audience, resource } = credential;
  const target = { scope: scope === '' ? undefined : scope, audience, resource };
  return async (signal, previous) => {
    const { tokenUrl, authentication } = await parts.findServer(signal);
    const endpoint: TokenEndpoint = {
      url: tokenUrl,
      clientId,
      clientSecret,
      authentication: credential.clientAuthentication ?? authentication,
      client,
      clock,
      owner,
    };
    return (
      (await tryRefresh(endpoint, previous, signal)) ??
      (await requestToken(endpoint, { grant_type: 'client_credentials', ...target }, signal))
    );
  };
}

/** Tries the refresh token first; if it is rejected, the client credentials are used. */
async function tryRefresh(
  endpoint: TokenEndpoint,
  previous: Token | undefined,
  signal: AbortSignal,
): Promise<Token | undefined> {
  if (previous?.refreshToken === undefined) return undefined;
  const { refreshToken } = previous;
  const form: TokenForm = { grant_type: 'refresh_token', refresh_token: refreshToken };
  try {
    const token = await requestToken(endpoint, form, signal);
    // Without a new refresh token, the old one stays valid.
    return { ...token, refreshToken: token.refreshToken ?? refreshToken };
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}
