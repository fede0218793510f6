import { MAX_SCHEMA_DEPTH, MAX_SUBSCHEMAS } from '../view/check-json-schema.ts';
import {
  isNode,
  listedChildren,
  mapSubschemas,
  SAME_VALUE,
  subschemas,
  withoutNames,
} from '../nodes/json-node.ts';
import type { SchemaNode } from '../nodes/json-node.ts';
import { createRefResolver } from '../nodes/resolve-ref.ts';
import { SchemaView } from '../view/schema-view.ts';

/**
 * The document with every reference written out and without definitions. A schema that leads back to itself is cut where it
 * repeats, and where the document would become too large: what stands there says so and takes everything of the right type, so
 * that the whole never accepts less.
 */
export function inlineRefs(document: SchemaNode): SchemaNode {
  return new Inliner(document).write();
}

class Inliner {
  readonly #document: SchemaNode;
  readonly #resolve: (ref: string) => unknown;
  readonly #view: SchemaView;
  readonly #extents = new Map<unknown, Extent>();
  /** The definitions that are being written, from the root on. */
  readonly #open = new Set<unknown>();
  /** What stands where something was cut. */
  readonly #cut = new WeakSet<object>();
  /** The same, and every node that has such a thing among the parts of its own value. */
  readonly #loose = new WeakSet<object>();
  #size: number;
  #cuts = 0;

  constructor(document: SchemaNode) {
    this.#document = document;
    this.#resolve = createRefResolver(document);
    this.#view = new SchemaView(document);
    this.#size = this.#extentOf(document).size;
  }

  write(): SchemaNode {
    this.#open.add(this.#document);
    return this.#visit(this.#document, 0) as SchemaNode;
  }

  #visit(schema: unknown, depth: number): unknown {
    if (!isNode(schema)) return schema;
    const { $ref, $dynamicRef, ...own } = withoutNames(schema);
    const cutKeywords = new Set<string>();
    let isLoose = false;
    const written = mapSubschemas(own, (child, keyword) => {
      const before = this.#cuts;
      const copy = this.#visit(child, depth + 1);
      if (this.#cuts > before) cutKeywords.add(keyword);
      if (SAME_VALUE.has(keyword) && this.#isLoose(copy)) isLoose = true;
      return copy;
    });
    const targets = [$ref, $dynamicRef]
      .filter((ref) => typeof ref === 'string')
      .map((ref) => this.#follow(ref, depth));
    // A condition that goes takes the keys along that it named.
    if (cutKeywords.has('if') || targets.some((target) => this.#isLoose(target))) isLoose = true;
    const node = targets.reduce<unknown>(
      (before, target) => this.#beside(before, target),
      withoutDoubts(written, cutKeywords, isLoose),
    );
    if (isLoose && isNode(node)) this.#loose.add(node);
    return node;
  }

  #isLoose(schema: unknown): boolean {
    return isNode(schema) && this.#loose.has(schema);
  }

  #follow(ref: string, depth: number): unknown {
    const target = this.#resolve(ref);
    if (!isNode(target)) return target;
    if (this.#open.has(target)) return this.#cutAt(target, `Recursive: again ${nameOf(ref)}, as above.`);
    const extent = this.#extentOf(target);
    if (this.#size + extent.size > MAX_SUBSCHEMAS || depth + extent.depth + 1 > MAX_SCHEMA_DEPTH)
      return this.#cutAt(target, `Recursive: ${nameOf(ref)} is not written out here.`);
    this.#size += extent.size;
    this.#open.add(target);
    const written = this.#visit(target, depth + 1);
    this.#open.delete(target);
    return written;
  }

  #cutAt(target: SchemaNode, description: string): SchemaNode {
    this.#cuts += 1;
    const accepted = [...(this.#view.acceptedTypes(target) ?? [])];
    const types = accepted.filter((type) => type !== 'integer' || !accepted.includes('number'));
    const cut = {
      ...(types.length === 0 ? {} : { type: types.length === 1 ? types[0] : types }),
      description,
    };
    this.#cut.add(cut);
    this.#loose.add(cut);
    return cut;
  }

  /** What a reference led to, laid into the node that referred to it. */
  #beside(node: unknown, target: unknown): unknown {
    if (!isNode(node) || Object.keys(node).length === 0) return target;
    if (!isNode(target) || Object.keys(node).some((keyword) => collides(keyword, target)))
      return { ...node, allOf: [...listedChildren(node, 'allOf'), target] };
    const both = { ...target, ...node };
    if (!this.#cut.has(target)) return both;
    const words = [node['description'], target['description']].filter((text) => typeof text === 'string');
    return { ...both, description: words.join(' ') };
  }

  /** How much is written for a schema, references aside. */
  #extentOf(schema: unknown): Extent {
    if (!isNode(schema)) return { size: 0, depth: 0 };
    const known = this.#extents.get(schema);
    if (known !== undefined) return known;
    let [size, depth] = [1, 0];
    for (const child of subschemas(withoutNames(schema))) {
      const extent = this.#extentOf(child.schema);
      size += extent.size;
      depth = Math.max(depth, extent.depth + 1);
    }
    const extent = { size, depth };
    this.#extents.set(schema, extent);
    return extent;
  }
}

interface Extent {
  readonly size: number;
  readonly depth: number;
}

/** A node in which something was cut, without what would now refuse values that it took before: what is cut accepts more. */
function withoutDoubts(
  node: Record<string, unknown>,
  cutKeywords: ReadonlySet<string>,
  isLoose: boolean,
): SchemaNode {
  const kept = { ...node };
  const drop = (...keywords: readonly string[]): void => {
    for (const keyword of keywords) delete kept[keyword];
  };
  if (cutKeywords.has('not')) drop('not');
  if (cutKeywords.has('if')) drop('if', 'then', 'else');
  if (cutKeywords.has('contains')) drop('maxContains');
  // What was cut no longer names its keys, so nothing can be said about the others.
  if (isLoose) drop('unevaluatedProperties', 'unevaluatedItems');
  if (!cutKeywords.has('oneOf')) return kept;
  // Alternatives may overlap now where they did not before.
  const alternatives = kept['oneOf'];
  drop('oneOf');
  if ('anyOf' in kept) kept['allOf'] = [...listedChildren(kept, 'allOf'), { anyOf: alternatives }];
  else kept['anyOf'] = alternatives;
  return kept;
}

/** Keywords that only make sense together. */
const FAMILIES: readonly ReadonlySet<string>[] = [
  new Set(['properties', 'patternProperties', 'additionalProperties', 'unevaluatedProperties']),
  new Set(['prefixItems', 'items', 'contains', 'minContains', 'maxContains', 'unevaluatedItems']),
  new Set(['if', 'then', 'else']),
];
const WORDS: ReadonlySet<string> = new Set([
  '$comment',
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
]);

function collides(keyword: string, target: SchemaNode): boolean {
  if (WORDS.has(keyword)) return false;
  if (Object.hasOwn(target, keyword)) return true;
  // What is left over depends on everything that stands beside it.
  if ('unevaluatedProperties' in target || 'unevaluatedItems' in target) return true;
  return FAMILIES.some(
    (family) => family.has(keyword) && Object.keys(target).some((other) => family.has(other)),
  );
}

function nameOf(ref: string): string {
  return ref === '#' ? 'the whole' : `"${ref.slice(ref.lastIndexOf('/') + 1).replace(/^#/, '')}"`;
}
