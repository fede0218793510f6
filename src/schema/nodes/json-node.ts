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
const NAMED_KEYWORDS = [
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
] as const;
/** Keywords whose value is a list of subschemas. */
const LIST_KEYWORDS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'] as const;
/** Keywords whose value is one subschema. */
const SINGLE_KEYWORDS = [
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

/** Keywords whose subschemas speak of the same value. */
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

/** A subschema and the keyword path that leads to it. */
export interface Subschema {
  readonly path: string;
  readonly schema: unknown;
}

type KeywordKind = 'named' | 'list' | 'single';

const KINDS: ReadonlyMap<string, KeywordKind> = new Map([
  ...NAMED_KEYWORDS.map((keyword) => [keyword, 'named'] as const),
  ...LIST_KEYWORDS.map((keyword) => [keyword, 'list'] as const),
  ...SINGLE_KEYWORDS.map((keyword) => [keyword, 'single'] as const),
]);

/** The direct subschemas of a node. Goes by the keywords it has, which are few, not by those it might have. */
export function subschemas(node: SchemaNode): readonly Subschema[] {
  let found: Subschema[] | undefined;
  for (const keyword of Object.keys(node)) {
    const kind = KINDS.get(keyword);
    if (kind === undefined) continue;
    const value = node[keyword];
    if (kind === 'single') (found ??= []).push({ path: keyword, schema: value });
    else if (kind === 'named' ? isNode(value) : Array.isArray(value)) {
      const children = value as Readonly<Record<string, unknown>>;
      for (const name of Object.keys(children))
        (found ??= []).push({ path: `${keyword}/${name}`, schema: children[name] });
    }
  }
  return found ?? NO_SUBSCHEMAS;
}

const NO_SUBSCHEMAS: readonly Subschema[] = [];

/** A copy of the node with every direct subschema converted. */
export function mapSubschemas(
  node: SchemaNode,
  convert: (schema: unknown, keyword: string) => unknown,
): Record<string, unknown> {
  const copy: Record<string, unknown> = { ...node };
  for (const keyword of NAMED_KEYWORDS) {
    if (!isNode(copy[keyword])) continue;
    const children = namedChildren(copy, keyword).map(([name, child]) => [name, convert(child, keyword)]);
    copy[keyword] = Object.fromEntries(children);
  }
  for (const keyword of LIST_KEYWORDS) {
    if (Array.isArray(copy[keyword]))
      copy[keyword] = listedChildren(copy, keyword).map((child) => convert(child, keyword));
  }
  for (const keyword of SINGLE_KEYWORDS) {
    if (isNode(copy[keyword])) copy[keyword] = convert(copy[keyword], keyword);
  }
  return copy;
}
