/** How an API wants to be asked, read from a document of any version. */
export type SecurityScheme =
  | ApiKeyScheme
  | HttpScheme
  | OAuthScheme
  | OpenIdScheme
  | { readonly kind: 'mutualTLS'; readonly name: string };

/** A key in a place of its own. */
export interface ApiKeyScheme {
  readonly kind: 'apiKey';
  /** As requirements and credentials name the scheme. */
  readonly name: string;
  readonly in: 'header' | 'query' | 'cookie';
  /** Of the header, the parameter or the cookie. */
  readonly parameter: string;
}

/** Something in the header `authorization`. */
export interface HttpScheme {
  readonly kind: 'http';
  readonly name: string;
  /** In small letters: `basic`, `bearer`, `digest`. */
  readonly scheme: string;
}

/** A token that OAuth 2 gives out. */
export interface OAuthScheme {
  readonly kind: 'oauth2';
  readonly name: string;
  readonly flows: readonly OAuthFlow[];
  /** Where the authorization server describes itself (OpenAPI 3.2). May be relative. */
  readonly metadataUrl: string | undefined;
}

/** One way of getting a token, in the words of OpenAPI 3. */
export interface OAuthFlow {
  readonly kind: 'authorizationCode' | 'clientCredentials' | 'deviceAuthorization' | 'implicit' | 'password';
  /** May be relative. */
  readonly tokenUrl: string | undefined;
}

/** A token of an OpenID provider. */
export interface OpenIdScheme {
  readonly kind: 'openIdConnect';
  readonly name: string;
  /** Where the provider describes itself. May be relative. */
  readonly metadataUrl: string | undefined;
}

/** What of a request a scheme fills, such as `header authorization`; two that fill the same cannot be sent together. */
export function slotOf(scheme: SecurityScheme): string | undefined {
  if (scheme.kind === 'mutualTLS') return undefined;
  if (scheme.kind !== 'apiKey') return headerSlot('authorization');
  return scheme.in === 'header' ? headerSlot(scheme.parameter) : `${scheme.in} ${scheme.parameter}`;
}

/** The slot of a header. */
export function headerSlot(name: string): string {
  return `header ${name.toLowerCase()}`;
}

/** What a scheme is, for messages: `header X-Key`, `bearer token`. */
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

/** A text of somebody else as messages show it: not endless, and without characters that nobody sees. */
export function clean(text: string, max = 80): string {
  const shown = text.slice(0, max).replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ');
  return text.length > max ? `${shown}\u2026` : shown;
}
