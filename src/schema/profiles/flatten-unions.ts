import { sameJson } from '../../base/json/same-json.ts';
import {
  isNode,
  listedChildren,
  mapSubschemas,
  namedChildren,
  SAME_VALUE,
  subschemas,
} from '../nodes/json-node.ts';
import type { SchemaNode } from '../nodes/json-node.ts';
import { areDisjoint, Combiner, noted } from './combiner.ts';

/**
 * Handling of a key that one alternative lists and another does not: `kept` with any value, as in JSON Schema, or
 * `dropped` by the server.
 */
export type UnlistedKeys = 'kept' | 'dropped';

/**
 * Removes combining keywords: alternatives become one schema that accepts what any of them accepts. The document must have no references.
 */
export function flattenUnions(document: SchemaNode, unlistedKeys: UnlistedKeys): SchemaNode {
  const drops = unlistedKeys === 'dropped';
  const combiner = new Combiner(() => drops);
  const flatten = (schema: unknown): unknown => {
    if (!isNode(schema)) return schema;
    const all = (keyword: string): unknown[] => listedChildren(schema, keyword).map(flatten);
    let flat = flattenOwn(schema, flatten);
    const add = (part: unknown): void => {
      flat = combiner.intersect(flat, part);
    };
    for (const part of all('allOf')) add(part);
    for (const keyword of ['anyOf', 'oneOf']) {
      const alternatives = all(keyword);
      if (alternatives.length === 0) continue;
      // No alternative drops a key that is listed beside it.
      const listed = namesBeside(schema, keyword);
      const united = combiner.unite(alternatives, (name) => drops && !listed.has(name));
      add(noted(united, keyword === 'anyOf' || areDisjoint(alternatives)));
    }
    const { if: test, then: yes, else: no, not } = schema as Record<string, unknown>;
    if (test !== undefined && (yes !== undefined || no !== undefined))
      add(
        noted(
          combiner.unite([yes ?? {}, no ?? {}].map(flatten), () => false),
          false,
        ),
      );
    if (not === true || sameJson(not, {})) return false;
    return noted(flat, (not === undefined || not === false) && !('dependentSchemas' in schema));
  };
  const flat = flatten(document);
  return isNode(flat) ? flat : noted({ type: 'object' }, false);
}

/** The node's own keywords without its combining keywords. */
function flattenOwn(schema: SchemaNode, flatten: (child: unknown) => unknown): unknown {
  const own = Object.fromEntries(Object.entries(schema).filter(([keyword]) => !SAME_VALUE.has(keyword)));
  const { unevaluatedProperties, unevaluatedItems, ...flat } = mapSubschemas(own, flatten);
  const isWhole = Object.keys(own).length === Object.keys(schema).length;
  let isExact = true;
  // Unevaluated properties are known only if nothing else describes the object; otherwise it is open.
  if (unevaluatedProperties !== undefined && !('additionalProperties' in own)) {
    if (isWhole) flat['additionalProperties'] = unevaluatedProperties;
    else isExact = false;
  }
  if (unevaluatedItems !== undefined && !('items' in own)) {
    if (isWhole && !('contains' in own)) flat['items'] = unevaluatedItems;
    else isExact = false;
  }
  // A wider `contains` matches more elements, so its upper bound would reject too much.
  if ('maxContains' in own && !sameJson(own['contains'], flat['contains'])) {
    delete flat['maxContains'];
    isExact = false;
  }
  return noted(flat, isExact);
}

/** The keys that a node lists, except through one of its keywords. */
function namesBeside(node: SchemaNode, keyword?: string): ReadonlySet<string> {
  const parts = subschemas(node, SAME_VALUE).filter(
    (part) => part.keyword !== keyword && part.keyword !== 'not',
  );
  return new Set([
    ...namedChildren(node, 'properties').map(([name]) => name),
    ...parts.flatMap(({ schema }) => (isNode(schema) ? [...namesBeside(schema)] : [])),
  ]);
}
