import { BOUND, readsAll, REFERENCE, STEP } from './ajv-keywords.ts';
import { canonicalJson } from '../../base/json/canonical-json.ts';
import { allNodes, isNode, listedChildren, namedChildren, subschemas } from '../nodes/json-node.ts';
import type { SchemaNode } from '../nodes/json-node.ts';
import { createRefResolver } from '../nodes/resolve-ref.ts';
import type { RefResolver } from '../nodes/resolve-ref.ts';
import { isWideFormat } from '../nodes/wide-integers.ts';

/** Keywords that are not part of the dialect but that Ajv interprets or fails on. */
const FOREIGN_KEYWORDS = ['$schema', 'id', 'nullable', '$async'] as const;

/** Keywords whose subschema applies to each member, key or element. */
const REPEATED: ReadonlySet<string | undefined> = new Set([
  'items',
  'contains',
  'unevaluatedItems',
  'additionalProperties',
  'patternProperties',
  'propertyNames',
  'unevaluatedProperties',
]);

/** Includes `$recursiveRef` of 2019-09, which Ajv follows as well. */
const REFERENCES = ['$ref', '$dynamicRef', '$recursiveRef'] as const;

type Writable = Record<string, unknown>;

/** A document that is ready for Ajv. */
export interface PreparedDocument {
  readonly root: SchemaNode;
  readonly resolve: RefResolver;
}

/**
 * Prepares a document for Ajv: removes keywords that would make Ajv enforce something other than 2020-12, and replaces references with our
 * own keyword. Where Ajv has to follow references itself, each node that a check can visit repeatedly gets a step counter.
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
  // Errors become many only where something is repeated.
  for (const node of [...repeated, ...targets]) if (Object.keys(node).length > 0) node[BOUND] = true;
  // Without references a document is a tree, and visits no value twice.
  if (targets.size === 0) return { root, resolve };
  const isOurs = ![...all].some((node) => BEYOND_VALUES.some((keyword) => keyword in node));
  for (const node of all) {
    if (isOurs) takeReference(node, resolve);
    else if (isMetAgain(node, repeated)) node[STEP] = true;
  }
  return { root, resolve };
}

/** Keywords that need more than the validity of a reference target: its evaluated properties, or the dynamic scope. */
const BEYOND_VALUES = ['unevaluatedProperties', 'unevaluatedItems', '$dynamicRef', '$recursiveRef'] as const;

function takeReference(node: Writable, resolve: RefResolver): void {
  const ref = node['$ref'];
  if (typeof ref !== 'string') return;
  const target = resolve(ref);
  delete node['$ref'];
  if (isNode(target)) node[REFERENCE] = ref;
  else node['allOf'] = [...listedChildren(node, 'allOf'), target];
}

/** Whether a check can visit a node more than once, or has to go through a whole value there. */
function isMetAgain(node: SchemaNode, repeated: ReadonlySet<SchemaNode>): boolean {
  return repeated.has(node) || readsAll(node) || REFERENCES.some((keyword) => keyword in node);
}

/** Annotation keywords. */
const ANNOTATIONS: ReadonlySet<string> = new Set([
  'title',
  'description',
  'deprecated',
  'examples',
  'default',
  '$comment',
]);

/** Converts alternatives that are constants to an enum, which is looked up instead of tried one by one. */
function joinConstants(node: Writable): void {
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const alternatives = listedChildren(node, keyword);
    if (alternatives.length < 2 || !alternatives.every(isConstant)) continue;
    const values = alternatives.map((alternative) => alternative['const']);
    // If two constants are equal, `oneOf` matches neither.
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
  /** All subschemas. */
  readonly nodes: ReadonlySet<Writable>;
  readonly repeated: ReadonlySet<Writable>;
  /** Targets of references and their subschemas: a target may be under any keyword, including those that hold no schemas. */
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
    // Ajv enforces this keyword of older drafts; its members need not be schemas.
    for (const [, schema] of namedChildren(node, 'dependencies')) if (isNode(schema)) found.add(schema);
  };
  // Both sets grow during the iteration.
  for (const node of nodes) visit(node, nodes);
  for (const node of targets) if (!nodes.has(node)) visit(node, targets);
  return { nodes, repeated, targets };
}

/** Removes keywords that cannot be evaluated for a bigint that was converted to a number. */
function dropUntold(node: Writable): void {
  for (const keyword of ['multipleOf', 'uniqueItems'])
    if (keyword in node && [...allNodes(node)].some((each) => isWideFormat(each['format']) || '$ref' in each))
      delete node[keyword];
}
