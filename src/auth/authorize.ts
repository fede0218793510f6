import type { MaybePromise } from '../base/maybe-promise.ts';
import { isPromiseLike } from '../base/maybe-promise.ts';
import type { Clock } from '../base/time/clock.ts';
import type { Principal } from '../middleware/context.ts';
import type { CredentialRequest } from './verifier.ts';

/** Scopes, roles and the tenant that a principal has beside those of its credentials. */
export interface Grants {
  readonly scopes?: readonly string[];
  readonly roles?: readonly string[];
  readonly tenant?: string;
}

/** Finds the grants of a principal, for example in a database. A request fails with 503 if it throws. */
export type Authorize = (
  principal: Principal,
  request: CredentialRequest,
) => MaybePromise<Grants | undefined>;

interface Entry {
  readonly grants: Grants | undefined | Promise<Grants | undefined>;
  readonly until: number;
}

/** Calls `authorize` once for a principal and keeps the grants for a while. Failures are not kept. */
export class Authorizer {
  /** The oldest comes first. */
  readonly #entries = new Map<string, Entry>();
  readonly #authorize: Authorize;
  readonly #clock: Clock;
  readonly #cacheMs: number;

  constructor(authorize: Authorize, { clock, cacheMs }: { readonly clock: Clock; readonly cacheMs: number }) {
    this.#authorize = authorize;
    this.#clock = clock;
    this.#cacheMs = cacheMs;
  }

  /** The principal with its grants. */
  grant(principal: Principal, request: CredentialRequest): MaybePromise<Principal> {
    const { id, scopes = [], roles = [], tenant } = principal;
    // Two tokens of one principal may carry different scopes.
    const key = JSON.stringify([id, scopes, roles, tenant]);
    const known = this.#entries.get(key);
    const grants =
      known !== undefined && this.#clock.now() < known.until
        ? known.grants
        : this.#find(key, principal, request);
    return isPromiseLike(grants)
      ? Promise.resolve(grants).then((found) => withGrants(principal, found))
      : withGrants(principal, grants);
  }

  #find(key: string, principal: Principal, request: CredentialRequest): Entry['grants'] {
    const grants = this.#authorize(principal, request) as Entry['grants'];
    this.#keep(key, grants);
    if (isPromiseLike(grants))
      Promise.resolve(grants).then(
        (found) => this.#keep(key, found),
        () => this.#entries.delete(key),
      );
    return grants;
  }

  #keep(key: string, grants: Entry['grants']): void {
    this.#entries.delete(key);
    if (this.#cacheMs === 0) return;
    this.#entries.set(key, { grants, until: this.#clock.now() + this.#cacheMs });
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= MAX_PRINCIPALS) break;
      this.#entries.delete(oldest);
    }
  }
}

/** Principals whose grants are kept. */
const MAX_PRINCIPALS = 10_000;

function withGrants(principal: Principal, grants: Grants | undefined): Principal {
  if (grants === undefined) return principal;
  const { scopes = [], roles = [], tenant = principal.tenant } = grants;
  return {
    ...principal,
    scopes: [...new Set([...(principal.scopes ?? []), ...scopes])],
    roles: [...new Set([...(principal.roles ?? []), ...roles])],
    ...(tenant === undefined ? {} : { tenant }),
  };
}
