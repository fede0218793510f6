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
 * Validates a returned principal: undefined if there is none, `'invalid'` for anything but an object with a non-empty `id`. Mistakes are
 * logged without their values, which may be secret. Other members, such as the password hash of a whole user object, are dropped.
 */
export function readPrincipal(
  found: unknown,
  source: PrincipalSource,
  logger: Logger,
): Principal | 'invalid' | undefined {
  if (found === undefined || found === null || found === false) return undefined;
  const mistake = findMistake(found, source);
  if (mistake !== undefined || !isObject(found)) {
    logger.warning(`${source.name} returned ${mistake}; the request is rejected`);
    return 'invalid';
  }
  const { id, scopes, roles, tenant, claims } = found as unknown as Principal;
  if (scopes !== undefined && !STRINGS[0](scopes))
    logger.warning(
      `${source.name} returned a principal whose scopes are ${Array.isArray(scopes) ? 'an array with other values than strings' : kindOf(scopes)}; use an array of strings such as scopes.split(' '); the caller has none of them`,
    );
  // defence: members-of-a-principal
  const principal: { -readonly [Member in keyof Principal]: Principal[Member] } = { id };
  if (scopes !== undefined) principal.scopes = scopes;
  if (roles !== undefined) principal.roles = roles;
  if (tenant !== undefined) principal.tenant = tenant;
  if (claims !== undefined) principal.claims = claims;
  return principal;
}

/** Whether a value is a principal: an object with an id; its scopes and roles, where it has some, are arrays of strings. */
export function isPrincipal(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { id, scopes, roles, tenant } = value;
  const isText = (text: unknown): boolean => typeof text === 'string' && text !== '';
  return (
    isText(id) &&
    [scopes, roles].every((list) => list === undefined || STRINGS[0](list)) &&
    (tenant === undefined || isText(tenant))
  );
}

function findMistake(found: unknown, { otherwise }: PrincipalSource): string | undefined {
  if (isPromiseLike(found)) return 'a promise; it must return the principal itself';
  if (!isObject(found)) return `${kindOf(found)}; return { id } or ${otherwise}`;
  const { id } = found;
  if (typeof id === 'number' || typeof id === 'bigint')
    return `a principal whose id is ${kindOf(id)}; use String(id)`;
  if (typeof id !== 'string') return `a principal whose id is ${kindOf(id)}; it must be a string`;
  return id === '' ? 'a principal whose id is empty' : undefined;
}

function kindOf(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
