import type { StandardContext } from '../context.ts';

/** What is known of a caller. */
interface Identified {
  readonly principal?: StandardContext['principal'];
  readonly accessToken?: string | undefined;
}

/**
 * Who is calling, as parts of a key: the principal; without one the access token, which is as good a name for the caller; else nobody
 * in particular. The first part says which, so that no principal can be named like a token.
 */
export function identityOf({ principal, accessToken }: Identified): readonly [string, ...string[]] {
  if (principal !== undefined) {
    // defence: name-of-a-caller
    return ['principal', principal.id];
  }
  return accessToken === undefined ? ['anonymous'] : ['token', accessToken];
}

/**
 * On whose behalf a call is made, as parts of a key: like {@link identityOf}, and the access token as well where there is one. An id may be
 * shared, as that of an application is by all its users; what belongs to one of them must not go to another.
 */
export function authorizationOf(context: StandardContext): readonly [string, ...string[]] {
  const { principal, accessToken } = context;
  const [kind, ...id] = identityOf(context);
  return principal === undefined || accessToken === undefined ? [kind, ...id] : [kind, ...id, accessToken];
}
