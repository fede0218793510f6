import type { StandardContext } from '../context.ts';

/** Identifying data of a caller. */
interface Identified {
  readonly principal?: StandardContext['principal'];
  readonly accessToken?: string | undefined;
}

/**
 * The caller as parts of a key: the principal, else the access token, else anonymous. The first part names the kind, so that a principal
 * cannot imitate a token.
 */
export function identityOf({ principal, accessToken }: Identified): readonly [string, ...string[]] {
  if (principal !== undefined) {
    // defence: name-of-a-caller
    return ['principal', principal.id];
  }
  return accessToken === undefined ? ['anonymous'] : ['token', accessToken];
}

/**
 * The authorization of a call as parts of a key: like {@link identityOf}, plus the access token if there is one. Several users may share an
 * id, such as that of an application; results of one must not reach another.
 */
export function authorizationOf(context: StandardContext): readonly [string, ...string[]] {
  const { principal, accessToken } = context;
  const [kind, ...id] = identityOf(context);
  return principal === undefined || accessToken === undefined ? [kind, ...id] : [kind, ...id, accessToken];
}
