import { BOUND, readsAll, REFERENCE, STEP } from './ajv-keywords.ts';
import { canonicalJson } from '../../base/json/canonical-json.ts';
import { allNodes, isNode, listedChildren, namedChildren, subschemas } from '../nodes/json-node.ts';
import type { SchemaNode } from '../nodes/json-node.ts';
import { createRefResolver } from '../nodes/resolve-ref.ts';
import type { RefResolver } from '../nodes/resolve-ref.ts';
import { isWideFormat } from '../nodes/wide-integers.ts';

/** Keywords that Ajv gives a meaning of its own, or chokes on, although the dialect does not know them. */
const FOREIGN_KEYWORDS = ['$schema', 'id', 'nullable', '$async'] as const;

/** Keywords whose subschema is applied to each member, key or element. */
const REPEATED: ReadonlySet<string | undefined> = new Set([
  'items',
  'contains',
  'unevaluatedItems',
  'additionalProperties',
  'patternProperties',
  'propertyNames',
  'unevaluatedProperties',
]);

/** Ajv follows the one of 2019-09 as well. */
const REFERENCES = ['$ref', '$dynamicRef', '$recursiveRef'] as const;

type Writable = Record<string, unknown>;

/** A document as Ajv compiles it. */
export interface PreparedDocument {
  readonly root: SchemaNode;
  readonly resolve: RefResolver;
}

/**
 * Makes a document ready for Ajv: without what would make Ajv enforce something else than 2020-12 says, with references that are ours to
 * follow. Where Ajv has to follow them itself, each place that a check can come by more than once gets a step.
 */
export function prepareDocument(schema: SchemaNode, isExact: boolean): PreparedDocument {
  const root = structuredClone(schema) as Writable;
  const resolve = createRefResolver(root);
  const { nodes, repeated, targets } = collect(root, resolve);
  const all = new Set([...nodes, ...targets]);
  for (const node of nodes) {
    for (const keyword of FOREIGN_KEYWORDS) delete node[keyword];
    if (isExact) dropUntold(node);
    joinConstants(node);
  }
  // Errors only become many where something is repeated.
  for (const node of [...repeated, ...targets]) if (Object.keys(node).length > 0) node[BOUND] = true;
  // Without references a document is a tree, and meets no value twice.
  if (targets.size === 0) return { root, resolve };
  const isOurs = ![...all].some((node) => BEYOND_VALUES.some((keyword) => keyword in node));
  for (const node of all) {
    if (isOurs) takeReference(node, resolve);
    else if (isMetAgain(node, repeated)) node[STEP] = true;
  }
  return { root, resolve };
}

/** Keywords that ask for more than whether what is referred to is valid: what it has looked at, or by which way it was reached. */
const BEYOND_VALUES = ['unevaluatedProperties', 'unevaluatedItems', '$dynamicRef', '$recursiveRef'] as const;

function takeReference(node: Writable, resolve: RefResolver): void {
  const ref = node['$ref'];
  if (typeof ref !== 'string') return;
  const target = resolve(ref);
  delete node['$ref'];
  if (isNode(target)) node[REFERENCE] = ref;
  else node['allOf'] = [...listedChildren(node, 'allOf'), target];
}

/** Whether a check can come by a node more than once, or has to go through more than the node there. */
function isMetAgain(node: SchemaNode, repeated: ReadonlySet<SchemaNode>): boolean {
  return repeated.has(node) || readsAll(node) || REFERENCES.some((keyword) => keyword in node);
}

/** Keywords that only describe. */
const ANNOTATIONS: ReadonlySet<string> = new Set([
  'title',
  'description',
  'deprecated',
  'examples',
  'default',
  '$comment',
]);

/** Alternatives that are constants, each with its title, are an enumeration: that is looked up and not tried one by one. */
function joinConstants(node: Writable): void {
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const alternatives = listedChildren(node, keyword);
    if (alternatives.length < 2 || !alternatives.every(isConstant)) continue;
    const values = alternatives.map((alternative) => alternative['const']);
    // Of two that are the same, `oneOf` takes neither.
    if (keyword === 'oneOf' && new Set(values.map((value) => canonicalJson(value))).size < values.length)
      continue;
    delete node[keyword];
    node['allOf'] = [...listedChildren(node, 'allOf'), { enum: values }];
  }
}

function isConstant(schema: unknown): schema is SchemaNode {
  if (!isNode(schema) || !('const' in schema)) return false;
  return Object.keys(schema).every((key) => key === 'const' || ANNOTATIONS.has(key));
}

interface Collected {
  /** Every subschema. */
  readonly nodes: ReadonlySet<Writable>;
  readonly repeated: ReadonlySet<Writable>;
  /** What is referred to, and the subschemas of that: it may stand anywhere, also under a keyword that holds no schemas. */
  readonly targets: ReadonlySet<Writable>;
}

function collect(root: Writable, resolve: RefResolver): Collected {
  const [nodes, targets, repeated] = [new Set([root]), new Set<Writable>(), new Set<Writable>()];
  const visit = (node: Writable, found: Set<Writable>): void => {
    for (const keyword of REFERENCES) {
      const ref = node[keyword];
      const target = typeof ref === 'string' ? resolve(ref) : undefined;
      if (isNode(target)) targets.add(target);
    }
    for (const { path, schema } of subschemas(node)) {
      if (!isNode(schema)) continue;
      found.add(schema);
      if (REPEATED.has(path.split('/', 1)[0])) repeated.add(schema);
    }
    // Ajv enforces this keyword of older drafts, whose members need not be schemas.
    for (const [, schema] of namedChildren(node, 'dependencies')) if (isNode(schema)) found.add(schema);
  };
  // Both sets grow while they are walked.
  for (const node of nodes) visit(node, nodes);
  for (const node of targets) if (!nodes.has(node)) visit(node, targets);
  return { nodes, repeated, targets };
}

/** Takes keywords away that cannot be told from what is left of a bigint in a number. */
function dropUntold(node: Writable): void {
  for (const keyword of ['multipleOf', 'uniqueItems'])
    if (keyword in node && [...allNodes(node)].some((each) => isWideFormat(each['format']) || '$ref' in each))
      delete node[keyword];
}
