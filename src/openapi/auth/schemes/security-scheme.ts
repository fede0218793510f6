/** A security scheme of a document of any version. */
export type SecurityScheme =
  | ApiKeyScheme
  | HttpScheme
  | OAuthScheme
  | OpenIdScheme
  | { readonly kind: 'mutualTLS'; readonly name: string };

/** An API key. */
export interface ApiKeyScheme {
  readonly kind: 'apiKey';
  /** Name of the scheme in requirements and credentials. */
  readonly name: string;
  readonly in: 'header' | 'query' | 'cookie';
  /** Name of the header, the query parameter or the cookie. */
  readonly parameter: string;
}

/** A scheme of HTTP authentication. */
export interface HttpScheme {
  readonly kind: 'http';
  readonly name: string;
  /** In lower case: `basic`, `bearer`, `digest`. */
  readonly scheme: string;
}

/** An OAuth 2 token. */
export interface OAuthScheme {
  readonly kind: 'oauth2';
  readonly name: string;
  readonly flows: readonly OAuthFlow[];
  /** URL of the authorization server's metadata (OpenAPI 3.2). May be relative. */
  readonly metadataUrl: string | undefined;
}

/** One OAuth flow, with the names of OpenAPI 3. */
export interface OAuthFlow {
  readonly kind: 'authorizationCode' | 'clientCredentials' | 'deviceAuthorization' | 'implicit' | 'password';
  /** May be relative. */
  readonly tokenUrl: string | undefined;
}

/** A token of an OpenID provider. */
export interface OpenIdScheme {
  readonly kind: 'openIdConnect';
  readonly name: string;
  /** URL of the provider's metadata. May be relative. */
  readonly metadataUrl: string | undefined;
}

/**
 * The slot of a request that a scheme fills, such as `header authorization`; two schemes of one slot cannot be sent
 * together.
 */
export function slotOf(scheme: SecurityScheme): string | undefined {
  if (scheme.kind === 'mutualTLS') return undefined;
  if (scheme.kind !== 'apiKey') return headerSlot('authorization');
  return scheme.in === 'header' ? headerSlot(scheme.parameter) : `${scheme.in} ${scheme.parameter}`;
}

/** The slot of a header. */
export function headerSlot(name: string): string {
  return `header ${name.toLowerCase()}`;
}

/** Describes a scheme for messages: `header X-Key`, `bearer token`. */
export function describeScheme(scheme: SecurityScheme): string {
  switch (scheme.kind) {
    case 'apiKey':
      return `${scheme.in} ${clean(scheme.parameter)}`;
    case 'http':
      return scheme.scheme === 'basic'
        ? 'user name and password'
        : `${clean(scheme.scheme)} ${scheme.scheme === 'bearer' ? 'token' : 'credentials'}`;
    case 'oauth2':
      return 'OAuth 2';
    case 'openIdConnect':
      return 'OpenID Connect';
    case 'mutualTLS':
      return 'client certificate';
  }
}

/** Prepares foreign text for messages: shortened, and without hidden characters. */
export function clean(text: string, max = 80): string {
  const shown = text.slice(0, max).replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ');
  return text.length > max ? `${shown}\u2026` : shown;
}
