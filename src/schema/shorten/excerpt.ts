import { cutText } from '../../base/cut-text.ts';
import { isNode, subschemas } from '../nodes/json-node.ts';
import type { SchemaNode } from '../nodes/json-node.ts';
import type { RefResolver } from '../nodes/resolve-ref.ts';

/** The keyword of a part that is left out. Its value is what returns the part when it is asked for. */
const PATH_KEYWORD = 'x-path';

/** Characters of a description that stay where its schema is left out. */
const MAX_DESCRIPTION = 120;

/** A reference to one of the document's own definitions, which every part of it can refer to. */
const DEFINITION = /^#\/(?:\$defs|definitions)\/[^/]+$/;

export function isDefinition(ref: string): boolean {
  return DEFINITION.test(ref);
}

/** The reference of a node; undefined if it has none. */
export function refOf({ $ref, $dynamicRef }: SchemaNode): string | undefined {
  const ref = $ref ?? $dynamicRef;
  return typeof ref === 'string' ? ref : undefined;
}

/** Whether a schema has no parts: left out, it would hardly be shorter. */
export function isLeaf(node: SchemaNode): boolean {
  return refOf(node) === undefined && subschemas(node).length === 0;
}

/** The reference to a subschema of a place. */
export function pointerTo(place: string, keyword: string, name?: string): string {
  const key = name?.replaceAll('~', '~0').replaceAll('/', '~1');
  return `${place}/${keyword}${key === undefined ? '' : `/${encodeURI(key)}`}`;
}

/** The excerpt of a schema that is left out. A mere reference leads to its target. */
export function toExcerpt(
  node: SchemaNode,
  pointer: string,
  { base, resolve }: { readonly base: string; readonly resolve: RefResolver },
): SchemaNode {
  const ref = refOf(node);
  const target = ref === undefined ? undefined : resolve(ref);
  const isMere = ref !== undefined && subschemas(node).length === 0;
  const words = { ...(isNode(target) ? wordsOf(target) : {}), ...wordsOf(node) };
  return { ...words, [PATH_KEYWORD]: `${base}${isMere ? ref : pointer}` };
}

/** The type, the title and the beginning of the description. */
export function wordsOf({ type, title, description }: SchemaNode): SchemaNode {
  return {
    ...(type === undefined ? {} : { type }),
    ...(typeof title === 'string' ? { title: cutText(title, MAX_DESCRIPTION) } : {}),
    ...(typeof description === 'string' ? { description: cutText(description, MAX_DESCRIPTION) } : {}),
  };
}
