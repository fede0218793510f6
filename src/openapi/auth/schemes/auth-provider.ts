import { DefinitionError } from '../../../errors/errors.ts';
import type { Principal } from '../../../middleware/context.ts';
import { findHeaderMistake } from '../../../outbound/request-headers.ts';

/** Headers by their names. */
export type AuthHeaders = Readonly<Record<string, string>>;

/**
 * Gives the headers that prove to an API who asks. It is asked for each request, and only for requests to origins that credentials may go to.
 *
 * @example
 * const vault: AuthProvider = {
 *   getAuthHeaders: async ({ principal }) => ({ authorization: `Bearer ${await readToken(principal?.id)}` }),
 * };
 */
export interface AuthProvider {
  getAuthHeaders(request: AuthRequest): AuthHeaders | Promise<AuthHeaders>;
  /** The API answered 401 or 403. True: get headers again, and send the request once more. */
  handleAuthError?(failure: AuthFailure): boolean | Promise<boolean>;
}

/** The request that credentials are for. */
export interface AuthRequest {
  readonly operation: {
    /** `GET /pets/{id}`. */
    readonly key: string;
    readonly operationId: string | undefined;
    readonly method: string;
    readonly path: string;
  };
  /** Where the request goes. */
  readonly origin: string;
  /** What the document says that the operation needs. */
  readonly scopes: readonly string[];
  /** The document lets everybody use the operation, with credentials or without. */
  readonly isOptional: boolean;
  /** Who calls us. */
  readonly principal: Principal | undefined;
  /** The token that the caller came with. It is never passed on by itself: a provider exchanges it, or passes it on knowingly. */
  readonly accessToken: string | undefined;
  readonly signal: AbortSignal;
}

/** An answer of 401 or 403. */
export interface RefusedAnswer {
  readonly status: number;
  /** By their names in small letters. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** A request that the API refused, and its answer. */
export interface AuthFailure extends AuthRequest, RefusedAnswer {
  /** What the provider had given for the request. */
  readonly given: AuthHeaders;
}

/** The same headers for every request. */
export class StaticAuthProvider implements AuthProvider {
  readonly #headers: AuthHeaders;

  constructor(headers: AuthHeaders = {}) {
    assertHeaders('The headers of StaticAuthProvider', headers);
    this.#headers = Object.freeze({ ...headers });
  }

  getAuthHeaders(): AuthHeaders {
    return this.#headers;
  }

  /** They would be the same again. */
  handleAuthError(): boolean {
    return false;
  }
}

/** Refuses headers that could not be sent, without showing their values. */
export function assertHeaders(owner: string, headers: unknown): asserts headers is AuthHeaders {
  if (typeof headers !== 'object' || headers === null || Array.isArray(headers))
    throw new DefinitionError(`${owner} must be an object of names and values.`, { option: 'headers' });
  for (const [name, value] of Object.entries(headers)) {
    const mistake = findHeaderMistake(name, value);
    if (mistake !== undefined)
      throw new DefinitionError(`${owner}: ${mistake}`, { option: 'headers', path: [name] });
  }
}
