import type { Authentication, ProtectedResource } from '../../../auth/protected-resource.ts';
import { isPromiseLike } from '../../../base/maybe-promise.ts';
import { ANONYMOUS, refuse } from '../message/http-options.ts';
import type { Anonymous, AuthenticateRequest, Identity, Refusal } from '../message/http-options.ts';
import type { MaybePromise } from '../../../base/maybe-promise.ts';
import type { Principal } from '../../../middleware/context.ts';

/** A caller with the token that was verified. A class: no value that `authenticate` returns can pass for one. */
export class VerifiedCaller {
  readonly principal: Principal;
  readonly accessToken: string | undefined;

  constructor(principal: Principal, accessToken: string | undefined) {
    this.principal = principal;
    this.accessToken = accessToken;
  }
}

/** Identifies the caller of a request: `authenticate`, or a protected resource. */
export type Identify = (request: AuthenticateRequest) => MaybePromise<Identity | VerifiedCaller>;

/** The function that identifies the callers of a protected resource. */
export function protect(resource: ProtectedResource): Identify {
  return (request) => {
    const found = resource.authenticate(request);
    return isPromiseLike(found) ? Promise.resolve(found).then(toIdentity) : toIdentity(found);
  };
}

function toIdentity(found: Authentication): VerifiedCaller | Anonymous | Refusal {
  if (found.kind === 'principal') return new VerifiedCaller(found.principal, found.accessToken);
  if (found.kind === 'anonymous') return ANONYMOUS;
  const { status, message, header, headers } = found;
  return refuse({ status, message, headers: { ...headers, 'www-authenticate': header } });
}
