import { isNode, listedChildren, namedChildren } from '../../schema/json-node.ts';
import type { Located } from '../operation.ts';
import type { ConverterParts } from './schema-converter.ts';

const MAX_DEPTH = 16;

/** Whether a property is only for the other direction: read-only in a request, write-only in a response. */
export function goesOtherWay(property: Located, parts: ConverterParts, depth = 0): boolean {
  if (!isNode(property.value) || depth > MAX_DEPTH) return false;
  const keyword = parts.direction === 'request' ? 'readOnly' : 'writeOnly';
  if (property.value[keyword] === true) return true;
  const found = parts.references.follow(property);
  if ('problem' in found || !isNode(found.value)) return false;
  if (found.value[keyword] === true) return true;
  // A wrapper around one reference, so that something can be said beside it.
  const all = listedChildren(found.value, 'allOf');
  const [only] = all;
  return all.length === 1 && goesOtherWay({ value: only, base: found.base }, parts, depth + 1);
}

/** The names of properties that leave an object, over all the parts that describe it: none of the parts may ask for them. */
export function findLeaving(schema: Located, parts: ConverterParts, depth = 0): ReadonlySet<string> {
  const found = parts.references.follow(schema);
  const names = new Set<string>();
  if ('problem' in found || !isNode(found.value) || depth > MAX_DEPTH) return names;
  const { base } = found;
  for (const [name, value] of namedChildren(found.value, 'properties'))
    if (goesOtherWay({ value, base }, parts)) names.add(name);
  for (const value of listedChildren(found.value, 'allOf'))
    for (const name of findLeaving({ value, base }, parts, depth + 1)) names.add(name);
  return names;
}
