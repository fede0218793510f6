/** Readers for JSON Schema nodes, which are `unknown` until looked at. */

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

/** The members of a keyword that holds a list of subschemas, such as `anyOf`. */
export function listedChildren(node: SchemaNode, keyword: string): readonly unknown[] {
  const children = node[keyword];
  return Array.isArray(children) ? (children as readonly unknown[]) : [];
}

/** The types a node names itself; undefined when it names none. */
export function namedTypes(node: SchemaNode): readonly string[] | undefined {
  const { type } = node as { type?: unknown };
  if (typeof type === 'string') return [type];
  if (Array.isArray(type)) return type.filter((entry): entry is string => typeof entry === 'string');
  return undefined;
}

/** Keywords whose value maps names to subschemas. */
export const NAMED_KEYWORDS = [
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
] as const;
/** Keywords whose value is a list of subschemas. */
export const LIST_KEYWORDS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'] as const;
/** Keywords whose value is one subschema. */
export const SINGLE_KEYWORDS = [
  'items',
  'additionalProperties',
  'unevaluatedProperties',
  'unevaluatedItems',
  'contains',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
  'contentSchema',
] as const;

/** The direct subschemas of a node, with the keyword path that leads to each. */
export function* subschemas(
  node: SchemaNode,
): Generator<{ readonly path: string; readonly schema: unknown }> {
  for (const keyword of NAMED_KEYWORDS) {
    for (const [name, schema] of namedChildren(node, keyword)) yield { path: `${keyword}/${name}`, schema };
  }
  for (const keyword of LIST_KEYWORDS) {
    for (const [index, schema] of listedChildren(node, keyword).entries())
      yield { path: `${keyword}/${index}`, schema };
  }
  for (const keyword of SINGLE_KEYWORDS) {
    if (Object.hasOwn(node, keyword)) yield { path: keyword, schema: node[keyword] };
  }
}
