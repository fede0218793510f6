import type { MaybePromise } from '../base/maybe-promise.ts';
import type { Principal } from '../middleware/context.ts';

/** The parts of a request that credentials are read from. */
export interface CredentialRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: { get(name: string): string | null };
  /** Whether a header was sent more than once. Undefined in `toFetchHandler`, where repeated headers are joined with commas. */
  readonly isRepeated?: ((name: string) => boolean) | undefined;
  /** Address of the connection: of the proxy, where there is one. Undefined in `toFetchHandler`. */
  readonly address: string | undefined;
}

/** The result of verifying the credentials of a request. */
export type Verdict =
  | {
      readonly kind: 'verified';
      readonly principal: Principal;
      /** The token that was verified: handlers get it as `context.accessToken`. Default: none, whatever the header `Authorization` contains. */
      readonly accessToken?: string | undefined;
    }
  /** The request has no credentials that this verifier reads. */
  | { readonly kind: 'no-credentials' }
  /** The request has credentials, and they are not valid. `description` goes into the challenge: it never repeats a credential. */
  | {
      readonly kind: 'invalid';
      readonly description: string;
      /** Error code of the challenge. Default: `invalid_token`. */
      readonly error?: string;
      /** Further headers of the response, such as `DPoP-Nonce`. */
      readonly headers?: Readonly<Record<string, string>>;
    };

/**
 * Verifies credentials of one kind. Made by `jwt`, `introspection`, `apiKeys`, `trustedHeaders`, `custom` and `anyOf`; give it to `serveHttp` as
 * `auth`.
 */
export interface Verifier {
  /** Verifies the credentials of a request. Throws if they cannot be verified now; the request gets a 503 then. */
  readonly verify: (request: CredentialRequest) => MaybePromise<Verdict>;
  /** Issuers of the tokens, for the metadata of the protected resource. */
  readonly authorizationServers: readonly string[];
  /** Audience of the tokens, where it is one URL: the default of `resource`. */
  readonly audience?: string | undefined;
  /**
   * Text before the scopes that clients have to request, where tokens have the scopes without it, such as `api://<client id>/` of Microsoft Entra ID.
   * Default: none.
   */
  readonly scopePrefix?: string | undefined;
  /** Authentication scheme of the challenge. Default: `Bearer`. */
  readonly scheme?: string | undefined;
  /** Further parameters of the challenge, such as `{ algs: 'ES256' }` of DPoP. */
  readonly challenge?: Readonly<Record<string, string>> | undefined;
  /** Further members of the metadata of the protected resource, such as `dpop_signing_alg_values_supported`. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  /** Headers with credentials, beside `Authorization`: handlers do not see them. In lower case. Default: none. */
  readonly credentialHeaders?: readonly string[] | undefined;
  /** The verifiers that this one combines: the challenge has the scheme of each of them. */
  readonly verifiers?: readonly Verifier[] | undefined;
}

/** The request has none of the credentials that a verifier reads. */
export const NO_CREDENTIALS: Verdict = { kind: 'no-credentials' };

/** The credentials are not valid. */
export function invalid(description: string): Verdict {
  return { kind: 'invalid', description };
}

/** The verdict on a token, with the token for handlers if it is valid. */
export function withToken(verdict: Verdict, accessToken: string): Verdict {
  return verdict.kind === 'verified'
    ? { kind: 'verified', principal: verdict.principal, accessToken }
    : verdict;
}

/** More than any issuer needs: a longer token costs time before it is rejected. */
const MAX_TOKEN_CHARACTERS = 16_384;

/** The bearer token of a request; a verdict where it has none, or one that no issuer gives out. */
export function readBearerToken(request: CredentialRequest, scheme = 'Bearer'): string | Verdict {
  const header = request.headers.get('authorization');
  if (header === null || header === '') return NO_CREDENTIALS;
  const space = header.indexOf(' ');
  const name = space === -1 ? header : header.slice(0, space);
  if (name.toLowerCase() !== scheme.toLowerCase()) return NO_CREDENTIALS;
  const token = header.slice(name.length).trim();
  if (token.length > MAX_TOKEN_CHARACTERS) return invalid('The token is too long.');
  return TOKEN.test(token) ? token : invalid('The token is malformed.');
}

/** `b64token` of RFC 6750. */
const TOKEN = /^[\w.~+/-]+=*$/;
