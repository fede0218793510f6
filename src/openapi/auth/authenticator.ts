import { DefinitionError } from '../../errors/errors.ts';
import { libraryWords } from '../../errors/finding.ts';
import type { DescribeFinding, Finding } from '../../errors/finding.ts';
import { wrongValue } from '../../errors/options/wrong-value.ts';
import { didYouMean } from '../../errors/nearest-names.ts';
import type { OutboundClient } from '../../outbound/outbound-client.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { Operation } from '../model/operation.ts';
import { assertHeaders } from './schemes/auth-provider.ts';
import type { AuthHeaders, AuthRequest, RefusedAnswer } from './schemes/auth-provider.ts';
import type { AuthOptions } from './credential.ts';
import { fromProvider, secretsOfHeader, slotsOf } from './schemes/credential-source.ts';
import type { CredentialSource, GivenCredential, Pair } from './schemes/credential-source.ts';
import { chooseAlternative, findMissing, isOptional, NOTHING_MISSING } from './requirements.ts';
import type { Means, MissingCredentials } from './requirements.ts';
import { clean } from './schemes/security-scheme.ts';
import type { SecurityScheme } from './schemes/security-scheme.ts';
import type { HiddenTexts } from './secrets/hidden-texts.ts';
import { hiddenSecrets } from './secrets/hide-secrets.ts';
import { isProvider, toSource } from './to-source.ts';
import type { SourceParts } from './to-source.ts';
import { TrustedOrigins } from './tokens/trusted-origins.ts';

/** Options of {@link createAuthenticator}. */
export interface AuthenticatorParts {
  readonly schemes: ReadonlyMap<string, SecurityScheme>;
  /** Base URL of the API. Credentials belong to its origin; relative URLs of the document start here. */
  readonly baseUrl: string;
  readonly options: AuthOptions;
  readonly client: OutboundClient;
  readonly clock: Clock;
}

/** Properties of a call that credentials may depend on. */
export type CredentialCall = Pick<AuthRequest, 'accessToken' | 'principal' | 'signal'>;

/** Returns the credentials of one request. */
export type Authorize = (calling: CredentialCall) => Promise<AppliedCredentials>;

/** Credentials of a request. They replace arguments of the tool in the same places. */
export interface AppliedCredentials {
  /** The only origin that the credentials may be sent to. */
  readonly origin: string;
  /** By name, in lower case. */
  readonly headers: AuthHeaders;
  /** Not encoded. */
  readonly query: readonly Pair[];
  /** Valid as `name=value`. */
  readonly cookies: readonly Pair[];
  /** Strings to hide in results and messages: an API may repeat what it was sent. */
  readonly secrets: readonly string[];
  /** Finds the secrets; undefined if there are none. */
  readonly hidden: HiddenTexts | undefined;
  /** Handles a 401 or 403. Returns whether to authorize again and repeat the request once. */
  refused(answer: RefusedAnswer): Promise<boolean>;
}

/** Finds the credentials of requests to one API. */
export interface Authenticator {
  /**
   * Missing credentials of an operation, one line for each alternative: `needs api_key (header X-Key): give credentials.api_key`.
   * `origin` is the origin of its requests. Default: that of the base URL. `describe` writes the lines.
   */
  missingFor(
    operation: Pick<Operation, 'security'>,
    origin?: string,
    describe?: DescribeFinding,
  ): MissingCredentials;
  /**
   * Selects the credentials of an operation for this origin, once for all calls; undefined if it has none, or if
   * the origin is not trusted.
   */
  authorizeFor(operation: Operation, origin: string): Authorize | undefined;
}

/** Creates the authenticator of one document. Throws a `DefinitionError` for invalid credentials. */
export function createAuthenticator(parts: AuthenticatorParts): Authenticator {
  const { schemes, options, client } = parts;
  const { authProvider, headers = {} } = options;
  const trusted = new TrustedOrigins(parts.baseUrl, options.origins);
  assertHeaders('headers', headers);
  if (authProvider !== undefined && !isProvider(authProvider))
    throw wrongValue('fromOpenAPI', {
      option: 'authProvider',
      expected: 'an object with the method getAuthHeaders',
    });
  const sources = readCredentials(parts, trusted);
  const fixed = Object.entries(headers).map(([name, value]): Pair => [name.toLowerCase(), value]);
  const provider = authProvider && fromProvider(authProvider, undefined, 'authProvider');
  const fallback = slotsOf(fixed);
  const meansFor = (origin: string, filled: ReadonlySet<string>): Means => ({
    schemes,
    sources,
    filled,
    fallback,
    hasCertificate: client.presentsCertificateTo(origin),
  });
  return {
    missingFor: (operation, origin = trusted.base.origin, describe = libraryWords) => {
      const means = meansFor(origin, new Set());
      if (trusted.has(origin))
        return provider === undefined ? findMissing(operation, means, describe) : NOTHING_MISSING;
      const isWanted =
        provider !== undefined || fixed.length > 0 || chooseAlternative(operation, means).used.length > 0;
      const unmet = { ...means, sources: new Map(), fallback: new Set<string>() };
      if (!isWanted && findMissing(operation, unmet, describe).lines.length === 0) return NOTHING_MISSING;
      const finding = untrusted(clean(origin));
      return { lines: [describe(finding)], findings: [finding] };
    },
    authorizeFor: (operation, origin) => {
      // defence: origin-of-credentials
      if (!trusted.has(origin)) return undefined;
      const { key, operationId, method, path } = operation;
      const asked = {
        operation: { key, operationId, method, path },
        origin,
        isOptional: isOptional(operation),
      };
      const choice = chooseAlternative(operation, meansFor(origin, new Set()));
      const shared = givenFixed(fixed);
      if (provider === undefined && choice.used.length === 0)
        return fixed.length === 0 ? undefined : always(apply(origin, [shared]));
      return async ({ accessToken, principal, signal }) => {
        const request = { ...asked, accessToken, principal, signal };
        const own = await provider?.get({ ...request, scopes: choice.scopes });
        // The headers of the provider win, so that they can change the selection.
        const { used } =
          own === undefined || own.headers.length === 0
            ? choice
            : chooseAlternative(operation, meansFor(origin, slotsOf(own.headers)));
        const given = await Promise.all(used.map(({ source, scopes }) => source.get({ ...request, scopes })));
        // The first one wins.
        return apply(origin, [...(own === undefined ? [] : [own]), ...given, shared]);
      };
    },
  };
}

function readCredentials(
  { schemes, options, client, clock }: AuthenticatorParts,
  trusted: TrustedOrigins,
): ReadonlyMap<string, CredentialSource> {
  const { credentials = {} } = options;
  if (typeof credentials !== 'object' || credentials === null || Array.isArray(credentials))
    throw wrongValue('fromOpenAPI', {
      option: 'credentials',
      expected: 'an object, with the names of security schemes',
    });
  const parts: SourceParts = { trusted, client, clock };
  const sources = new Map<string, CredentialSource>();
  for (const [name, credential] of Object.entries(credentials)) {
    // An environment variable that is not set.
    if (credential === undefined) continue;
    const scheme = schemes.get(name);
    if (scheme === undefined) throw unknownScheme(name, [...schemes.keys()]);
    sources.set(
      name,
      withPath(name, () => toSource(scheme, credential, parts)),
    );
  }
  return sources;
}

const MAX_NAMED = 20;

function unknownScheme(name: string, schemes: readonly string[]): DefinitionError {
  const expected = schemes.map((each) => clean(each));
  const told = `credentials: the document has no security scheme "${clean(name)}".`;
  const names = `${expected.slice(0, MAX_NAMED).join(', ')}${expected.length > MAX_NAMED ? ', \u2026' : ''}`;
  const known =
    expected.length === 0
      ? ' It has no security schemes: use headers or an authProvider.'
      : `${didYouMean(name, schemes)} It has: ${names}.`;
  return new DefinitionError(`${told}${known}`, {
    reason: 'unknown-security-scheme',
    option: 'credentials',
    path: [name],
    expected,
  });
}

/** Adds the name of the credential to errors. */
function withPath(name: string, read: () => CredentialSource): CredentialSource {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof DefinitionError) || error.option === 'credentials') throw error;
    const { message, cause, reason = 'invalid-option', expected = [] } = error;
    throw new DefinitionError(message, { cause, reason, expected, option: 'credentials', path: [name] });
  }
}

function untrusted(origin: string): Finding {
  const message = `goes to ${origin}, which is not among origins: credentials are not sent there`;
  return { reason: 'untrusted-origin', option: 'origins', received: origin, message };
}

function givenFixed(headers: readonly Pair[]): GivenCredential {
  const secrets = headers.flatMap(secretsOfHeader);
  return { headers, query: [], cookies: [], secrets, refused: () => false };
}

/** Wraps credentials that are the same for every call. */
function always(applied: AppliedCredentials): Authorize {
  return async () => applied;
}

function apply(origin: string, given: readonly GivenCredential[]): AppliedCredentials {
  const secrets = [...new Set(given.flatMap((each) => each.secrets))];
  return {
    origin,
    headers: Object.fromEntries(firstOfEach(given.flatMap(({ headers }) => headers))),
    query: firstOfEach(given.flatMap(({ query }) => query)),
    cookies: firstOfEach(given.flatMap(({ cookies }) => cookies)),
    secrets,
    hidden: secrets.length === 0 ? undefined : hiddenSecrets(secrets),
    refused: async (answer) => {
      if (answer.status !== 401 && answer.status !== 403) return false;
      // All of them are notified: the response does not say which one was rejected.
      const helped = await Promise.all(given.map(async (each) => each.refused(answer)));
      return helped.includes(true);
    },
  };
}

function firstOfEach(pairs: readonly Pair[]): Pair[] {
  const first = new Map<string, string>();
  for (const [name, value] of pairs) if (!first.has(name)) first.set(name, value);
  return [...first];
}
