/** Users by the header `Authorization`. */
const USERS = new Map([
  ['Bearer token-of-alice', 'alice'],
  ['Bearer token-of-mallory', 'mallory'],
]);

/** @param {string | undefined | null} authorization */
export function findUser(authorization) {
  return USERS.get(authorization ?? '');
}
