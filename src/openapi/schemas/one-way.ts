import { isNode, listedChildren, namedChildren } from '../../schema/nodes/json-node.ts';
import type { SchemaNode } from '../../schema/nodes/json-node.ts';
import { flagOf } from '../document/parse/read-values.ts';
import type { Located } from '../model/operation.ts';
import type { ConverterParts } from './model/conversion.ts';
import { schemaRefOf } from './model/schema-ref.ts';

const MAX_DEPTH = 16;

/** Whether a property is only for the other direction: read-only in a request, write-only in a response. */
export function goesOtherWay(property: Located, parts: ConverterParts, depth = 0): boolean {
  if (!isNode(property.value) || depth > MAX_DEPTH) return false;
  const keyword = parts.direction === 'request' ? 'readOnly' : 'writeOnly';
  if (flagOf(property.value[keyword])) return true;
  const found = parts.references.follow(property);
  if ('problem' in found || !isNode(found.value)) return false;
  if (flagOf(found.value[keyword])) return true;
  // An `allOf` around one reference, which allows annotations beside it.
  const all = listedChildren(found.value, 'allOf');
  const [only] = all;
  return all.length === 1 && goesOtherWay({ value: only, base: found.base }, parts, depth + 1);
}

/** Names of the properties that are removed from an object, over all its parts: no part may require them. */
export function findLeaving(schema: Located, parts: ConverterParts): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { value, base } of partsOf(schema, parts)) {
    for (const [name, property] of namedChildren(value, 'properties'))
      if (goesOtherWay({ value: property, base }, parts)) names.add(name);
  }
  return names;
}

/** Maximum number of parts. */
const MAX_PARTS = 200;

/** A schema and all its parts by references and `allOf`, each once. */
export function* partsOf(schema: Located, { references }: ConverterParts): Generator<Located<SchemaNode>> {
  const waiting: Located[] = [schema];
  const seen = new Set<unknown>();
  // The array grows during the iteration.
  for (const { value, base } of waiting) {
    if (!isNode(value) || seen.has(value) || seen.size > MAX_PARTS) continue;
    seen.add(value);
    const own = references.baseWithin(value, base);
    yield { value, base: own };
    const ref = schemaRefOf(value);
    const target = ref === undefined ? undefined : references.resolve(ref, own);
    if (target !== undefined && 'value' in target) waiting.push(target);
    for (const part of listedChildren(value, 'allOf')) waiting.push({ value: part, base: own });
  }
}
