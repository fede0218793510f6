import { DefinitionError } from '../../../errors/errors.ts';
import type { Principal } from '../../../middleware/context.ts';
import { findHeaderMistake } from '../../../outbound/request-headers.ts';

/** Headers by their names. */
export type AuthHeaders = Readonly<Record<string, string>>;

/**
 * Provides the authentication headers of requests. It is called for each request, and only for trusted origins.
 *
 * @example
 * const vault: AuthProvider = {
 *   getAuthHeaders: async ({ principal }) => ({ authorization: `Bearer ${await readToken(principal?.id)}` }),
 * };
 */
export interface AuthProvider {
  /** Returns the headers of one request. */
  getAuthHeaders(request: AuthRequest): AuthHeaders | Promise<AuthHeaders>;
  /** Called after a 401 or 403. Return true to get new headers and repeat the request once. */
  handleAuthError?(failure: AuthFailure): boolean | Promise<boolean>;
}

/** The request that needs credentials. */
export interface AuthRequest {
  readonly operation: {
    /** `GET /pets/{id}`. */
    readonly key: string;
    readonly operationId: string | undefined;
    readonly method: string;
    readonly path: string;
  };
  /** Origin of the request. */
  readonly origin: string;
  /** Scopes that the document requires for the operation. */
  readonly scopes: readonly string[];
  /** Whether the document also allows anonymous requests. */
  readonly isOptional: boolean;
  /** The authenticated caller of the tool; undefined for anonymous callers. */
  readonly principal: Principal | undefined;
  /**
   * The caller's access token. It is never forwarded automatically: a provider exchanges it, or forwards it
   * explicitly.
   */
  readonly accessToken: string | undefined;
  /** Aborted when the call is cancelled. */
  readonly signal: AbortSignal;
}

/** A response with status 401 or 403. */
export interface RefusedAnswer {
  readonly status: number;
  /** By name, in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** A request that the API rejected, and its response. */
export interface AuthFailure extends AuthRequest, RefusedAnswer {
  /** Headers that the provider returned for the request. */
  readonly given: AuthHeaders;
}

/** Provides the same headers for every request. */
export class StaticAuthProvider implements AuthProvider {
  readonly #headers: AuthHeaders;

  constructor(headers: AuthHeaders = {}) {
    assertHeaders('The headers of StaticAuthProvider', headers);
    this.#headers = Object.freeze({ ...headers });
  }

  getAuthHeaders(): AuthHeaders {
    return this.#headers;
  }

  /** Returns false: the headers would be the same. */
  handleAuthError(): boolean {
    return false;
  }
}

/** Rejects invalid headers, without showing their values. */
export function assertHeaders(owner: string, headers: unknown): asserts headers is AuthHeaders {
  if (typeof headers !== 'object' || headers === null || Array.isArray(headers))
    throw new DefinitionError(`${owner} must be an object of names and values.`, { option: 'headers' });
  for (const [name, value] of Object.entries(headers)) {
    const mistake = findHeaderMistake(name, value);
    if (mistake !== undefined)
      throw new DefinitionError(`${owner}: ${mistake}`, { option: 'headers', path: [name] });
  }
}
