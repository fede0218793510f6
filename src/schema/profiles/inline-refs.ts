import { MAX_SCHEMA_DEPTH, MAX_SUBSCHEMAS } from '../view/check-json-schema.ts';
import { isNode, listedChildren, mapSubschemas, subschemas, withoutNames } from '../nodes/json-node.ts';
import type { SchemaNode } from '../nodes/json-node.ts';
import { typeKeyword } from '../nodes/json-types.ts';
import { SchemaView } from '../view/schema-view.ts';

/**
 * Replaces every reference with its target and removes the definitions. A recursive schema is cut where it repeats, and where the document
 * would become too large: the cut part has a note and accepts everything of the right type, so that the result never accepts less.
 */
export function inlineRefs(document: SchemaNode): SchemaNode {
  return new Inliner(document).write();
}

class Inliner {
  readonly #document: SchemaNode;
  readonly #view: SchemaView;
  readonly #extents = new Map<unknown, Extent>();
  /** Definitions that are being written, from the root on. */
  readonly #open = new Set<unknown>();
  /** Replacements of cut parts. */
  readonly #cut = new WeakSet<object>();
  #size: number;
  #cuts = 0;

  constructor(document: SchemaNode) {
    this.#document = document;
    this.#view = new SchemaView(document);
    this.#size = this.#extentOf(document).size;
  }

  write(): SchemaNode {
    this.#open.add(this.#document);
    return this.#visit(this.#document, 0) as SchemaNode;
  }

  #visit(schema: unknown, depth: number): unknown {
    if (!isNode(schema)) return schema;
    const cuts = this.#cuts;
    const { $ref, $dynamicRef, ...own } = withoutNames(schema);
    const written = mapSubschemas(own, (child) => this.#visit(child, depth + 1));
    const targets = [$ref, $dynamicRef]
      .filter((ref) => typeof ref === 'string')
      .map((ref) => this.#follow(ref, depth));
    const node = this.#cuts === cuts ? written : withoutDoubts(written);
    return targets.reduce<unknown>((before, target) => this.#layInto(before, target), node);
  }

  #follow(ref: string, depth: number): unknown {
    const target = this.#view.resolve(ref);
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
    const cut = { ...typeKeyword(this.#view.acceptedTypes(target)), description };
    this.#cut.add(cut);
    return cut;
  }

  /** The target of a reference, merged into the referring node if that node only adds annotations. */
  #layInto(node: unknown, target: unknown): unknown {
    if (!isNode(node) || Object.keys(node).length === 0) return target;
    if (!isNode(target) || !Object.keys(node).every((keyword) => WORDS.has(keyword)))
      return { ...node, allOf: [...listedChildren(node, 'allOf'), target] };
    const texts = [node, target].map(({ description }) => description);
    const isSaidTwice = this.#cut.has(target) && texts[0] !== undefined;
    return { ...target, ...node, ...(isSaidTwice ? { description: texts.join(' ') } : {}) };
  }

  /** Size of a schema without its references. */
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

/** Removes keywords that would now reject values that were valid before: a cut part accepts more, and no longer names its keys. */
function withoutDoubts(node: Record<string, unknown>): Record<string, unknown> {
  const {
    not: _not,
    if: _if,
    then: _then,
    else: _else,
    maxContains: _most,
    unevaluatedProperties: _properties,
    unevaluatedItems: _items,
    oneOf,
    ...kept
  } = node;
  // Alternatives that were disjoint may overlap now.
  if (oneOf === undefined) return kept;
  if (!('anyOf' in kept)) return { ...kept, anyOf: oneOf };
  return { ...kept, allOf: [...listedChildren(kept, 'allOf'), { anyOf: oneOf }] };
}

const WORDS: ReadonlySet<string> = new Set(
  '$comment title description default examples deprecated readOnly writeOnly'.split(' '),
);

function nameOf(ref: string): string {
  return ref === '#' ? 'the whole' : `"${ref.slice(ref.lastIndexOf('/') + 1).replace(/^#/, '')}"`;
}
