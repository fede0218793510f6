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

/** What an authenticator is made of. */
export interface AuthenticatorParts {
  readonly schemes: ReadonlyMap<string, SecurityScheme>;
  /** Where the API is. Credentials belong to its origin; what is relative in the document starts here. */
  readonly baseUrl: string;
  readonly options: AuthOptions;
  readonly client: OutboundClient;
  readonly clock: Clock;
}

/** What credentials depend on from call to call. */
export type CredentialCall = Pick<AuthRequest, 'accessToken' | 'principal' | 'signal'>;

/** Gives the credentials of one request. */
export type Authorize = (calling: CredentialCall) => Promise<AppliedCredentials>;

/** What proves to the API who asks. All of it wins over what the arguments of a tool put into the same place. */
export interface AppliedCredentials {
  /** Where all of it may go, and nowhere else. */
  readonly origin: string;
  /** By their names in small letters. */
  readonly headers: AuthHeaders;
  /** Not encoded. */
  readonly query: readonly Pair[];
  /** Fit to be written as `name=value`. */
  readonly cookies: readonly Pair[];
  /** Texts to hide in whatever is shown: an API may repeat what it was sent. */
  readonly secrets: readonly string[];
  /** Finds the secrets; undefined where there are none. */
  readonly hidden: HiddenTexts | undefined;
  /** After an answer of 401 or 403. True: authorize again, and send the request once more. Others are false. */
  refused(answer: RefusedAnswer): Promise<boolean>;
}

/** Finds the credentials of requests to one API. */
export interface Authenticator {
  /**
   * What an operation needs that nobody gave, one line for each way to be let in: `needs api_key (header X-Key): give credentials.api_key`.
   * `origin` is where its requests go, if not to the base URL. `describe` writes the lines.
   */
  missingFor(
    operation: Pick<Operation, 'security'>,
    origin?: string,
    describe?: DescribeFinding,
  ): MissingCredentials;
  /** Chooses the credentials of an operation whose requests go to this origin, once for all calls; undefined where it has none, or they do not belong there. */
  authorizeFor(operation: Operation, origin: string): Authorize | undefined;
}

/** Makes the authenticator of one document. Throws a `DefinitionError` for credentials that cannot be meant. */
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
        // The headers of the provider win, so that they can change the choice.
        const { used } =
          own === undefined || own.headers.length === 0
            ? choice
            : chooseAlternative(operation, meansFor(origin, slotsOf(own.headers)));
        const given = await Promise.all(used.map(({ source, scopes }) => source.get({ ...request, scopes })));
        // What comes first wins.
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
    // A variable of the environment that is not set.
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
      ? ' It has none at all: use headers, or an authProvider.'
      : `${didYouMean(name, schemes)} It has: ${names}.`;
  return new DefinitionError(`${told}${known}`, {
    reason: 'unknown-security-scheme',
    option: 'credentials',
    path: [name],
    expected,
  });
}

/** Every mistake in a credential says which one it is about. */
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

/** Credentials that are the same for every call. */
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
      // All of them hear of it: nobody knows which one was meant.
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
