import type { AuthHeaders, AuthProvider } from './schemes/auth-provider.ts';
import type { ClientAuthentication } from './tokens/token-endpoint.ts';

/** A secret, or a function that returns the current one. */
export type Secret = string | (() => string | Promise<string>);

/** A token that you manage yourself: for bearer, OAuth 2 and OpenID Connect. */
export interface TokenCredential {
  readonly token: Secret;
}

/** User name and password for basic authentication. */
export interface PasswordCredential {
  readonly username: string;
  readonly password: string;
}

/** Key for schemes of type `apiKey`. */
export interface ApiKeyCredential {
  readonly apiKey: Secret;
}

/** OAuth 2 client credentials: tokens are fetched from the authorization server, cached and renewed. */
export interface ClientCredential {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Token endpoint. Default: that of the document, if it is at the API's origin or one of `origins`. */
  readonly tokenUrl?: string;
  /** Requested scopes. Default: those that the document requires for each operation. */
  readonly scopes?: readonly string[];
  readonly audience?: string;
  /** Resource indicator (RFC 8707). */
  readonly resource?: string;
  /** Client authentication. Default: `basic`, or `post` if the server's metadata only lists that. */
  readonly clientAuthentication?: ClientAuthentication;
}

/** Credential for a security scheme. A string is a key, a token, or `user:password`, depending on the scheme. */
export type Credential =
  | string
  | TokenCredential
  | PasswordCredential
  | ApiKeyCredential
  | ClientCredential
  | AuthProvider;

/** Credentials for the API of one document. */
export interface AuthOptions {
  /** Credentials by the names of the document's security schemes. Default: none. */
  readonly credentials?: Readonly<Record<string, Credential>>;
  /** Provides headers for every operation; they take precedence over `credentials`. Default: none. */
  readonly authProvider?: AuthProvider;
  /** Headers of every request; `credentials` take precedence. Default: none. */
  readonly headers?: AuthHeaders;
  /** Origins that credentials may be sent to, in addition to that of the base URL. Default: none. */
  readonly origins?: readonly string[];
}
