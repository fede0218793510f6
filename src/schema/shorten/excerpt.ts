import { cutText } from '../../base/cut-text.ts';
import { isNode, subschemas } from '../nodes/json-node.ts';
import type { SchemaNode } from '../nodes/json-node.ts';
import type { RefResolver } from '../nodes/resolve-ref.ts';

/** Keyword of an omitted part. Its value is the path that returns the part on request. */
const PATH_KEYWORD = 'x-path';

/** Number of characters that stay of the description of an omitted schema. */
const MAX_DESCRIPTION = 120;

/** A reference to a definition of the document. */
const DEFINITION = /^#\/(?:\$defs|definitions)\/[^/]+$/;

export function isDefinition(ref: string): boolean {
  return DEFINITION.test(ref);
}

/** The reference of a node; undefined if it has none. */
export function refOf({ $ref, $dynamicRef }: SchemaNode): string | undefined {
  const ref = $ref ?? $dynamicRef;
  return typeof ref === 'string' ? ref : undefined;
}

/** Whether a schema has no subschemas: omitting it would hardly save anything. */
export function isLeaf(node: SchemaNode): boolean {
  return refOf(node) === undefined && subschemas(node).length === 0;
}

/** Reference to a subschema of a location. */
export function pointerTo(place: string, keyword: string, name?: string): string {
  const key = name?.replaceAll('~', '~0').replaceAll('/', '~1');
  return `${place}/${keyword}${key === undefined ? '' : `/${encodeURI(key)}`}`;
}

/** Excerpt of an omitted schema. A mere reference gets the path of its target. */
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
