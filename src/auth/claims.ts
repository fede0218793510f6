import { isObject } from '../base/is-object.ts';
import type { Principal } from '../middleware/context.ts';

/** Claims of a token, as the issuer wrote them. */
export type Claims = Readonly<Record<string, unknown>>;

/** The claims that become members of a principal. A path into nested claims is written with dots: `realm_access.roles`. */
export interface ClaimNames {
  /** Scopes: a string with spaces, or an array of strings. Default: `['scope', 'scp']`, the first that is there. */
  readonly scopesClaim?: string | readonly string[];
  /**
   * Text that challenges and metadata write before a scope, where clients have to request `api://notes/Notes.Read` and tokens have `Notes.Read`. Write
   * scopes without it everywhere else. Scopes of OpenID Connect and scopes with `://` are announced as they are. Default: none.
   */
  readonly scopePrefix?: string;
  /** Roles: an array of strings, or a string with spaces. Default: `'roles'`. */
  readonly rolesClaim?: string;
  /** Tenant. Default: none. */
  readonly tenantClaim?: string;
  /**
   * The id of the principal. Default: the issuer and the subject, `https://id.example.com|user-7`: subjects are unique within one issuer only. The client
   * is the subject of a token without `sub` and `username`.
   */
  readonly principalId?: (claims: Claims) => string | undefined;
}

/** The principal of a token, or the reason why it has none. */
export function toPrincipal(claims: Claims, names: ClaimNames): Principal | string {
  const id = names.principalId ? names.principalId(claims) : defaultId(claims);
  if (typeof id !== 'string' || id === '') return 'The token names no subject.';
  const { scopesClaim = ['scope', 'scp'], rolesClaim = 'roles', tenantClaim } = names;
  const listed = typeof scopesClaim === 'string' ? [scopesClaim] : scopesClaim;
  const scopes = listed.map((name) => claimAt(claims, name)).find((value) => value !== undefined);
  const tenant = tenantClaim === undefined ? '' : (claimAt(claims, tenantClaim) ?? '');
  // Without its tenant, the principal would be the same one in all of them.
  if (typeof tenant !== 'string') return `The claim "${tenantClaim}" is not valid.`;
  return {
    id,
    scopes: stringsOf(scopes),
    roles: stringsOf(claimAt(claims, rolesClaim)),
    ...(tenant === '' ? {} : { tenant }),
    claims,
  };
}

/**
 * Whether a token may only be used with a proof of a key: DPoP (RFC 9449), a client certificate (RFC 8705), or another confirmation of RFC 7800.
 * Without one it is not a bearer token: a thief would have it, and not the key.
 */
export function isKeyBound({ cnf, token_type: type }: Claims): boolean {
  return (cnf !== undefined && cnf !== null) || (typeof type === 'string' && type.toLowerCase() === 'dpop');
}

/** The reason why a bound token is rejected. */
export const KEY_BOUND = 'The token is bound to a key, and the request has no proof of it.';

/**
 * The issuer and the subject. A token of a client without a user may lack a subject; its principal is the client. A user whose subject cannot be read
 * must not become the client, which all users of that client would be.
 */
function defaultId({ iss, sub, username, client_id: client }: Claims): string | undefined {
  const isOfClient = (sub ?? username ?? undefined) === undefined;
  const subject = isOfClient ? client : sub;
  if (typeof subject !== 'string' || subject === '') return undefined;
  // defence: issuer-of-a-principal
  return typeof iss === 'string' ? `${iss}|${subject}` : subject;
}

/** A claim by its name; a name with dots may also be a path into nested claims. */
export function claimAt(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  let value: unknown = claims;
  for (const key of name.split('.')) {
    if (!isObject(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return value;
}

function stringsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.split(' ').filter((part) => part !== '');
  return Array.isArray(value) ? value.filter((part): part is string => typeof part === 'string') : [];
}
