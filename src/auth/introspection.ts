import { isObject } from '../base/is-object.ts';
import { systemClock, wallTimeOf } from '../base/time/clock.ts';
import type { Clock } from '../base/time/clock.ts';
import {
  assertOptions,
  CLOCK,
  FUNCTION,
  NON_EMPTY,
  oneOf,
  required,
  secret,
  wholeNumber,
} from '../errors/options/rules.ts';
import type { Rules } from '../errors/options/rules.ts';
import { hasAudience, STRING_OR_STRINGS, URL_RULE } from './auth-rules.ts';
import { isKeyBound, KEY_BOUND, toPrincipal } from './claims.ts';
import type { ClaimNames, Claims } from './claims.ts';
import { toIdentityFetch } from './identity-fetch.ts';
import type { IdentityFetchOptions } from './identity-fetch.ts';
import { fetchIssuerMetadata, urlOf } from './issuer-metadata.ts';
import { loadOauth } from './peers/load-peers.ts';
import { invalid, readBearerToken } from './verifier.ts';
import type { CredentialRequest, Verifier } from './verifier.ts';
import { VerifiedTokens } from './verified-tokens.ts';
import type { VerifiedToken } from './verified-tokens.ts';

/** Options of {@link introspection}. */
export interface IntrospectionOptions extends ClaimNames, IdentityFetchOptions {
  /** The authorization server that issues the tokens. */
  readonly issuer: string;
  /** Audiences that tokens are accepted for: one of them must be in `aud` of the response. Use the URL of this server. */
  readonly audience: string | readonly string[];
  /** Address of the introspection endpoint. Default: `introspection_endpoint` of the issuer's metadata. */
  readonly endpoint?: string;
  /** Credentials of this server at the authorization server. */
  readonly clientId: string;
  readonly clientSecret: string;
  /** Place of the client secret: the header `Authorization` (`basic`) or the body (`post`). Default: `'basic'`. */
  readonly clientAuthentication?: 'basic' | 'post';
  /** Time that an active token is cached, in milliseconds; a token that was revoked is accepted that long. Default: 0. */
  readonly cacheMs?: number;
  /** Maximum number of cached tokens. Default: 10,000. */
  readonly maxCached?: number;
  readonly clock?: Clock;
}

/**
 * Verifies opaque tokens by asking the authorization server about each of them (RFC 7662). Needs the package `oauth4webapi`.
 *
 * @example
 * const auth = introspection({ issuer: 'https://id.example.com', audience: 'https://api.example.com/mcp', clientId: 'mcp', clientSecret });
 */
export function introspection(options: IntrospectionOptions): Verifier {
  assertOptions('introspection', options, RULES);
  const { issuer, clock = systemClock, maxCached = 10_000 } = options;
  const tokens = new VerifiedTokens(clock, maxCached);
  const ask = createIntrospection(options);
  return {
    authorizationServers: [issuer],
    audience: typeof options.audience === 'string' ? options.audience : undefined,
    scopePrefix: options.scopePrefix,
    verify: (request: CredentialRequest) => {
      const token = readBearerToken(request);
      if (typeof token !== 'string') return token;
      return tokens.get(token, async () => readResponse(await ask(token), options, clock));
    },
  };
}

const RULES: Rules<keyof IntrospectionOptions> = {
  issuer: required(URL_RULE),
  audience: required(STRING_OR_STRINGS),
  endpoint: URL_RULE,
  clientId: required(NON_EMPTY),
  clientSecret: secret(required(NON_EMPTY)),
  clientAuthentication: oneOf('basic', 'post'),
  cacheMs: wholeNumber(0, 3_600_000),
  maxCached: wholeNumber(0),
  scopesClaim: STRING_OR_STRINGS,
  scopePrefix: NON_EMPTY,
  rolesClaim: NON_EMPTY,
  tenantClaim: NON_EMPTY,
  principalId: FUNCTION,
  outbound: [isObject, 'an object'],
  fetch: FUNCTION,
  clock: CLOCK,
};

/** A function that sends a token to the introspection endpoint. The endpoint is looked up once. */
function createIntrospection(options: IntrospectionOptions): (token: string) => Promise<Claims> {
  const { issuer, clientId, clientSecret } = options;
  const fetch = toIdentityFetch(options);
  let endpoint: Promise<string> | undefined;
  const findEndpoint = async (): Promise<string> => {
    if (options.endpoint !== undefined) return options.endpoint;
    endpoint ??= fetchIssuerMetadata(issuer, fetch).then((metadata) =>
      urlOf(metadata, 'introspection_endpoint'),
    );
    try {
      return await endpoint;
    } catch (error) {
      endpoint = undefined;
      throw error;
    }
  };
  return async (token) => {
    const oauth = await loadOauth();
    const server = { issuer, introspection_endpoint: await findEndpoint() };
    const client = { client_id: clientId };
    const authentication =
      options.clientAuthentication === 'post'
        ? oauth.ClientSecretPost(clientSecret)
        : oauth.ClientSecretBasic(clientSecret);
    const response = await oauth.introspectionRequest(server, client, authentication, token, {
      additionalParameters: { token_type_hint: 'access_token' },
      // Which addresses may be asked without TLS is decided by the outbound client.
      [oauth.allowInsecureRequests]: true,
      [oauth.customFetch]: fetch,
    });
    try {
      return await oauth.processIntrospectionResponse(server, client, response);
    } catch (error) {
      // Some authorization servers do not introspect JWTs. Any other error is not about the token.
      const isUnsupported =
        error instanceof oauth.ResponseBodyError &&
        error.status === 400 &&
        error.error === 'unsupported_token_type';
      if (isUnsupported) return { active: false };
      throw error;
    }
  };
}

function readResponse(claims: Claims, options: IntrospectionOptions, clock: Clock): VerifiedToken {
  const wall = wallTimeOf(clock);
  const { active, exp, iss, aud } = claims;
  const until = typeof exp === 'number' ? exp * 1000 : Number.POSITIVE_INFINITY;
  if (active !== true || until <= wall) return rejected('The token is not active.');
  if (iss !== undefined && iss !== options.issuer) return rejected('The token is of another issuer.');
  if (!hasAudience(aud, options.audience)) return rejected('The token is for another audience.');
  if (isKeyBound(claims)) return rejected(KEY_BOUND);
  const principal = toPrincipal({ ...claims, iss: options.issuer }, options);
  if (typeof principal === 'string') return rejected(principal);
  return { verdict: { kind: 'verified', principal }, keepMs: Math.min(options.cacheMs ?? 0, until - wall) };
}

function rejected(description: string): VerifiedToken {
  return { verdict: invalid(description), keepMs: 0 };
}
