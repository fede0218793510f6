import type { Authentication, ProtectedResource } from '../../../auth/protected-resource.ts';
import { isPromiseLike } from '../../../base/maybe-promise.ts';
import { ANONYMOUS, refuse } from '../message/http-options.ts';
import type { Authenticate, Identity } from '../message/http-options.ts';

/** The function that identifies the callers of a protected resource. */
export function protect(resource: ProtectedResource): Authenticate {
  return (request) => {
    const found = resource.authenticate(request);
    return isPromiseLike(found) ? Promise.resolve(found).then(toIdentity) : toIdentity(found);
  };
}

function toIdentity(found: Authentication): Identity {
  if (found.kind === 'principal') return found.principal;
  if (found.kind === 'anonymous') return ANONYMOUS;
  const { status, message, header, headers } = found;
  return refuse({ status, message, headers: { ...headers, 'www-authenticate': header } });
}
