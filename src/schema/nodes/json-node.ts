/** Readers for JSON Schema nodes, which have the type `unknown`. */

/** One subschema that is an object; `true` and `false` are not nodes. */
export type SchemaNode = Readonly<Record<string, unknown>>;

/** Whether a value is a plain object (not null, not an array). */
export function isNode(value: unknown): value is SchemaNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The members of a keyword that holds named subschemas, such as `properties`. */
export function namedChildren(node: SchemaNode, keyword: string): [string, unknown][] {
  const children = node[keyword];
  return isNode(children) ? Object.entries(children) : [];
}

/** The members of a keyword that holds an array of subschemas, such as `anyOf`. */
export function listedChildren(node: SchemaNode, keyword: string): readonly unknown[] {
  const children = node[keyword];
  return Array.isArray(children) ? (children as readonly unknown[]) : [];
}

/** The types in the node's own `type`; undefined if it has none. */
export function namedTypes(node: SchemaNode): readonly string[] | undefined {
  const { type } = node as { type?: unknown };
  if (typeof type === 'string') return [type];
  if (Array.isArray(type)) return type.filter((entry): entry is string => typeof entry === 'string');
  return undefined;
}

/** Content of a keyword: named subschemas, an array of them, or one. */
type KeywordKind = 'named' | 'list' | 'single';

const KINDS: ReadonlyMap<string, KeywordKind> = new Map([
  ['properties', 'named'],
  ['patternProperties', 'named'],
  ['$defs', 'named'],
  ['definitions', 'named'],
  ['dependentSchemas', 'named'],
  ['allOf', 'list'],
  ['anyOf', 'list'],
  ['oneOf', 'list'],
  ['prefixItems', 'list'],
  ['items', 'single'],
  ['additionalProperties', 'single'],
  ['unevaluatedProperties', 'single'],
  ['unevaluatedItems', 'single'],
  ['contains', 'single'],
  ['propertyNames', 'single'],
  ['not', 'single'],
  ['if', 'single'],
  ['then', 'single'],
  ['else', 'single'],
  ['contentSchema', 'single'],
] as const);

/** Keywords whose subschemas describe the same value. */
export const SAME_VALUE: ReadonlySet<string> = new Set([
  'allOf',
  'anyOf',
  'oneOf',
  'if',
  'then',
  'else',
  'not',
  'dependentSchemas',
]);

/** A subschema and its keyword path. */
export interface Subschema {
  readonly keyword: string;
  readonly path: string;
  readonly schema: unknown;
}

/** The direct subschemas of a node, or only those of some keywords. Iterates over the keywords the node has, which are few. */
export function subschemas(
  node: SchemaNode,
  keywords: Iterable<string> = Object.keys(node),
): readonly Subschema[] {
  let found: Subschema[] | undefined;
  for (const keyword of keywords) {
    const value = node[keyword];
    const kind = value === undefined ? undefined : KINDS.get(keyword);
    if (kind === undefined) continue;
    if (kind === 'single') (found ??= []).push({ keyword, path: keyword, schema: value });
    else if (kind === 'named' ? isNode(value) : Array.isArray(value)) {
      const children = value as Readonly<Record<string, unknown>>;
      for (const name of Object.keys(children))
        (found ??= []).push({ keyword, path: `${keyword}/${name}`, schema: children[name] });
    }
  }
  return found ?? NO_SUBSCHEMAS;
}

const NO_SUBSCHEMAS: readonly Subschema[] = [];

/** Every node of a document, the root first; definitions included, references not followed. */
export function allNodes(root: SchemaNode): ReadonlySet<SchemaNode> {
  const nodes = new Set([root]);
  // The set grows during the iteration.
  for (const node of nodes) for (const { schema } of subschemas(node)) if (isNode(schema)) nodes.add(schema);
  return nodes;
}

/** A copy of the node with every direct subschema converted. A single boolean subschema stays. */
export function mapSubschemas(
  node: SchemaNode,
  convert: (schema: unknown, keyword: string) => unknown,
): Record<string, unknown> {
  const copy: Record<string, unknown> = { ...node };
  for (const keyword of Object.keys(node)) {
    const kind = KINDS.get(keyword);
    const value = node[keyword];
    if (kind === 'list' && Array.isArray(value))
      copy[keyword] = listedChildren(node, keyword).map((child) => convert(child, keyword));
    else if (kind === 'single' && isNode(value)) copy[keyword] = convert(value, keyword);
    else if (kind === 'named' && isNode(value))
      copy[keyword] = Object.fromEntries(
        Object.entries(value).map(([name, child]) => [name, convert(child, keyword)]),
      );
  }
  return copy;
}

/** A copy of the node without identifiers and definitions, which do not describe values. */
export function withoutNames(node: SchemaNode): Record<string, unknown> {
  const {
    $schema: _schema,
    $id: _id,
    $anchor: _anchor,
    $dynamicAnchor: _dynamicAnchor,
    $defs: _defs,
    definitions: _definitions,
    ...rest
  } = node as Record<string, unknown>;
  return rest;
}
