import { assertKnown } from '../../errors/assert-known.ts';
import { DefinitionError } from '../../errors/errors.ts';
import { assertOptions, NON_EMPTY, required, secret, STRINGS } from '../../errors/options/rules.ts';
import type { Rules } from '../../errors/options/rules.ts';
import type { OutboundClient } from '../../outbound/outbound-client.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { AuthProvider } from './schemes/auth-provider.ts';
import { fromClientCredentials } from './client-credentials.ts';
import type { ClientCredential, Credential, Secret } from './credential.ts';
import { fromProvider } from './schemes/credential-source.ts';
import type { CredentialSource } from './schemes/credential-source.ts';
import { fromApiKey, fromPassword, fromToken, unusable } from './secret-sources.ts';
import { slotOf } from './schemes/security-scheme.ts';
import type { HttpScheme, SecurityScheme } from './schemes/security-scheme.ts';
import { CLIENT_AUTHENTICATION, TOKEN_URL } from './tokens/client-rules.ts';
import { findTokenServer } from './tokens/token-server.ts';
import type { TrustedOrigins } from './tokens/trusted-origins.ts';

/** Options of {@link toSource}. */
export interface SourceParts {
  readonly trusted: TrustedOrigins;
  readonly client: OutboundClient;
  readonly clock: Clock;
}

/** Creates the source of a credential for a scheme. Rejects one that does not match, without showing it. */
export function toSource(
  scheme: SecurityScheme,
  credential: Credential,
  parts: SourceParts,
): CredentialSource {
  const owner = `credentials.${scheme.name}`;
  if (isProvider(credential)) return fromProvider(credential, slotOf(scheme), owner);
  if (scheme.kind === 'mutualTLS')
    throw new DefinitionError(
      `${owner}: set the client certificate in the option tls of outbound requests.`,
      { reason: 'certificate-expected', option: 'credentials', path: [scheme.name] },
    );
  const read = typeof credential === 'string' ? readText(scheme, credential) : credential;
  if (typeof read !== 'object' || read === null) throw unfit(owner, scheme);
  if (scheme.kind === 'apiKey') {
    if (!('apiKey' in read)) throw unfit(owner, scheme);
    assertKnown('fromOpenAPI', read, ['apiKey'], 'credentials', scheme.name);
    return fromApiKey(scheme, readSecret(read.apiKey, owner), owner);
  }
  if (scheme.kind === 'http' && scheme.scheme === 'basic') {
    if (!('username' in read) || !('password' in read)) throw unfit(owner, scheme);
    assertKnown('fromOpenAPI', read, ['username', 'password'], 'credentials', scheme.name);
    return fromPassword(read, owner);
  }
  if (scheme.kind === 'http' && scheme.scheme === 'digest')
    throw new DefinitionError(`${owner}: digest authentication is not supported. Use an AuthProvider.`, {
      reason: 'unsupported-security-scheme',
      option: 'credentials',
      path: [scheme.name],
      received: scheme.scheme,
    });
  if ('clientId' in read && !isOtherHttp(scheme)) return fromClient(scheme, read, parts);
  if (!('token' in read)) throw unfit(owner, scheme);
  assertKnown('fromOpenAPI', read, ['token'], 'credentials', scheme.name);
  const name = isOtherHttp(scheme) ? scheme.scheme : 'Bearer';
  return fromToken(name, readSecret(read.token, owner), owner);
}

/** Whether the credential is an `AuthProvider`. */
export function isProvider(credential: unknown): credential is AuthProvider {
  return (
    typeof credential === 'object' &&
    credential !== null &&
    typeof (credential as Partial<AuthProvider>).getAuthHeaders === 'function'
  );
}

/** An HTTP scheme other than basic and bearer. */
function isOtherHttp(scheme: SecurityScheme): scheme is HttpScheme {
  return scheme.kind === 'http' && scheme.scheme !== 'bearer';
}

/** Interprets a string by its scheme. */
function readText(scheme: SecurityScheme, text: string): Exclude<Credential, AuthProvider | string> {
  if (scheme.kind === 'apiKey') return { apiKey: text };
  if (scheme.kind !== 'http' || scheme.scheme !== 'basic') return { token: text };
  const colon = text.indexOf(':');
  if (colon === -1) throw unusable(`credentials.${scheme.name}`, 'a string such as user:password');
  return { username: text.slice(0, colon), password: text.slice(colon + 1) };
}

function readSecret(given: unknown, owner: string): Secret {
  if (typeof given === 'function') return given as Secret;
  if (typeof given !== 'string') throw unusable(owner, 'a string, or a function that returns one');
  if (given.trim() === '') throw unusable(owner, 'a non-empty string');
  return given;
}

const FITTING: Readonly<Record<string, string>> = {
  apiKey: 'a string or { apiKey }',
  basic: '"user:password" or { username, password }',
  bearer: 'a string, { token } or { clientId, clientSecret, tokenUrl }',
  http: 'a string or { token }',
  oauth2: 'a string, { token } or { clientId, clientSecret }',
  openIdConnect: 'a string, { token } or { clientId, clientSecret }',
};

function unfit(owner: string, scheme: SecurityScheme): DefinitionError {
  const kind = scheme.kind === 'http' && Object.hasOwn(FITTING, scheme.scheme) ? scheme.scheme : scheme.kind;
  const expected = FITTING[kind] ?? 'a string';
  return new DefinitionError(
    `${owner} does not match its security scheme: expected ${expected}, or an AuthProvider.`,
    { reason: 'unfit-credential', option: 'credentials', path: [scheme.name], expected },
  );
}

const CLIENT: Rules<keyof ClientCredential> = {
  clientId: required(NON_EMPTY),
  clientSecret: secret(required(NON_EMPTY)),
  tokenUrl: TOKEN_URL,
  scopes: STRINGS,
  audience: NON_EMPTY,
  resource: NON_EMPTY,
  clientAuthentication: CLIENT_AUTHENTICATION,
};

function fromClient(
  scheme: SecurityScheme,
  credential: ClientCredential,
  parts: SourceParts,
): CredentialSource {
  const owner = `credentials.${scheme.name}`;
  assertOptions('fromOpenAPI', credential, CLIENT, 'credentials', scheme.name);
  const { client, clock } = parts;
  return fromClientCredentials({
    credential,
    findServer: findTokenServer(scheme, credential.tokenUrl, { ...parts, owner }),
    hasScopes: scheme.kind !== 'http',
    client,
    clock,
    owner,
  });
}
