import { isNode } from '../../schema/nodes/json-node.ts';
import { textsOf } from '../document/parse/read-values.ts';
import type { SecurityRequirement } from '../model/operation.ts';

/** Most operations have that of the document. */
const known = new WeakMap<object, readonly SecurityRequirement[] | undefined>();

/** What an operation asks of its caller; undefined where nothing is said. */
export function readSecurity(given: unknown): readonly SecurityRequirement[] | undefined {
  if (!Array.isArray(given)) return undefined;
  if (!known.has(given)) known.set(given, readAnew(given));
  return known.get(given);
}

function readAnew(given: readonly unknown[]): readonly SecurityRequirement[] | undefined {
  const requirements = given.filter(isNode);
  // A list of things that are none says nothing; an empty list says that nobody has to prove anything.
  if (requirements.length === 0 && given.length > 0) return undefined;
  return requirements.map((requirement) =>
    Object.fromEntries(Object.entries(requirement).map(([scheme, scopes]) => [scheme, textsOf(scopes)])),
  );
}
