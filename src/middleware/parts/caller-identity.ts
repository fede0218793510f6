import type { StandardContext } from '../context.ts';

/** Identifying data of a caller. */
interface Identified {
  readonly principal?: StandardContext['principal'];
  readonly accessToken?: string | undefined;
}

/**
 * The caller as parts of a key: the principal, else the access token, else anonymous. The first part names the kind, so that a principal
 * cannot imitate a token. A principal in another tenant is another caller.
 */
export function identityOf({ principal, accessToken }: Identified): readonly [string, ...string[]] {
  if (principal !== undefined) {
    const { id, tenant } = principal;
    // defence: name-of-a-caller
    return tenant === undefined ? ['principal', id] : ['principal', id, tenant];
  }
  return accessToken === undefined ? ['anonymous'] : ['token', accessToken];
}

/**
 * Key of the owner of everything that a caller begins at a server. As JSON, so that no part of an id can pass for the next part. It may
 * contain an access token: hash it before it reaches a store.
 */
// defence: parts-of-an-owner
export function ownerKey(caller: Identified, server: string): string {
  return JSON.stringify([
    // defence: server-of-an-owner
    server,
    identityOf(caller),
  ]);
}

/** {@link ownerKey} of a call, from the context of its handler or middleware. */
export function ownerOfCall(context: Identified): string {
  return ownerKey(context, (context as { readonly servedBy?: string }).servedBy ?? '');
}

/**
 * Key of the owner of state, for the context of a handler. An anonymous caller owns the state of its connection. Undefined for an anonymous
 * caller who shares its connection with others, from whom it cannot be distinguished.
 */
export function findStateOwner(context: Identified): string | undefined {
  const { servedBy = '', connection } = context as {
    readonly servedBy?: string;
    readonly connection?: string;
  };
  if (context.principal !== undefined || context.accessToken !== undefined)
    return ownerKey(context, servedBy);
  // defence: no-state-for-everybody
  if (connection === undefined) return undefined;
  return JSON.stringify([servedBy, ['connection', connection]]);
}

/**
 * Key of the authorization of a call: like {@link ownerOfCall}, plus the access token if there is one. Several users may share an id, such as
 * that of an application; results of one must not reach another.
 */
export function authorizationOf(context: Identified): string {
  return JSON.stringify([ownerOfCall(context), context.accessToken]);
}
