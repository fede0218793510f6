import { isNode, namedChildren } from '../nodes/json-node.ts';
import type { SchemaNode } from '../nodes/json-node.ts';
import { compilePattern } from '../expressions/pattern.ts';
import { childrenOf } from './fits.ts';
import { knowsKey } from './key-rule.ts';

/**
 * What becomes of a key that one alternative lists and another does not: `kept` with any value, as JSON Schema says, or
 * `dropped` by the server.
 */
export type UnlistedKeys = 'kept' | 'dropped';

/** Puts schemas together, for the members of what is being put together. */
export interface Combine {
  readonly unite: (schemas: readonly unknown[]) => unknown;
  readonly intersect: (a: unknown, b: unknown) => unknown;
  readonly unlistedKeys: UnlistedKeys;
  /** Keys that something beside the alternatives lists: no alternative drops them. */
  readonly keptKeys?: ReadonlySet<string>;
}

const matches = (pattern: string, key: string): boolean => compilePattern(pattern).test(key);

/** What several alternatives say about the members of an object, as one. A key takes what any alternative takes under it. */
export function uniteMembers(alternatives: readonly SchemaNode[], combine: Combine): SchemaNode {
  const names = namesIn(alternatives);
  const properties = names.flatMap((name): [string, unknown][] => {
    const said = alternatives
      .map((limits) => memberOf(limits, name, combine))
      .filter((member) => member !== false);
    return said.length === 0 ? [] : [[name, combine.unite(said)]];
  });
  const rests = alternatives.map((limits) => restOf(limits, combine));
  const rest = rests.includes(undefined) ? undefined : combine.unite(rests);
  return {
    ...(properties.length === 0 ? {} : { properties: Object.fromEntries(properties) }),
    ...(rest === undefined ? {} : { additionalProperties: rest }),
  };
}

/** What two schemas that both apply say about the members of an object. */
export function intersectMembers(
  a: SchemaNode,
  b: SchemaNode,
  combine: Combine,
): { readonly members: SchemaNode; readonly exact: boolean } {
  const strict: Combine = { ...combine, unlistedKeys: 'kept' };
  const properties = namesIn([a, b]).flatMap((name): [string, unknown][] => {
    const [left, right] = [a, b].map((limits) =>
      // A pattern still applies beside the properties.
      knowsKey(limits, name, matches) && !isNamed(limits, name) ? {} : memberOf(limits, name, strict),
    );
    const isNamedByClosed = (left === false && isNamed(a, name)) || (right === false && isNamed(b, name));
    // Under a key that one side does not know and closes, nothing stands; the result is closed as well.
    if ((left === false || right === false) && !isNamedByClosed) return [];
    return [[name, combine.intersect(left, right)]];
  });
  const patterns = [
    ...new Set([a, b].flatMap((limits) => namedChildren(limits, 'patternProperties').map(([key]) => key))),
  ];
  const patternProperties = patterns.map((pattern): [string, unknown] => {
    const [left, right] = [a, b].map(
      (limits) => (limits['patternProperties'] as SchemaNode | undefined)?.[pattern] ?? {},
    );
    return [pattern, combine.intersect(left, right)];
  });
  const rests = [a, b].map((limits) => limits['additionalProperties']).filter((rest) => rest !== undefined);
  return {
    members: {
      ...(properties.length === 0 ? {} : { properties: Object.fromEntries(properties) }),
      ...(patterns.length === 0 ? {} : { patternProperties: Object.fromEntries(patternProperties) }),
      ...(rests.length === 0 ? {} : { additionalProperties: intersectAll(rests, combine) }),
    },
    // Keys that one side knows by pattern escape what the other says about all that it does not know.
    exact: patterns.length === 0 || rests.length === 0,
  };
}

/** What a schema says about the member under a key; `false` when it takes none. */
function memberOf(limits: SchemaNode, name: string, combine: Combine): unknown {
  const said = childrenOf(limits, name, matches);
  if (said.length > 0) return isNamed(limits, name) ? said[0] : intersectAll(said, combine);
  const isDropped = combine.unlistedKeys === 'dropped' && combine.keptKeys?.has(name) !== true;
  const isOpen = limits['additionalProperties'] !== undefined || !isNode(limits['properties']);
  return isOpen || !isDropped ? {} : false;
}

/** What a schema says about keys that nobody names; undefined when nothing. */
function restOf(limits: SchemaNode, combine: Combine): unknown {
  const patterns = namedChildren(limits, 'patternProperties').map(([, schema]) => schema);
  const rest = limits['additionalProperties'];
  return rest === undefined || patterns.length === 0 ? rest : combine.unite([...patterns, rest]);
}

/** What all of them take. */
export function intersectAll([first, ...others]: readonly unknown[], combine: Combine): unknown {
  return others.reduce((all, schema) => combine.intersect(all, schema), first);
}

function namesIn(list: readonly SchemaNode[]): string[] {
  return [...new Set(list.flatMap((limits) => namedChildren(limits, 'properties').map(([name]) => name)))];
}

function isNamed(limits: SchemaNode, name: string): boolean {
  return isNode(limits['properties']) && Object.hasOwn(limits['properties'], name);
}
