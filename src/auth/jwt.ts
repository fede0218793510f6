import type * as Jose from 'jose';
import { systemClock, wallTimeOf } from '../base/time/clock.ts';
import type { Clock } from '../base/time/clock.ts';
import {
  assertOptions,
  CLOCK,
  FUNCTION,
  isListOf,
  isString,
  NON_EMPTY,
  numberFrom,
  required,
  wholeNumber,
} from '../errors/options/rules.ts';
import type { Rules } from '../errors/options/rules.ts';
import { isObject } from '../base/is-object.ts';
import { hasAudience, STRING_OR_STRINGS, URL_RULE } from './auth-rules.ts';
import { claimAt, isKeyBound, KEY_BOUND, toPrincipal } from './claims.ts';
import type { ClaimNames, Claims } from './claims.ts';
import { toIdentityFetch } from './identity-fetch.ts';
import type { IdentityFetchOptions } from './identity-fetch.ts';
import { fetchIssuerMetadata, urlOf } from './issuer-metadata.ts';
import { KeySet } from './key-set.ts';
import { loadJose } from './peers/load-peers.ts';
import { invalid, readBearerToken } from './verifier.ts';
import type { CredentialRequest, Verifier } from './verifier.ts';
import { VerifiedTokens } from './verified-tokens.ts';
import type { VerifiedToken } from './verified-tokens.ts';

/** Options of {@link jwt}. */
export interface JwtOptions extends ClaimNames, IdentityFetchOptions {
  /** The issuer, exactly as its tokens name it in `iss`. */
  readonly issuer: string;
  /** Audiences that tokens are accepted for: one of them must be in `aud`. Use the URL of this server. */
  readonly audience: string | readonly string[];
  /**
   * Claim that names the audience in tokens without `aud`, such as `client_id` of Amazon Cognito. `aud` decides where a token has it. Default: none,
   * `aud` is required.
   */
  readonly audienceClaim?: string;
  /** Address of the issuer's keys. Default: `jwks_uri` of its metadata. */
  readonly jwksUri?: string;
  /** Allowed signature algorithms. Default: {@link JWT_DEFAULTS}.algorithms. Symmetric ones and `none` are never allowed. */
  readonly algorithms?: readonly string[];
  /** Allowed values of the header `typ`. A token without it is a `JWT`. Default: `['at+jwt', 'JWT']`. Set `'at+jwt'` for RFC 9068. */
  readonly typ?: string | readonly string[];
  /** Claims that must be present beside `iss`, `aud`, `exp` and a subject. Default: none. */
  readonly requiredClaims?: readonly string[];
  /** Claims that must have a certain value, or one of several: `{ token_use: 'access' }`. Default: none. */
  readonly requiredValues?: Readonly<Record<string, string | readonly string[]>>;
  /** Leeway for `exp`, `nbf` and `iat`, in seconds. Default: 5. */
  readonly leewaySeconds?: number;
  /**
   * Time that a verified token is cached, in milliseconds; at most until `exp`. Revocation is not checked: a token that was revoked is accepted
   * until `exp`, use `introspection` where that is too long. Default: 60,000.
   */
  readonly cacheMs?: number;
  /** Maximum number of cached tokens. Default: 10,000. */
  readonly maxCached?: number;
  readonly clock?: Clock;
}

/** Defaults of {@link jwt}. */
export const JWT_DEFAULTS = {
  algorithms: [
    'RS256',
    'RS384',
    'RS512',
    'PS256',
    'PS384',
    'PS512',
    'ES256',
    'ES384',
    'ES512',
    'EdDSA',
    'Ed25519',
  ],
  typ: ['at+jwt', 'JWT'],
  leewaySeconds: 5,
  cacheMs: 60_000,
  maxCached: 10_000,
} as const;

/**
 * Verifies JSON Web Tokens of one issuer: signature, `iss`, `aud`, `exp`, `nbf`, `iat` and `typ`. Needs the package `jose`.
 *
 * @example
 * await serveHttp(server, { auth: jwt({ issuer: 'https://id.example.com', audience: 'https://api.example.com/mcp' }) });
 */
export function jwt(options: JwtOptions): Verifier {
  assertOptions('jwt', options, RULES);
  const { issuer, clock = systemClock, maxCached = JWT_DEFAULTS.maxCached } = options;
  const tokens = new VerifiedTokens(clock, maxCached);
  const fetch = toIdentityFetch(options);
  const findUrl = async (): Promise<string> =>
    options.jwksUri ?? urlOf(await fetchIssuerMetadata(issuer, fetch), 'jwks_uri');
  let verifying: Promise<(token: string) => Promise<VerifiedToken>> | undefined;
  const prepare = async (): Promise<(token: string) => Promise<VerifiedToken>> => {
    const jose = await loadJose('jwt');
    const keys = new KeySet(jose, { clock, fetch, findUrl });
    return (token) => verifyToken(token, { jose, keys, options, clock });
  };
  return {
    authorizationServers: [issuer],
    audience: typeof options.audience === 'string' ? options.audience : undefined,
    scopePrefix: options.scopePrefix,
    verify: (request: CredentialRequest) => {
      const token = readBearerToken(request);
      if (typeof token !== 'string') return token;
      return tokens.get(token, async () => (await (verifying ??= prepare()))(token));
    },
  };
}

const isStrings = isListOf(isString);
const [isStringOrStrings] = STRING_OR_STRINGS;

/** Signatures that only the holder of a private key can make. */
const ASYMMETRIC = /^(?:RS|PS|ES)(?:256|384|512)$|^EdDSA$|^Ed25519$|^ML-DSA-(?:44|65|87)$/;

const RULES: Rules<keyof JwtOptions> = {
  issuer: required(URL_RULE),
  audience: required(STRING_OR_STRINGS),
  audienceClaim: NON_EMPTY,
  jwksUri: URL_RULE,
  algorithms: [
    (value) =>
      isStrings(value) &&
      (value as readonly string[]).length > 0 &&
      (value as readonly string[]).every((name) => ASYMMETRIC.test(name)),
    'an array of asymmetric algorithms such as "RS256"',
  ],
  typ: STRING_OR_STRINGS,
  requiredClaims: [isStrings, 'an array of strings'],
  requiredValues: [
    (value) => isObject(value) && Object.values(value).every(isStringOrStrings),
    "an object of claims and their values, such as { token_use: 'access' }",
  ],
  leewaySeconds: numberFrom(0, 300),
  cacheMs: wholeNumber(0, 60_000),
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

interface Verification {
  readonly jose: typeof Jose;
  readonly keys: KeySet;
  readonly options: JwtOptions;
  readonly clock: Clock;
}

async function verifyToken(
  token: string,
  { jose, keys, options, clock }: Verification,
): Promise<VerifiedToken> {
  const { leewaySeconds = JWT_DEFAULTS.leewaySeconds, cacheMs = JWT_DEFAULTS.cacheMs } = options;
  const wall = wallTimeOf(clock);
  const rules: Jose.JWTVerifyOptions = {
    // defence: issuer-of-a-token
    issuer: options.issuer,
    // defence: algorithms-of-tokens
    algorithms: [...(options.algorithms ?? JWT_DEFAULTS.algorithms)],
    clockTolerance: leewaySeconds,
    // defence: tokens-expire
    requiredClaims: [
      'exp',
      ...(options.audienceClaim === undefined ? ['aud'] : []),
      ...(options.requiredClaims ?? []),
    ],
    // defence: time-of-a-token
    currentDate: new Date(wall),
  };
  let payload: Jose.JWTPayload;
  try {
    // defence: signature-of-a-token
    const verified = await jose.jwtVerify(token, (header) => keys.keyOf(header), rules);
    // defence: type-of-a-token
    if (!isAllowedType(verified.protectedHeader.typ, options.typ ?? JWT_DEFAULTS.typ))
      return rejected('The token is of another type.');
    payload = verified.payload;
  } catch (error) {
    return rejected(describeFailure(jose, error));
  }
  const { exp = 0, iat } = payload;
  // defence: issued-in-the-past
  if (iat !== undefined && iat * 1000 > wall + leewaySeconds * 1000)
    return rejected('The token was issued in the future.');
  if (isKeyBound(payload)) return rejected(KEY_BOUND);
  // defence: audience-of-a-token
  if (!isForAudience(payload, options)) return rejected('The token is for another audience.');
  for (const [claim, values] of Object.entries(options.requiredValues ?? {}))
    if (!hasValue(claimAt(payload, claim), values)) return rejected(`The claim "${claim}" is not valid.`);
  const principal = toPrincipal(payload, options);
  if (typeof principal === 'string') return rejected(principal);
  return { verdict: { kind: 'verified', principal }, keepMs: Math.min(cacheMs, exp * 1000 - wall) };
}

/** Tokens with `aud` are checked by it alone: a token for another server must not pass because of its client. */
function isForAudience(claims: Claims, { audience, audienceClaim = 'aud' }: JwtOptions): boolean {
  return hasAudience(Object.hasOwn(claims, 'aud') ? claims['aud'] : claimAt(claims, audienceClaim), audience);
}

function hasValue(found: unknown, values: string | readonly string[]): boolean {
  return [found].flat().some((value) => typeof value === 'string' && [values].flat().includes(value));
}

function rejected(description: string): VerifiedToken {
  return { verdict: invalid(description), keepMs: 0 };
}

/** Types are compared without `application/` and in any case, as RFC 7515 says. */
function isAllowedType(typ: unknown, allowed: string | readonly string[]): boolean {
  const plain = (type: string): string => type.toLowerCase().replace(/^application\//, '');
  const names = (typeof allowed === 'string' ? [allowed] : allowed).map(plain);
  return names.includes(plain(typeof typ === 'string' ? typ : 'JWT'));
}

/** The reason why a token is invalid, without its values. Anything else, such as keys that cannot be fetched, is thrown on. */
function describeFailure({ errors }: typeof Jose, error: unknown): string {
  if (error instanceof errors.JWTExpired) return 'The token has expired.';
  if (error instanceof errors.JWTClaimValidationFailed) return describeClaim(error.claim, error.reason);
  if (error instanceof errors.JWKSNoMatchingKey) return 'The token was signed with an unknown key.';
  if (error instanceof errors.JWKSMultipleMatchingKeys) return 'Several keys of the issuer match the token.';
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'The signature is not valid.';
  if (error instanceof errors.JOSEAlgNotAllowed) return 'The signature algorithm is not allowed.';
  if (error instanceof errors.JOSEError) return 'The token is malformed.';
  throw error;
}

function describeClaim(claim: string, reason: string): string {
  if (reason === 'missing') return `The token has no claim "${claim}".`;
  if (claim === 'aud') return 'The token is for another audience.';
  if (claim === 'iss') return 'The token is of another issuer.';
  return claim === 'nbf' ? 'The token is not valid yet.' : `The claim "${claim}" is not valid.`;
}
