import { MAX_PARTS } from '../../schema/view/check-json-schema.ts';
import {
  isNode,
  listedChildren,
  namedChildren,
  SAME_VALUE,
  subschemas,
} from '../../schema/nodes/json-node.ts';
import type { SchemaNode } from '../../schema/nodes/json-node.ts';
import type { SchemaConverter } from './schema-converter.ts';
import type { Definition } from './model/conversion.ts';

/** Maximum length of a chain of references of one value. */
const MAX_CHAIN = 300;

interface Count {
  /** Parts of the value that the definition describes. */
  readonly own: number;
  /** The maximum of that and of any nested value. */
  readonly most: number;
}

const NOTHING: Count = { own: 1, most: 1 };
const known = new WeakMap<Definition, Count>();

/** Whether a definition has too many parts to validate a value with: nested alternatives multiply. */
export function isCrowded(definition: Definition, converter: SchemaConverter): boolean {
  return countOf(definition, converter, 0).most > MAX_PARTS;
}

function countOf(definition: Definition, converter: SchemaConverter, chain: number): Count {
  const before = known.get(definition);
  if (before !== undefined) return before;
  if (chain > MAX_CHAIN) return NOTHING;
  const { node, uses } = converter.convertDefinition(definition);
  const byName = new Map([...uses].map((each) => [each.name, each]));
  const refer = (name: string): number => {
    const target = byName.get(name);
    const count = target === undefined ? NOTHING : countOf(target, converter, chain + 1);
    // A definition that is too large itself is left open.
    return count.most > MAX_PARTS ? 1 : count.own;
  };
  const own = countParts(node, refer);
  const count = { own, most: Math.max(own, mostWithin(node, refer)) };
  known.set(definition, count);
  return count;
}

/** Number of parts that describe the value of a schema. Stops counting when there are too many. */
function countParts(node: unknown, refer: (name: string) => number): number {
  if (!isNode(node)) return 1;
  let count = 1;
  const { $ref } = node as { $ref?: unknown };
  if (typeof $ref === 'string') count += refer($ref.slice('#/$defs/'.length));
  for (const part of partsOf(node)) {
    if (count > MAX_PARTS) break;
    count += countParts(part, refer);
  }
  return Math.min(count, MAX_PARTS + 1);
}

function* partsOf(node: SchemaNode): Generator {
  for (const keyword of ['allOf', 'anyOf', 'oneOf']) yield* listedChildren(node, keyword);
  for (const keyword of ['if', 'then', 'else', 'not']) if (isNode(node[keyword])) yield node[keyword];
  for (const [, child] of namedChildren(node, 'dependentSchemas')) yield child;
}

/** Members and items are other values: each starts its own count. */
function mostWithin(node: unknown, refer: (name: string) => number): number {
  if (!isNode(node)) return 0;
  let most = 0;
  for (const { path, schema } of subschemas(node)) {
    const isSame = SAME_VALUE.has(path.split('/')[0] ?? '');
    most = Math.max(most, isSame ? 0 : countParts(schema, refer), mostWithin(schema, refer));
  }
  return most;
}
