import { isObject } from '../base/is-object.ts';
import { isPromiseLike } from '../base/maybe-promise.ts';
import type { MaybePromise } from '../base/maybe-promise.ts';
import { DefinitionError } from '../errors/errors.ts';
import type { Principal } from '../middleware/context.ts';
import { invalid, NO_CREDENTIALS } from './verifier.ts';
import type { CredentialRequest, Verdict, Verifier } from './verifier.ts';

/** Options of {@link custom}. */
interface CustomOptions {
  /** Issuers of the tokens. Default: none. */
  readonly authorizationServers?: readonly string[];
  /** Authentication scheme of the challenge. Default: `Bearer`. */
  readonly scheme?: string;
  /** Headers that `verify` reads, beside `Authorization`: handlers do not see them, and pages of `allowedOrigins` may send them. Default: none. */
  readonly credentialHeaders?: readonly string[];
}

/**
 * A verifier of your own. Return the principal; `undefined` if the request has no credentials of your kind; `false` if they are not valid.
 * Return a verdict, `{ kind: 'verified', principal, accessToken }`, to pass the verified token on to handlers. Throw if the credentials cannot
 * be verified now: the request gets a 503.
 *
 * @example
 * const auth = custom(async ({ headers }) => {
 *   const session = headers.get('x-session');
 *   return session === null ? undefined : ((await findUser(session)) ?? false);
 * });
 */
export function custom(
  verify: (request: CredentialRequest) => MaybePromise<Principal | Verdict | false | undefined>,
  { authorizationServers = [], scheme, credentialHeaders = [] }: CustomOptions = {},
): Verifier {
  if (typeof verify !== 'function')
    throw new DefinitionError(
      'custom: verify must be a function: (request) => principal, false or undefined.',
      {
        option: 'verify',
      },
    );
  return {
    authorizationServers,
    scheme,
    credentialHeaders: credentialHeaders.map((name) => name.toLowerCase()),
    verify: (request) => {
      const found = verify(request);
      return isPromiseLike(found) ? Promise.resolve(found).then(toVerdict) : toVerdict(found);
    },
  };
}

/** The result of a verifier of your own. */
type Found = Principal | Verdict | false | undefined;

function toVerdict(found: Found): Verdict {
  if (found === undefined) return NO_CREDENTIALS;
  if (isVerdict(found)) return found;
  return found === false ? invalid('The credentials are not valid.') : { kind: 'verified', principal: found };
}

/** The principal may be a whole user, whose `kind` is its own. */
function isVerdict(found: Exclude<Found, undefined>): found is Verdict {
  return isObject(found) && !('id' in found) && KINDS.has(found['kind']);
}

const KINDS: ReadonlySet<unknown> = new Set<Verdict['kind']>(['verified', 'no-credentials', 'invalid']);

/**
 * Accepts the credentials of any of several verifiers, in their order. Credentials that one of them reads and none accepts are invalid.
 *
 * @example
 * const auth = anyOf(jwt({ issuer, audience }), apiKeys(keys, { header: 'x-api-key' }));
 */
export function anyOf(...verifiers: readonly Verifier[]): Verifier {
  if (verifiers.length === 0)
    throw new DefinitionError('anyOf needs at least one verifier: anyOf(jwt({ … }), apiKeys(store)).', {
      option: 'verifiers',
    });
  return {
    authorizationServers: [...new Set(verifiers.flatMap((verifier) => verifier.authorizationServers))],
    audience: verifiers.find((verifier) => verifier.audience !== undefined)?.audience,
    verifiers: verifiers.flatMap((verifier) => verifier.verifiers ?? [verifier]),
    verify: (request) => new Attempts(verifiers, request).from(0),
  };
}

/** The verifiers of {@link anyOf} in turn, for one request. Waits only for those that do not answer at once. */
class Attempts {
  readonly #verifiers: readonly Verifier[];
  readonly #request: CredentialRequest;
  #rejected: Verdict | undefined;
  #failure: { readonly error: unknown } | undefined;

  constructor(verifiers: readonly Verifier[], request: CredentialRequest) {
    this.#verifiers = verifiers;
    this.#request = request;
  }

  from(first: number): MaybePromise<Verdict> {
    for (let index = first; index < this.#verifiers.length; index += 1) {
      const verdict = this.#verify(this.#verifiers[index] as Verifier);
      if (isPromiseLike(verdict))
        return verdict.then((later) => (this.#isVerified(later) ? later : this.from(index + 1)));
      if (this.#isVerified(verdict)) return verdict;
    }
    if (this.#failure !== undefined) throw this.#failure.error;
    return this.#rejected ?? NO_CREDENTIALS;
  }

  #isVerified(verdict: Verdict): boolean {
    if (verdict.kind === 'invalid') this.#rejected ??= verdict;
    return verdict.kind === 'verified';
  }

  #verify(verifier: Verifier): MaybePromise<Verdict> {
    // Another verifier may know these credentials; without one, they cannot be verified now.
    const fail = (error: unknown): Verdict => {
      this.#failure ??= { error };
      return NO_CREDENTIALS;
    };
    try {
      const verdict = verifier.verify(this.#request);
      return isPromiseLike(verdict) ? Promise.resolve(verdict).catch(fail) : verdict;
    } catch (error) {
      return fail(error);
    }
  }
}
