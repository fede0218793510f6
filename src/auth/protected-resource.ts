import type { MaybePromise } from '../base/maybe-promise.ts';
import { isPromiseLike } from '../base/maybe-promise.ts';
import { isObject } from '../base/is-object.ts';
import type { Clock } from '../base/time/clock.ts';
import {
  assertOptions,
  BOOLEAN,
  FUNCTION,
  NON_EMPTY,
  required,
  SCOPES,
  wholeNumber,
} from '../errors/options/rules.ts';
import type { Rules } from '../errors/options/rules.ts';
import { wrongValue } from '../errors/options/wrong-value.ts';
import type { Principal } from '../middleware/context.ts';
import { findPrincipalMistake } from '../pipeline/tool/read-principal.ts';
import { URL_RULE, URLS } from './auth-rules.ts';
import { Authorizer } from './authorize.ts';
import type { Authorize } from './authorize.ts';
import type { CredentialRequest, Verdict, Verifier } from './verifier.ts';

/** Options of authentication over HTTP. A verifier alone is short for `{ verify }`. */
export interface AuthOptions {
  readonly verify: Verifier;
  /** URL of the MCP endpoint as clients know it, such as `https://api.example.com/mcp`. Default: the audience of the verifier, if it is one URL. */
  readonly resource?: string;
  /** Serves requests without credentials as the anonymous caller. Invalid credentials are rejected all the same. Default: false. */
  readonly anonymous?: boolean;
  /** Scopes that every request needs. A request without them gets 403 `insufficient_scope`. Default: none. */
  readonly requiredScopes?: readonly string[];
  /** Scopes that clients can ask for, in the metadata. Default: `requiredScopes`. */
  readonly scopesSupported?: readonly string[];
  /** Authorization servers in the metadata. Default: the issuers of the verifier. */
  readonly authorizationServers?: readonly string[];
  /** Name of the server for people, in the metadata. */
  readonly resourceName?: string;
  /** URL of documentation for developers, in the metadata. */
  readonly resourceDocumentation?: string;
  /** Declares the extension `io.modelcontextprotocol/oauth-client-credentials`: the issuer gives tokens to clients without a user. Default: false. */
  readonly clientCredentials?: boolean;
  /** Adds scopes, roles and a tenant to a verified principal, for example from a database. */
  readonly authorize?: Authorize;
  /** Time that the result of `authorize` is cached for a principal, in milliseconds. Default: 10,000. */
  readonly authorizeCacheMs?: number;
}

/** The caller of a request, or the response that ends it. */
export type Authentication =
  | {
      readonly kind: 'principal';
      readonly principal: Principal;
      /** The token that was verified. */
      readonly accessToken: string | undefined;
    }
  | { readonly kind: 'anonymous' }
  | {
      readonly kind: 'challenge';
      readonly status: 400 | 401 | 403;
      readonly message: string;
      readonly header: string;
      /** Further headers of the response. */
      readonly headers?: Readonly<Record<string, string>> | undefined;
    };

type Challenge = Extract<Authentication, { readonly kind: 'challenge' }>;

/** Time that grants are cached, in milliseconds. */
const AUTHORIZE_CACHE_MS = 10_000;

const WELL_KNOWN = '/.well-known/oauth-protected-resource';

const TOKEN_IN_QUERY =
  'A token in the query string is not accepted. Send it in the header Authorization alone.';

/** A resource server of OAuth 2.1: authenticates requests, challenges those it rejects, and publishes its metadata (RFC 9728). */
export class ProtectedResource {
  /** Paths that the metadata is served at: that of the resource, and the root for clients that look there. */
  readonly metadataPaths: readonly string[];
  readonly metadata: string;
  /** Whether clients may come with a token that was issued to them without a user. */
  readonly hasClientCredentials: boolean;
  /** Headers that only verifiers see. */
  readonly credentialHeaders: readonly string[];
  readonly #options: AuthOptions;
  readonly #authorizer: Authorizer | undefined;
  readonly #metadataUrl: string;
  /** Schemes of the challenge and their own parameters. */
  readonly #schemes: readonly (readonly [scheme: string, parameters: Verifier['challenge']])[];

  constructor(given: Verifier | AuthOptions, clock: Clock) {
    const options = isVerifier(given) ? { verify: given } : given;
    assertOptions('auth', options, RULES);
    this.#options = options;
    const resource = resourceOf(options);
    const { origin, pathname, search } = new URL(resource);
    const path = pathname === '/' ? '' : pathname;
    this.#metadataUrl = `${origin}${WELL_KNOWN}${path}${search}`;
    this.metadataPaths = [...new Set([`${WELL_KNOWN}${path}`, WELL_KNOWN])];
    this.#schemes = [
      ...new Map(partsOf(options.verify).map(({ scheme = 'Bearer', challenge }) => [scheme, challenge])),
    ];
    this.hasClientCredentials = options.clientCredentials === true;
    this.credentialHeaders = partsOf(options.verify).flatMap((part) => part.credentialHeaders ?? []);
    this.metadata = JSON.stringify(metadataOf(options, resource));
    const { authorize, authorizeCacheMs = AUTHORIZE_CACHE_MS } = options;
    this.#authorizer = authorize && new Authorizer(authorize, { clock, cacheMs: authorizeCacheMs });
  }

  authenticate(request: CredentialRequest): MaybePromise<Authentication> {
    // defence: no-token-in-the-query
    if (hasTokenInQuery(request.url)) return this.#refuseQuery(request);
    const verdict = this.#options.verify.verify(request);
    return isPromiseLike(verdict)
      ? Promise.resolve(verdict).then((found) => this.#admit(found, request))
      : this.#admit(verdict, request);
  }

  #admit(verdict: Verdict, request: CredentialRequest): MaybePromise<Authentication> {
    if (verdict.kind === 'invalid') {
      const { error = 'invalid_token', description, headers } = verdict;
      return { ...this.#challenge(401, error, description), headers };
    }
    if (verdict.kind === 'no-credentials') {
      // Credentials of a scheme that no verifier reads are credentials all the same.
      const isAnonymous = this.#options.anonymous === true && request.headers.get('authorization') === null;
      return isAnonymous
        ? { kind: 'anonymous' }
        : this.#challenge(401, undefined, 'Authentication is required.');
    }
    const { principal, accessToken } = verdict;
    const mistake = findPrincipalMistake(principal, 'undefined') ?? findTokenMistake(accessToken);
    // A mistake of the verifier, not of the caller: a challenge would make clients log in again and again.
    if (mistake !== undefined) throw new TypeError(`The verifier returned ${mistake}.`);
    const granted = this.#authorizer?.grant(principal, request) ?? principal;
    return isPromiseLike(granted)
      ? Promise.resolve(granted).then((later) => this.#checkScopes(later, accessToken))
      : this.#checkScopes(granted, accessToken);
  }

  /** An unsupported way to send a token has no error code; two tokens are a malformed request (RFC 6750, 3.1). */
  #refuseQuery({ headers }: CredentialRequest): Challenge {
    if (headers.get('authorization') === null) return this.#challenge(401, undefined, TOKEN_IN_QUERY);
    return this.#challenge(400, 'invalid_request', TOKEN_IN_QUERY);
  }

  #checkScopes(principal: Principal, accessToken: string | undefined): Authentication {
    const { requiredScopes = [] } = this.#options;
    const { scopes = [] } = principal;
    if (requiredScopes.every((scope) => scopes.includes(scope)))
      return { kind: 'principal', principal, accessToken };
    return this.#challenge(403, 'insufficient_scope', 'The token lacks a scope that this server requires.');
  }

  #challenge(status: Challenge['status'], error: string | undefined, message: string): Challenge {
    return {
      kind: 'challenge',
      status,
      message,
      header: this.#write(error, message, this.#options.requiredScopes),
    };
  }

  /** The challenge of a call that lacks scopes. It names those that every request needs as well. */
  challengeScopes(scopes: readonly string[]): { readonly status: 403; readonly header: string } {
    const header = this.#write('insufficient_scope', 'The call requires further scopes.', this.#with(scopes));
    return { status: 403, header };
  }

  /** The challenge of a call that needs scopes, and has no credentials. */
  challengeAnonymous(scopes: readonly string[]): { readonly status: 401; readonly header: string } {
    return { status: 401, header: this.#write(undefined, '', this.#with(scopes)) };
  }

  #with(scopes: readonly string[]): readonly string[] {
    return [...new Set([...(this.#options.requiredScopes ?? []), ...scopes])];
  }

  #write(error: string | undefined, description: string, needed: readonly string[] = []): string {
    const scopes = announce(needed, this.#options);
    const challenges = this.#schemes.map(([scheme, challenge]) => {
      const parameters = {
        ...(error === undefined ? {} : { error, error_description: description }),
        ...(scopes.length === 0 ? {} : { scope: scopes.join(' ') }),
        ...challenge,
        resource_metadata: this.#metadataUrl,
      };
      const parts = Object.entries(parameters).map(([name, value]) => `${name}="${quotable(value)}"`);
      return `${scheme} ${parts.join(', ')}`;
    });
    return challenges.join(', ');
  }
}

const RULES: Rules<keyof AuthOptions> = {
  verify: required([
    isVerifier,
    'a verifier: jwt({ … }), introspection({ … }), apiKeys(store), trustedHeaders({ … }), custom(fn) or anyOf(…)',
  ]),
  resource: URL_RULE,
  anonymous: BOOLEAN,
  requiredScopes: SCOPES,
  scopesSupported: SCOPES,
  authorizationServers: URLS,
  resourceName: NON_EMPTY,
  resourceDocumentation: URL_RULE,
  clientCredentials: BOOLEAN,
  authorize: FUNCTION,
  authorizeCacheMs: wholeNumber(0, 3_600_000),
};

function isVerifier(value: unknown): value is Verifier {
  return (
    isObject(value) && typeof value['verify'] === 'function' && Array.isArray(value['authorizationServers'])
  );
}

/** The mistake of a token, as the object of "returned". */
function findTokenMistake(token: unknown): string | undefined {
  if (token === undefined || (typeof token === 'string' && token !== '')) return undefined;
  return 'an accessToken that is not a string, or empty; return the verified token, or leave it out';
}

/** The verifiers that one combines, or that one. */
function partsOf(verifier: Verifier): readonly Verifier[] {
  return verifier.verifiers ?? [verifier];
}

function resourceOf({ resource, verify }: AuthOptions): string {
  const found = resource ?? verify.audience;
  // The metadata is public: a URL with a user has credentials. Not even an empty fragment is allowed (RFC 8707, 2).
  const isUsable =
    found !== undefined && URL.canParse(found) && /^https?:\/\/[^#/?@]+(?:[/?][^#]*)?$/.test(found);
  if (isUsable) return found;
  throw wrongValue('auth', {
    option: 'resource',
    expected:
      'the URL of the MCP endpoint as clients know it, without user and fragment, such as "https://api.example.com/mcp"',
    value: found,
  });
}

function metadataOf(options: AuthOptions, resource: string): Readonly<Record<string, unknown>> {
  const { verify, requiredScopes, resourceName, resourceDocumentation } = options;
  const servers = options.authorizationServers ?? verify.authorizationServers;
  const scopes = options.scopesSupported ?? requiredScopes;
  return {
    ...Object.assign({}, ...partsOf(verify).map((part) => part.metadata)),
    resource,
    ...(servers.length === 0 ? {} : { authorization_servers: servers }),
    ...(scopes === undefined ? {} : { scopes_supported: announce(scopes, options) }),
    bearer_methods_supported: ['header'],
    ...(resourceName === undefined ? {} : { resource_name: resourceName }),
    ...(resourceDocumentation === undefined ? {} : { resource_documentation: resourceDocumentation }),
  };
}

/** Scopes that authorization servers define themselves (OpenID Connect Core, 5.4 and 11). */
const OPENID_SCOPES: ReadonlySet<string> = new Set(['openid', 'profile', 'email', 'address', 'phone']);

/** Scopes as clients have to request them. Clients use the first authorization server, so its prefix counts. */
function announce(scopes: readonly string[], { verify }: AuthOptions): readonly string[] {
  const issuing = partsOf(verify).find(({ authorizationServers }) => authorizationServers.length > 0);
  const prefix = issuing?.scopePrefix ?? '';
  return (
    scopes
      // Refresh tokens are a matter of clients, not of resources.
      .filter((scope) => scope !== 'offline_access')
      .map((scope) => (OPENID_SCOPES.has(scope) || scope.includes('://') ? scope : `${prefix}${scope}`))
  );
}

function hasTokenInQuery(url: string): boolean {
  const query = url.indexOf('?');
  return query !== -1 && new URLSearchParams(url.slice(query)).has('access_token');
}

/** Characters that a quoted string of a header can have. */
export function quotable(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]|["\\]/g, "'");
}
