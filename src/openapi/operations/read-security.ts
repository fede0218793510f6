import { isNode } from '../../schema/nodes/json-node.ts';
import { textsOf } from '../document/parse/read-values.ts';
import type { SecurityRequirement } from '../model/operation.ts';

/** Cache: most operations have the requirements of the document. */
const known = new WeakMap<object, readonly SecurityRequirement[] | undefined>();

/** Security requirements of an operation; undefined if there are none. */
export function readSecurity(given: unknown): readonly SecurityRequirement[] | undefined {
  if (!Array.isArray(given)) return undefined;
  if (!known.has(given)) known.set(given, readAnew(given));
  return known.get(given);
}

function readAnew(given: readonly unknown[]): readonly SecurityRequirement[] | undefined {
  const requirements = given.filter(isNode);
  // An array of invalid entries counts as none; an empty array means no authentication.
  if (requirements.length === 0 && given.length > 0) return undefined;
  return requirements.map((requirement) =>
    Object.fromEntries(Object.entries(requirement).map(([scheme, scopes]) => [scheme, textsOf(scopes)])),
  );
}
