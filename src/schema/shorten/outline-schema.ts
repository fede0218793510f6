import { listedChildren, namedChildren, isNode } from '../nodes/json-node.ts';
import type { SchemaNode } from '../nodes/json-node.ts';
import { isLeaf, pointerTo, wordsOf } from './excerpt.ts';

/** Options of {@link outlineSchema}. */
export interface OutlineOptions {
  /** Location of the schema: prefix of the paths of its parts. */
  readonly at: string;
  readonly fits: (schema: unknown) => boolean;
}

/** Keywords whose parts are only counted. */
const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'] as const;

/**
 * Names and types of as many properties as fit, required ones first. For schemas whose first level is too long. `x-paths` lists the
 * references that return the rest.
 */
export function outlineSchema(node: SchemaNode, { at, fits }: OutlineOptions): SchemaNode {
  const required = new Set(listedChildren(node, 'required').map(String));
  const properties = namedChildren(node, 'properties').toSorted(
    ([one], [other]) => Number(required.has(other)) - Number(required.has(one)),
  );
  const paths = [
    ...(properties.length === 0 ? [] : [`${pointerTo(at, 'properties')}/<name>`]),
    ...LISTS.flatMap((keyword) => {
      const count = listedChildren(node, keyword).length;
      return count === 0 ? [] : [`${pointerTo(at, keyword)}/<0 to ${count - 1}>`];
    }),
  ];
  const write = (count: number): SchemaNode => {
    const shown = properties.slice(0, count);
    const needed = shown.map(([name]) => name).filter((name) => required.has(name));
    return {
      ...wordsOf(node),
      ...(shown.length === 0
        ? {}
        : { properties: Object.fromEntries(shown.map(([name, schema]) => [name, toType(schema)])) }),
      ...(needed.length === 0 ? {} : { required: needed }),
      ...(count < properties.length ? { 'x-more': `${properties.length - count} more properties` } : {}),
      ...(paths.length === 0 ? {} : { 'x-paths': paths }),
    };
  };
  let [least, most] = [0, properties.length];
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (fits(write(middle))) least = middle;
    else most = middle - 1;
  }
  return write(least);
}

function toType(schema: unknown): unknown {
  if (!isNode(schema)) return schema;
  const { type } = schema;
  return type === undefined || !isLeaf(schema) ? {} : { type };
}
