import { isObject } from '../../base/is-object.ts';
import { isPromiseLike } from '../../base/maybe-promise.ts';
import type { Logger } from '../../errors/logger.ts';
import { STRINGS } from '../../errors/options/rules.ts';
import type { Principal } from '../../middleware/context.ts';

/** The function that returned the principal: its name, and its return value without a principal. */
interface PrincipalSource {
  readonly name: string;
  readonly otherwise: string;
}

/**
 * Validates a returned principal: undefined if there is none, `'invalid'` if it, its scopes, roles or tenant are of another type. Handlers would
 * search a string as if it were an array: `'not-admin'.includes('admin')`. Mistakes are logged without their values, which may be secret.
 */
export function readPrincipal(
  found: unknown,
  { name, otherwise }: PrincipalSource,
  logger: Logger,
): Principal | 'invalid' | undefined {
  if (found === undefined || found === null || found === false) return undefined;
  const mistake = findPrincipalMistake(found, otherwise);
  if (mistake !== undefined) {
    logger.warning(`${name} returned ${mistake}; the request is rejected`);
    return 'invalid';
  }
  return membersOf(found as Principal);
}

/**
 * A principal with the members of one alone. Others, such as the password hash of a whole user object, are dropped. Scopes and roles are copied: the
 * lists may belong to a store, and a handler that adds to its own must not grant anything to the next request.
 */
export function membersOf({ id, scopes, roles, tenant, claims }: Principal): Principal {
  // defence: members-of-a-principal
  const principal: { -readonly [Member in keyof Principal]: Principal[Member] } = { id };
  if (scopes !== undefined) principal.scopes = [...scopes];
  if (roles !== undefined) principal.roles = [...roles];
  if (tenant !== undefined) principal.tenant = tenant;
  if (claims !== undefined) principal.claims = claims;
  return principal;
}

/** Whether a value is a principal: an object with an id; its scopes and roles, where it has some, are arrays of strings. */
export function isPrincipal(value: unknown): boolean {
  return findPrincipalMistake(value, '') === undefined;
}

/** The mistake of a value that should be a principal, as the object of "returned". `otherwise` is the return value without a principal. */
export function findPrincipalMistake(found: unknown, otherwise: string): string | undefined {
  if (isPromiseLike(found)) return 'a promise; it must return the principal itself';
  if (!isObject(found)) return `${kindOf(found)}; return { id } or ${otherwise}`;
  const { id } = found;
  if (typeof id === 'number' || typeof id === 'bigint')
    return `a principal whose id is ${kindOf(id)}; use String(id)`;
  if (typeof id !== 'string') return `a principal whose id is ${kindOf(id)}; it must be a string`;
  return id === '' ? 'a principal whose id is empty' : findGrantMistake('a principal', found);
}

/** The mistake of grants: scopes, roles and a tenant that are added to a principal. */
export function findGrantsMistake(found: unknown): string | undefined {
  return isObject(found)
    ? findGrantMistake('grants', found)
    : `${kindOf(found)}; return { scopes, roles, tenant } or undefined`;
}

function findGrantMistake(
  owner: string,
  { scopes, roles, tenant }: Readonly<Record<string, unknown>>,
): string | undefined {
  // defence: grants-of-a-principal
  if (scopes !== undefined && !STRINGS[0](scopes)) return listMistake(owner, 'scopes', scopes);
  if (roles !== undefined && !STRINGS[0](roles)) return listMistake(owner, 'roles', roles);
  if (tenant === undefined || (typeof tenant === 'string' && tenant !== '')) return undefined;
  return `${owner} whose tenant is ${tenant === '' ? 'empty' : kindOf(tenant)}; use a string, or leave it out`;
}

function listMistake(owner: string, name: string, list: unknown): string {
  return `${owner} whose ${name} are ${Array.isArray(list) ? 'an array with other values than strings' : kindOf(list)}; use an array of strings such as ${name}.split(' ')`;
}

function kindOf(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
