import { isNode, namedChildren } from '../nodes/json-node.ts';
import type { SchemaNode } from '../nodes/json-node.ts';
import type { PatternTest } from '../expressions/pattern.ts';

/**
 * Rule of a schema for one key of an object.
 *
 * - `known`: described by name or pattern
 * - `welcome`: not described, and the author opened the object
 * - `silent`: no keys are listed here, so any key is allowed
 * - `unsaid`: keys are listed, and there is no rule for others: the registry decides
 * - `forbidden`: the author, or `unknownArguments: 'reject'`, closed the object
 */
export type KeyVerdict = 'known' | 'welcome' | 'silent' | 'unsaid' | 'forbidden';

/** If several alternatives may apply, the most permissive verdict counts. */
const KINDEST: readonly KeyVerdict[] = ['known', 'welcome', 'silent', 'unsaid', 'forbidden'];

/** The verdict of alternatives of which one has to apply. */
export function kindestVerdict(verdicts: readonly KeyVerdict[]): KeyVerdict {
  return KINDEST.find((verdict) => verdicts.includes(verdict)) ?? 'silent';
}

/** The verdict of nodes that all apply to one object, and of the groups of alternatives beside them. */
export function judgeKey(
  key: string,
  place: { readonly nodes: readonly SchemaNode[]; readonly groups: readonly KeyVerdict[] },
  matches: PatternTest,
): KeyVerdict {
  const { nodes, groups } = place;
  let isKnown = groups.includes('known');
  let isWelcome = groups.includes('welcome');
  let isListed = groups.includes('unsaid');
  let isClosed = false;
  if (groups.includes('forbidden')) return 'forbidden';
  for (const node of nodes) {
    const names = knowsKey(node, key, matches);
    if (names) isKnown = true;
    else if (node['additionalProperties'] === false) return 'forbidden';
    else if ('additionalProperties' in node) isWelcome = true;
    if (node['unevaluatedProperties'] === false) isClosed = true;
    else if ('unevaluatedProperties' in node) isWelcome = true;
    if (isNode(node['properties'])) isListed = true;
  }
  if (isKnown) return 'known';
  if (isWelcome) return 'welcome';
  if (isClosed) return 'forbidden';
  return isListed ? 'unsaid' : 'silent';
}

/** Whether a node describes a key, by name or by pattern. */
export function knowsKey(node: SchemaNode, key: string, matches: PatternTest): boolean {
  const { properties } = node as { properties?: unknown };
  if (isNode(properties) && Object.hasOwn(properties, key)) return true;
  return namedChildren(node, 'patternProperties').some(([pattern]) => matches(pattern, key));
}
