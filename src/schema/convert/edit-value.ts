import { isNode, listedChildren, mapSubschemas, withoutNames } from '../nodes/json-node.ts';
import type { SchemaNode } from '../nodes/json-node.ts';
import { SchemaView } from '../view/schema-view.ts';

/** A change to the nodes that describe one value. */
export interface ValueEdit {
  /** Keywords that lead to further nodes of the same value. */
  readonly keywords: ReadonlySet<string>;
  readonly concerns: (node: SchemaNode) => boolean;
  readonly edit: (node: SchemaNode) => SchemaNode;
}

/**
 * Edits the nodes that describe the root value of a document, not its members. A changed definition is copied to where it is referred to,
 * because it may describe members elsewhere.
 */
export function editValue(document: SchemaNode, { keywords, concerns, edit }: ValueEdit): SchemaNode {
  const view = new SchemaView(document);
  const isConcerned = (schema: unknown): schema is SchemaNode =>
    isNode(schema) && view.nodesOfValue(schema).some(concerns);
  const visit = (schema: SchemaNode): SchemaNode => {
    const own = concerns(schema) ? edit(schema) : schema;
    const edited = mapSubschemas(own, (child, keyword) =>
      keywords.has(keyword) && isConcerned(child) ? visit(child) : child,
    );
    for (const keyword of ['$ref', '$dynamicRef']) {
      const ref = edited[keyword];
      const target = typeof ref === 'string' ? view.resolve(ref) : undefined;
      if (!isConcerned(target)) continue;
      delete edited[keyword];
      edited['allOf'] = [withoutNames(visit(target)), ...listedChildren(edited, 'allOf')];
    }
    return edited;
  };
  return isConcerned(document) ? visit(document) : document;
}
