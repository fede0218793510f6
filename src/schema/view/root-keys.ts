import { namedChildren } from '../nodes/json-node.ts';
import type { SchemaNode } from '../nodes/json-node.ts';
import { SchemaView } from './schema-view.ts';

/** Keywords with rules for unnamed keys. */
const REST_KEYWORDS = ['additionalProperties', 'unevaluatedProperties', 'propertyNames'] as const;

/** Whether a node has a rule for keys that it does not name. */
export function saysRest(node: SchemaNode): boolean {
  return REST_KEYWORDS.some((keyword) => keyword in node);
}

/** The keys that the root of a document describes, by name and by pattern, in the order of the document. */
export interface RootKeys {
  readonly names: readonly string[];
  readonly patterns: readonly string[];
  /** Whether there is a rule for other keys. */
  readonly saysRest: boolean;
}

/** Reads the keys of a document's root. */
export function rootKeys(document: SchemaNode): RootKeys {
  const nodes = new SchemaView(document).nodesOfValue(document);
  const listed = (keyword: string): string[] => [
    ...new Set(nodes.flatMap((node) => namedChildren(node, keyword).map(([name]) => name))),
  ];
  return {
    names: listed('properties'),
    patterns: listed('patternProperties'),
    saysRest: nodes.some(saysRest),
  };
}

/** The names of the fields at the root of a document. */
export function fieldNames(document: SchemaNode): string[] {
  return [...rootKeys(document).names];
}
