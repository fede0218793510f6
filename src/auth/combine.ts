import type { MaybePromise } from '../base/maybe-promise.ts';
import { DefinitionError } from '../errors/errors.ts';
import type { Principal } from '../middleware/context.ts';
import { invalid, NO_CREDENTIALS } from './verifier.ts';
import type { CredentialRequest, Verdict, Verifier } from './verifier.ts';

/**
 * A verifier of your own. Return the principal; `undefined` if the request has no credentials of your kind; `false` if they are not valid.
 * Throw if they cannot be verified now: the request gets a 503.
 *
 * @example
 * const auth = custom(async ({ headers }) => {
 *   const session = headers.get('x-session');
 *   return session === null ? undefined : ((await findUser(session)) ?? false);
 * });
 */
export function custom(
  verify: (request: CredentialRequest) => MaybePromise<Principal | false | undefined>,
  {
    authorizationServers = [],
    scheme,
  }: { readonly authorizationServers?: readonly string[]; readonly scheme?: string } = {},
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
    verify: async (request) => {
      const found = await verify(request);
      if (found === undefined) return NO_CREDENTIALS;
      return found === false
        ? invalid('The credentials are not valid.')
        : { kind: 'verified', principal: found };
    },
  };
}

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
    verify: async (request) => {
      let rejected: Verdict | undefined;
      const failures: unknown[] = [];
      for (const verifier of verifiers) {
        try {
          const verdict = await verifier.verify(request);
          if (verdict.kind === 'verified') return verdict;
          if (verdict.kind === 'invalid') rejected ??= verdict;
        } catch (error) {
          // Another verifier may know these credentials; without one, they cannot be verified now.
          failures.push(error);
        }
      }
      if (failures.length > 0) throw failures[0];
      return rejected ?? NO_CREDENTIALS;
    },
  };
}
