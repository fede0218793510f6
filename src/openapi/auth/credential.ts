import type { AuthHeaders, AuthProvider } from './schemes/auth-provider.ts';
import type { ClientAuthentication } from './tokens/token-endpoint.ts';

/** A secret, or what gives the one that is valid now. */
export type Secret = string | (() => string | Promise<string>);

/** A token that somebody else takes care of: for bearer, OAuth 2 and OpenID Connect. */
export interface TokenCredential {
  readonly token: Secret;
}

/** For basic authentication. */
export interface PasswordCredential {
  readonly username: string;
  readonly password: string;
}

/** For schemes of the type `apiKey`. */
export interface ApiKeyCredential {
  readonly apiKey: Secret;
}

/** OAuth 2 client credentials: tokens are had from the authorization server, kept, and renewed. */
export interface ClientCredential {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Default: that of the document, if it is at the API's origin or one of `origins`. */
  readonly tokenUrl?: string;
  /** Default: those that the document says each operation needs. */
  readonly scopes?: readonly string[];
  readonly audience?: string;
  /** RFC 8707. */
  readonly resource?: string;
  /** Default: `basic`, unless the server describes itself and takes only `post`. */
  readonly clientAuthentication?: ClientAuthentication;
}

/** What proves to an API who asks. A text alone is a key, a token, or `user:password`, as the scheme has it. */
export type Credential =
  | string
  | TokenCredential
  | PasswordCredential
  | ApiKeyCredential
  | ClientCredential
  | AuthProvider;

/** The credentials for the API of one document. */
export interface AuthOptions {
  /** By the names of the document's security schemes. */
  readonly credentials?: Readonly<Record<string, Credential>>;
  /** For every operation. The headers that it gives win over the document's schemes. */
  readonly authProvider?: AuthProvider;
  /** The same for every operation. Credentials of schemes win over them. */
  readonly headers?: AuthHeaders;
  /** Origins that credentials may go to, beside the one of the base URL. */
  readonly origins?: readonly string[];
}
