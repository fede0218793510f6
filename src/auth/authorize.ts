import type { MaybePromise } from '../base/maybe-promise.ts';
import { isPromiseLike } from '../base/maybe-promise.ts';
import type { Clock } from '../base/time/clock.ts';
import { toExactText } from '../format/exact-text.ts';
import type { Principal } from '../middleware/context.ts';
import { findGrantsMistake } from '../pipeline/tool/read-principal.ts';
import type { CredentialRequest } from './verifier.ts';

/** Scopes, roles and the tenant that a principal has beside those of its credentials. */
export interface Grants {
  readonly scopes?: readonly string[];
  readonly roles?: readonly string[];
  readonly tenant?: string;
}

/**
 * Finds the grants of a principal, for example in a database. A request fails with 503 if it throws, or returns anything else. Only a function that
 * declares two parameters gets the request; its grants are not cached, because they may be for this request alone.
 */
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
  readonly #takesRequest: boolean;
  readonly #clock: Clock;
  readonly #cacheMs: number;

  constructor(authorize: Authorize, { clock, cacheMs }: { readonly clock: Clock; readonly cacheMs: number }) {
    this.#takesRequest = authorize.length > 1;
    this.#authorize = authorize;
    this.#clock = clock;
    this.#cacheMs = this.#takesRequest ? 0 : cacheMs;
  }

  /** The principal with its grants. */
  grant(principal: Principal, request: CredentialRequest): MaybePromise<Principal> {
    // The whole principal: two tokens of one user may differ in scopes, or in a claim such as `acr`.
    const key = this.#cacheMs === 0 ? undefined : toExactText(principal, MAX_KEY_CHARACTERS);
    const known = key === undefined ? undefined : this.#entries.get(key);
    const grants =
      known !== undefined && this.#clock.now() < known.until
        ? known.grants
        : this.#find(key, principal, request);
    return isPromiseLike(grants)
      ? grants.then((found) => withGrants(principal, found))
      : withGrants(principal, grants);
  }

  #find(key: string | undefined, principal: Principal, request: CredentialRequest): Entry['grants'] {
    const found = this.#ask(principal, request);
    const grants = isPromiseLike(found) ? Promise.resolve(found).then(assertGrants) : assertGrants(found);
    if (key === undefined) return grants;
    // One that hangs must not lock its principal out for the whole time of the cache.
    this.#keep(key, grants, isPromiseLike(grants) ? Math.min(PENDING_MS, this.#cacheMs) : this.#cacheMs);
    if (isPromiseLike(grants)) {
      // Later grants may have replaced these, and must stay.
      const isCurrent = (): boolean => this.#entries.get(key)?.grants === grants;
      grants.then(
        (later) => isCurrent() && this.#keep(key, later, this.#cacheMs),
        () => isCurrent() && this.#entries.delete(key),
      );
    }
    return grants;
  }

  /** Grants that are cached must not depend on one request: a rest parameter or one with a default is not counted, and gets none. */
  #ask(principal: Principal, request: CredentialRequest): ReturnType<Authorize> {
    if (this.#takesRequest) return this.#authorize(principal, request);
    const authorize = this.#authorize as (principal: Principal) => ReturnType<Authorize>;
    return authorize(principal);
  }

  #keep(key: string, grants: Entry['grants'], keepMs: number): void {
    this.#entries.delete(key);
    this.#entries.set(key, { grants, until: this.#clock.now() + keepMs });
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= MAX_PRINCIPALS) break;
      this.#entries.delete(oldest);
    }
  }
}

/** Principals whose grants are kept. */
const MAX_PRINCIPALS = 10_000;

/** Requests share a pending call of `authorize` for this time. */
const PENDING_MS = 5000;

/** Grants of a larger principal are not kept. */
const MAX_KEY_CHARACTERS = 8192;

/** A string would be spread into its characters, and each of them would be a scope. */
function assertGrants(found: Grants | undefined): Grants | undefined {
  const mistake = found === undefined ? undefined : findGrantsMistake(found);
  if (mistake !== undefined) throw new TypeError(`authorize returned ${mistake}.`);
  return found;
}

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
